"""What the checks of the packaging's files share."""

import pathlib
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# No package of ours is in the view, whatever is installed here: /usr/bin has links to the programs of this machine.
VIEW = """
mkdir "$HOME/bin"
mount --bind /usr/bin "$HOME/bin"; hash -r
for folder in /etc /opt /run /usr/bin /usr/lib/systemd /usr/local /var/lib; do mount -t tmpfs none "$folder"; done
ln -s "$HOME"/bin/* /usr/bin/
rm -f /usr/bin/homing*
"""
SYSTEMCTL = """#!/bin/sh
case "$*" in
    "--quiet is-enabled $ENABLED" | "--quiet is-active $ACTIVE") ;;
    *is-enabled* | *is-active*) exit 1 ;;
    *) echo "$*" >>"$HOME/asked" ;;
esac
"""


@pytest.fixture
def packaging():
    return REPOSITORY / "packaging"


@pytest.fixture
def built(tmp_path):
    """A folder with a program of each name, for what is installed beside the programs."""
    folder = tmp_path / "built"
    folder.mkdir()
    for program in ("homing", "homingd", "homing-relay", "homing-session"):
        (folder / program).write_text("#!/bin/sh\n")
        (folder / program).chmod(0o755)
    return folder


@pytest.fixture
def run():
    """Runs a command; its output is text."""
    def run(*words, **options):
        return subprocess.run([str(word) for word in words], **{
            "text": True, "capture_output": True, "timeout": 60, "stdin": subprocess.DEVNULL, **options})
    return run


@pytest.fixture
def quiet(run):
    """Runs a command that must succeed without a word."""
    def quiet(*words, **options):
        done = run(*words, **options)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return quiet


@pytest.fixture
def view(packaging, run, built, tmp_path):
    """Runs steps of sh in the checkout, in a view of the file system of their own: what could be ours there is empty.
    systemctl is played, and says in `view.asked()` what systemctl was asked for; `enabled` and `active` are the
    only units that are."""
    home = tmp_path / "view"

    def view(steps, enabled="", active=""):
        (home / "played").mkdir(parents=True)
        for name, text in (("systemctl", SYSTEMCTL), ("journalctl", "#!/bin/sh\n")):
            (home / "played" / name).write_text(text)
            (home / "played" / name).chmod(0o755)
        return run("unshare", "--mount", "--map-root-user", "sh", "-euc", VIEW + steps, cwd=packaging.parent, env={
            "PATH": f"{home}/played:{home}/bin:/usr/bin", "HOME": str(home), "BUILT": str(built), "STRIP": "no",
            "ENABLED": enabled, "ACTIVE": active})
    view.home = home
    view.asked = lambda: (home / "asked").read_text().splitlines()
    return view
