"""The long parts of a release, and the file that says which commit has passed each."""

import json
import re
import subprocess

# Each a row of the file; the first to fail most likely is the first here.
PARTS = {
    "Debian 13": "scripts/test-trixie whole",
    "packages": "make test-packages",
    "reproducible": "make test-reproducible",
    "release": "make rehearse-release",
    "arm64": "scripts/test-emulated unit",
    "newcomer": "make test-newcomer",
    "hour": "make test-hour",
    "thread sanitizer": "make test-threads",
    "faults": "make faults",
    "fuzzing": "make fuzz-long",
    "slow fuzz targets": "make fuzz-slow",
    "fuzzing, Debian 13": "scripts/test-trixie fuzz-long",
    "slow fuzz targets, Debian 13": "scripts/test-trixie fuzz-slow",
}
# What the fuzzers run.
FUZZED = ["Package.swift", "Sources", "Fuzz/Harness", "Fuzz/Targets"]
# What decides how they are built and run, and where they begin.
FUZZING = [*FUZZED, "Fuzz", "Makefile", "scripts/fuzz", "packaging/swift-version"]
# The files that a part is about, where other files cannot change its result. A part ages by commits of these; by all
# commits where no files are named.
SUBJECTS = {part: FUZZING for part in PARTS if "fuzz" in part}
# The variable that names the part that runs.
RUNNING = "HOMING_RELEASE_PART"
RECORD = "docs/measurements/release.jsonl"
# What the parts themselves write: a commit of it is no other state of the project.
WRITTEN = ["docs/measurements"]
# The pages in which `scripts/measured-figures` draws the results, between two marks.
DRAWN = ["docs/install.md", "docs/platforms.md", "docs/reliability.md"]
MARKS = re.compile(r"<!-- [^\n]*: scripts/measured-figures -->\n.*?<!-- end of [^\n]* -->\n?", re.DOTALL)


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
    left_out = [f":!{name}" for name in [*WRITTEN, *DRAWN]]
    return (git(root, "diff", "--quiet", commit, "HEAD", "--", ".", *left_out) is not None
            and all(by_hand(root, commit, page) == by_hand(root, "HEAD", page) for page in DRAWN))


def by_hand(root, commit, page):
    """What of a page people have written."""
    return MARKS.sub("", git(root, "show", f"{commit}:{page}") or "")


def has_passed(root, part):
    """Whether the part has passed in this state of the project."""
    return any(row["part"] == part and row["result"] == "passed" and is_same_state(root, row["commit"]) for row in rows(root))
