"""Just enough of Swift's lexical structure for the checks: which characters are code.

Comments and the text of string literals become spaces, so that columns and line numbers stay, and a rule about
code does not stumble over prose. The code inside of an interpolation counts as text.
"""

import re

_OPENING = re.compile(r'//|/\*|#*"""|#*"')


def code_of(text, literal=" "):
    """The text with everything but code blanked; line breaks stay. String literals can become another character."""
    out, position = [], 0
    for match, end in _not_code(text):
        filler = literal if match.group().endswith('"') else " "
        out += [text[position:match.start()], re.sub(r"[^\n]", filler, text[match.start():end])]
        position = end
    return "".join(out) + text[position:]


def interpolations(text):
    """Where each string literal begins that holds an interpolation."""
    found = []
    for match, end in _not_code(text):
        escape = "\\" + "#" * match.group().count("#")
        parts = re.compile(rf"(?s){re.escape(escape)}(.)").finditer(text, match.end(), end)
        if match.group().endswith('"') and any(part[1] == "(" for part in parts):
            found.append(match.start())
    return found


def literals_of(text):
    """(line, text) of each string literal, with its lines joined and a mark in place of each interpolation. Literals with
    a plus between them are one, also where a comment stands beside the plus. A literal in an interpolation is another."""
    joined, last, code = None, 0, code_of(text)
    for match, end, literal in _literals(text):
        if joined and re.fullmatch(r"\s*\+\s*", code[last:match.start()]):
            joined = (joined[0], joined[1] + literal)
        else:
            if joined:
                yield joined[0], _one_line(joined[1])
            joined = (text.count("\n", 0, match.start()) + 1, literal)
        last = end
    if joined:
        yield joined[0], _one_line(joined[1])
    for start, inner in _interpolated(text):
        for line, literal in literals_of(inner):
            yield text.count("\n", 0, start) + line, literal


def _one_line(literal):
    """The literal as people read it: an escape of white space is a blank."""
    return " ".join(re.sub(r"\\[ntr]", " ", literal.replace("\\\n", "\n")).split())


def _literals(text):
    """(match of its opening, end, content with a mark for each interpolation) of each string literal."""
    for match, end in _not_code(text):
        if match.group().endswith('"'):
            parts, position = [], match.end()
            for start, after in _interpolations_of(text, match, end):
                parts.append(text[position:start])
                position = after
            parts.append(text[position:end].rstrip('"#'))
            yield match, end, " _ ".join(parts)


def _interpolated(text):
    """(where it begins, code) of each interpolation."""
    for match, end in _not_code(text):
        if match.group().endswith('"'):
            for start, after in _interpolations_of(text, match, end):
                inside = text.index("(", start) + 1
                yield inside, text[inside:after - 1]


def _interpolations_of(text, opening, end):
    """(start, end) of each interpolation of a literal. A raw literal has as many # behind the backslash as in front."""
    escape = re.compile(r"\\" + "#" * opening.group().count("#") + r"\(")
    position = opening.end()
    while inner := escape.search(text, position, end):
        position = min(_end_of_interpolation(text, inner.end()), end)
        yield inner.start(), position


def end_of_parentheses(code, position):
    """Where the parenthesis ends that was opened before this position, given `code_of` a file."""
    return _end_of_interpolation(code, position)


def _not_code(text):
    """(match of its opening, end) of each comment and string literal."""
    position = 0
    while match := _OPENING.search(text, position):
        position = _end_of(text, match)
        yield match, position


def _end_of(text, opening):
    """Where the comment or literal that begins there ends."""
    token = opening.group()
    if token == "//":
        end = text.find("\n", opening.end())
        return len(text) if end < 0 else end
    if token == "/*":
        return _end_of_comment(text, opening.end())
    hashes, quotes = token.count("#"), token.lstrip("#")
    # A backslash escapes only with as many # behind it as the literal has in front.
    closing = re.compile(rf'(?s)\\{"#" * hashes}.|{quotes}{"#" * hashes}' + ("|\n" if quotes == '"' else ""))
    position = opening.end()
    while match := closing.search(text, position):
        position = match.end()
        if not match.group().startswith("\\"):
            return position
        if match.group().endswith("("):
            position = _end_of_interpolation(text, position)
    return len(text)


def _end_of_comment(text, position):
    """Comments nest."""
    depth = 1
    for match in re.compile(r"/\*|\*/").finditer(text, position):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _end_of_interpolation(text, position):
    """After the parenthesis that closes it; literals in it may hold parentheses of their own."""
    depth = 1
    pattern = re.compile(r'[()]|#*"""|#*"')
    while match := pattern.search(text, position):
        position = match.end()
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
            if depth == 0:
                return position
        else:
            position = _end_of(text, match)
    return len(text)


_DECLARATION = re.compile(
    r"\bfunc\s+(?P<func>[^\s(<]+|`[^`]+`)|\b(?P<init>init)[?!]?\s*(?=[(<])|\b(?P<deinit>deinit)\b"
    r"|\b(?P<subscript>subscript)\s*(?=[(<])|\bvar\s+(?P<var>\w+)\s*:(?=[^={\n]*\{)")


def functions(code):
    """(name, first line, last line) of each function, initialiser, subscript and computed property with a body,
    given `code_of` a file. A call such as `super.init(…)` has no body and is none."""
    found = []
    for match in _DECLARATION.finditer(code):
        if code[:match.start()].endswith("."):
            continue
        opening = _body(code, match.end())
        if opening is None:
            continue
        end = closing(code, opening)
        name = next(filter(None, match.groups()))
        found.append((name, code.count("\n", 0, match.start()) + 1, code.count("\n", 0, end) + 1))
    return found


def _body(code, position):
    """The brace that opens the declaration's body, or None (a requirement of a protocol, a call)."""
    depth = 0
    for match in re.compile(r"[()\[\]{}]|\b(func|init|deinit|subscript|var|let|case|return|guard|if)\b"
                            ).finditer(code, position):
        token = match.group()
        if token in "([":
            depth += 1
        elif token in ")]":
            depth -= 1
        elif depth == 0:
            return match.start() if token == "{" else None
        if depth < 0:
            return None
    return None


def closing(code, opening):
    """Where the brace that opens there is closed, given `code_of` a file."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)
