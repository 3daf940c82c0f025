"""The completions, in the shells themselves. That they have every option, HomingDocumentsTests shows."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pytest

FILES = [("bash", "homing.bash"), ("bash", "homingd.bash"), ("zsh", "_homing"), ("zsh", "_homingd"),
         ("fish", "homing.fish"), ("fish", "homingd.fish")]
# A line up to the cursor, and words that must be offered there, and words that must not.
# fish 4 offers what holds the letters anywhere: no such word is among the unwanted ones.
LINES = [
    ("homing reg", ["register"], ["status"]),
    ("homing config ", ["check", "example"], ["status", "register"]),
    ("homing config ch", ["check"], ["example"]),
    ("homing registration ", ["update"], ["status", "check"]),
    ("homing registration --j", ["--json"], ["--name"]),
    ("homing registration update --na", ["--name"], ["--json"]),
    ("homing track --format ", ["gpx", "geojson", "csv"], ["--since"]),
    ("homing event t --w", ["--wait"], ["--new"]),
    ("homing --config x.conf sta", ["status"], ["register"]),
    ("homing status --j", ["--json"], ["--url"]),
    ("homing register --url http://x --no", ["--no-home-network"], ["--json"]),
    ("homing register --allow", ["--allow-unencrypted", "--allow-plain-http"], ["--again"]),
    ("homingd --log-level ", ["warning", "debug"], ["--config"]),
    ("homing status --config agent.c", ["agent.conf"], ["status"]),
]


@pytest.mark.parametrize("shell, name", FILES)
def test_the_shell_can_read_it(packaging, quiet, shell, name):
    quiet(shell, "-n", packaging / "completions" / name)


@pytest.fixture
def home(tmp_path):
    """A folder with a file to complete, which is the shell's home too."""
    (tmp_path / "agent.conf").touch()
    return tmp_path


@pytest.mark.parametrize("line, wanted, unwanted", LINES)
@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_what_is_offered(packaging, home, shell, line, wanted, unwanted):
    offered = {"bash": offered_by_bash, "fish": offered_by_fish, "zsh": offered_by_zsh}[shell]
    words = offered(packaging / "completions", home, line)
    assert set(wanted) <= words and not set(unwanted) & words, words


def environment(home):
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def offered_by_bash(folder, home, line):
    program = line.split()[0]
    # bash splits at the characters of COMP_WORDBREAKS as well: http://x is three words.
    words = [word for word in re.split(r"(\s+|[:=])", line) if word.strip()]
    if line.endswith(" "):
        words.append("")
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; '
              f'_{program}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = subprocess.run(["bash", "-c", script, "bash", folder / f"{program}.bash", *words], text=True,
                          capture_output=True, timeout=60, cwd=home, env=environment(home))
    assert done.stderr == ""
    return set(done.stdout.split())


def offered_by_fish(folder, home, line):
    program = line.split()[0]
    script = 'source $argv[1]; complete -C "$argv[2]"'
    done = subprocess.run(["fish", "--no-config", "-c", script, folder / f"{program}.fish", line], text=True,
                          capture_output=True, timeout=60, cwd=home, env=environment(home))
    assert done.stderr == ""
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


ZSHRC = """
fpath=({folder} $fpath)
autoload -Uz compinit
compinit -u -D
PROMPT= PROMPT_EOL_MARK= LISTMAX=0
bindkey '^I' list-choices
zle-line-init() {{ print -n BEGUN }}
all-told() {{ print -n TOLD }}
zle -N zle-line-init
zle -N all-told
bindkey '^X' all-told
"""


def offered_by_zsh(folder, home, line):
    """zsh completes in its line editor only, so it gets a terminal, and two keys: one lists what may follow, the other
    says that this is done."""
    (home / ".zshrc").write_text(ZSHRC.format(folder=folder))
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(home)
        os.execve("/usr/bin/zsh", ["zsh", "-i"], {**environment(home), "ZDOTDIR": str(home)})
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        read_until(terminal, "BEGUN")
        os.write(terminal, f"{line}\t\x18".encode())
        shown = read_until(terminal, "TOLD").removesuffix("TOLD")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    rows = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "\n", shown).replace("\r", "\n").splitlines()
    # A row is a word with its description, or several words.
    return {word for row in rows if line.strip() not in row for word in row.split(" -- ")[0].split()}


def read_until(terminal, text):
    shown, end = "", time.monotonic() + 60
    while text not in shown:
        assert time.monotonic() < end, f"zsh did not say {text}: {shown}"
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown
