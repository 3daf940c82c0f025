"""The manual pages, as both formatters read them. That they say what the tables say, HomingDocumentsTests shows."""

import pytest

PAGES = ["homing.1", "homingd.8", "agent.conf.5", "homing-relay.8", "relay.conf.5"]


@pytest.mark.parametrize("page", PAGES)
def test_man_has_no_warning(packaging, run, page):
    done = run("man", "--warnings", "--encoding=UTF-8", "--local-file", "-Z", packaging / "man" / page,
               env={"LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", PAGES)
def test_mandoc_has_no_warning(packaging, run, page):
    # "not found": pages that belong to us or to other packages, which this machine need not have.
    done = run("mandoc", "-Tlint", "-Wstyle", packaging / "man" / page)
    assert [line for line in done.stdout.splitlines() if "not found" not in line] == []


def test_a_page_reads_as_it_should(packaging, run):
    text = run("mandoc", "-Tutf8", "-Owidth=78", packaging / "man/agent.conf.5").stdout
    plain = "".join(c for i, c in enumerate(text) if c != "\b" and text[i + 1:i + 2] != "\b")
    assert "THE SECTION [location]" in plain
    assert "Allowed: 1 to 10000 (metres)." in plain and "Default: 200." in plain
