"""The oldest libcurl is the same in the check at run time, in its text, in the packages' fields and on the page."""

import re


def test_each_place_names_the_same_oldest_libcurl(packaging):
    root = packaging.parent
    number = int(re.search(r"version_num >= (0x[0-9a-f]{6})", (root / "Sources/CLibraries/CCurl/shim.h").read_text())[1], 16)
    oldest = f"{number >> 16}.{number >> 8 & 255}"
    assert f"or older than {oldest}:" in (root / "Sources/HomingHTTP/Curl/CurlLibrary.swift").read_text()
    fields = re.findall(r"libcurl4 \(>= ([0-9.]+)\)", (packaging / "debian/control").read_text())
    assert fields and set(fields) == {oldest}
    assert f"| libcurl, `libcurl.so.4` | {oldest} |" in (root / "docs/platforms.md").read_text()


def test_the_newest_option_that_is_set_is_as_old_as_that(packaging):
    options = (packaging.parent / "Sources/HomingHTTP/Curl/CurlEasy+configure.swift").read_text()
    assert "CURLOPT_PROTOCOLS_STR" in options, "since 7.85: the oldest libcurl may be older without it"
