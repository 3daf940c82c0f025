"""How long the sentences of the programs may be: their help, manual, configuration, errors and hints."""

import pathlib
import re
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "scripts/lib"), str(pathlib.Path(__file__).parent)]

import glossary  # noqa: E402
from test_page_lengths import long_sentences  # noqa: E402

PROGRAMS = [folder for folder in sorted((REPOSITORY / "Sources").iterdir())
            if folder.name != "HomingTestKit" and any(folder.rglob("*.swift"))]
# Literals in another language: SQL, Lua, the XML of D-Bus, and templates of Home Assistant.
CODE = re.compile(r"\b(?:CREATE|PRAGMA|DELETE FROM|ALTER TABLE)\b|\blocal \w+(?:, \w+)* =|<node>|\{%")


def long_texts(folder):
    """(file, line, sentence) of each sentence of a program that is too long."""
    return [(file.name, line, sentence) for file in sorted(folder.rglob("*.swift"))
            for line, text in glossary.texts_of_swift(file.read_text()) if not CODE.search(text)
            for sentence in long_sentences(text)]


def of_catalogue(text):
    """The subjects and explanations of the journal's catalogue, as paragraphs."""
    return re.sub(r"^(?:--|Defined-By:|Documentation:|#).*$", "", re.sub(r"^Subject: (.*)$", r"\1.\n", text, flags=re.M),
                  flags=re.M)


@pytest.mark.parametrize("folder", PROGRAMS, ids=lambda folder: folder.name)
def test_a_program_says_at_most_twenty_words_in_a_sentence(folder):
    assert long_texts(folder) == []


def test_the_catalogue_says_at_most_twenty_words_in_a_sentence():
    assert long_sentences(of_catalogue((REPOSITORY / "packaging/catalog/homing.catalog").read_text())) == []


def test_a_long_sentence_of_a_program_is_found(tmp_path):
    half, sql = " ".join(["word"] * 11), "CREATE TABLE " + " ".join(["word"] * 30)
    (tmp_path / "File.swift").write_text(f'''
let whole = "Short. {half} {half}."
let joined = "{half} "
    + "{half}."
let short = "{half}."
let other = "{half}."
let local = "the local {half} network {half}."
let statement = "{sql}"
''')
    assert [(name, line) for name, line, _ in long_texts(tmp_path)] == [("File.swift", 2), ("File.swift", 3), ("File.swift", 7)]


def test_a_long_entry_of_the_catalogue_is_found():
    long = " ".join(["word"] * 21)
    entry = "-- 0123\nSubject: {}\nDefined-By: Homing\nDocumentation: man:homingd(8)\n\n{}\n"
    for text in (entry.format(long, "Short."), entry.format("Short", f"Short. {long}.")):
        assert [found.strip() for found in long_sentences(of_catalogue(text))] == [f"{long}."]
