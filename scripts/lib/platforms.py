"""The table of docs/platforms.md, from the rows that the tests of the packages leave."""

import json

BEGIN, END = "<!-- platforms: scripts/measured-figures -->\n", "<!-- end of the platforms -->\n"
NUMBERS = {"bookworm": 12, "trixie": 13}
# The columns, by the mark that a test of the packages has.
COLUMNS = ["booted", "drive", "kills", "upgrade", "purge"]


def documents(root):
    """docs/platforms.md as it is to be, where it is there."""
    path = root / "docs/platforms.md"
    if not path.exists():
        return {}
    before, rest = path.read_text().split(BEGIN)
    return {path: before + BEGIN + table(root) + END + rest.split(END)[1]}


def table(root):
    """One row for each platform, of its newest run."""
    newest = {}
    for line in (root / "docs/measurements/packages.jsonl").read_text().splitlines():
        row = json.loads(line)
        if "shown" in row:
            newest[NUMBERS[row["release"]], row["architecture"]] = row
    heads = ["platform", "built", *COLUMNS, "tests", "date", "commit"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for (number, architecture), row in sorted(newest.items()):
        cells = ["yes" if column in row["shown"] else "no" for column in COLUMNS]
        lines.append(f"| Debian {number}, {architecture} | lintian: {row['lintian']} | {' | '.join(cells)} | "
                     f"{row['passed']} passed | {row['date']} | {row['commit']} |")
    return "\n".join(lines) + "\n"
