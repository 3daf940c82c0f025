"""The table of docs/platforms.md and the tables of docs/install.md, from the rows that the tests of the packages leave."""

import json

BEGIN, END = "<!-- platforms: scripts/measured-figures -->\n", "<!-- end of the platforms -->\n"
NUMBERS = {"bookworm": 12, "trixie": 13}
# The columns, by the mark that a test of the packages has.
COLUMNS = ["booted", "drive", "kills", "upgrade", "purge"]
# The tables of the first minutes, by what installs: the file of a package, or the two lines of the README.
MINUTES = {"file": "<!-- minutes of a file: scripts/measured-figures -->\n",
           "release": "<!-- minutes of a release: scripts/measured-figures -->\n"}
END_OF_MINUTES = "<!-- end of the minutes -->\n"
STEPS = {"install": {"file": "`sudo apt install …deb`, gpsd and all that the package wants included",
                     "release": "the two lines, gpsd and all that the package wants included"},
         "pair": "`sudo homing setup --url … --token-file … --yes`",
         "dot": "until the machine is a dot on the map",
         "moves": "until the dot moves"}


def documents(root):
    """The pages as they are to be, where they are there."""
    pages = {root / "docs/platforms.md": with_platforms, root / "docs/install.md": with_minutes}
    return {path: draw(path.read_text(), root) for path, draw in pages.items() if path.exists()}


def with_platforms(text, root):
    before, rest = text.split(BEGIN)
    return before + BEGIN + table(rows_of(root, "packages")) + END + rest.split(END)[1]


def with_minutes(text, root):
    for way, begin in MINUTES.items():
        before, rest = text.split(begin)
        drawn = minutes([row for row in rows_of(root, "first-minutes") if row.get("by", "file") == way], way)
        text = before + begin + drawn + END_OF_MINUTES + rest.split(END_OF_MINUTES, 1)[1]
    return text


def rows_of(root, name):
    return [json.loads(line) for line in (root / f"docs/measurements/{name}.jsonl").read_text().splitlines()]


def table(rows):
    """One row for each platform, of its newest run."""
    newest = {(NUMBERS[row["release"]], row["architecture"]): row for row in rows if "shown" in row}
    heads = ["platform", "built", *COLUMNS, "tests", "date", "commit"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for (number, architecture), row in sorted(newest.items()):
        cells = ["yes" if column in row["shown"] else "no" for column in COLUMNS]
        skipped = f", {row['skipped']} skipped" if row["skipped"] else ""
        lines.append(f"| Debian {number}, {architecture} | lintian: {row['lintian']} | {' | '.join(cells)} | "
                     f"{row['passed']} passed{skipped} | {row['date']} | {row['commit']} |")
    return "\n".join(lines) + "\n"


def minutes(rows, way):
    """One column for each platform, of its newest run."""
    newest = {(row["architecture"], NUMBERS[row["release"]]): row for row in rows}
    columns = sorted(newest.items())
    emulated = {"arm64": ", emulated"}
    heads = [f"Debian {number}, {architecture}{emulated.get(architecture, '')}" for (architecture, number), _ in columns]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for step, words in STEPS.items():
        words = words if isinstance(words, str) else words[way]
        lines.append(f"| {words} | " + " | ".join(f"{row['seconds'][step]:.1f} s" for _, row in columns) + " |")
    lines.append("| measured | " + " | ".join(f"{row['date']}, {row['commit']}" for _, row in columns) + " |")
    return "\n".join(lines) + "\n"
