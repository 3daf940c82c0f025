"""The pages that are installed: those of users, whose links lead to files that are installed too."""

import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rigs"))

from homing_rigs.documents import dead_links  # noqa: E402

# Of developers.
LEFT_OUT = {"adding-a-sensor.md", "architecture.md", "cost.md", "cost-lines.md", "releasing.md"}


@pytest.fixture
def documents(packaging, run, built, tmp_path):
    """The folder share/doc of an installation."""
    root = tmp_path / "root"
    run(packaging.parent / "scripts/install-files", check=True,
        env={"PATH": "/usr/bin:/bin", "BUILT": str(built), "STRIP": "no", "DESTDIR": str(root), "PREFIX": "/usr"})
    return root / "usr/share/doc"


def test_the_pages_of_users_are_installed_and_no_others(packaging, documents):
    pages = {page.name for page in (packaging.parent / "docs").glob("*.md")}
    assert {page.name for page in (documents / "homing/docs").glob("*.md")} == pages - LEFT_OUT
    assert {page.name for page in (documents / "homing").glob("*.md")} == {"README.md", "SECURITY.md"}
    assert {page.name for page in (documents / "homing-relay").glob("*.md")} == {
        page for page in pages if page.startswith("relay")}


@pytest.mark.parametrize("other", ["homing-relay", "homing"])
def test_every_link_of_an_installed_page_leads_to_a_file_of_its_package(documents, other):
    shutil.rmtree(documents / other)
    assert dead_links(documents) == []


def test_of_a_link_to_another_file_the_words_stay_and_a_bracket_of_such_links_goes(documents):
    readme = (documents / "homing/README.md").read_text()
    assert "[On a boat](docs/boat.md)" in readme and "What Homing costs |" in readme
    limits = (documents / "homing/docs/limits.md").read_text()
    assert "decisions/" not in limits and "()" not in limits and "(00" not in limits


def test_a_link_to_a_file_that_is_not_installed_is_noticed(documents):
    (documents / "homing/README.md").write_text("[Costs](docs/cost.md) [Data](docs/data.md#saving) [Web](https://a.b/c)")
    assert dead_links(documents / "homing") == [("README.md", "docs/cost.md")]


def test_a_picture_is_installed_as_it_is(packaging, documents):
    for picture in (packaging.parent / "docs").glob("*.png"):
        assert (documents / "homing/docs" / picture.name).read_bytes() == picture.read_bytes()
