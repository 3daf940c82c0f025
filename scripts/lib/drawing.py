"""The targets of a package, drawn in a page: a picture of their levels, and a table of what each holds and needs."""

import functools
import re

BEGIN, END = "<!-- drawn by scripts/check-imports --draw -->", "<!-- end of the drawing -->"
PLACE = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)


def breaches(page, package):
    """What is wrong with the drawing in a page, if there is such a page."""
    if not page.exists():
        return
    name = page.relative_to(package.root)
    text = page.read_text()
    for target in shipped(package):
        if package.summary(target) is None:
            yield f"{package.place(target)}: {target} has no comment that says what it holds"
    if not PLACE.search(text):
        yield f"{name}:1: no place for the drawing: {BEGIN} … {END}"
    elif drawn(text, package) != text:
        line = text.count("\n", 0, PLACE.search(text).start()) + 1
        yield f"{name}:{line}: it shows other targets than Package.swift has: scripts/check-imports --draw"


def drawn(text, package):
    """The page with the drawing as it should be."""
    content = f"{BEGIN}\n```text\n{picture(package)}```\n\n{table(package)}{END}"
    return PLACE.sub(lambda _: content, text)


def shipped(package):
    """The targets of our own but the tests, lowest level first."""
    names = [name for name, kind in package.kind.items() if kind in ("regular", "executable")]
    return sorted((name for name in names if not is_c(package, name)), key=lambda name: (level(package, name), name))


def is_c(package, name):
    return package.kind[name] == "system" or "CLibraries" in package.folder[name].parts


def ours(package, name):
    return {other for other in package.dependencies[name] if not is_c(package, other)}


def level(package, name):
    """0 for a target that needs none of ours, else one more than the highest it needs."""
    @functools.cache
    def of(name):
        return max((of(other) + 1 for other in ours(package, name)), default=0)
    return of(name)


def picture(package):
    """A line for each level, the highest first: a target needs only what stands below it."""
    levels = {}
    for name in shipped(package):
        levels.setdefault(level(package, name), []).append(name)
    return "".join(f"{number:2}  {'  '.join(names)}\n" for number, names in sorted(levels.items(), reverse=True))


def table(package):
    """A row for each target, lowest level first."""
    rows = "".join(
        f"| `{name}` | {(package.summary(name) or '').rstrip('.')} | {listed(ours(package, name))} |"
        f" {listed(package.dependencies[name] - ours(package, name))} |\n" for name in shipped(package))
    return f"| target | holds | needs | C |\n|---|---|---|---|\n{rows}"


def listed(names):
    return ", ".join(sorted(name.removeprefix("Homing") for name in names)) or "–"
