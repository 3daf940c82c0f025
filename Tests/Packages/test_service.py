"""The package homing on a machine of its own: what is there after an installation, and who may do what."""

import json
import stat
import struct

import pytest
from homing_rigs.documents import block
from homing_rigs.machine import Machine
from homing_rigs.processes import wait_for

pytestmark = pytest.mark.skipif(not Machine.possible(), reason="needs root and systemd-nspawn")
NOT_REGISTERED = "7264563a3c2e401183e1366b9b2d022a"


@pytest.mark.shows("booted")
def test_an_installation_runs_and_says_what_to_do(installed):
    shown = installed.show("homing", "ActiveState", "UnitFileState", "User", "StatusText", "NRestarts")
    assert shown == {"ActiveState": "active", "UnitFileState": "enabled", "User": "homing", "NRestarts": "0",
                     "StatusText": "Not registered: run sudo homing setup"}
    assert "Not registered" in installed.say("systemctl", "status", "--no-pager", "homing")
    assert json.loads(installed.say("homing", "status", "--json"))["homes"][0]["warnings"]

    entries = [entry for entry in installed.journal("-u", "homing") if entry.get("WARNABLE") == "not_registered"]
    assert entries and entries[0]["MESSAGE_ID"] == NOT_REGISTERED and entries[0]["PRIORITY"] == "4"
    explained = installed.say("journalctl", "-x", "--no-pager", "-u", "homing")
    assert "Subject: Not registered with Home Assistant" in explained
    assert "What to do: run: sudo homing setup" in explained

    assert installed.say("systemctl", "--failed", "--no-legend") == ""
    assert modes(installed, "/var/lib/homing", "/var/lib/homing/homes/home/outbox.db", "/run/homing", "/run/homing/control.sock",
                 "/usr/share/doc/homing/examples/agent.conf") == [
        "drwx------ homing", "-rw------- homing", "drwxr-xr-x homing", "srw-rw-rw- homing", "-rw-r--r-- root"]
    assert installed.run("test", "-e", "/etc/homing/agent.conf", check=False).returncode == 1, "no file asks at an upgrade"


def modes(machine, *paths):
    rows = [row.split() for row in machine.say("stat", "-c", "%f %U", *paths).splitlines()]
    return [f"{stat.filemode(int(mode, 16))} {owner}" for mode, owner in rows]


def test_the_service_is_what_systemd_here_calls_safe(installed):
    # On each release: what is one line of the file in one may be unknown to another.
    unit = installed.say("systemctl", "show", "--value", "--property=FragmentPath", "homing")
    assert installed.run("systemd-analyze", "verify", "--man=no", unit).stderr == ""
    assert installed.run("systemd-analyze", "security", "--threshold=15", "homing", check=False).returncode == 0


def test_the_sandbox_leaves_the_system_bus_and_a_delay_inhibitor(installed):
    # Commands before the daemon run as it does, and must succeed. logind shows its properties
    # to everybody, as NetworkManager and UPower do.
    login = "org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager"
    installed.write("/run/systemd/system/homing.service.d/before.conf", "[Service]\n"
                    f"ExecStartPre=busctl --system get-property {login} IdleHint\n"
                    "ExecStartPre=systemd-inhibit --what=sleep --mode=delay true\n")
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing")
    assert installed.show("homing", "ActiveState") == {"ActiveState": "active"}


def test_the_group_may_do_everything_and_others_see_the_status_only(installed):
    installed.run("useradd", "--groups", "homing", "skipper")
    installed.run("useradd", "guest")
    # 66: there is no registration to forget; 77: not permitted.
    assert installed.run("homing", "unregister", user="skipper", check=False).returncode == 66
    assert installed.run("homing", "unregister", user="guest", check=False).returncode == 77
    assert installed.run("homing", "status", user="guest").returncode == 0
    assert installed.run("cat", "/var/lib/homing/homes/home/outbox.db", user="skipper", check=False).returncode == 1


def test_the_doctor_judges_the_services_files_for_a_user_who_has_some_of_their_own(installed):
    installed.run("useradd", "--create-home", "--groups", "homing", "skipper")
    own = "/home/skipper/.config/homing/agent.conf"
    installed.write(own, "[gpsd]\nprot = 1\n")
    done = installed.run("homing", "doctor", "--json", user="skipper", environment={"HOME": "/home/skipper"}, check=False)
    findings = {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert findings["configuration"]["outcome"] == "well" and own not in done.stdout
    assert findings["configuration"]["detail"].startswith("/etc/homing/agent.conf is absent")
    assert findings["state"] == {**findings["state"], "outcome": "skipped", "detail": "/var/lib/homing is another user's"}


def test_a_stalled_daemon_is_started_again(installed):
    assert installed.show("homing", "WatchdogUSec", "RestartUSec") == {"WatchdogUSec": "3min", "RestartUSec": "15s"}
    # As the package has it, only sooner: the watchdog is fed in half its time, at the latest once a minute.
    installed.write("/run/systemd/system/homing.service.d/soon.conf", "[Service]\nWatchdogSec=2\nRestartSec=100ms\n")
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing")
    pid = installed.show("homing", "MainPID")["MainPID"]
    installed.run("kill", "-STOP", pid)

    def again():
        shown = installed.show("homing", "ActiveState", "MainPID", "NRestarts")
        return shown["ActiveState"] == "active" and shown["MainPID"] not in (pid, "0") and shown["NRestarts"] == "1"

    wait_for(again, 30, "systemd has started the daemon again")
    assert "watchdog" in installed.say("journalctl", "--no-pager", "-u", "homing").lower()
    assert installed.run("homing", "status").returncode == 0


def test_a_wrong_configuration_keeps_the_old_one_also_at_a_start_and_ends_the_first_start_for_good(installed):
    installed.write("/etc/homing/agent.conf.d/50-mine.conf", "[gpsd]\nport = 29470\n")
    installed.run("systemctl", "reload", "homing")
    wait_for(lambda: "read again" in installed.say("journalctl", "--no-pager", "-u", "homing"), 10, "it was read")
    pid = installed.show("homing", "MainPID")

    installed.write("/etc/homing/agent.conf.d/50-mine.conf", "[gpsd]\nprot = 29470\n")
    installed.run("systemctl", "reload", "homing")
    wait_for(lambda: any(entry.get("WARNABLE") == "configuration_kept" for entry in installed.journal("-u", "homing")),
             10, "the wrong configuration is told")
    assert installed.show("homing", "MainPID") == pid

    installed.run("systemctl", "restart", "homing")
    assert installed.show("homing", "ActiveState") == {"ActiveState": "active"}
    kept = next(warning for warning in json.loads(installed.say("homing", "status", "--json"))["warnings"]
                if warning["code"] == "configuration_kept")
    assert "gpsd.prot" in kept["detail"] and "In use: the configuration of 20" in kept["detail"]

    installed.run("systemctl", "stop", "homing")
    installed.run("rm", "/var/lib/homing/configuration.json")
    installed.run("systemctl", "start", "homing", check=False)
    wait_for(lambda: installed.show("homing", "ActiveState")["ActiveState"] == "failed", 10, "it has failed")
    assert installed.show("homing", "ExecMainStatus", "NRestarts") == {"ExecMainStatus": "78", "NRestarts": "0"}
    assert 'did you mean "port"?' in installed.say("journalctl", "--no-pager", "-u", "homing")


def test_a_wrong_command_line_ends_for_good(installed):
    installed.write("/run/systemd/system/homing.service.d/words.conf",
                    "[Service]\nExecStart=\nExecStart=/usr/bin/homingd --frobnicate\n")
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing", check=False)
    # One that is to be started again waits for that, and has not failed.
    wait_for(lambda: installed.show("homing", "ActiveState")["ActiveState"] == "failed", 10, "it has failed")
    assert installed.show("homing", "ExecMainStatus", "NRestarts") == {"ExecMainStatus": "64", "NRestarts": "0"}
    assert "--frobnicate" in installed.say("journalctl", "--no-pager", "-u", "homing")


def test_in_its_sandbox_the_service_sees_a_real_network_manager(with_more):
    machine = with_more("network-manager")
    # The network is the test's, and stays as it is.
    machine.write("/etc/NetworkManager/conf.d/90-none.conf", "[keyfile]\nunmanaged-devices=*\n")
    machine.write("/run/systemd/system/homing.service.d/before.conf", "[Service]\n"
                  "ExecStartPre=-sh -c 'homing doctor --json > /run/homing/doctor.json'\n")
    machine.write("/etc/homing/agent.conf.d/50-home.conf", "[home_network]\nssid = HomeNet\n")
    machine.run("systemctl", "daemon-reload")

    def seen_inside():
        machine.run("systemctl", "restart", "homing")
        findings = json.loads(machine.say("cat", "/run/homing/doctor.json"))["findings"]
        return next(finding for finding in findings if finding["check"] == "network_manager")

    def seen_by_the_daemon():
        return json.loads(machine.say("homing", "status", "--json"))["network"]["connection"]

    assert seen_inside()["code"] == "network_manager_missing"
    assert seen_by_the_daemon() == "unknown: NetworkManager is not running"
    machine.run("apt-get", "-q", "-y", "--no-install-recommends", "install", "network-manager")
    wait_for(lambda: seen_by_the_daemon() == "a network that NetworkManager does not manage", 60, "the daemon has noticed it")
    version = machine.say("NetworkManager", "--version")
    finding = seen_inside()
    assert (finding["outcome"], finding["detail"]) == ("well", f"version {version}")


def test_terminals_are_told_with_the_lines_of_the_page_and_not_without(installed):
    installed.write("/etc/homing/agent.conf.d/50-wall.conf", "[push]\nwall = true\n")
    installed.run("systemctl", "restart", "homing")
    log_in(installed, "skipper", "/root/terminal")
    installed.run("homing", "notify", "--title", "Bell", "Nobody reads this")
    assert "terminals_unreachable" in installed.say("homing", "status", "--json")

    installed.write("/etc/systemd/system/homing.service.d/override.conf",
                    block("docs/notifications.md", "Where they are shown", "systemd"))
    installed.run("systemctl", "daemon-reload")
    installed.run("systemctl", "restart", "homing")
    assert "terminals_unreachable" not in installed.say("homing", "status", "--json")
    installed.run("homing", "notify", "--title", "Bell", "Somebody rings")
    wait_for(lambda: "Somebody rings" in installed.say("cat", "/root/terminal"), 10, "the terminal is told")
    assert "Nobody reads this" not in installed.say("cat", "/root/terminal")


def log_in(machine, user, log):
    """A login on a terminal in a window, whose text goes to the file."""
    machine.run("useradd", "--create-home", user)
    machine.run("systemd-run", "--unit=window", "script", "--quiet", "--flush", "--command",
                f"su --login {user} --command 'exec sleep 1000'", log)

    def terminals():
        sessions = [row.split()[0] for row in machine.say("loginctl", "--no-legend", "list-sessions").splitlines()]
        lines = [machine.say("loginctl", "show-session", "--property=TTY", "--value", session) for session in sessions]
        return [line for line in lines if line]

    line, = wait_for(terminals, 20, "logind knows the session")
    # Who is there is noted in utmp (utmp(5)) by what opens windows; later versions of wall(1) ask logind.
    record = struct.pack("=h2xi32s4s32s256shhiii4i20s", 7, 1, line.encode(), b"1", user.encode(), b"",
                         0, 0, 0, 0, 0, 0, 0, 0, 0, b"")
    (machine.root / "run/utmp").write_bytes(record)
    machine.run("chmod", "644", "/run/utmp")


def test_a_removal_keeps_what_a_purge_deletes(installed):
    installed.write("/etc/homing/agent.conf.d/50-mine.conf", "[gpsd]\nenabled = false\n")
    installed.run("apt-get", "-q", "-y", "remove", "homing")
    assert installed.run("test", "-e", "/usr/bin/homingd", check=False).returncode == 1
    assert installed.show("homing", "LoadState", "ActiveState") in (
        {"LoadState": "not-found", "ActiveState": "inactive"}, {"LoadState": "masked", "ActiveState": "inactive"})
    installed.run("test", "-f", "/var/lib/homing/homes/home/outbox.db")
    installed.run("test", "-f", "/etc/homing/agent.conf.d/50-mine.conf")

    # What somebody has laid there beside it is theirs.
    installed.write("/etc/homing/secret.cred", "sealed\n")
    installed.run("apt-get", "-q", "-y", "purge", "homing")
    assert installed.say("find", "/etc/homing") == "/etc/homing\n/etc/homing/secret.cred"
    installed.run("rm", "--recursive", "/etc/homing")
    left = installed.say("find", "/etc", "/usr", "/lib/", "/var/lib", "/run", "-name", "*homing*")
    assert [path for path in left.splitlines() if "rigs" not in path] == []


def test_the_users_service_takes_the_place_of_the_systems(installed):
    installed.packages.install_desktop(installed)
    installed.run("useradd", "--create-home", "skipper")
    number = installed.say("id", "-u", "skipper")
    session = {"XDG_RUNTIME_DIR": f"/run/user/{number}", "HOME": "/home/skipper"}
    installed.run("systemctl", "start", f"user@{number}")  # as a login does

    def user(*words, **options):
        return installed.run(*words, user="skipper", environment=session, **options)

    user("systemctl", "--user", "start", "homing")
    shown = user("systemctl", "--user", "show", "--property=ConditionResult,ActiveState", "homing").stdout
    assert "ConditionResult=no" in shown, "it stays away while the system's is enabled"

    installed.run("systemctl", "disable", "--now", "homing")
    user("systemctl", "--user", "enable", "--now", "homing")
    assert user("systemctl", "--user", "is-active", "homing").stdout == "active\n"
    assert "not registered" in user("homing", "status").stdout.lower()
    assert modes(installed, "/home/skipper/.local/state/homing/homes/home/outbox.db") == ["-rw------- skipper"]


def test_the_session_helper_is_there_for_who_sits_at_the_machine(installed):
    installed.packages.install_desktop(installed)
    assert "systemctl --user start homing-session" in installed.say("cat", "/etc/xdg/autostart/homing-session.desktop")
    installed.run("useradd", "--create-home", "skipper")
    number = installed.say("id", "-u", "skipper")
    session = {"XDG_RUNTIME_DIR": f"/run/user/{number}", "HOME": "/home/skipper"}
    installed.run("systemctl", "start", f"user@{number}")

    def user(*words, **options):
        return installed.run(*words, user="skipper", environment=session, **options)

    shown = "--property=ActiveState,ConditionResult,StatusText,NRestarts"
    user("systemctl", "--user", "start", "homing-session")
    # A manager without a login is no session: the daemon shows it nothing, and it says why.
    wait_for(lambda: "for the person at this machine" in user("systemctl", "--user", "show", shown, "homing-session").stdout,
             20, "the daemon refuses")
    state = user("systemctl", "--user", "show", shown, "homing-session").stdout
    assert "ActiveState=active" in state and "NRestarts=0" in state
    installed.run("systemctl", "disable", "homing")
    user("systemctl", "--user", "restart", "homing-session")
    assert "ConditionResult=no" in user("systemctl", "--user", "show", shown, "homing-session").stdout
