"""What is left of the token and the secret in the daemon's memory, as root can read it."""

import os
import pathlib
import re
import subprocess

from agent import BINARIES
from homing_rigs.processes import wait_for
from own_process import as_root

pytestmark = as_root


def found(pid, *words):
    """How often each of these occurs in what the process may read or write."""
    counts = dict.fromkeys(words, 0)
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            area = re.match(r"([0-9a-f]+)-([0-9a-f]+) (r)", line)
            if not area or "[vvar" in line or "[vsyscall]" in line:
                continue
            start, end = (int(part, 16) for part in area.groups()[:2])
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except OSError:
                continue
            for word in words:
                counts[word] += content.count(word)
    return counts


def test_after_unregister_neither_token_nor_secret_is_in_the_daemons_memory(newest, gps, make_agent):
    token = newest.command("auth/long_lived_access_token", client_name="In memory", lifespan=1)
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n[push]\nmode = always\n").start()
    # By the daemon: it is handed the token, registers, writes the file, and opens the channel with the token.
    agent.register(newest.local_url, token)
    secret = agent.registration["secret"]
    words = [token.encode(), secret.encode(), bytes.fromhex(secret)]
    wait_for(lambda: agent.status()["push"]["state"] == "open", 30, "the channel")
    agent.homing("send-location", "--zone", "Work")
    agent.wait_until_empty()
    agent.homing("registration", "update", "--name", "Memory")
    before = found(agent.pid, *words)
    assert all(before.values()), "what is in use is found, so the search finds what there is"
    agent.homing("unregister", "--yes")
    wait_for(lambda: not any(found(agent.pid, *words).values()), 10, lambda: f"{list(found(agent.pid, *words).values())}")


def test_the_daemons_memory_is_not_for_its_own_user(newest, make_agent):
    person = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    agent = make_agent("[gpsd]\nenabled = false\n", daemon_prefix=person)
    agent.folder.chmod(0o755)
    for folder in (agent.state, agent.runtime):
        os.chown(folder, 65534, 65534)
    agent.start()
    assert os.stat(f"/proc/{agent.pid}/environ").st_uid == 0, "what may be dumped belongs to its user"


def test_the_commands_memory_is_not_for_its_own_user(make_agent):
    """A command may be given a token; one that waits stands for all."""
    agent = make_agent("")
    agent.folder.chmod(0o755)
    with subprocess.Popen(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARIES / "homing",
                           "register", "--url", "http://127.0.0.1:1", "--token-file", "-"],
                          env=agent.environment, stdin=subprocess.PIPE) as command:
        try:
            wait_for(lambda: "homing" in pathlib.Path(f"/proc/{command.pid}/comm").read_text(), 10, "setpriv to be over")
            wait_for(lambda: os.stat(f"/proc/{command.pid}/environ").st_uid == 0, 10,
                     "what may be dumped to be no more its user's")
            assert command.poll() is None, "it has ended"
        finally:
            command.kill()
