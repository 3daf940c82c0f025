"""The long parts of a release, and the file that says which commit has passed each."""

import json
import subprocess

# Each a row of the file; the first to fail most likely is the first here.
PARTS = {
    "Debian 13": "scripts/test-trixie whole",
    "packages": "make test-packages",
    "reproducible": "make test-reproducible",
    "release": "make rehearse-release",
    "arm64": "make test-emulated",
    "newcomer": "make test-newcomer",
    "thread sanitizer": "make test-threads",
    "faults": "make faults",
    "fuzzing": "make fuzz-long",
    "fuzzing, Debian 13": "scripts/test-trixie fuzz",
}
# What the fuzzers run.
FUZZED = ["Package.swift", "Sources", "Fuzz/Harness", "Fuzz/Targets"]
# What decides how they are built and run, and where they begin.
FUZZING = [*FUZZED, "Fuzz", "Makefile", "scripts/fuzz", "packaging/swift-version"]
# The files that a part is about, where other files cannot change its result. A part ages by commits of these; by all
# commits where no files are named.
SUBJECTS = {"fuzzing": FUZZING, "fuzzing, Debian 13": FUZZING}
# The variable that names the part that runs.
RUNNING = "HOMING_RELEASE_PART"
RECORD = "docs/measurements/release.jsonl"
# What the parts themselves write: a commit of it is no other state of the project.
WRITTEN = ["docs/measurements", "docs/install.md", "docs/platforms.md", "docs/reliability.md"]


def rows(root):
    """What was recorded, oldest first: `part`, `commit`, `date`, `result`, and `seconds` where the part ran."""
    path = root / RECORD
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def git(root, *words):
    """What git prints, without its last line's end, or None if it fails."""
    try:
        done = subprocess.run(["git", "-c", f"safe.directory={root.resolve()}", "-C", str(root), *words],
                              capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return done.stdout.rstrip("\n") if done.returncode == 0 else None


def is_same_state(root, commit):
    """Whether HEAD differs from a commit in nothing but what the parts write."""
    return git(root, "diff", "--quiet", commit, "HEAD", "--", ".", *(f":!{name}" for name in WRITTEN)) is not None


def has_passed(root, part):
    """Whether the part has passed in this state of the project."""
    return any(row["part"] == part and row["result"] == "passed" and is_same_state(root, row["commit"]) for row in rows(root))
