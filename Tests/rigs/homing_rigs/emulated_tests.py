"""The Swift tests, compiled for another architecture and run by qemu on this machine.

By hand (from Tests/rigs, with /usr/bin/python3 -m homing_rigs.emulated_tests …):
    trixie arm64 [--jobs N] [TARGET]…   compile all tests, and run those of each target, or of these, N at a time
    trixie arm64 --left-out [TARGET]…   run what is left out, one test at a time: one that passes need not be left out

They are compiled in the tree in which packages are built, into .build/ARCHITECTURE. Each target runs in a process of its own,
as with scripts/unit-tests. All but the tests and their libraries is this machine's: files, network, D-Bus and kernel. What a
target has said is kept in .build/ARCHITECTURE/logs. Exit code 1: a test has failed.

The run takes hours, and can be interrupted. A target that has passed is not run again, until a committed file, the compiled
tests, their libraries or a variable HOMING_… change. Where something is not committed, all targets run. If you want
all targets to run again, delete .build/ARCHITECTURE/passed.json.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

from . import debian_tree
from .cross_tree import NAMES, half, to_cross_build
from .emulated import copy_libraries, emulator_of
from .emulated_reasons import REASONS
from .ha_install import CannotInstall
from .processes import Child

REPOSITORY = debian_tree.REPOSITORY
# They measure time and memory, which qemu multiplies. The thread sanitizer leaves them out too.
MEASURING = {"HomingBoundTests", "HomingCostTests"}
# The variable by which scripts/test-release names the part that runs. No test reads the variable.
RUNNING = "HOMING_RELEASE_PART"
# Seconds for a target, and for a single test.
PATIENCE, PATIENCE_WITH_ONE = 3600, 300
# Fewer random cases than elsewhere, where a test has a hundred thousand of them. The environment can ask for more.
FEWER = {"HOMING_HISTORIES": "500", "HOMING_POWER_CUTS": "40", "HOMING_PAYLOADS": "1000"}
# Optimised, as the packages are: qemu runs unoptimised tests of a queue for hours.
BUILD = """
cd {repository}
export PKG_CONFIG_PATH=/usr/lib/{gnu}/pkgconfig:/usr/share/pkgconfig
swift build -c release --build-tests --swift-sdks-path {half}/sdks --swift-sdk homing --scratch-path {scratch} \\
    -Xswiftc -enable-testing -Xswiftc -DHOMING_FAILPOINTS -Xswiftc -use-ld=lld 2>&1 | scripts/quiet-build
"""
# How the testing library tells of a test that this machine lacks something for, or that is run only when asked for.
SKIPPED = re.compile(r"^\S+ Test .* skipped(?:[.:]|$)", re.MULTILINE)
# Lines that tell of a failure: the testing library's, and those of a process that dies.
FAILURE = re.compile(r"✘(?! (?:Test|Suite) .* skipped(?:[.:]|$))|↳(?! Testing Library)|HOMING_SEED=|.*Fatal error")
LINES_TOLD = 10  # of an output that breaks off


class CompiledTests:
    """All tests in one program, which qemu can run."""

    def __init__(self, release, architecture):
        self._architecture = architecture
        self._emulator, self._loader = emulator_of(architecture)
        self._tree = to_cross_build(release, architecture)
        self._scratch = REPOSITORY / ".build" / architecture
        self._logs, self._libraries = self._scratch / "logs", self._scratch / "libraries"
        self._running, self.is_stopped = set(), False

    def build(self):
        """Compiles what has changed. Raises CalledProcessError where that fails; the compiler has said why."""
        script = BUILD.format(gnu=NAMES[self._architecture][0], half=half(self._architecture),
                              repository=shlex.quote(str(REPOSITORY)), scratch=shlex.quote(str(self._scratch)))
        debian_tree.in_tree(self._tree, "bash", "-euo", "pipefail", "-c", script, binds=[(REPOSITORY, REPOSITORY)])
        self._logs.mkdir(exist_ok=True)
        shutil.rmtree(self._libraries, ignore_errors=True)
        copy_libraries(self._tree, self._libraries, NAMES[self._architecture][0], self._loader)

    def state(self):
        """What decides whether a target passes: the committed files but the measurements, the compiled tests with their
        libraries, the emulator, and the variables of the tests. None where something is not committed."""
        def git(*words):
            return subprocess.run(["git", "-c", f"safe.directory={REPOSITORY}", "-C", REPOSITORY, *words, "--", ".",
                                   ":!docs/measurements"], check=True, capture_output=True).stdout
        if git("status", "--porcelain", "--untracked-files=all"):
            return None
        digest = hashlib.sha256(git("ls-files", "--stage"))
        digest.update(subprocess.run([self._emulator, "--version"], check=True, capture_output=True).stdout)
        variables = sorted((name, text) for name, text in os.environ.items() if name.startswith("HOMING_") and name != RUNNING)
        digest.update(repr(variables).encode())
        libraries = [file for folder in (self._libraries, self._swift()) for file in sorted(folder.rglob("*")) if file.is_file()]
        for file in [self._program(), *libraries]:
            digest.update(file.name.encode() + file.read_bytes())
        return digest.hexdigest()

    def passed(self):
        """The file of the targets that have passed."""
        return self._scratch / "passed.json"

    def _swift(self):
        return pathlib.Path(f"{self._tree}{half(self._architecture)}/swift/linux")

    def _program(self):
        return self._scratch / NAMES[self._architecture][1] / "release/homingPackageTests.xctest"

    def run(self, name, words, seconds):
        """Runs the tests that these words choose, for so many seconds at most. Returns the exit code, or None where the time
        was over, and the file of what they said. Nothing of them is left."""
        log = self._logs / f"{name}.log"
        log.unlink(missing_ok=True)
        # One test at a time: many that qemu runs at once would make each other miss their time.
        child = Child([self._emulator, "-L", self._libraries,
                       "-E", f"LD_LIBRARY_PATH={self._swift()}",
                       self._program(), "--testing-library", "swift-testing", "--no-parallel", *words],
                      log, env={**FEWER, **os.environ}, cwd=REPOSITORY)
        self._running.add(child)
        if self.is_stopped:
            child.kill()
        try:
            code = child.wait(seconds)
        except TimeoutError:
            code = None
        child.kill()
        self._running.discard(child)
        return code, log

    def stop(self):
        """Ends what runs, and what begins now."""
        self.is_stopped = True
        for child in list(self._running):
            child.kill()


class Passed:
    """How many tests of each target have passed in the present state. The file has one state."""

    def __init__(self, file, read_state):
        self._file, self._read_state, self._lock = file, read_state, threading.Lock()
        self._state = read_state()
        known = json.loads(file.read_text()) if file.exists() else {}
        self._counts = known["targets"] if self._state and known.get("state") == self._state else {}

    def count(self, target):
        """How many have passed before, or 0."""
        return self._counts.get(target, 0)

    def add(self, target, count):
        """Keeps that the target has passed, also if the run is interrupted a moment later. Nothing is kept if the state has
        changed while the target ran."""
        with self._lock:
            if self._state and self._read_state() == self._state:
                self._counts[target] = count
                new = self._file.with_suffix(".new")
                new.write_text(json.dumps({"state": self._state, "targets": self._counts}))
                new.replace(self._file)


def targets():
    """The targets that do not measure."""
    return sorted({path.name for path in (REPOSITORY / "Tests").glob("*Tests")} - MEASURING)


def is_there(name):
    """Whether there is a test of that name: TARGET.SUITE/FUNCTION, where a suite in another one has both names."""
    target, _, rest = name.partition(".")
    *suites, function = rest.split("/")
    text = "".join(path.read_text() for path in (REPOSITORY / "Tests" / target).rglob("*.swift"))
    return all(re.search(pattern, text) for pattern in [
        *(rf"\b(?:struct|class|enum|actor|extension) {suite}\b" for suite in suites), rf"\bfunc {function}\("])


def of_target(target):
    """The words that choose all tests of a target but what is left out."""
    words = ["--filter", rf"^{target}\."]
    for name in left_out([target]):
        words += ["--skip", exactly(name)]
    return words


def left_out(wanted):
    """What is left out of these targets."""
    return [name for name in REASONS if name.split(".")[0] in wanted]


def exactly(name):
    """The expression of one test, whatever its parameters are."""
    return rf"^{re.escape(name)}\("


def passed_count(code, output):
    """How many tests have passed, or 0 where one has failed, where none was run, or where they came to no end. The testing
    library counts what it has skipped as well."""
    told = re.findall(r"Test run with (\d+) tests?\b.* passed after", output)
    return max(0, int(told[-1]) - len(SKIPPED.findall(output))) if code == 0 and told else 0


def failures(code, output):
    """What the output says of failures, and how it ended: without a word of the testing library, with its last lines."""
    lines = output.splitlines()
    end = len(lines) if "Test run with" in output else len(lines) - LINES_TOLD
    told = [line for number, line in enumerate(lines) if number >= end or FAILURE.match(line)]
    return [*told, "ended by the time limit" if code is None else f"exit code {code}"]


def run_target(tests, target, passed):
    """Runs a target that has not passed, and tells how it went. Returns whether it passed."""
    if before := passed.count(target):
        print(f"{target:28} before  {before:3} passed", flush=True)
        return True
    began = time.monotonic()
    code, log = tests.run(target, of_target(target), PATIENCE)
    if tests.is_stopped:
        return False
    output = log.read_text(errors="replace")
    count = passed_count(code, output)
    print(f"{target:28} {time.monotonic() - began:4.0f} s  {f'{count:3} passed' if count else 'FAILED'}", flush=True)
    if count:
        passed.add(target, count)
    else:
        print(*failures(code, output), f"all of it: {log}", sep="\n", flush=True)
    return count > 0


def run_targets(tests, wanted, passed, jobs):
    """Runs so many targets at a time. Returns whether each passed; an interruption ends those that run."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as runs:
        try:
            return list(runs.map(lambda target: run_target(tests, target, passed), wanted))
        except BaseException:
            runs.shutdown(wait=False, cancel_futures=True)
            tests.stop()
            raise


def run_left_out(tests, name):
    """Runs a test that is left out, and tells whether it passes all the same."""
    code, log = tests.run("left-out", ["--filter", exactly(name)], PATIENCE_WITH_ONE)
    passed = passed_count(code, log.read_text(errors="replace"))
    print(f"{name}: {'passes' if passed else 'fails'}", flush=True)


def asked(words=None):
    """What the command line asks for. Ends the process where that cannot be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", choices=debian_tree.NUMBERS)
    parser.add_argument("architecture", choices=NAMES)
    parser.add_argument("--left-out", action="store_true", help="run what is left out, and nothing else")
    parser.add_argument("--jobs", type=int, choices=range(1, 65), default=1, metavar="N", help="targets at a time (default: 1)")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="default: all that do not measure")
    options = parser.parse_intermixed_args(words)
    if unknown := set(options.targets) - set(targets()):
        parser.error(f"there is no target {unknown.pop()} that qemu could run")
    if gone := [name for name in REASONS if not is_there(name)]:
        parser.error(f"emulated_reasons.py names a test that is not there: {gone[0]}")
    return options


def main():
    options = asked()
    wanted = options.targets or targets()
    tests = CompiledTests(options.release, options.architecture)
    tests.build()
    if options.left_out:
        for name in left_out(wanted):
            run_left_out(tests, name)
        return
    # The children begin in other threads than this one, where no handler of signals can be set.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    results = run_targets(tests, wanted, Passed(tests.passed(), tests.state), options.jobs)
    for name in left_out(wanted):
        print(f"left out: {name}: {REASONS[name]}")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    try:
        main()
    except CannotInstall as problem:
        sys.exit(f"emulated_tests: {problem}")
    except subprocess.CalledProcessError as problem:
        sys.exit(problem.returncode)
    except KeyboardInterrupt:
        sys.exit("\nemulated_tests: interrupted; a second run goes on here")
