"""The journal's catalogue, as systemd compiles it. That it has every warning, HomingDocumentsTests shows."""

import shutil


def test_journalctl_compiles_it(packaging, run, tmp_path):
    folder = tmp_path / "usr/lib/systemd/catalog"
    folder.mkdir(parents=True)
    (tmp_path / "var/lib/systemd/catalog").mkdir(parents=True)
    shutil.copy(packaging / "catalog/homing.catalog", folder)
    done = run("journalctl", "--update-catalog", f"--root={tmp_path}")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")

    text = (packaging / "catalog/homing.catalog").read_text()
    wanted = {line[3:] for line in text.splitlines() if line.startswith("-- ")}
    listed = run("journalctl", "--list-catalog", f"--root={tmp_path}").stdout.splitlines()
    assert {line.split()[0] for line in listed} == wanted
    assert any(line.endswith("Homing: gpsd cannot be reached") for line in listed)
