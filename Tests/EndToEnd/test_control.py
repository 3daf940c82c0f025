"""Who may do what over the control socket."""

import contextlib
import json
import os
import socket
import subprocess

import pytest
from agent import BINARIES
from faults.flight import Control
from homing_rigs.processes import Child, temporary_folder, wait_for

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="to be another user needs root")
NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534")
ASK = """
import socket, sys
s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); f = s.makefile("rw")
for method in sys.argv[2:]:
    f.write('{"v":1,"id":7,"method":"%s"}\\n' % method); f.flush(); print(f.readline(), end="")
"""


def ask(agent, methods, groups="--clear-groups"):
    """What the daemon answers to the user nobody."""
    done = subprocess.run([*NOBODY, groups, "/usr/bin/python3", "-c", ASK, agent.runtime / "control.sock", *methods],
                          capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_another_user_sees_that_it_works_and_not_where_nor_whom_it_talks_to(newest, gps, bus, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n", bus.environment).start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a delivery")
    whole = agent.status()
    secrets = ["HomeNet", "Rig Home", "127.0.0.1", newest.version, str(whole["position"]["place"]["latitude"])]
    assert all(secret in json.dumps(whole) for secret in secrets), "the search below would find what is there"
    status, refused = ask(agent, ["status", "unregister"])
    assert not [secret for secret in secrets if secret in json.dumps(status)]
    assert status["result"]["restricted"] and status["result"]["homes"][0]["queues"] and status["result"]["position"]["mode"] == 3
    assert refused["error"]["code"] == 77
    shown = subprocess.run([*NOBODY, "--clear-groups", BINARIES / "homing", "status"], env=agent.environment,
                           capture_output=True, text=True, timeout=60, check=True).stdout
    assert "Hidden" in shown and not [secret for secret in secrets if secret in shown]
    for command in ("register", "setup"):
        told = subprocess.run([*NOBODY, "--clear-groups", BINARIES / "homing", command, "--url", newest.url, "--token-file", "-"],
                              env=agent.environment, input=newest.token, capture_output=True, text=True, timeout=60)
        assert told.returncode == 77 and "you may not register the system's daemon" in told.stderr, told
        assert "type the command with sudo" in told.stderr
    assert (agent.home / "registration.json").exists()


def test_a_user_who_would_mark_a_folder_of_their_own_is_told_to_type_sudo(make_agent, tmp_path):
    """Beside the system's daemon, a user's own folder is no part of the disk that is copied."""
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    own = tmp_path / "own"
    own.mkdir()
    os.chmod(tmp_path, 0o755)
    os.chown(own, 65534, 65534)
    words = [*NOBODY, "--clear-groups", BINARIES / "homing", "image", "prepare"]
    for undo in ([], ["--undo"]):
        done = subprocess.run([*words, *undo], env={**agent.environment, "STATE_DIRECTORY": str(own)}, capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 77 and done.stderr.rstrip().endswith(" ".join(["sudo homing image prepare", *undo])), done
    assert not list(own.iterdir())


def test_the_group_homing_may_do_everything_without_a_user_database(make_agent, tmp_path):
    groups = tmp_path / "group"
    groups.write_text("homing:x:54321:\n")
    private = ("unshare", "--mount", "--propagation", "private", "sh", "-c",
               f"mount --bind {groups} /etc/group && exec \"$@\"", "sh")
    agent = make_agent("[gpsd]\nenabled = false\n", daemon_prefix=private).start()
    # Many groups, the last of them homing; neither user nor groups are in any database.
    crowd = ",".join(map(str, range(50001, 50100)))
    (member,) = ask(agent, ["unregister"], f"--groups={crowd},54321")
    assert member["error"]["code"] == 66
    (other,) = ask(agent, ["unregister"], f"--groups={crowd}")
    assert other["error"]["code"] == 77


def test_strangers_who_hold_connections_shut_out_nobody_who_is_trusted(make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n").start()
    with contextlib.ExitStack() as stack:
        held = []
        os.seteuid(65534)
        try:
            for _ in range(100):
                held.append(stack.enter_context(socket.socket(socket.AF_UNIX)))
                held[-1].connect(str(agent.runtime / "control.sock"))
        finally:
            os.seteuid(0)
        assert agent.homing("status").returncode == 0
        answers = []
        for connection in held:
            connection.settimeout(0.05)
            with contextlib.suppress(TimeoutError):
                answers.append(json.loads(connection.recv(4096)))
        assert len(answers) >= 92 and {answer["error"]["code"] for answer in answers} == {69}


def test_a_users_own_file_counts_from_the_time_it_exists():
    """An answer of setup may make a user's first file. The daemon names the user's file after the next reload."""
    home = temporary_folder("own")
    (home / "state").mkdir(mode=0o700)
    (home / "run").mkdir(mode=0o700)
    subprocess.run(["chown", "--recursive", "65534:65534", home], check=True)
    daemon = Child([*NOBODY, "--clear-groups", BINARIES / "homingd"], home / "log", env={
        "PATH": os.environ["PATH"], "HOME": str(home), "STATE_DIRECTORY": str(home / "state"),
        "RUNTIME_DIRECTORY": str(home / "run")})
    wait_for(lambda: "started" in daemon.log_text(), 20, "the daemon")
    control = Control(home / "run/control.sock")
    assert control.call("reload")["path"] != f"{home}/.config/homing/agent.conf"
    parts = home / ".config/homing/agent.conf.d"
    parts.mkdir(parents=True)
    (parts / "gpsd.conf").write_text("[gpsd]\nenabled = false\n")
    assert control.call("reload") == {"path": f"{home}/.config/homing/agent.conf", "problems": []}
    control.close()
    assert daemon.stop() == 0
