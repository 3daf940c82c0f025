"""The figures of `make bench` (docs/measurements/bench.json) as the README and the documents show them.

A document has a place for them between two marks: the main ones, all with the way they were measured, or the lines that
say where instructions go. What misses its aim is in bold. No figure of this kind stands elsewhere, where nothing
would draw it anew.
"""

import json
import re
import sys

FILE = "docs/measurements/bench.json"
PLACE = re.compile(r"(<!-- bench, (main|all|lines): scripts/measured-figures -->\n)(.*?)(<!-- end of the bench -->\n)", re.DOTALL)
FIGURE = re.compile(r"\d[\d.,  ]*(?:thousand )?(?:wake-ups?|instructions)\b|\bPSS\b|\d (?:ms|s) of CPU time")
# What costs battery, memory, data and an SD card.
MAIN = ("CPU time of a delivery, channel open", "wake-ups while moving, channel open", "wake-ups with nothing to do", "PSS, moving",
        "bytes of an update, channel open", "payload of a still day, default", "written to disk while moving")
# Of the relay, which another bench measures.
OTHERS = ("relay",)


def documents(root):
    """{document: text} of those that have a place for the figures."""
    measured = read(root)
    found = {}
    for document in places(root):
        text = document.read_text()
        if PLACE.search(text):
            found[document] = PLACE.sub(lambda place: place[1] + block(measured, place[2]) + place[4], text)
    return found


def by_hand(root):
    """Lines outside of the places that have a figure as the bench measures them. A record has drawn figures alone."""
    for document in places(root):
        if document.name.startswith(OTHERS) or document.parent.name == "measurements":
            continue
        text = PLACE.sub(lambda place: "\n" * place[0].count("\n"), document.read_text())
        for number, line in enumerate(text.split("\n"), 1):
            if match := FIGURE.search(line):
                yield (f"{document.relative_to(root)}:{number}: a figure of the bench outside of its place: "
                       f"{match[0].strip()}")


def places(root):
    """The README, the documents and the records, not the decisions: those say what was so at their time."""
    documents = [file for folder in ("docs", "docs/measurements") for file in sorted((root / folder).glob("*.md"))]
    return [file for file in [root / "README.md", *documents] if file.exists()]


def read(root):
    """What was measured last, or None."""
    file = root / FILE
    return json.loads(file.read_text()) if file.exists() else None


def block(measured, which):
    """What stands between the marks."""
    if measured is None:
        return "\nNot measured yet.\n\n"
    lines = ["", f"Measured on {measured['date']} at commit {measured['commit']}: {measured['machine']}.", ""]
    if which == "lines":
        return "\n".join([*lines, *details(measured["details"])]) + "\n"
    rows = measured["figures"]
    if which == "main":
        named = {row["name"]: row for row in rows}
        if missing := [name for name in MAIN if name not in named]:
            sys.exit(f"{FILE} has no figure {missing[0]!r}")
        rows = [named[name] for name in MAIN]
    lines += ["| | Homing | beside | aim |", "|---|---|---|---|", *map(line, rows), ""]
    if which == "all":
        lines += [f"- **{window}**: {' '.join(text.split())}" for window, text in measured["methods"].items()] + [""]
    return "\n".join(lines) + "\n"


def details(found):
    """Where instructions go, for each program that was counted."""
    for title, lines in found.items():
        if "by library and module" in title:
            yield from [f"{title}:", "", "| part | instructions |", "|---|---|"]
            yield from [f"| {part} | {cost} |" for cost, part in (each.split(None, 1) for each in lines)]
            yield ""


def line(row):
    """The row of the table."""
    name = f"{row['name']}, {row['unit']}" if row["unit"] else row["name"]
    aims = [row["aim"], *(other["aim"] for other in row["beside"])]
    beside = "; ".join(_beside(other) for other in row["beside"])
    wanted = "; ".join(aim["text"] for aim in aims if aim)
    return f"| {name} | {_bold(number(row['homing']), row['aim'])} | {beside} | {wanted} |"


def _beside(other):
    shown = f"{number(other['value'])} ({other['what']})"
    if other["ratio"] is None:
        return shown
    return f"{_bold(format(other['ratio'], '.2f') + ' ×', other['aim'])} {shown}"


def _bold(text, aim):
    return f"**{text}**" if aim and aim["met"] is False else text


def number(value):
    """A figure with as many digits as it deserves."""
    if value is None:
        return "–"
    return f"{value:.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"
