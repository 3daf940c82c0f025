"""Scripts and commands run as the daemon's user, and cannot read what is secret."""

import json
import signal

from homing_rigs.processes import wait_for

CONFIGURATION = """\
[gpsd]
enabled = false
[push]
mode = off
[sensors]
disable = all
enable = script
scripts = {folder}/sensors.d
"""
SCRIPT = """#!/bin/sh
cat {state}/homes/home/registration.json >{own}/new 2>&1
readlink /proc/$PPID/exe >>{own}/new 2>&1
cat {state}/homes/home/x >>{own}/new 2>&1 || ln {state}/homes/home/registration.json {state}/homes/home/x
mv {state} {state}-moved >>{own}/new 2>&1
cat {own}/kept >/dev/null && cat /proc/cpuinfo >/dev/null && echo "the rest is open" >>{own}/new
grep NoNewPrivs /proc/self/status >>{own}/new
mv {own}/new {own}/said
echo '{{"interval": 10, "sensors": []}}'
"""


def test_a_script_cannot_read_the_registration_nor_look_into_the_daemon(newest, make_agent):
    agent = make_agent()
    own = agent.folder / "own"
    for folder in (agent.folder / "sensors.d", own):
        folder.mkdir(mode=0o755)
    agent.configuration.write_text(CONFIGURATION.format(folder=agent.folder))
    (own / "kept").write_text("of the script's own")
    script = agent.folder / "sensors.d" / "thief"
    script.write_text(SCRIPT.format(state=agent.state, own=own))
    script.chmod(0o755)
    agent.start()
    agent.register(newest.url, newest.token)
    said = own / "said"
    wait_for(lambda: f"{agent.home}/registration.json: Permission denied" in said.read_text(), 40, "a refusal")
    wait_for(lambda: f"{agent.home}/x: Permission denied" in said.read_text(), 40, "a refusal of the next run")
    text = said.read_text()
    assert f"cannot move '{agent.state}'" in text
    assert "the rest is open" in text
    assert "NoNewPrivs:\t1" in text, "no program it starts gains privileges"
    content = json.loads((agent.home / "registration.json").read_text())
    for secret in (content["secret"], content["webhook_id"], "/homingd"):
        assert secret not in text
    assert "scripts_unconfined" not in agent.homing("status", "--json").stdout


READS_KEY = """#!/bin/sh
cat {folder}/keys/key.pem >{own}/new 2>&1
mv {own}/new {own}/said
echo '{{"interval": 10, "sensors": []}}'
"""
CLIENT = """\
[home_assistant]
client_certificate = {folder}/keys/certificate.pem
client_key = {folder}/keys/key.pem
"""


def test_a_key_that_a_reload_names_is_kept_from_scripts_at_once(newest, make_agent):
    agent = make_agent()
    own, keys = agent.folder / "own", agent.folder / "keys"
    for folder in (agent.folder / "sensors.d", own, keys):
        folder.mkdir(mode=0o755)
    for name in ("key.pem", "certificate.pem"):
        (keys / name).write_text("of a client")
        (keys / name).chmod(0o600)
    configuration = CONFIGURATION.format(folder=agent.folder)
    agent.configuration.write_text(configuration)
    script = agent.folder / "sensors.d" / "reader"
    script.write_text(READS_KEY.format(folder=agent.folder, own=own))
    script.chmod(0o755)
    agent.start()
    agent.register(newest.url, newest.token)
    said = own / "said"
    wait_for(lambda: said.exists() and said.read_text() == "of a client", 40, "a run before the reload")
    agent.configuration.write_text(configuration + CLIENT.format(folder=agent.folder))
    agent.signal(signal.SIGHUP)
    wait_for(lambda: "key.pem: Permission denied" in said.read_text(), 40, "a refusal after the reload")
