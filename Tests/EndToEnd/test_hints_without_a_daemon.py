"""What a user is told to type where the system's service is enabled and no daemon runs, and beside a daemon of their own."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time

import pytest
from agent import BINARIES
from full_queue import full_queue
from homing_rigs.processes import wait_for
from terminal import Terminal
from test_doctor import Report
from test_setup import ended

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
    assert refused.returncode == 77 and "your own daemon does not start while the system's service is enabled" in refused.stderr, refused
    assert "type the command with sudo" in refused.stderr and "sudo systemctl disable --now homing" in refused.stderr
    assert not list(user.user_home.rglob("registration.json"))


def test_a_user_with_a_daemon_of_their_own_is_told_why_the_daemon_does_not_start(user):
    folder = user.user_home / "state/homing/homes/home"
    folder.mkdir(parents=True)
    (folder / "registration.json").touch()
    for path in [*user.user_home.rglob("*")]:
        os.chown(path, USER, USER)
    told = user.homing("status", check=False)
    assert told.returncode == 69 and "does not start while the system's service is enabled" in told.stderr, told
    assert 'sudo systemctl disable --now homing. Then type without sudo: "homing setup"' in told.stderr
    # Without the system's service, the user's own is meant.
    user._prefix = ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups", "--"]
    told = user.homing("status", check=False)
    assert told.returncode == 69 and "start your own daemon: systemctl --user enable --now homing" in told.stderr, told


# The system's folders in a view of the files of their own, and the sockets and homes of users.
SYSTEM = ["unshare", "--mount", "sh", "-ec", """
mkdir -p "$1/lib" "$1/users" /run/user
mount --bind "$1/lib" /var/lib
mount --bind "$1/users" /run/user
test ! -e "$1/passwd" || mount --bind "$1/passwd" /etc/passwd
shift
exec "$@"
""", "sh"]


@pytest.fixture
def root(make_agent):
    """Root's commands for the system's daemon, with a folder of users' sockets."""
    agent = make_agent("[gpsd]\nenabled = false\n")
    agent.put_before_all(*SYSTEM, agent.folder)
    for name in ("STATE_DIRECTORY", "HOMING_TOKEN"):
        agent.environment.pop(name, None)
    return agent


@contextlib.contextmanager
def socket_of(agent, owner, folder=f"users/{USER}/homing"):
    """The socket of the daemon of the user nobody; its program runs as `owner`."""
    folder = agent.folder / folder
    folder.mkdir(parents=True, exist_ok=True)
    os.chown(folder, owner, owner)
    listen = "import socket, sys, time; own = socket.socket(socket.AF_UNIX); own.bind(sys.argv[1]); own.listen(); time.sleep(600)"
    path = folder / "control.sock"
    words = ["setpriv", "--reuid", str(owner), "--regid", str(owner), "--clear-groups", "/usr/bin/python3", "-c", listen, path]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as own:
        try:
            wait_for(lambda: listens(path), 30, "the socket")
            path.chmod(0o666)
            yield
        finally:
            own.kill()
            path.unlink()


@contextlib.contextmanager
def standing_still(agent):
    """The daemon takes no more turns; its system takes connections."""
    agent.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        agent.signal(signal.SIGCONT)


def listens(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(str(path))
    return True


@pytest.mark.parametrize("words", [("setup",), ("setup", "--if-needed"), ("setup", "--new"), ("register",)])
def test_root_registers_no_device_beside_the_daemon_of_a_user(root, newest, words):
    words = [*words, *(["--no-service"] if words[0] == "setup" else []), "--url", newest.url, "--token-file", "-"]
    with socket_of(root, USER):
        refused = root.homing(*words, input=newest.token, check=False)
        assert refused.returncode == 64 and "the daemon of the user nobody runs" in refused.stderr, refused
        assert 'as nobody: "homing unregister" and "systemctl --user disable --now homing". Then: homing setup' in refused.stderr
        # The same beside the system's daemon, which has no registration.
        root.start()
        refused = root.homing(*words, input=newest.token, check=False)
        assert refused.returncode == 64 and "the daemon of the user nobody runs" in refused.stderr, refused
        assert 'type as nobody: "systemctl --user disable --now homing". Then type: homing setup' in refused.stderr
        root.stop()
    # A program of another user than the folder's is not the daemon of that user.
    with socket_of(root, 0):
        assert root.homing(*words, input=newest.token).returncode == 0


def test_root_is_told_of_the_daemon_of_a_user(root):
    with socket_of(root, USER):
        told = root.homing("status", check=False)
        assert told.returncode == 69 and "the daemon of the user nobody runs: if you want this daemon" in told.stderr, told
        report = Report(root)
        assert ("daemon", "users_daemon") in report.wrong and "systemctl start homing" not in report.text + told.stderr
        assert "the daemon of the user nobody runs" in report.text and report.causes[0] == "users_daemon", report.text
        assert "not_registered" not in report.causes
        assert "nobody" not in root.homing("doctor", "--redact", check=False).stdout


def test_root_is_told_of_a_users_daemon_that_hangs(root):
    with socket_of(root, USER), full_queue(root.folder / f"users/{USER}/homing/control.sock"):
        told = root.homing("status", check=False)
        assert told.returncode == 69 and "the daemon of the user nobody runs: if you want this daemon" in told.stderr, told


@pytest.mark.parametrize("link", ["homing", "homing/control.sock"])
def test_root_connects_nowhere_by_a_link_of_a_user(root, link):
    with socket_of(root, USER, "elsewhere"):
        link = root.folder / f"users/{USER}" / link
        link.parent.mkdir(parents=True)
        link.symlink_to(root.folder / "elsewhere" / ("control.sock" if link.name == "control.sock" else ""))
        told = root.homing("status", check=False)
        assert told.returncode == 69 and "nobody" not in told.stderr, told


def test_a_daemon_that_hangs_is_no_absent_daemon(root, newest):
    """A command beside that daemon would write the files that the daemon has open."""
    root.runtime.mkdir(parents=True, exist_ok=True)
    with socket_of(root, 0, root.runtime), full_queue(root.runtime / "control.sock"):
        for words in (["status"], ["register", "--url", newest.url, "--token-file", "-"], ["setup", "--yes"], ["unregister", "--yes"]):
            start = time.monotonic()
            failed = root.homing(*words, input=newest.token, check=False)
            assert failed.returncode == 69 and "the daemon does not answer" in failed.stderr, failed
            assert "Then: systemctl restart homing" in failed.stderr, failed
            assert time.monotonic() - start < 25, "the wait has a bound"
        assert "daemon_hangs" in Report(root).causes
        # A person who stops the command, and goes on, learns the same.
        with Terminal([*SYSTEM, root.folder, BINARIES / "homing", "status"], root.environment) as terminal:
            time.sleep(2)
            terminal.type("\x1a")
            assert terminal.report().startswith("stopped")
            terminal.resume()
            assert ended(terminal) == "exited 69" and "the daemon does not answer" in terminal.text, terminal.text
    assert not list(root.folder.rglob("registration.json"))


def test_a_daemon_that_stands_still_is_given_up_after_ten_seconds(root):
    root.start()
    with standing_still(root):
        start = time.monotonic()
        failed = root.homing("status", check=False)
        assert failed.returncode == 69 and "the daemon does not answer" in failed.stderr, failed
        assert 9 < time.monotonic() - start < 20
        # A request that is given up is not carried out later.
        failed = root.homing("notify", "too late", check=False)
        assert failed.returncode == 69 and "the daemon does not answer" in failed.stderr, failed
        assert "daemon_hangs" in Report(root).causes
    assert "too late" not in root.homing("notifications").stdout


def test_the_doctor_finds_two_daemons(root):
    root.start()
    two = ("daemon", "two_daemons")
    assert two not in Report(root).wrong
    assert "Careful" not in root.homing("status").stderr
    with socket_of(root, USER):
        assert two in Report(root).wrong
        told = root.homing("status").stderr
        assert "Careful: the daemon of the user nobody runs, and a machine has one daemon.\n  → if you want the system's " in told
        assert 'type as nobody: "systemctl --user disable --now homing". Then type: homing setup' in told
        assert "nobody" not in root.homing("doctor", "--redact", check=False).stdout


def registering(agent, newest):
    """The words of `register`, in the view of the files of the agent."""
    token = agent.folder / "token"
    token.write_text(newest.token)
    return [*SYSTEM, agent.folder, BINARIES / "homing", "--config", agent.configuration, "register", "--url", newest.url,
            "--token-file", token, "--take-over"]


def answer_each(agent, words, warning):
    """A person answers n, and then y."""
    for answer, ending in [("n", "exited 64"), ("y", "exited 0")]:
        with Terminal(words, agent.environment) as terminal:
            terminal.wait_for("Continue anyway")
            assert warning in terminal.text and "If you want the daemon of the user nobody, answer n." in terminal.text
            terminal.type(f"{answer}\n")
            assert ended(terminal) == ending, terminal.text
            told = 'Now type as nobody: "systemctl --user disable --now homing".'
            assert (told in terminal.text) == (answer == "y" and " runs" in warning), terminal.text


def test_a_person_may_register_beside_the_daemon_of_a_user(root, newest):
    words = registering(root, newest)
    with socket_of(root, USER):
        answer_each(root, words, "the daemon of the user nobody runs, and a machine has one daemon")
        for key in "\x03", "\x1c":
            with Terminal([*words, "--again"], root.environment) as terminal:
                terminal.wait_for("Continue anyway")
                terminal.type(key)
                assert ended(terminal).startswith("killed"), terminal.text
                terminal.wait_for(r"\nNothing was registered\.")
        # Who may not replace the registration is asked nothing.
        with Terminal(words, root.environment) as terminal:
            assert ended(terminal) == "exited 64" and "already registered as" in terminal.text, terminal.text
            assert "Continue anyway" not in terminal.text


def test_a_daemon_that_starts_while_a_person_answers_ends_setup(root, newest):
    words = registering(root, newest)
    words[words.index("register")] = "setup"
    with Terminal([*words, "--no-service"], root.environment) as terminal:
        terminal.wait_for("The device's name")
        with socket_of(root, USER):
            terminal.type("\n")
            assert ended(terminal) == "exited 64", terminal.text
    assert "the daemon of the user nobody runs, and a machine has one daemon" in terminal.text
    assert "Continue anyway" not in terminal.text and "another address" not in terminal.text
    assert not list(root.folder.rglob("registration.json"))


def test_setup_asks_no_question_that_a_person_does_not_see(root, newest):
    words = registering(root, newest)
    words[words.index("register")] = "setup"
    log = root.folder / "log"
    with socket_of(root, USER), Terminal(["sh", "-c", f'exec "$@" 2>{log}', "sh", *words], root.environment) as terminal:
        assert ended(terminal) == "exited 64", terminal.text
    assert "the daemon of the user nobody runs" in log.read_text() and "Continue anyway" not in log.read_text()


@pytest.fixture
def stopped(root):
    """The user nobody has registered a daemon, which does not run, and has become root by sudo."""
    (root.folder / "passwd").write_text(
        f"root:x:0:0:root:/root:/bin/sh\nnobody:x:{USER}:{USER}:nobody:{root.folder}/nobody:/bin/sh\n")
    folder = root.folder / "nobody/.local/state/homing/homes/home"
    folder.mkdir(parents=True)
    (folder / "registration.json").touch()
    root.environment |= {"SUDO_USER": "nobody", "SUDO_UID": str(USER)}
    return root


def test_root_is_told_of_a_stopped_daemon_of_a_user(stopped, newest):
    hint = "the daemon of the user nobody is registered, and does not run. If you want that daemon, type as nobody: "
    told = stopped.homing("status", check=False)
    assert told.returncode == 69 and hint + '"systemctl --user enable --now homing"' in told.stderr, told
    assert '"homing unregister". Then: sudo homing setup' in told.stderr
    assert hint in Report(stopped).text
    assert "nobody" not in stopped.homing("doctor", "--redact", check=False).stdout
    words = ["register", "--url", newest.url, "--token-file", "-", "--take-over"]
    done = stopped.homing(*words, input=newest.token)
    assert "Careful: the daemon of the user nobody is registered" in done.stderr and done.returncode == 0, done
    # From now on the system's registration has the device.
    told = stopped.homing("status", check=False)
    assert "start the daemon: sudo systemctl enable --now homing" in told.stderr and "nobody" not in told.stderr
    assert "Careful" not in stopped.homing(*words, "--again", input=newest.token).stderr


def test_no_folder_of_a_user_makes_roots_command_slow(stopped):
    homes = stopped.folder / "nobody/.local/state/homing/homes"
    # Each name leads through as many long links as the kernel follows.
    for number in range(37):
        (homes / f"link{number}").symlink_to("./" * 2040 + f"link{number + 1}")
    (homes / "link37").symlink_to(".")
    for number in range(1000):
        (homes / f"slow{number}").symlink_to("link0")
    # Without a home of the usual name, a look would go on to the others.
    (homes / "home").rename(homes / "zoo")
    start = time.monotonic()
    assert stopped.homing("status", check=False).returncode == 69
    assert time.monotonic() - start < 1.5, "each name costs milliseconds"


def test_a_person_may_register_beside_a_stopped_daemon_of_a_user(stopped, newest):
    answer_each(stopped, registering(stopped, newest), "the daemon of the user nobody is registered, and a machine has one daemon")


# The system's socket in a view of the files of its own, for an ordinary user.
BESIDE = ["unshare", "--mount", "sh", "-ec", """
mkdir -p "$1/systems"
mount -t tmpfs none /run
mkdir /run/homing
mount --bind "$1/systems" /run/homing
shift
exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"
""", "sh"]


def test_a_user_is_told_of_the_systems_daemon_beside_their_own(user, newest):
    user.put_before_all(*BESIDE, str(user.folder))
    runtime = user.user_home / "run"
    runtime.mkdir(mode=0o700)
    os.chown(runtime, USER, USER)
    user.runtime = runtime / "homing"
    user.start()
    assert "Careful" not in user.homing("status").stderr
    with socket_of(user, 0, "systems"):
        told = user.homing("status").stderr
        assert "Careful: the system's daemon runs, and a machine has one daemon.\n  → if you want your own daemon, type: " in told
        assert ("daemon", "two_daemons") in Report(user).wrong
        refused = user.homing("register", "--url", newest.url, "--token-file", "-", input=newest.token, check=False)
        assert refused.returncode == 64 and "the system's daemon runs, and a machine has one daemon" in refused.stderr, refused
        assert "Careful" not in user.homing("status", "--json").stderr


def test_unregister_of_a_user_is_about_their_own_registration_beside_the_systems_daemon(user, newest):
    user.put_before_all(*BESIDE, str(user.folder))
    own = user.homing("register", "--url", newest.url, "--token-file", "-", "--name", "Own", "--take-over", input=newest.token)
    assert "Registered as Own" in own.stdout
    with socket_of(user, 0, "systems"):
        done = user.homing("unregister", "--yes")
        assert "The registration is deleted. The device Own is still in Home Assistant." in done.stdout, done
    assert not list(user.user_home.rglob("registration.json"))


def test_the_daemon_of_a_user_keeps_no_script_from_a_registration_that_is_there(root, newest):
    words = ["setup", "--if-needed", "--no-service", "--url", newest.url, "--token-file", "-", "--name", "Kept"]
    root.homing(*words, input=newest.token)
    with socket_of(root, USER):
        again = root.homing(*words, "--json", input=newest.token)
    assert json.loads(again.stdout)["changed"] is False
