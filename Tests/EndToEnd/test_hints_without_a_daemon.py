"""What an ordinary user is told to type where the system's service is enabled, and no daemon runs."""

import os

import pytest

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a file system of its own needs root")
USER = 65534
# The link that `systemctl enable homing` makes, in a view of the files of its own.
ENABLED = ["unshare", "--mount", "sh", "-ec", """
mount -t tmpfs none /etc/systemd
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -s /usr/lib/systemd/system/homing.service /etc/systemd/system/multi-user.target.wants/homing.service
exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
""", "sh"]


@pytest.fixture
def user(make_agent):
    agent = make_agent("", prefix=ENABLED)
    home = agent.folder / "home"
    home.mkdir()
    os.chown(home, USER, USER)
    agent.folder.chmod(0o755)
    agent.environment = {name: value for name, value in agent.environment.items()
                         if name not in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "HOMING_TOKEN")}
    agent.environment |= {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "XDG_RUNTIME_DIR": str(home / "run")}
    agent.user_home = home
    return agent


def test_hints_are_about_the_systems_daemon(user):
    told = user.homing("status", check=False)
    assert told.returncode == 69 and "sudo systemctl start homing" in told.stderr and "run: sudo homing setup" in told.stderr


@pytest.mark.parametrize("command", ["setup", "register"])
def test_a_registration_that_no_daemon_would_use_is_refused(user, newest, command):
    refused = user.homing(command, "--url", newest.url, "--token-file", "-", input="", check=False)
    assert refused.returncode == 77 and "no daemon would use this registration" in refused.stderr, refused
    assert "type the command with sudo" in refused.stderr and "sudo systemctl disable --now homing" in refused.stderr
    assert not list(user.user_home.rglob("registration.json"))
