"""The pages that are installed: those of users, whose links lead to files that are installed too."""

import re

import pytest

# Of developers.
LEFT_OUT = {"adding-a-sensor.md", "architecture.md", "cost.md", "cost-lines.md"}


@pytest.fixture
def documents(packaging, run, tmp_path):
    """The folder share/doc of an installation."""
    built, root = tmp_path / "built", tmp_path / "root"
    built.mkdir()
    for program in ("homing", "homingd", "homing-relay", "homing-session"):
        (built / program).write_text("#!/bin/sh\n")
        (built / program).chmod(0o755)
    run(packaging.parent / "scripts/install-files", check=True,
        env={"PATH": "/usr/bin:/bin", "BUILT": str(built), "STRIP": "no", "DESTDIR": str(root), "PREFIX": "/usr"})
    return root / "usr/share/doc"


def dead_links(folder):
    """(page, link) of each link to a file that is not there."""
    return [(page.name, link) for page in sorted(folder.rglob("*.md"))
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
            if "://" not in link and not (page.parent / link).exists()]


def test_the_pages_of_users_are_installed_and_no_others(packaging, documents):
    pages = {page.name for page in (packaging.parent / "docs").glob("*.md")}
    assert {page.name for page in (documents / "homing/docs").glob("*.md")} == pages - LEFT_OUT
    assert {page.name for page in (documents / "homing").glob("*.md")} == {"README.md", "SECURITY.md"}
    assert {page.name for page in (documents / "homing-relay").glob("*.md")} == {
        page for page in pages if page.startswith("relay")}


def test_every_link_of_an_installed_page_leads_to_an_installed_file(documents):
    assert dead_links(documents) == []
    readme = (documents / "homing/README.md").read_text()
    assert "[On a boat](docs/boat.md)" in readme and "What Homing costs |" in readme, "the words stay"


def test_a_link_to_a_file_that_is_not_installed_is_noticed(documents):
    (documents / "homing/README.md").write_text("[Costs](docs/cost.md) [Data](docs/data.md#saving) [Web](https://a.b/c)")
    assert dead_links(documents) == [("README.md", "docs/cost.md")]


def test_a_picture_is_installed_as_it_is(packaging, documents):
    for picture in (packaging.parent / "docs").glob("*.png"):
        assert (documents / "homing/docs" / picture.name).read_bytes() == picture.read_bytes()
