"""Status, configuration, secrets and thrift of the running daemon."""

import json
import pathlib
import re
import signal
import subprocess
import time

from agent import BINARIES, wakeups
from homing_rigs.processes import wait_for
from own_process import as_root


def test_status_says_the_same_to_people_programs_and_watchers(newest, gps, bus, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n", bus.environment).start()
    text = agent.homing("status").stdout
    assert "Registration   none" in text and "homing setup" in text
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a delivery")
    report = agent.status()
    assert report["network"]["at_home"] and "HomeNet" in report["network"]["connection"]
    assert report["position"]["mode"] == 3 and report["position"]["zone"] == "Rig Home"
    text = agent.homing("status").stdout
    assert "HomeNet" in text and "in Rig Home" in text and re.search(r"\b[1-9]\d* delivered live", text)
    watcher = subprocess.Popen([BINARIES / "homing", "status", "--watch", "--json"], stdout=subprocess.PIPE,
                               env=agent.environment)
    first = json.loads(watcher.stdout.readline())
    agent.homing("send-location", "--zone", "Work")
    wait_for(lambda: json.loads(watcher.stdout.readline())["homes"][0]["queues"][0]["accepted"]
             > first["homes"][0]["queues"][0]["accepted"], 30, "the change")
    watcher.kill()


def test_exit_codes_without_a_daemon_and_with_wrong_words(make_agent):
    agent = make_agent()
    done = agent.homing("status", check=False)
    assert done.returncode == 69 and "systemctl start homing" in done.stderr
    done = agent.homing("stauts", check=False)
    assert done.returncode == 64 and done.stderr.count("\n") == 1 and '"status"' in done.stderr
    done = agent.homing("status", "--jsno", check=False)
    assert done.returncode == 64 and done.stderr.count("\n") == 1 and '"--json"' in done.stderr
    assert agent.homing("--version").stdout.startswith("homing 0.")
    for command in ["register", "unregister", "status", "send-location", "config check", "config example"]:
        assert "Usage:" in agent.homing(*command.split(), "--help").stdout


def test_a_wrong_configuration_is_named_and_never_half_started(make_agent):
    agent = make_agent("[location]\nmin_distanse = 5\nheartbeat = soon\n")
    done = subprocess.run([BINARIES / "homingd", "--config", agent.configuration], env=agent.environment,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 78
    assert f"{agent.configuration}:2: location.min_distanse" in done.stderr and "min_distance" in done.stderr
    assert f"{agent.configuration}:3: location.heartbeat" in done.stderr
    assert agent.homing("config", "check", check=False).returncode == 78
    agent.configuration.write_text("")
    assert agent.homing("config", "check").returncode == 0


def test_a_mistake_between_two_starts_does_not_end_the_tracker_and_a_no_counts(newest, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[location]\ntell = exact\n").start()
    agent.register(newest.url, newest.token)
    agent.stop()
    agent.configuration.write_text("[gpsd]\nenabled = false\n[location]\ntell = never\nhartbeat = 60\n[push]\nmode = off\n")
    agent.start()
    kept, = [warning for warning in agent.status()["warnings"] if warning["code"] == "configuration_kept"]
    assert "location.hartbeat" in kept["detail"] and "In use: the configuration of 20" in kept["detail"]
    refused = agent.homing("send-location", "--zone", "Work", check=False)
    assert refused.returncode != 0 and "tell = never" in refused.stderr, refused
    assert agent.homing("config", "check", check=False).returncode == 78
    agent.configuration.write_text("[gpsd]\nenabled = false\n[push]\nmode = off\n[sensors]\ndisable = all\n")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: agent.status()["warnings"] == [], 10, "the warning is resolved")
    assert "Resolved: The configuration is correct" in agent.log_text()
    agent.homing("send-location", "--zone", "Work")


def test_sighup_reads_the_configuration_again_and_keeps_the_old_on_error(make_agent):
    agent = make_agent("[log]\nlevel = info\n").start()
    agent.configuration.write_text("[log]\nlevel = loud\n")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: any(w["code"] == "configuration_kept" for w in agent.status()["warnings"]), 20, "the warning")
    agent.configuration.write_text("[log]\nlevel = debug\n")
    agent.signal(signal.SIGHUP)
    wait_for(lambda: all(w["code"] != "configuration_kept" for w in agent.status()["warnings"]), 20, "its end")


def test_no_secret_is_ever_logged(newest, web, gps, bus, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n", bus.environment).start()
    agent.register(web.instance.url, newest.token)
    gps.start(speed=20, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 3, 90, "deliveries")
    web.instance.mode("portal-302")
    agent.homing("send-location", "--zone", "Work", timeout=60)
    registration = agent.registration
    shown = agent.log_text() + agent.homing("status").stdout + agent.homing("status", "--json").stdout
    agent.stop()
    shown += agent.log_text()
    for secret in (newest.token, registration["webhook_id"], registration["secret"], newest.token[:40]):
        assert secret not in shown
    assert registration["device_name"] in shown, "the search above would find what is there"


def test_coordinates_are_logged_at_debug_only(newest, gps, make_agent):
    agent = make_agent(f"[gpsd]\nport = {gps.port}\n", log_level="info").start()
    agent.register(newest.url, newest.token)
    gps.start(speed=1, time="now")
    wait_for(lambda: agent.fate("delivered_live") >= 1, 60, "a delivery")
    assert "52.37" not in agent.log_text()


def test_an_idle_daemon_wakes_a_few_times_a_minute_at_most(newest, bus, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[push]\nmode = always\n", bus.environment).start()
    agent.register(newest.url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    time.sleep(8)
    # On a busy machine what follows the report may take longer than that: it belongs to no idle daemon.
    woken = []
    while not woken or woken[-1] > 3 and len(woken) < 4:
        before = wakeups(agent.pid)
        time.sleep(30)
        woken.append(wakeups(agent.pid) - before)
    assert woken[-1] <= 3, f"{woken} wake-ups, each in 30 s"
    wakes_by_asking = wakeups(agent.pid)
    agent.status()
    assert wakeups(agent.pid) > wakes_by_asking, "the count can rise"


def test_the_pages_of_the_start_are_given_back_after_a_minute(newest, bus, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[push]\n", bus.environment).start()
    agent.register(newest.url, newest.token)
    agent.homing("send-location", "--zone", "Work")
    before = resident_files(agent.pid)
    assert before > 10_000, "the start has used more"
    wait_for(lambda: resident_files(agent.pid) < 0.6 * before, 150, "the pages to go", every=2)
    assert "Delivered" in agent.homing("send-location", "--zone", "Work").stdout, "all works as before"


def resident_files(pid):
    """Pages of files that are mapped and resident, in kB."""
    status = (pathlib.Path("/proc") / str(pid) / "status").read_text()
    return int(re.search(r"^RssFile:\s+(\d+) kB", status, re.MULTILINE).group(1))


@as_root
def test_without_a_network_nothing_is_tried_until_there_is_an_address(newest, bus, make_agent):
    agent = make_agent("[gpsd]\nenabled = false\n[home_assistant]\nplain_http_away = true\n", bus.environment).start()
    agent.register(newest.url, newest.token)
    agent.stop()
    registration = json.loads((agent.home / "registration.json").read_text())
    (agent.home / "registration.json").write_text(json.dumps({**registration, "instance_url": "http://10.255.255.1:8123"}))
    bus.wifi_off()
    agent.put_before_daemon("unshare", "--net")  # no network of the kernel's either
    agent.start()
    assert agent.homing("send-location", "--zone", "Work", check=False).returncode == 0
    time.sleep(15)
    # Before NetworkManager was heard, there may have been a network.
    tried, before = agent.log_text().count("asking"), wakeups(agent.pid)
    time.sleep(40)
    assert wakeups(agent.pid) - before <= 3 and agent.log_text().count("asking") == tried
    endpoint = agent.status()["endpoints"][0]
    assert endpoint["excluded"] == "this machine has no network" and agent.queue()["queued"] == 1
    assert "no_endpoint" not in {warning["code"] for warning in agent.status()["warnings"]}
    # NetworkManager does not manage this one, and says nothing of it.
    for words in (["link", "add", "lan0", "type", "bridge"], ["address", "add", "10.255.255.2/24", "dev", "lan0"],
                  ["link", "set", "lan0", "up"]):
        subprocess.run(["nsenter", "--target", str(agent.pid), "--net", "ip", *words], check=True)
    wait_for(lambda: agent.log_text().count("asking") > tried, 75, "a try")
