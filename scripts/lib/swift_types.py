"""Which types a Swift source declares, how long they are, and which variables there are beside those of structs.

Reads by braces and words, as `swift_source` does: enough for sources that the formatter has laid out.
"""

import re
from dataclasses import dataclass, field

import swift_source

_TYPE = re.compile(r"(?<![.\w])(?<!import )(class|struct|enum|extension|actor|protocol)\s+(?!func\b|var\b|let\b|subscript\b)"
                   r"(`?[A-Z][\w.]*`?)")
_VARIABLE = re.compile(r"\bvar\s+(?:(\w+|`\w+`)|\(([^)]*)\))")
_OBSERVER = re.compile(r"\s*(?:didSet|willSet)\b")


@dataclass
class Type:
    """A declaration, or an extension."""
    kind: str  # class, struct, enum, extension, actor or protocol
    name: str  # with the names of the types around it: Outer.Inner
    start: int  # of the line on which it begins
    opening: int  # its braces
    closing: int
    is_private: bool  # nobody beyond the file can name it
    inner: list = field(default_factory=list)


@dataclass
class Variable:
    """A stored property that can change: of a class, of a type itself (`static`), or of the file."""
    owner: str  # the type's name, or "" for a global
    name: str
    position: int
    access: str  # private, readable (`private(set)`) or open


def types(code):
    """Every type in a source, outer ones first, given `code_of` it."""
    found, around = [], []
    for match in _TYPE.finditer(code):
        opening = code.find("{", match.end())
        if opening < 0:
            continue
        while around and around[-1].closing < match.start():
            around.pop()
        start = code.rfind("\n", 0, match.start()) + 1
        modifiers = _modifiers(code, match.start())
        outer = around[-1] if around else None
        name = f"{outer.name}.{match[2]}" if outer else match[2]
        is_private = bool(re.search(r"\b(?:file)?private\b", modifiers)) or bool(outer and outer.is_private)
        found.append(Type(match[1], name, start, opening, swift_source.closing(code, opening), is_private))
        if outer:
            outer.inner.append(found[-1])
        around.append(found[-1])
    return found


def own_lines(code, declaration):
    """The lines of a declaration without those of the types in it."""
    def lines(one):
        return code.count("\n", one.start, one.closing) + 1
    return lines(declaration) - sum(lines(inner) for inner in declaration.inner)


def variables(code):
    """What a source stores and can change beside the values of its structs, given `code_of` it."""
    found, declarations = [], types(code)
    for match in _VARIABLE.finditer(code):
        around = [one for one in declarations if one.opening < match.start() < one.closing]
        # In a function, or behind a protocol's or an enum's case.
        owner = around[-1] if around else None
        if _depth(code, owner.opening if owner else 0, match.start()) != (1 if owner else 0):
            continue
        modifiers = _modifiers(code, match.start())
        is_shared = owner is None or re.search(r"\b(?:static|class)\b", modifiers)
        if not (is_shared or owner.kind in ("class", "actor")) or not _is_stored(code, match.end()):
            continue
        names = re.findall(r"\w+", match[2] if match[2] is not None else match[1])
        found += [Variable(owner.name if owner else "", name, match.start(), _access(modifiers, owner)) for name in names]
    return found


def _access(modifiers, owner):
    if (owner and owner.is_private) or re.search(r"\b(?:file)?private\b(?!\s*\(set\))", modifiers):
        return "private"
    return "readable" if re.search(r"\b(?:file)?private\s*\(set\)", modifiers) else "open"


def _modifiers(code, position):
    """The words before a declaration, on its line: the formatter leaves nothing but attributes above it."""
    before = max(code.rfind(mark, 0, position) for mark in "{};\n")
    return code[before + 1:position]


def _depth(code, opening, position):
    return code.count("{", opening, position) - code.count("}", opening, position)


def _is_stored(code, position):
    """Whether a variable whose name ends there has a place of its own."""
    depth = 0
    for at in range(position, len(code)):
        mark = code[at]
        if mark in "([<":
            depth += 1
        elif mark in ")]" or (mark == ">" and code[at - 1] != "-"):
            depth -= 1
        elif depth == 0 and mark == "=":
            return True
        elif depth == 0 and mark == "{":
            return bool(_OBSERVER.match(code, at + 1))
        elif depth == 0 and mark == "\n" and not re.match(r"\s*[:{=]", code[at:]) and code[at - 1] not in ":,&":
            return True
    return True
