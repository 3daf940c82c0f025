"""How an installation below /usr/local is removed, and what a package says that such an installation hides."""

import pytest

INSTALL = "scripts/install-files >&2\n"
REMOVE = "/usr/local/share/homing/uninstall\n"
OURS = "homing:x:997:997::/var/lib/homing:/usr/sbin/nologin"
UNITS = ["homing.service", "homing-relay.service", "homing-metrics.timer"]


@pytest.mark.parametrize("package, program", [("homing", "homingd"), ("homing-relay", "homing-relay")])
def test_a_package_names_the_uninstaller_of_the_programs_that_hide_the_package(view, package, program):
    done = view(f"{INSTALL} sh packaging/debian/{package}.postinst configure 0.1.0 2>&1 >&2\n"
                "find /usr/local -iname '*homing*' >\"$HOME/before\"\n"
                f"{REMOVE} find /usr/local /etc -iname '*homing*'")
    assert done.returncode == 0, done.stderr
    said, rest = done.stdout.split("Homing is removed from /usr/local.\n")
    assert said.splitlines() == [f"{package}: The programs in /usr/local/bin hide this package.",
                                 f"{package}: To remove these programs: sudo {REMOVE.strip()}"]
    assert f"/usr/local/bin/{program}" in (view.home / "before").read_text().splitlines()
    assert not [line for line in rest.splitlines() if line.startswith("/")]


@pytest.mark.parametrize("package, program", [("homing", "homingd"), ("homing-relay", "homing-relay")])
def test_a_package_names_no_uninstaller_that_is_not_there(view, package, program):
    done = view(f"mkdir /usr/local/bin; touch /usr/local/bin/{program}\n"
                f"sh packaging/debian/{package}.postinst configure 0.1.0")
    assert done.returncode == 0
    said = " ".join(line.removeprefix(f"{package}: ") for line in done.stderr.splitlines())
    assert said == ("The programs in /usr/local/bin hide this package. These programs are of an older version without "
                    'an uninstaller. Remove this package. In a checkout of Homing, type "sudo make install" and '
                    '"sudo make uninstall". Then install this package again.')


@pytest.mark.parametrize("package", ["homing", "homing-relay"])
def test_a_package_that_nothing_hides_says_nothing_of_that(view, package):
    done = view(f"sh packaging/debian/{package}.postinst configure 0.1.0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("package, program", [("homing", "homingd"), ("homing-relay", "homing-relay")])
def test_the_recipe_for_arch_linux_says_what_hides_the_package(view, package, program):
    # What the release fills in is about the user alone.
    source = f"sed s/@CHECKS@// packaging/arch/{package}.install >\"$HOME/install\"; . \"$HOME/install\"\n"
    done = view(f"{source} post_upgrade; mkdir -p /usr/local/bin; touch /usr/local/bin/{program}; post_install")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (f"{package}: The programs in /usr/local/bin hide this package. To remove these programs: "
                           f"sudo {REMOVE}")


def test_the_services_are_stopped_and_disabled_and_the_metrics_removed(view):
    done = view(f"{INSTALL} mkdir -p /run/systemd/system /var/lib/prometheus/node-exporter\n"
                f"touch /var/lib/prometheus/node-exporter/homing.prom; {REMOVE} find /var/lib/prometheus -type f")
    assert done.returncode == 0, done.stderr
    assert view.asked() == [words for unit in UNITS for words in (f"stop {unit}", f"disable --quiet {unit}")] + [
        "daemon-reload"]
    assert "homing.prom" not in done.stdout


@pytest.mark.parametrize("enabled", [True, False])
def test_the_service_of_a_package_is_started_again_if_the_service_is_enabled(view, enabled):
    done = view(f"{INSTALL} mkdir -p /run/systemd/system /usr/lib/systemd/system /var/lib/prometheus/node-exporter\n"
                "touch /usr/lib/systemd/system/homing.service /usr/lib/systemd/system/homing-metrics.timer\n"
                f"touch /var/lib/prometheus/node-exporter/homing.prom; {REMOVE} find /var/lib/prometheus -type f",
                enabled="homing.service" if enabled else "")
    assert done.returncode == 0, done.stderr
    assert view.asked() == ["stop homing.service", "stop homing-relay.service", "disable --quiet homing-relay.service",
                            "stop homing-metrics.timer", "daemon-reload"] + [
                                "--quiet reenable homing.service", "start homing.service"] * enabled
    assert done.stdout.endswith("/homing.prom\n"), "the package's timer renews the metrics"


def test_the_file_of_a_package_that_is_installed_too_stays(view):
    started = "/etc/xdg/autostart/homing-session.desktop"
    done = view(f"{INSTALL} mkdir -p /usr/lib/systemd/user\n"
                f"touch /usr/lib/systemd/user/homing-session.service; {REMOVE} ls {started}")
    assert done.returncode == 0 and done.stdout.endswith(f"{started}\n"), done.stderr


@pytest.mark.parametrize("hides", [True, False])
@pytest.mark.parametrize("package, program, state", [
    ("homing", "homingd", "/var/lib/homing/homes/home/registration.json /etc/homing/agent.conf"),
    ("homing-relay", "homing-relay", "/var/lib/private/homing-relay/relay.keys /etc/homing/relay.conf")])
def test_a_purge_deletes_nothing_that_programs_in_usr_local_use(view, hides, package, program, state):
    done = view(f"mkdir -p /usr/local/bin; [ {hides} = False ] || touch /usr/local/bin/{program}\n"
                f"for file in {state}; do mkdir -p $(dirname $file); touch $file; done\n"
                f"sh packaging/debian/{package}.postrm purge; ls {state} || true")
    kept = set(state.split()) & set(done.stdout.split())
    assert done.returncode == 0 and kept == (set(state.split()) if hides else set()), done
    assert ("nothing of these is deleted" in done.stdout) == hides


@pytest.mark.parametrize("there, user, commands", [
    ("", "", []),
    ("/var/lib/homing", OURS, ["sudo rm -r /var/lib/homing", "sudo userdel homing"]),
    ("/etc/homing /var/lib/homing", "", ["sudo rm -r /etc/homing /var/lib/homing"]),
    ("/etc/homing /var/lib/private/homing-relay", "", ["sudo rm -r /etc/homing /var/lib/private/homing-relay"]),
    ("", OURS, ["sudo userdel homing"])])
def test_only_what_is_there_is_named_for_deletion(view, there, user, commands):
    done = view(f"{INSTALL} for folder in {there}; do mkdir -p $folder; done; echo '{user}' >/etc/passwd; {REMOVE}")
    assert done.returncode == 0, done.stderr
    stays = "The configuration, the queue, the registration and a relay's keys stay."
    assert done.stdout.splitlines() == [
        "Homing is removed from /usr/local.", "If a user runs a daemon or a helper of their own, type as that user:",
        "  systemctl --user stop homing homing-session", "  systemctl --user disable homing homing-session", stays,
        *(["To delete the configuration, the queue, the registration and the keys:"] if commands else []), *(f"  {command}" for command in commands)]


@pytest.mark.parametrize("is_registered", [True, False])
@pytest.mark.parametrize("removal", [f"{INSTALL}{REMOVE}", "sh packaging/debian/homing.postrm purge\n"])
def test_a_removal_of_a_registered_machine_names_what_stays_in_home_assistant(view, removal, is_registered):
    folder = "/var/lib/homing/homes/home"
    done = view(f"mkdir -p {folder}; touch {folder}/{'registration.json' if is_registered else 'queue.db'}\n{removal}")
    assert done.returncode == 0, done.stderr
    for said in ("Home Assistant keeps the devices of this machine", "Mobile App", "Homing on …"):
        assert (said in done.stdout) == is_registered, done.stdout


@pytest.mark.parametrize("runs", [True, False])
@pytest.mark.parametrize("removal", [
    "sh packaging/debian/homing.postrm remove",
    'sed s/@CHECKS@// packaging/arch/homing.install >"$HOME/script"; . "$HOME/script"; post_remove',
    "sed '1,/^%postun$/d; /^%post relay$/,$d' packaging/rpm/homing.spec >\"$HOME/script\"; sh \"$HOME/script\" 0"])
def test_a_removal_names_the_user_whose_own_daemon_may_still_run(view, removal, runs):
    bind = "import socket; socket.socket(socket.AF_UNIX).bind('/run/user/0/homing/control.sock')"
    done = view("echo root:x:0:0::/root:/bin/sh >/etc/passwd; mkdir -p /run/user; mount -t tmpfs none /run/user; mkdir -p /run/user/0/homing\n"
                + (f'python3 -c "{bind}"\n' if runs else "") + removal)
    told = "homing: The daemon of the user root may still run. As root, type: systemctl --user disable --now homing\n"
    assert (done.returncode, done.stdout) == (0, told if runs else ""), done


def played_archive(view, **relay):
    """An archive whose relay lacks a library, and how its installer ends."""
    return view("/sbin/ldconfig; mkdir -p /opt/archive/bin /opt/archive/scripts\n"
                "cp packaging/tarball/install /opt/archive; cd /opt/archive\n"
                "for name in homing homingd; do printf '#!/bin/sh\\n' >bin/$name; done\n"
                "printf '#!/bin/sh\\necho libmicrohttpd.so.12 is missing >&2; exit 127\\n' >bin/homing-relay\n"
                "printf '#!/bin/sh\\necho files installed\\n' >scripts/install-files; chmod +x bin/* scripts/*\n"
                "sha256sum bin/* scripts/* >SHA256SUMS; sh ./install", **relay)


def test_an_archive_is_installed_where_only_the_relay_lacks_a_library(view):
    done = played_archive(view)
    assert done.returncode == 0 and "files installed" in done.stdout, done
    assert "Homing works without homing-relay.\nlibmicrohttpd.so.12 is missing\n" in done.stderr


@pytest.mark.parametrize("state", ["active", "enabled"])
def test_a_relay_in_use_is_not_replaced_by_a_relay_that_cannot_run(view, state):
    done = played_archive(view, **{state: "homing-relay"})
    assert done.returncode == 69 and "files installed" not in done.stdout, done
    assert "install: libmicrohttpd.so.12 is missing" in done.stderr


def test_a_link_to_a_relays_folder_goes_with_the_folder(view):
    done = view(f"{INSTALL} mkdir -p /var/lib/private/homing-relay\n"
                f"ln -s private/homing-relay /var/lib/homing-relay; {REMOVE}")
    assert done.stdout.endswith("  sudo rm -r /var/lib/private/homing-relay /var/lib/homing-relay\n")


@pytest.mark.parametrize("program", ["homingd", "homing-relay"])
def test_what_a_package_needs_is_not_named_for_deletion(view, program):
    """A package beside the installation also has a service for users, in place of ours."""
    done = view(f"{INSTALL} mkdir -p /etc/homing /usr/lib/systemd/user; touch /usr/bin/{program}\n"
                f"touch /usr/lib/systemd/user/homing-session.service; echo '{OURS}' >/etc/passwd; {REMOVE}")
    assert done.returncode == 0, done.stderr
    assert "sudo" not in done.stdout and "disable" not in done.stdout
    assert "  systemctl --user daemon-reload\n  systemctl --user try-restart homing homing-session\n" in done.stdout


def test_a_removal_that_failed_can_be_repeated(view):
    broken = "/usr/local/share/man/man1/homing.1"
    done = view(f"{INSTALL} rm {broken}; mkdir {broken}; ! {REMOVE} rmdir {broken}; {REMOVE}"
                "find /usr/local /etc -iname '*homing*'")
    assert done.returncode == 0, done.stderr
    assert f"cannot remove '{broken}'" in done.stderr
    assert not [line for line in done.stdout.splitlines() if line.startswith("/")]


def test_a_word_that_is_not_known_removes_nothing(view):
    done = view(f"{INSTALL} {REMOVE.strip()} --help; test -e /usr/local/bin/homingd; {REMOVE.strip()} --purge")
    assert done.returncode == 64
    assert done.stdout.startswith("uninstall-files - stops the services")
    assert done.stdout.endswith("The queue, the registration and the configuration stay.\n")
    assert done.stderr.endswith("uninstall: --purge is not known: see /usr/local/share/homing/uninstall --help\n")


def test_who_may_not_remove_is_told_what_to_type(view):
    """Also where the uninstaller of an archive or of a checkout was started."""
    done = view(f"{INSTALL} list=/usr/local/share/homing/files\n"
                "mount --bind $list $list; mount -o remount,bind,ro $list; scripts/uninstall-files")
    assert done.returncode == 77
    assert done.stderr.endswith("uninstall: this needs root: sudo /usr/local/share/homing/uninstall\n")


def test_a_machine_without_an_installation_is_told_so(view):
    done = view("scripts/uninstall-files")
    assert done.returncode == 66 and "nothing is installed below /usr/local" in done.stderr


def test_the_archives_installer_says_what_the_installer_is_for(packaging, run):
    assert run("sh", packaging / "tarball/install", "--help").stdout.splitlines() == [
        "install - installs Homing out of this archive below /usr/local, as root. sudo ./uninstall removes it again.",
        "A second run, of this version or of a newer archive, renews what is there."]
