"""Which inputs of earlier runs count towards the million of `make fuzz-long`."""

import importlib.machinery
import importlib.util

import pytest


@pytest.fixture
def fuzz(packaging):
    loader = importlib.machinery.SourceFileLoader("fuzz", str(packaging.parent / "scripts/fuzz"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("counted, left", [
    ({}, 1000),
    ({"now": 300}, 700),
    ({"now": 1000}, 0),
    ({"before": 400, "now": 100}, 500),
    ({"before": 5000}, 100),
    ({"before": 5000, "now": 99}, 1),
    ({"before": 5000, "now": 100}, 0),
])
def test_a_tenth_of_the_inputs_is_of_the_code_as_it_is(fuzz, counted, left):
    assert fuzz.missing(counted, "now", 1000) == left


def test_what_counts_is_recent_clean_and_of_this_compiler(fuzz, monkeypatch, tmp_path):
    def commits(*paths):
        """The short names of the commits of these files, the newest first."""
        return fuzz.subprocess.run(["git", "log", "--format=%h", "--", *paths], cwd=fuzz.ROOT, capture_output=True,
                                   text=True, check=True).stdout.split()

    code = commits(*fuzz.FUZZED)
    head, page = code[0], next(commit for commit in commits() if commit not in code)
    row = {"target": "json", "swift": "6.3.1", "result": "clean", "commit": head, "inputs": 1}
    rows = [row, row | {"result": "interrupted", "inputs": 10}, row | {"commit": "now", "inputs": 100},
            row | {"result": "failed"}, row | {"swift": "6.0.3"}, row | {"target": "url"}, row | {"commit": head + "+"},
            row | {"commit": "0000000"}, row | {"commit": page, "inputs": 1000}]
    monkeypatch.setattr(fuzz, "RECORD", tmp_path / "fuzz.jsonl")
    monkeypatch.setattr(fuzz, "code", lambda: "now")
    monkeypatch.setattr(fuzz, "swift", lambda: "6.3.1")
    assert fuzz.recorded("json") == {}
    fuzz.RECORD.write_text("".join(fuzz.json.dumps(each) + "\n" for each in rows))
    assert fuzz.recorded("json") == {head: 11, "now": 100}


def test_slow_targets_are_run_by_themselves(fuzz):
    names = [line.split('"')[1] for file in (fuzz.ROOT / "Fuzz/Targets").glob("*.swift")
             for line in file.read_text().splitlines() if "static let name = " in line]
    quick, slow = fuzz.of_speed(names, True, False), fuzz.of_speed(names, False, True)
    assert sorted(slow) == sorted(fuzz.SLOW), "a slow target is none"
    assert sorted(quick + slow) == sorted(fuzz.of_speed(names, False, False)) == sorted(names)
