"""The services, as systemd reads them."""

import configparser
import os
import re
import shlex
import subprocess

import pytest

DAEMONS = ["homing.service", "homing.user.service"]
RELAY = "homing-relay.service"
METRICS, TIMER = "homing-metrics.service", "homing-metrics.timer"
SYSTEMS = ["homing.service", RELAY, METRICS, TIMER]
UNITS = [*DAEMONS, "homing-session.service", RELAY, METRICS, TIMER]


@pytest.mark.parametrize("name", UNITS)
def test_systemd_understands_every_line(packaging, run, tmp_path, name):
    # An unknown key is one line on stderr and no failure; a program that is not installed yet is both.
    unit = tmp_path / name.replace(".user", "")
    text = (packaging / "systemd" / name).read_text()
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    manager = "--system" if name in SYSTEMS else "--user"
    done = run("systemd-analyze", "verify", manager, "--man=no", unit, env={"XDG_RUNTIME_DIR": str(tmp_path),
                                                                           "PATH": "/usr/bin:/bin"})
    assert [line for line in done.stderr.splitlines() if "homing" in line] == []
    assert done.returncode == 0


def test_a_line_that_systemd_does_not_know_is_found(packaging, run, tmp_path):
    unit = tmp_path / "homing.service"
    text = (packaging / "systemd/homing.service").read_text().replace("/usr/bin/homingd", "/bin/true")
    unit.write_text(text.replace("LockPersonality=", "LockPersonalty="))
    assert "LockPersonalty" in run("systemd-analyze", "verify", "--system", "--man=no", unit).stderr


def test_the_systems_service_is_locked_in(packaging, run):
    done = run("systemd-analyze", "security", "--offline=yes", "--threshold=15", packaging / "systemd/homing.service")
    assert done.returncode == 0, done.stdout
    assert "Overall exposure level" in done.stdout


def test_the_relays_service_is_locked_in_further(packaging, run, tmp_path):
    unit = packaging / "systemd" / RELAY
    done = run("systemd-analyze", "security", "--offline=yes", "--threshold=12", unit)
    assert done.returncode == 0, done.stdout
    # A restriction less is noticed.
    looser = tmp_path / RELAY
    looser.write_text("".join(line for line in unit.read_text().splitlines(True)
                              if not line.startswith(("PrivateUsers=", "ProtectHome="))))
    assert run("systemd-analyze", "security", "--offline=yes", "--threshold=12", looser).returncode != 0


def test_the_service_of_the_metrics_is_locked_in_further(packaging, run, tmp_path):
    unit = packaging / "systemd" / METRICS
    done = run("systemd-analyze", "security", "--offline=yes", "--threshold=13", unit)
    assert done.returncode == 0, done.stdout
    # Root without its capabilities writes where root may.
    looser = tmp_path / METRICS
    looser.write_text(unit.read_text().replace("CapabilityBoundingSet=\n", ""))
    assert run("systemd-analyze", "security", "--offline=yes", "--threshold=13", looser).returncode != 0


def test_the_metrics_are_written_where_they_may_be_and_removed_with_the_package(packaging):
    unit, timer = (configparser.ConfigParser(interpolation=None, strict=False) for _ in range(2))
    unit.optionxform = timer.optionxform = str
    unit.read(packaging / "systemd" / METRICS)
    timer.read(packaging / "systemd" / TIMER)
    assert timer["Timer"]["OnCalendar"] == "minutely" and "Unit" not in timer["Timer"], "it starts the service of its name"
    folder = unit["Unit"]["ConditionPathIsDirectory"]
    assert unit["Service"]["ReadWritePaths"] == f"-{folder}"
    file = unit["Service"]["ExecStart"].split()[-1]
    assert file == f"{folder}/homing.prom"
    for script in ("debian/homing.postrm", "rpm/homing.spec", "arch/homing.install", "../scripts/uninstall-files"):
        assert f"rm -f {file}\n" in (packaging / script).read_text(), script


@pytest.mark.parametrize("package, units", [
    ("homing", "homing.service homing-metrics.timer"), ("homing-relay", "homing-relay.service")])
def test_a_removal_stops_the_services_on_arch_linux_and_fedora_and_an_upgrade_does_not(packaging, view, package, units):
    heading = "%preun" + package.removeprefix("homing").replace("-", " ")
    rpm = (packaging / "rpm/homing.spec").read_text().split(f"\n{heading}\n", 1)[1].split("\n%", 1)[0]
    done = view(f'sed s/@CHECKS@// packaging/arch/{package}.install >"$HOME/arch"; . "$HOME/arch"; pre_remove\n'
                f"set -- 1\n{rpm}\nset -- 0\n{rpm}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert view.asked() == [f"--quiet disable --now {units}", f"--no-reload disable --now {units}"]
    recipe = (packaging / "arch/PKGBUILD").read_text().split(f"\npackage_{package}() {{\n", 1)[1].split("\n}\n", 1)[0]
    assert f"    install={package}.install\n" in recipe


def test_the_relay_waits_for_its_configuration_and_the_clock(packaging):
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str
    unit.read(packaging / "systemd" / RELAY)
    assert "time-sync.target" in unit["Unit"]["After"].split()
    assert unit["Unit"]["ConditionPathExists"] == "|/etc/homing/relay.conf"
    assert unit["Unit"]["ConditionPathExistsGlob"] == "|/etc/homing/relay.conf.d/*.conf"
    service = unit["Service"]
    assert service["DynamicUser"] == "yes" and service["LimitNOFILE"] == "1048576"
    assert int(service["WatchdogSec"]) >= 60 and service["Type"] == "notify"
    assert set(service["RestartPreventExitStatus"].split()) == {"64", "78"}


def test_the_session_helper_has_what_a_users_manager_can_lock(packaging, run):
    unit = packaging / "systemd/homing-session.service"
    done = run("systemd-analyze", "security", "--offline=yes", "--threshold=60", unit)
    assert done.returncode == 0, done.stdout
    # The helper has every restriction of the user's own daemon; it has no network, no secret to keep from swap, and no
    # scripts to keep secrets from.
    keys = re.compile(r"^((?:Restrict|Lock|Memory|NoNew|SystemCall)\w*=.*)$", re.MULTILINE)
    daemon = set(keys.findall((packaging / "systemd/homing.user.service").read_text()))
    helper = set(keys.findall(unit.read_text()))
    assert daemon - helper == {
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", "MemorySwapMax=0",
        "SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self"}
    assert "RestrictAddressFamilies=AF_UNIX" in helper


def test_the_helper_stays_away_where_the_users_own_daemon_does_not(packaging):
    def conditions(name):
        return set(re.findall(r"^ConditionPathIsSymbolicLink=(.*)$", (packaging / "systemd" / name).read_text(), re.MULTILINE))

    assert conditions("homing.user.service")
    assert {f"!{path}" for path in conditions("homing-session.service")} == conditions("homing.user.service")


def test_a_desktop_starts_the_helpers_service(packaging):
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(packaging / "autostart/homing-session.desktop")
    assert entry["Desktop Entry"]["Type"] == "Application"
    *words, service = entry["Desktop Entry"]["Exec"].split()
    assert words == ["systemctl", "--user", "start"] and (packaging / "systemd" / service).exists()


def test_both_services_restart_and_limit_alike(packaging):
    def keys(name):
        text = (packaging / "systemd" / name).read_text()
        wanted = r"^((?:Watchdog|Restart|StartLimit|Exec|Type|Environment|LimitCORE|SystemCall)\w*=.*)$"
        return re.findall(wanted, text, re.MULTILINE)

    assert keys("homing.service") == keys("homing.user.service")


def test_no_service_gives_up_by_its_own_restarts(packaging):
    for name in [*DAEMONS, RELAY]:
        numbers = dict(re.findall(r"^(RestartSec|StartLimitIntervalSec|StartLimitBurst)=(\d+)$",
                                  (packaging / "systemd" / name).read_text(), re.MULTILINE))
        assert int(numbers["RestartSec"]) * int(numbers["StartLimitBurst"]) > int(numbers["StartLimitIntervalSec"])


@pytest.mark.parametrize("tool, name", [("systemd-sysusers", "homing.sysusers"), ("systemd-tmpfiles", "homing.tmpfiles")])
def test_user_and_folder_are_made(packaging, run, tmp_path, tool, name):
    users = packaging / "systemd/homing.sysusers"
    (tmp_path / "etc").mkdir()
    made = run("systemd-sysusers", f"--root={tmp_path}", users)
    assert made.returncode == 0, made.stderr
    if tool == "systemd-sysusers":
        assert "/var/lib/homing:/usr/sbin/nologin" in (tmp_path / "etc/passwd").read_text()
        assert "homing:" in (tmp_path / "etc/group").read_text()
    else:
        made = run(tool, "--create", f"--root={tmp_path}", packaging / "systemd" / name)
        # An ordinary user may make the folder, and may not give it away.
        assert made.returncode == 0 or os.geteuid() != 0 and "fchownat() of" in made.stderr, made.stderr
        assert (tmp_path / "var/lib/homing").stat().st_mode & 0o7777 == 0o700


def test_the_entry_in_the_menu_of_a_desktop_runs_setup_and_waits_until_its_words_were_read(packaging, tmp_path):
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read(packaging / "applications/homing-setup.desktop")
    settings = entry["Desktop Entry"]
    assert settings["Type"] == "Application" and settings["Terminal"] == "true" and settings["Categories"].endswith(";")
    homing = tmp_path / "homing"
    homing.write_text('#!/bin/sh\necho "asked: $*"; exit 77\n')
    homing.chmod(0o755)
    # As the specification of desktop entries has it: words in quotes are one word.
    words = shlex.split(settings["Exec"])
    with subprocess.Popen(words, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as window:
        assert window.stdout.readline() == "asked: setup\n"
        with pytest.raises(subprocess.TimeoutExpired):
            window.wait(0.5)
        window.stdin.write("\n")
        window.stdin.close()
        # communicate() would not see what readline() has taken from the pipe already.
        assert "Press Enter" in window.stdout.read()
