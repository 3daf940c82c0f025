"""What the kernel tells of a process: memory, wake-ups, CPU time."""

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
    """(proportional set size, which depends on who else has the libraries loaded; resident; anonymous) in MiB."""
    fields = _fields(pathlib.Path(f"/proc/{pid}/smaps_rollup"))
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("Pss", "Rss", "Anonymous"))


def threads(pid):
    """How many threads it has."""
    return int(_fields(pathlib.Path(f"/proc/{pid}/status"))["Threads"])


def _fields(file):
    lines = (line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    return {name: value.strip() for name, value in lines}
