"""The words of docs/glossary.md: what a text for people must not say, and what it says instead.

Texts for people are the pages, the literals of the Swift sources that hold a blank, and the files that programs print
whole. The decisions and the changelog are left out: they say what was said at their time.
"""

import ast
import re

import swift_source

# The wrong word, and the right one.
WORDS = [
    (r"anew", "again"),
    (r"besides", "also, or: in addition to"),
    (r"lest", "so that … not"),
    (r"mend(?:s|ed|ing)?", "correct, or: repair"),
    (r"likewise", "also"),
    (r"in vain", "without success"),
    (r"(?:is|are) none\b(?! of)", "does not exist, or: invalid"),
    (r"that is none", "invalid"),
    (r"nobody has", "no … has"),
    (r"all the same", "nevertheless"),
    (r"(?:go|goes|going|went|gone) home", "is delivered"),
    (r"gets? home", "is delivered"),
    (r"ways? home", "route"),
    (r"no way to", "no route to"),
    (r"(?:the|each|a|every) ways? to Home Assistant|the way is tried|kind of way", "route, or: endpoint"),
    (r"(?<!standing )(?<!either )in the way", "blocks"),
    (r"for ever", "forever"),
    (r"to and fro", "back and forth"),
    (r"of (?:its|their|his|our|one's) own accord", "automatically"),
    (r"thereby|whereby|upon|hence|wherein|thereof", "by this, by which, on, therefore"),
    (r"(?:un)?seal(?:s|ed|ing)?", "encrypt"),
    (r"(?<![\[/])outbox(?:es)?(?![\].])", "queue"),
    (r"(?:is|are|was|were|be|been|not) told", "reported, or: notified"),
    (r"of before", "former"),
    (r"is no longer news|no news", "is too old for the map"),
    (r"the books?", "the counters"),
    (r"asks? for (?:\S+ )*of peace|asked for peace", "asks for a pause"),
    (r"holds? us|has us|does not know us", "names this machine"),
    (r"carr(?:y|ies|ied) out", "run, or: perform"),
    (r"positions?(?!-independent)", "location"),
    (r"complaints?", "warning"),
    # A column of the relay's tables and a variable of its scripts have the name told.
    (r"(?<!, )told(?![,|]| [=+]| INTEGER| FROM)", "reported, or: notified"),
    (r"h(?:eld|olds?|olding) back|ke(?:ep|eps|pt) back", "delayed, or: skipped"),
    (r"ways? (?:is|are) open|ways? in use|among the ways", "route, or: endpoint"),
    (r"status tells", "shows"),
    (r"what you said of", "your answer about"),
    (r"ha[sd] had (?:its|their|his|her)", "the limit … is reached"),
    (r"(?:not )?believed?", "trust, or: accept"),
    (r"(?<!TABLE )(?<!FROM )(?<!INTO )(?<!UPDATE )ledgers?", "counters"),
    (r"orders|an order", "command"),
    (r"(?:un)?prove[nsd]?|proofs?", "confirm, or: receipt"),
    (r"befalls?|befell|befallen", "happens to"),
    (r"fates?", "end"),
    (r"that (?:is|was) meant", "to use, or: chosen"),
    (r"our|(?<!-)us", "of this machine, or: of Homing"),
]
PATTERN = re.compile("|".join(rf"(?P<w{number}>\b(?:{wrong})\b)" for number, (wrong, _) in enumerate(WORDS)), re.IGNORECASE)
# What programs draw holds names of tests and figures.
CODE = re.compile(r"<!-- [^>]*?(?:scripts/|drawn)[^>]*-->.*?<!-- end of [^>]*-->|```.*?```|<!--.*?-->|`[^`\n]*`|\]\([^)\s]*\)", re.DOTALL)


def texts_of_page(text):
    """(line, text) of the paragraphs of a page, without code, comments, addresses and marks of emphasis."""
    return _paragraphs(re.sub(r"[*_]", " ", CODE.sub(lambda match: re.sub(r"[^\n]", "~", match[0]), text)))


def texts_of_manual(text):
    """(line, text) of the paragraphs of a manual page, without its fonts."""
    return _paragraphs(re.sub(r"\\f.", "", text))


def texts_of_python(text):
    """(line, text) of each literal that holds a blank. A docstring is what --help prints."""
    return [(node.lineno, node.value) for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()]


def texts_of_script(text):
    """(line, text) of each line with a quoted text or a comment."""
    return [(number, line) for number, line in texts_of_lines(text) if re.search("[\"#]", line)]


def texts_of_blueprint(text):
    """(line, text) of each line of a blueprint, without templates of Home Assistant."""
    templates = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
    return texts_of_lines(templates.sub(lambda match: re.sub(r"[^\n]", "~", match[0]), text))


def texts_of_lines(text):
    """(line, text) of each line of a file that a program reads."""
    return list(enumerate(text.split("\n"), 1))


def _paragraphs(text):
    """(line, text) of what stands between empty lines."""
    return [(text.count("\n", 0, match.start()) + 1, match[0]) for match in re.finditer(r"[^\n]+(?:\n[^\n]+)*", text)]


def texts_of_makefile(text):
    """(line, text) of what `make help` prints."""
    return [(number, line.partition("##")[2]) for number, line in enumerate(text.split("\n"), 1) if "##" in line]


def texts_of_swift(text):
    """(line, text) of each literal that holds a blank."""
    return [(line, literal) for line, literal in swift_source.literals_of(text) if " " in literal.strip()]


def texts_of_schema(text):
    """(line, text) of each title and description in a JSON schema."""
    return [(text.count("\n", 0, match.start()) + 1, match[1])
            for match in re.finditer(r'"(?:title|description)": "((?:[^"\\]|\\.)*)"', text)]


def wrong_words(texts):
    """(line, what is wrong) in these texts. A phrase may go over the end of a line."""
    for line, text in texts:
        for match in PATTERN.finditer(text.replace("\n", " ")):
            better = WORDS[int(match.lastgroup[1:])][1]
            yield line + text.count("\n", 0, match.start()), f"\"{match[0]}\": write {better} (docs/glossary.md)"
