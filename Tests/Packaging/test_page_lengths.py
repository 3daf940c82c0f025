"""How long the pages for people may be: the README, the pages, and their sentences."""

import pathlib
import re

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((REPOSITORY / "docs").glob("*.md"))
# Words that the pages had before they were shortened, at commit 1f71a7e. A later page has at most 900.
BEFORE = {
    "README.md": 4380, "adding-a-sensor.md": 653, "architecture.md": 3453, "boat.md": 647, "commands.md": 1078,
    "getting-started-laptop.md": 449, "homing_track.md": 641, "notifications.md": 1829, "privacy.md": 645,
    "raspberry-pi-gps.md": 549, "reliability.md": 7439, "reverse-proxy.md": 408, "sensors.md": 2881, "threat-model.md": 2362,
    "troubleshooting.md": 1720,
}
LONGEST_SENTENCE = 20
# Nobody reads these as sentences.
DRAWN = re.compile(r"<!--.*?-->|^```.*?^```$", re.MULTILINE | re.DOTALL)


def words(file):
    return len(file.read_text().split())


def sentences(text):
    """The sentences of a page, without its code, tables, headings and brackets. A colon ends a sentence: a list follows."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.))", DRAWN.sub("", text)):
        if paragraph.strip().startswith(("#", "|")):
            continue
        plain = re.sub(r"`[^`]*`", "_", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph))
        plain = re.sub(r"\([^()]*\)", "", re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", plain))
        yield from re.split(r"(?<=[.!?:])[*\"]*\s+", plain)


def long_sentences(text):
    return [sentence for sentence in sentences(text) if len(re.findall(r"\S*[A-Za-z]\S*", sentence)) > LONGEST_SENTENCE]


def test_the_readme_fits_120_lines():
    assert len((REPOSITORY / "README.md").read_text().splitlines()) <= 120


def test_the_pages_from_before_lost_a_third_of_their_words():
    now = sum(words(file) for file in [REPOSITORY / "README.md", *PAGES] if file.name in BEFORE)
    assert now <= sum(BEFORE.values()) * 2 / 3


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in BEFORE], ids=lambda page: page.stem)
def test_a_later_page_has_at_most_900_words(page):
    assert words(page) <= 900


@pytest.mark.parametrize("page", [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", REPOSITORY / "SECURITY.md", *PAGES],
                         ids=lambda page: page.stem)
def test_a_sentence_has_at_most_twenty_words(page):
    assert long_sentences(page.read_text()) == []


def test_a_long_sentence_is_found():
    long = " ".join(["word"] * 21) + "."
    assert long_sentences(f"# {long}\n\nShort. {long} Short.\n\n| {long} |\n\n```\n{long}\n```\n") == [long]
    assert long_sentences(f"- [{long}](a.md)") == [long]
    assert long_sentences(" ".join(["word"] * 20) + ".") == []
