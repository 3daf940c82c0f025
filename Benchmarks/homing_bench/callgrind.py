"""Instructions per fix: the difference of two runs under callgrind that differ in the number of fixes only.

Start, end and whatever a program does once fall out. Counts of instructions do not depend on the machine's load.
"""

import collections
import functools
import re
import subprocess
import threading
import time

from homing_rigs import processes

from .stand_ins import GPSD, HomeAssistant
from .subjects import ROOT, Floor, Homing

# The accuracy of the stand-in's fixes is 5 m and its steps are 30 m: each is reported.
CONFIGURATION = "[location]\nmin_distance=1\n"


def homing(programs, fewer, more, channel):
    """Profile of homingd per fix, by HTTP or with the channel open. The programs are those with their symbols."""
    return _difference(lambda count: _run_homing(programs, count, channel), fewer, more)


def records(programs, warm_up, count):
    """Two records by callgrind of one run of homingd with the channel and the sensors on, with the linker's names: of the run
    up to `warm_up` fixes, and of the run from then to `count`."""
    pace = _Pace(count, channel=True)
    subject = Homing(programs, pace.server.port, pace.source.port, f"{CONFIGURATION}[sensors]\n", channel=True)
    child = subject.start([*_valgrind(subject.folder), "--demangle=no"])
    _wait(child, pace, warm_up)
    subprocess.run(["callgrind_control", "--dump", str(child.pid)], check=True, stdout=subprocess.DEVNULL)
    work = _finish(subject, child, pace, count)
    return work.with_name(f"{work.name}.1"), work


def floor(program, fewer, more):
    """Profile of a C client per fix."""
    return _difference(lambda count: _run_floor(program, count), fewer, more)


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


# Seconds from a delivery to the next fix. The answer has to be dealt with by then: at 1 Hz it is, and a position that finds
# its predecessor without an answer is written to the disk by itself.
PAUSE = 0.03


class _Pace:
    """Lets the next fix come soon after the last is delivered; with `channel`, the second when that is open."""

    def __init__(self, count, channel=False):
        self.source = GPSD(count, paced=True)
        self.server = HomeAssistant(on_update=self._delivered)
        self._waits = channel

    def _delivered(self):
        threading.Thread(target=self._go, daemon=True).start()

    def _go(self):
        if self._waits:
            self.server.channel_opened.wait()
        self._waits = False
        time.sleep(PAUSE)
        self.source.go()


def _run_homing(programs, count, channel):
    pace = _Pace(count, channel)
    subject = Homing(programs, pace.server.port, pace.source.port, CONFIGURATION, channel=channel)
    child = subject.start(_valgrind(subject.folder), SWIFT_DETERMINISTIC_HASHING="1")
    return _read(_finish(subject, child, pace, count))


def _run_floor(program, count):
    pace = _Pace(count)
    subject = Floor(program)
    child = subject.start(pace.server, "--gpsd", "127.0.0.1", pace.source.port, prefix=_valgrind(subject.folder))
    return _read(_finish(subject, child, pace, count))


def _wait(child, pace, count):
    def done():
        child.must_live()
        return pace.server.count() >= count

    processes.wait_for(done, 600, f"{count} fixes are delivered", every=0.05)


def _finish(subject, child, pace, count):
    _wait(child, pace, count)
    child.stop(60)
    pace.source.close()
    pace.server.close()
    return subject.folder / "callgrind.out"


def _read(file):
    """Self cost by (object, function)."""
    costs = collections.Counter()
    for function, callee, _, cost in entries(file):
        if callee is None:
            costs[function] += cost
    return costs


def entries(file):
    """The lines of costs in callgrind's own format (its manual, section 'Callgrind Format'): (function, function that it
    calls, how often, cost), where a function is (object, name). For the function's own instructions the second is None."""
    names, count = {}, 0
    caller, callee = {"ob": "", "fn": ""}, {"ob": "", "fn": ""}
    name = re.compile(r"(c?ob|c?fn)=\((\d+)\)(?: (.*))?")
    for line in file.open(errors="replace"):
        if match := name.match(line):
            key, number, text = match.groups()
            kind = key[-2:]
            if text is not None:
                names[kind, number] = text
            if key != kind:
                callee[kind] = names[kind, number]
            else:
                caller[kind] = names[kind, number]
                # A callee whose object is not named is of the caller's.
                callee["ob"] = caller["ob"]
        elif line.startswith("calls="):
            count = int(line[len("calls="):].split()[0])
        elif line[0] in "+-*0123456789":
            cost = int(line.split()[1])
            if count:
                yield (caller["ob"], caller["fn"]), (callee["ob"], callee["fn"]), count, cost
                callee["ob"], count = caller["ob"], 0
            else:
                yield (caller["ob"], caller["fn"]), None, 0, cost


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
    return _linked_in().get(function, "homingd: other")


@functools.cache
def _linked_in():
    """The library of each C function that is linked in, by name."""
    folder = ROOT / ".build/static/linked-in"
    found = {}
    for archive in folder.glob("*.a"):
        shown = subprocess.run(["nm", "--defined-only", "--format=posix", archive], capture_output=True, text=True).stdout
        found |= {words[0]: archive.stem for line in shown.splitlines() if len(words := line.split()) > 1 and words[1] in "Tt"}
    return found
