"""What decides about the Swift tests that qemu runs: which are left out, what counts as passed, and that all of them end."""

import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from homing_rigs import emulated_tests
from homing_rigs.processes import wait_for

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
PASSED = """◇ Test one() started.
HOMING_SEED=7, 10000 payloads
✔ Test one() passed after 0.1 seconds.
✔ Test run with 2 tests{suites} passed after 0.2 seconds.
"""
SKIPPED = """✘ Suite "Measurements" skipped.
✘ Test "of rows" skipped.
✘ Test "of a spill" skipped: "this kernel has none"
"""
FAILED = """↳ Testing Library Version: 6.0.3
◇ Test one() started.
HOMING_SEED=7, 10000 payloads
error: what the program under test says
✘ Test one() recorded an issue at A.swift:7:1: Expectation failed: a == b
↳ a is 1
↳ and b is 2
✔ Test two() passed after 0.1 seconds.
✘ Test run with 2 tests failed after 0.2 seconds with 1 issue.
"""


@pytest.mark.parametrize("suites", ["", " in 1 suite"])
def test_what_has_passed_is_counted(suites):
    assert emulated_tests.passed_count(0, PASSED.format(suites=suites)) == 2


def test_what_is_skipped_has_not_passed():
    passed = "✔ Test run with 5 tests passed after 0.2 seconds.\n"
    assert emulated_tests.passed_count(0, SKIPPED + passed) == 3
    assert emulated_tests.passed_count(0, SKIPPED + passed.replace("5", "2")) == 0
    assert emulated_tests.passed_count(0, SKIPPED + passed.replace("5", "1")) == 0
    assert emulated_tests.failures(1, SKIPPED + passed)[:-1] == []


@pytest.mark.parametrize("code, output", [
    (1, FAILED),
    (1, PASSED.format(suites="")),
    (-11, PASSED.format(suites="")),
    (None, "◇ Test one() started.\n"),
    (0, "◇ Test one() started.\n"),
    (0, ""),
    (0, "✔ Test run with 0 tests passed after 0.001 seconds.\n"),
])
def test_nothing_else_has_passed(code, output):
    assert emulated_tests.passed_count(code, output) == 0


def test_a_failure_is_told_in_full():
    assert emulated_tests.failures(1, FAILED) == [
        "HOMING_SEED=7, 10000 payloads", "✘ Test one() recorded an issue at A.swift:7:1: Expectation failed: a == b",
        "↳ a is 1", "↳ and b is 2", "✘ Test run with 2 tests failed after 0.2 seconds with 1 issue.", "exit code 1"]


@pytest.mark.parametrize("code, end", [(None, "ended by the time limit"), (-11, "exit code -11")])
def test_an_output_that_breaks_off_is_told_to_its_end(code, end):
    output = "".join(f"◇ Test number{number}() started.\n" for number in range(30))
    told = emulated_tests.failures(code, output)
    assert told[0] == "◇ Test number20() started." and told[-2:] == ["◇ Test number29() started.", end]


def test_what_is_left_out_is_there():
    assert [name for name in emulated_tests.REASONS if not emulated_tests.is_there(name)] == []


@pytest.mark.parametrize("name", [
    "HomingBaseTests.SearchingTests/costs", "HomingBaseTests.SearchTests/cost", "HomingJSONTests.SearchingTests/cost",
    "HomingHTTPTests.Other/ConnectionTests/meter"])
def test_a_test_that_is_not_there_is_noticed(name):
    assert not emulated_tests.is_there(name)


def test_only_what_is_named_is_left_out():
    """The testing library looks for the expression in names such as these."""
    expression = emulated_tests.exactly("HomingBaseTests.SearchingTests/cost")
    assert re.search(expression, "HomingBaseTests.SearchingTests/cost(length:)/SearchingTests.swift:65:6")
    for other in ("HomingBaseTests.SearchingTests/costs()", "HomingBaseTests.SearchingTests/plain()",
                  "HomingBaseTests/SearchingTests/cost()", "Other.HomingBaseTests.SearchingTests/cost()"):
        assert not re.search(expression, other)


def test_each_target_leaves_out_its_own(monkeypatch):
    monkeypatch.setattr(emulated_tests, "REASONS", {"HomingATests.S/one": "reason", "HomingATestsMore.S/two": "reason"})
    assert emulated_tests.of_target("HomingATests") == ["--filter", r"^HomingATests\.", "--skip", r"^HomingATests\.S/one\("]
    assert emulated_tests.of_target("HomingBTests") == ["--filter", r"^HomingBTests\."]


def test_those_that_measure_are_the_makefiles():
    line = re.search(r"^MEASURING := (.*)$", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    assert set(line[1].split()) == emulated_tests.MEASURING
    assert "HomingBaseTests" in emulated_tests.targets() and "HomingCostTests" not in emulated_tests.targets()


def test_targets_are_asked_for():
    options = emulated_tests.asked(["trixie", "arm64", "--left-out", "HomingBaseTests", "HomingJSONTests"])
    assert options.left_out and options.targets == ["HomingBaseTests", "HomingJSONTests"]
    assert emulated_tests.asked(["trixie", "arm64"]).targets == []


@pytest.mark.parametrize("target", ["HomingOtherTests", "HomingCostTests"])
def test_a_target_that_qemu_cannot_run_is_refused(target, capsys):
    with pytest.raises(SystemExit):
        emulated_tests.asked(["trixie", "arm64", target])
    assert f"there is no target {target} that qemu could run" in capsys.readouterr().err


def test_a_reason_without_its_test_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(emulated_tests, "REASONS", {"HomingBaseTests.SearchingTests/gone": "reason"})
    with pytest.raises(SystemExit):
        emulated_tests.asked(["trixie", "arm64"])
    assert "not there: HomingBaseTests.SearchingTests/gone" in capsys.readouterr().err


@pytest.fixture
def played(monkeypatch, tmp_path):
    """`played(script)` are compiled tests in whose place qemu runs this script of the shell."""
    def played(script):
        emulator = tmp_path / "emulator"
        emulator.write_text(f"#!/bin/sh\n{script}\n")
        emulator.chmod(0o755)
        monkeypatch.setattr(emulated_tests, "to_cross_build", lambda *words: tmp_path)
        monkeypatch.setattr(emulated_tests, "REPOSITORY", tmp_path)
        monkeypatch.setattr(emulated_tests, "emulator_of", lambda architecture: (str(emulator), ""))
        tests = emulated_tests.CompiledTests("trixie", "arm64")
        (tmp_path / ".build/arm64/logs").mkdir(parents=True)
        return tests
    return played


def nothing_passed(tests):
    return emulated_tests.Passed(tests.passed(), lambda: None)


def test_a_target_has_one_line_if_it_passes(played, capsys):
    tests = played("echo '✔ Test run with 12 tests in 2 suites passed after 1.0 seconds.'")
    assert emulated_tests.run_target(tests, "HomingATests", nothing_passed(tests))
    assert re.fullmatch(r"HomingATests +\d+ s +12 passed\n", capsys.readouterr().out)


def test_a_target_that_fails_says_why(played, capsys, tmp_path):
    tests = played("echo '✘ Test one() recorded an issue'; exit 1")
    assert not emulated_tests.run_target(tests, "HomingATests", nothing_passed(tests))
    told = capsys.readouterr().out
    assert "FAILED\n✘ Test one() recorded an issue\nexit code 1\n" in told
    assert (tmp_path / ".build/arm64/logs/HomingATests.log").read_text() == "✘ Test one() recorded an issue\n"


def test_a_target_that_has_passed_runs_again_in_another_state_only(played, capsys, tmp_path):
    tests = played(f"echo >>{tmp_path}/runs; case $* in *HomingBTests*) exit 1 ;; esac\n"
                   "echo '✔ Test run with 12 tests in 2 suites passed after 1.0 seconds.'")
    wanted = ["HomingATests", "HomingBTests"]

    def run(state):
        (tmp_path / "runs").write_text("")
        passed = emulated_tests.Passed(tests.passed(), lambda: state)
        assert emulated_tests.run_targets(tests, wanted, passed, 2) == [True, False]
        return len((tmp_path / "runs").read_text().splitlines())
    assert [run("one"), run("one"), run("two"), run("two"), run("one"), run(None), run(None)] == [2, 1, 2, 1, 2, 2, 2]
    assert re.search(r"^HomingATests +before +12 passed$", capsys.readouterr().out, re.MULTILINE)


def test_the_state_is_that_of_the_files_the_program_and_the_cases(played, monkeypatch, tmp_path):
    tests = played("")
    program = tmp_path / ".build/arm64/aarch64-unknown-linux-gnu/release/homingPackageTests.xctest"
    program.parent.mkdir(parents=True)

    def state(name=None, text="", commits=True):
        if name:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        if commits:
            git("add", ".")
            git("commit", "--quiet", "--allow-empty", "--message=One")
        return tests.state()

    def git(*words):
        subprocess.run(["git", "-C", tmp_path, "-c", "user.name=T", "-c", "user.email=t@example.org", *words], check=True)
    git("init", "--quiet")
    program.write_bytes(b"one")
    first = state(".gitignore", ".build\n")
    assert first and state() == first
    assert state("docs/measurements/release.jsonl", "{}", commits=False) == first
    assert state("docs/measurements/release.jsonl", "{}") == first
    assert state("README.md", "One", commits=False) is None
    second = state()
    program.write_bytes(b"two")
    third = state()
    (tmp_path / ".build/arm64/libraries").mkdir()
    (tmp_path / ".build/arm64/libraries/libc.so.6").write_bytes(b"one")
    fourth = state()
    monkeypatch.setenv("HOMING_RELEASE_PART", "arm64")
    assert state() == fourth
    monkeypatch.setenv("HOMING_HISTORIES", "7")
    assert len({first, second, third, fourth, state()}) == 5


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_what_runs(played, capsys, tmp_path, number):
    tests, began = played(f"sleep 60 & echo $! >>{tmp_path}/children; wait"), time.monotonic()
    children = tmp_path / "children"

    def interrupt():
        wait_for(lambda: len(children.read_text().splitlines()) == 2, 30, "two targets")
        os.kill(os.getpid(), number)
    threading.Thread(target=interrupt).start()
    # A shell starts what runs in the background with SIGINT ignored.
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
              signal.SIGTERM: signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))}
    try:
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            emulated_tests.run_targets(tests, ["HomingATests", "HomingBTests", "HomingCTests"], nothing_passed(tests), 2)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    for child in children.read_text().split():
        wait_for(lambda child=child: has_ended(child), 5, "the end of what the tests started")
    assert time.monotonic() - began < 50, "the programs ended by themselves"
    assert capsys.readouterr().out == "", "no target has failed"


def has_ended(number):
    stat = pathlib.Path("/proc", number, "stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_targets_that_pass_at_once_are_all_kept(played):
    tests = played("")
    passed = emulated_tests.Passed(tests.passed(), lambda: "one")
    with concurrent.futures.ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda number: passed.add(f"Homing{number}Tests", number + 1), range(200)))
    kept = emulated_tests.Passed(tests.passed(), lambda: "one")
    assert [kept.count(f"Homing{number}Tests") for number in range(200)] == list(range(1, 201))


def test_a_target_that_ran_while_the_state_changed_is_not_kept(played):
    tests, states = played(""), ["one", "two", "one"]
    passed = emulated_tests.Passed(tests.passed(), lambda: states.pop(0))
    passed.add("HomingATests", 1)
    assert not tests.passed().exists()
    passed.add("HomingBTests", 1)
    kept = emulated_tests.Passed(tests.passed(), lambda: "one")
    assert kept.count("HomingBTests") == 1 and kept.count("HomingATests") == 0


def test_nothing_runs_on_for_ever(played, monkeypatch, tmp_path):
    monkeypatch.setattr(emulated_tests, "PATIENCE", 1)
    tests = played(f"sleep 1000 & echo $! >{tmp_path}/child; wait")
    assert not emulated_tests.run_target(tests, "HomingATests", nothing_passed(tests))
    child = (tmp_path / "child").read_text().strip()
    wait_for(lambda: has_ended(child), 5, "the end of what the tests started")


def test_a_failed_build_ends_the_run(played, monkeypatch, tmp_path):
    tests = played("")
    (tmp_path / "scripts").symlink_to(REPOSITORY / "scripts")
    monkeypatch.setattr(emulated_tests, "copy_libraries", lambda *words: None)

    def build(end):
        monkeypatch.setattr(emulated_tests.debian_tree, "in_tree", lambda tree, *words, **options: subprocess.run(
            [*words[:-1], f"swift() {{ echo built; {end}; }}\n{words[-1]}"], check=True))
        tests.build()
    build("true")
    with pytest.raises(subprocess.CalledProcessError):
        build("false")
