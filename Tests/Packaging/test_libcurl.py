"""The oldest libcurl is the same in the check at run time, in its text, in the packages' fields and on the page."""

import re

# The options of libcurl that are set. PROTOCOLS_STR came with 7.85, and is the newest.
OPTIONS = {f"CURL{name}" for name in """
    MOPT_MAXCONNECTS MOPT_SOCKETDATA MOPT_SOCKETFUNCTION MOPT_TIMERDATA MOPT_TIMERFUNCTION OPT_BUFFERSIZE OPT_CAINFO
    OPT_CLOSESOCKETFUNCTION OPT_CONNECTTIMEOUT_MS OPT_CONNECT_ONLY OPT_COPYPOSTFIELDS OPT_DNS_CACHE_TIMEOUT OPT_ERRORBUFFER
    OPT_FOLLOWLOCATION OPT_FRESH_CONNECT OPT_HEADERDATA OPT_HEADERFUNCTION OPT_HTTPGET OPT_HTTPHEADER OPT_HTTP_VERSION
    OPT_MAXAGE_CONN OPT_MAXFILESIZE_LARGE OPT_NOSIGNAL OPT_OPENSOCKETFUNCTION OPT_PATH_AS_IS OPT_POST
    OPT_POSTFIELDSIZE_LARGE OPT_PROTOCOLS_STR OPT_PROXY OPT_SHARE OPT_SOCKOPTFUNCTION OPT_SSLCERT OPT_SSLKEY
    OPT_SSLVERSION OPT_SSL_VERIFYHOST OPT_SSL_VERIFYPEER OPT_TCP_KEEPALIVE OPT_TCP_KEEPIDLE OPT_TCP_KEEPINTVL
    OPT_TIMEOUT_MS OPT_URL OPT_USERAGENT OPT_WRITEDATA OPT_WRITEFUNCTION SHOPT_SHARE
""".split()}


def test_each_place_names_the_same_oldest_libcurl(packaging):
    root = packaging.parent
    number = int(re.search(r"version_num >= (0x[0-9a-f]{6})", (root / "Sources/CLibraries/CCurl/shim.h").read_text())[1], 16)
    oldest = f"{number >> 16}.{number >> 8 & 255}"
    assert f"or older than {oldest}:" in (root / "Sources/HomingHTTP/Curl/CurlLibrary.swift").read_text()
    fields = re.findall(r"libcurl4 \(>= ([0-9.]+)\)", (packaging / "debian/control").read_text())
    assert fields and set(fields) == {oldest}
    assert f"| libcurl, `libcurl.so.4` | {oldest} |" in (root / "docs/platforms.md").read_text()


def test_every_option_that_is_set_is_as_old_as_that(packaging):
    """A new option is added to OPTIONS, after a look at the version that brought the option (its manual page)."""
    texts = [file.read_text() for folder in ("HomingHTTP", "CLibraries/CCurl")
             for file in (packaging.parent / "Sources" / folder).rglob("*") if file.is_file()]
    assert {word for text in texts for word in re.findall(r"CURL(?:M|SH)?OPT_[A-Z_]+", text)} == OPTIONS
