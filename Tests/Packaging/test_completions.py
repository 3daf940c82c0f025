"""The completions, in the shells themselves, which ask the programs of the test build. That these offer every option,
HomingDocumentsTests shows."""

import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("HOMING_BINARIES", REPOSITORY / ".build/release"))
FILES = {"bash": "homing.bash", "zsh": "_homing", "fish": "homing.fish"}
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
    ("homing track --format=", ["gpx", "geojson", "csv"], ["--since"]),
    ("homing track --format=g", ["gpx", "geojson"], ["csv"]),
    ("homing event t --w", ["--wait"], ["--new"]),
    ("homing --config x.conf sta", ["status"], ["register"]),
    ("homing --config=x.conf sta", ["status"], ["register"]),
    ("homing status --j", ["--json"], ["--url"]),
    ("homing register --url http://x --no", ["--no-home-network"], ["--json"]),
    ("homing register --allow", ["--allow-unencrypted", "--allow-plain-http"], ["--again"]),
    ("homingd --log-level ", ["warning", "debug"], ["--config"]),
    ("homing status --config agent.c", ["agent.conf"], ["status"]),
    ("homing status --config=agent.c", ["agent.conf"], ["status"]),
    ("homing status --home ", ["cabin", "villa"], ["--json"]),
    ("homing homes remove v", ["villa"], ["cabin"]),
    ("homing homes rename villa ", ["--help"], ["cabin"]),
    ("homing __c", [], ["__complete"]),
    ("homing-relay mailbox ", ["list", "forget", "block"], ["status", "init"]),
    ("homing-relay invite --u", ["--uses"], ["--hours"]),
    ("homing-relay serve --log-level ", ["warning", "debug"], ["--config"]),
    ("homing-relay --config agent.c", ["agent.conf"], ["status"]),
]
# What a program may say that a shell takes for something else.
AWKWARD = [("--l:evel", r"How [much]: it's \n $(touch ran) `touch ran`"), ("--log", 'Write "it" 100%')]
NOTHING = {"": "no program", "exit 0": "no candidates", "echo config; echo broken >&2; exit 1": "a failure",
           "kill -9 $$": "a crash"}


@pytest.mark.parametrize("shell", FILES)
def test_the_shell_can_read_it(packaging, quiet, shell):
    quiet(shell, "-n", packaging / "completions" / FILES[shell])


@pytest.fixture
def home(tmp_path):
    """A folder with a file and a folder to complete and two homes, which is the shell's home too."""
    (tmp_path / "agent.conf").touch()
    (tmp_path / "folder").mkdir()
    for name in ("cabin", "villa"):
        (tmp_path / "state/homes" / name).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("line, wanted, unwanted", LINES)
@pytest.mark.parametrize("shell", FILES)
def test_what_is_offered(packaging, home, shell, line, wanted, unwanted):
    rows = offered(shell, packaging / "completions", home, BINARIES, line)
    # A value of --option=value is offered as the whole word, or by itself.
    words = {word.removeprefix("--format=").removeprefix("--config=") for word in words_of(shell, rows)}
    assert set(wanted) <= words and not set(unwanted) & words, rows


@pytest.mark.parametrize("line, completed", [
    ("homing sta", "homing status "), ("homing track --format=gp", "homing track --format=gpx "),
    ("homing status --config=agent.c", "homing status --config=agent.conf "),
    ("homing config e", "homing config example "), ("homing --config fol", "homing --config folder/"),
])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_what_is_put_into_the_line(packaging, home, shell, line, completed):
    assert typed(shell, packaging / "completions", home, BINARIES, line, "\x05")[1] == completed


@pytest.mark.parametrize("shell", FILES)
def test_what_a_program_says_is_shown_as_it_is(packaging, home, shell):
    rows = "".join(f"{word}\t{help}\n" for word, help in AWKWARD)
    programs = said_by(home, f"cat <<'EOF'\n{rows}EOF")
    shown = "\n".join(offered(shell, packaging / "completions", home, programs, "homing log --l"))
    for word, help in AWKWARD:
        assert word in shown and (help in shown) == (shell != "bash"), shown
    assert not (home / "ran").exists()


@pytest.mark.parametrize("script", NOTHING, ids=NOTHING.get)
@pytest.mark.parametrize("shell", FILES)
def test_nothing_is_offered_and_said_where_the_program_fails(packaging, home, shell, script):
    folder, programs = packaging / "completions", said_by(home, script)
    assert offered(shell, folder, home, programs, "homing con") == []
    if shell != "fish":
        assert typed(shell, folder, home, programs, "homing ", "\x05")[1] == "homing "


def said_by(home, script):
    """A folder of programs in which homing is a script, or is not there."""
    (home / "bin").mkdir()
    if script:
        (home / "bin/homing").write_text(f"#!/bin/bash\n{script}\n")
        (home / "bin/homing").chmod(0o755)
    return home / "bin"


def environment(home, programs):
    return {"HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb",
            "STATE_DIRECTORY": str(home / "state")}


def offered(shell, folder, home, programs, line):
    """The rows that the shell shows behind a line."""
    return offered_by_fish(folder, home, programs, line) if shell == "fish" \
        else typed(shell, folder, home, programs, line, "\t")[0]


def words_of(shell, rows):
    """A row is a word with its description, or several words."""
    return {word for row in rows for word in row.split("\t" if shell == "fish" else " -- ")[0].split()}


def offered_by_fish(folder, home, programs, line):
    script = 'source $argv[1]; complete -C "$argv[2]"'
    done = subprocess.run(["fish", "--no-config", "-c", script, folder / FILES["fish"], line], text=True,
                          capture_output=True, timeout=60, cwd=home, env=environment(home, programs))
    assert done.stderr == ""
    return done.stdout.splitlines()


# Keys: Tab lists what may follow, ^E completes the word, ^T says the line and so that this is done.
BASHRC = """
source {folder}/homing.bash
PS1=BEGUN
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind '"\\t": possible-completions'
bind '"\\C-e": complete'
bind -x '"\\C-t": printf "TOLD%sEND" "$READLINE_LINE"'
"""
ZSHRC = """
fpath=({folder} $fpath)
autoload -Uz compinit
compinit -u -D
PROMPT= PROMPT_EOL_MARK= LISTMAX=0
setopt no_beep
bindkey '^I' list-choices
bindkey '^E' expand-or-complete
zle-line-init() {{ print -n BEGUN }}
all-told() {{ print -n TOLD${{BUFFER}}END }}
zle -N zle-line-init
zle -N all-told
bindkey '^T' all-told
"""


def typed(shell, folder, home, programs, line, key):
    """What the shell's line editor shows, in rows, and what is then in the line: bash and zsh complete on a terminal
    only."""
    (home / ".bashrc").write_text(BASHRC.format(folder=folder))
    (home / ".zshrc").write_text(ZSHRC.format(folder=folder))
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(home)
        words = {"bash": ["bash", "--noprofile", "-i"], "zsh": ["zsh", "-i"]}[shell]
        os.execve(f"/usr/bin/{shell}", words, {**environment(home, programs), "ZDOTDIR": str(home)})
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        read_until(terminal, "BEGUN")
        os.write(terminal, f"{line}{key}\x14".encode())
        shown, then = read_until(terminal, "END").split("TOLD")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    rows = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "\n", shown).replace("\r", "\n").splitlines()
    rows = [row.removeprefix("BEGUN").strip() for row in rows]
    return [row for row in rows if row not in ("", line.strip())], then.split("END")[0]


def read_until(terminal, text):
    shown, end = "", time.monotonic() + 60
    while text not in shown:
        assert time.monotonic() < end, f"the shell did not say {text}: {shown}"
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown
