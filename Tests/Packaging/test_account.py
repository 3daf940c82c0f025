"""An installation takes nobody's account: the package's own script, with accounts that are played."""

import pytest

OURS = "homing:x:997:997:Homing, a Home Assistant companion:/var/lib/homing:/usr/sbin/nologin"
GETENT = """#!/bin/sh
case $1 in
    passwd) line='{user}' ;;
    group) line='{group}' ;;
esac
[ -n "$line" ] && echo "$line"
"""


@pytest.fixture
def preinst(packaging, run, tmp_path):
    """Runs the script on a machine with these accounts; both are lines as getent prints them."""
    def preinst(*words, user="", group=""):
        (tmp_path / "getent").write_text(GETENT.format(user=user, group=group))
        (tmp_path / "getent").chmod(0o755)
        return run("sh", packaging / "debian/homing.preinst", *words, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
    return preinst


@pytest.mark.parametrize("user, group", [
    ("", ""), (OURS, "homing:x:997:skipper"), (OURS.replace("/usr/sbin/nologin", "/bin/false"), "homing:x:997:"),
    ("", "homing:x:997:skipper")])
def test_a_machine_without_the_name_or_with_our_own_account_is_installed_on(preinst, user, group):
    done = preinst("install", user=user, group=group)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("user", [
    "homing:x:1000:1000:Homing Pigeon,,,:/home/homing:/bin/bash",
    OURS.replace(":997:997:", ":1000:1000:"), OURS.replace(":997:997:", ":0:0:"),
    OURS.replace("/var/lib/homing", "/home/homing"), OURS.replace("/usr/sbin/nologin", "/bin/bash"),
    OURS.replace("/usr/sbin/nologin", "")])
def test_a_user_who_is_not_ours_is_not_taken(preinst, user):
    done = preinst("install", user=user, group="homing:x:1000:")
    fields = user.split(":")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.splitlines() == [
        f'homing: there is a user "homing" already (number {fields[2]}, home {fields[5]}, '
        f'shell {fields[6] or "/bin/sh"}).',
        'The service needs the name "homing" for an account of its own. Homing is not installed, and nothing was changed.',
        "Give that user another name: usermod --login NEWNAME homing, groupmod --new-name NEWNAME homing.",
        "Then install it again."]


@pytest.mark.parametrize("group", ["homing:x:1000:skipper,guest", "homing:x:0:"])
def test_a_group_that_is_not_ours_is_not_taken(preinst, group):
    done = preinst("install", group=group)
    assert done.returncode == 1 and done.stdout == ""
    assert f'there is a group "homing" already (number {group.split(":")[2]})' in done.stderr
    assert "groupmod --new-name NEWNAME homing" in done.stderr


def test_an_upgrade_leaves_the_account_as_it_is(preinst):
    done = preinst("upgrade", "0.1.0", "0.2.0", user="homing:x:1000:1000::/home/homing:/bin/bash")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_machine_is_not_installed_on_from_source_either(packaging, run, tmp_path, preinst):
    preinst("install", user="homing:x:1000:1000::/home/homing:/bin/bash")
    done = run(packaging.parent / "scripts/install-files",
               env={"PATH": f"{tmp_path}:/usr/bin:/bin", "BUILT": tmp_path, "PREFIX": str(tmp_path / "prefix")})
    assert done.returncode == 1 and 'there is a user "homing" already' in done.stderr
    assert not (tmp_path / "prefix").exists()


def test_a_later_installation_from_source_leaves_the_account_as_it_is(packaging, run, tmp_path, preinst):
    preinst("install", user="homing:x:1000:1000::/home/homing:/bin/bash")
    (tmp_path / "prefix/bin").mkdir(parents=True)
    (tmp_path / "prefix/bin/homingd").touch()
    done = run(packaging.parent / "scripts/install-files",
               env={"PATH": f"{tmp_path}:/usr/bin:/bin", "BUILT": tmp_path, "PREFIX": str(tmp_path / "prefix")})
    assert (done.returncode, done.stderr) == (66, "install-files: make build comes first\n")


@pytest.mark.parametrize("user, masked", [("homing:x:1000:1000::/home/homing:/bin/bash", True), (OURS, False)])
def test_on_arch_linux_where_a_script_cannot_refuse_the_service_is_masked(packaging, view, user, masked):
    """pacman installs a package whatever its script says."""
    script = (packaging / "debian/homing.preinst").read_text()
    checks = script[script.index("refuse() {"):script.index('if [ "$1" = install ]')]
    recipe = (packaging / "arch/homing.install").read_text().replace("@CHECKS@", checks)
    done = view(f"cat >\"$HOME/arch\" <<'END'\n{recipe}\nEND\n"
                f"echo '{user}' >/etc/passwd; touch /etc/group; . \"$HOME/arch\"; pre_install")
    assert done.returncode == 0, done.stderr
    asked = view.home / "asked"
    assert (asked.exists() and asked.read_text() == "--quiet mask homing.service\n") == masked
    assert ("systemd-sysusers homing.conf && systemctl unmask homing" in done.stdout) == masked
