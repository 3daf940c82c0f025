"""scripts/run-parts: the order, the first failure, and files that a part leaves in the tree."""

import pathlib
import subprocess

import pytest

RUN_PARTS = pathlib.Path(__file__).resolve().parents[3] / "scripts/run-parts"


@pytest.fixture
def run(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("ignored\n")
    (tmp_path / "there").write_text("")

    def run(*parts):
        done = subprocess.run([RUN_PARTS, *parts], cwd=tmp_path, text=True, capture_output=True, timeout=20)
        return done.returncode, done.stdout
    return run


def test_parts_run_in_order_and_each_has_its_line(run):
    code, said = run("one:echo first", "two:echo second")
    assert code == 0 and said.index("first") < said.index("second")
    assert [line.split()[2:] for line in said.splitlines()[-2:]] == [["one", "ok"], ["two", "ok"]]


def test_the_first_that_fails_is_the_last(run):
    code, said = run("one:false", "two:echo second")
    assert code == 1 and "second" not in said and "FAILED" in said


def test_a_part_that_leaves_a_file_in_the_tree_has_failed(run):
    code, said = run("one:touch left", "two:echo second")
    assert code == 1 and "one leaves files in the tree:\nleft\n" in said and "second" not in said


def test_ignored_files_and_those_that_were_there_are_no_matter(run):
    assert run("one:touch ignored there")[0] == 0
