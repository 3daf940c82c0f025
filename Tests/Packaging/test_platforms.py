"""The tables of docs/platforms.md and docs/install.md are drawn from the newest rows of the packages' tests."""

import json
import sys


def test_the_newest_row_of_each_platform_is_drawn(packaging, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(packaging.parent / "scripts/lib"))
    monkeypatch.delitem(sys.modules, "platforms", raising=False)
    import platforms
    (tmp_path / "docs/measurements").mkdir(parents=True)
    (tmp_path / "docs/platforms.md").write_text(f"before\n{platforms.BEGIN}old\n{platforms.END}after\n")
    page = "".join(f"{begin}old\n{platforms.END_OF_MINUTES}" for begin in platforms.MINUTES.values())
    (tmp_path / "docs/install.md").write_text(page)
    ran = {"release": "trixie", "architecture": "amd64", "lintian": "clean", "shown": ["booted"], "commit": "abc"}
    rows(tmp_path, "packages", ran | {"passed": 1, "skipped": 0, "date": "2026-01-01"},
         ran | {"passed": 2, "skipped": 1, "date": "2026-01-02"})
    timed = {"release": "bookworm", "architecture": "amd64", "commit": "abc", "date": "2026-01-03"}
    rows(tmp_path, "first-minutes", timed | {"seconds": {"install": 9, "pair": 1, "dot": 2, "moves": 3}},
         timed | {"seconds": {"install": 4, "pair": 1, "dot": 2, "moves": 3}},
         timed | {"architecture": "arm64", "seconds": {"install": 5, "pair": 1, "dot": 2, "moves": 3}, "by": "release"})
    drawn = {path.name: text for path, text in platforms.documents(tmp_path).items()}
    assert drawn["platforms.md"].startswith("before\n") and drawn["platforms.md"].endswith("after\n")
    row, = [line for line in drawn["platforms.md"].splitlines() if line.startswith("| Debian")]
    assert row == "| Debian 13, amd64 | lintian: clean | yes | no | no | no | no | 2 passed, 1 skipped | 2026-01-02 | abc |"
    of_a_file, of_a_release = drawn["install.md"].split(platforms.END_OF_MINUTES)[:2]
    assert "| Debian 12, amd64 |" in of_a_file and "| 4.0 s |" in of_a_file and "9.0" not in of_a_file
    assert "| Debian 12, arm64, emulated |" in of_a_release and "| measured | 2026-01-03, abc |" in of_a_release


def rows(root, name, *found):
    (root / f"docs/measurements/{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))
