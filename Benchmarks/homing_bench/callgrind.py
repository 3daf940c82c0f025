"""Instructions per fix: the difference of two runs under callgrind that differ in the number of fixes only.

Start, end and whatever a program does once fall out. Counts of instructions do not depend on the machine's load.
"""

import collections
import re
import subprocess

from homing_rigs import processes

from .stand_ins import GPSD, HomeAssistant
from .subjects import Baseline, Homing

# The accuracy of the stand-in's fixes is 5 m and its steps are 30 m: each is reported.
CONFIGURATION = "[location]\nmin_distance=1\n"


def homing(programs, fewer, more):
    """Profile of homingd per fix."""
    return _difference(lambda count: _run_homing(programs, count), fewer, more)


def baseline(program, fewer, more):
    """Profile of the C client per fix."""
    return _difference(lambda count: _run_baseline(program, count), fewer, more)


class Profile:
    """Instructions by (object, function), themselves only."""

    def __init__(self, costs):
        self.costs = costs

    @property
    def total(self):
        """All of them."""
        return sum(self.costs.values())

    def by_part(self):
        """Instructions by library; of the program itself, by module."""
        parts = collections.Counter()
        for (thing, function), cost in self.costs.items():
            parts[_part(thing, function)] += cost
        return parts.most_common()

    def top(self, count):
        """(instructions, library, function) of those that take most, in Swift's own words."""
        found = sorted(self.costs.items(), key=lambda item: -item[1])[:count]
        names = _demangled([function for (_, function), _ in found])
        return [(cost, thing.rsplit("/", 1)[-1], name) for ((thing, _), cost), name in zip(found, names)]


def _difference(run, fewer, more):
    small, large = run(fewer), run(more)
    return Profile({key: (large[key] - small[key]) / (more - fewer) for key in large | small})


def _valgrind(folder):
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out"]


def _run_homing(programs, count):
    source = GPSD(count, paced=True)
    server = HomeAssistant(on_update=source.go)
    subject = Homing(programs, server.port, source.port, CONFIGURATION)
    child = subject.start(prefix=_valgrind(subject.folder))
    return _finish(subject, child, source, server, count)


def _run_baseline(program, count):
    source = GPSD(count, paced=True)
    server = HomeAssistant(on_update=source.go)
    subject = Baseline(program)
    child = subject.start(server, "--gpsd", "127.0.0.1", source.port, prefix=_valgrind(subject.folder))
    return _finish(subject, child, source, server, count)


def _finish(subject, child, source, server, count):
    def done():
        child.must_live()
        return server.count() >= count

    processes.wait_for(done, 600, f"{count} fixes are delivered", every=0.2)
    child.stop(60)
    source.close()
    server.close()
    return _read(subject.folder / "callgrind.out")


def _read(file):
    """Self cost by (object, function), out of callgrind's own format (its manual, section 'Callgrind Format')."""
    names, costs = {}, collections.Counter()
    position = {"ob": "", "fn": ""}
    name = re.compile(r"(c?ob|c?fn)=\((\d+)\)(?: (.*))?")
    is_call = False
    for line in file.open(errors="replace"):
        if match := name.match(line):
            key, number, text = match.groups()
            kind = key[-2:]
            if text is not None:
                names[kind, number] = text
            if key == kind:
                position[kind] = names[kind, number]
        elif line.startswith("calls="):
            is_call = True  # the next line is what the call cost inclusively
        elif line[0] in "+-*0123456789":
            if not is_call:
                costs[position["ob"], position["fn"]] += int(line.split()[1])
            is_call = False
    return costs


def _demangled(functions):
    text = "\n".join(functions)
    shown = subprocess.run(["swift", "demangle", "--simplified"], input=text, capture_output=True, text=True)
    lines = shown.stdout.splitlines()
    return lines if len(lines) == len(functions) else functions


def _part(thing, function):
    library = re.sub(r"(\.so.*|-\d.*)$", "", thing.rsplit("/", 1)[-1])
    if library not in ("homingd", "homing"):
        return library
    if function.startswith("$s") and (match := re.match(r"\$s(\d+)", function)):
        begin = match.end()
        return f"homingd: {function[begin:begin + int(match.group(1))]}"
    if function.startswith("$s"):
        return "homingd: Swift's standard library"
    if function.startswith(("swift_", "_swift_", "_ZN5swift", "_ZNK5swift", "_ZL", "_ZN12_GLOBAL__N_")):
        return "homingd: Swift's runtime"
    return "homingd: other"
