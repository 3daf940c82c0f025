"""What the kernel tells of a process: memory, wake-ups, CPU time, what it wrote."""

import pathlib


class Sample:
    """Voluntary context switches (how often a thread slept and was woken) and milliseconds of CPU time, by thread."""

    def __init__(self, pid):
        self.threads = {}
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            switches = int(_fields(task / "status")["voluntary_ctxt_switches"])
            cpu = int((task / "schedstat").read_text().split()[0]) / 1e6
            self.threads[task.name] = ((task / "comm").read_text().strip(), switches, cpu)

    def since(self, before):
        """(switches, milliseconds, switches by thread name) since an earlier sample. What a thread used that was
        there for neither or only for the earlier one is not known and left out."""
        switches, cpu, by_name = 0, 0.0, {}
        for number, (name, woken, used) in self.threads.items():
            _, woken_before, used_before = before.threads.get(number, (name, 0, 0.0))
            switches += woken - woken_before
            cpu += used - used_before
            by_name[name] = by_name.get(name, 0) + woken - woken_before
        return switches, cpu, by_name


def memory(pid):
    """MiB: proportional set size, which depends on who else has the libraries loaded; resident; what nobody else has;
    anonymous, which is what it has allocated or changed. And how many threads it has."""
    fields = _fields(pathlib.Path(f"/proc/{pid}/smaps_rollup"))
    mib = {name: int(fields[name].split()[0]) / 1024 for name in ("Pss", "Rss", "Private_Clean", "Private_Dirty", "Anonymous")}
    return {"pss": mib["Pss"], "resident": mib["Rss"], "unique": mib["Private_Clean"] + mib["Private_Dirty"],
            "anonymous": mib["Anonymous"], "threads": int(_fields(pathlib.Path(f"/proc/{pid}/status"))["Threads"])}


def written(pid):
    """Bytes that it had written to disks: pages that it made dirty. Not the file system's own journal, and not what lies
    in memory (tmpfs)."""
    return int(_fields(pathlib.Path(f"/proc/{pid}/io"))["write_bytes"])


def _fields(file):
    lines = (line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    return {name: value.strip() for name, value in lines}
