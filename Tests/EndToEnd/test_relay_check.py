"""`homing-relay init` again, and what `homing-relay check` finds before the relay runs."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import threading

import pytest
from agent import BINARIES
from full_queue import full_queue
from homing_rigs.certificates import Certificates
from homing_rigs.ports import free_port
from own_process import as_root
from relay_program import RelayProgram

URL = "https://relay.example.org"
EX_USAGE, EX_UNAVAILABLE, EX_NOPERM, EX_CONFIG = 64, 69, 77, 78
SERVICE = 54321  # a number that nobody has


@pytest.fixture
def relay():
    relay = RelayProgram()
    relay.configuration.unlink()
    return relay


def test_init_again_changes_nothing_and_says_what_to_do_about_another_address(relay):
    first = relay.run("init", "--public-url", URL, "--listen", "127.0.0.1:8765")
    text = relay.configuration.read_text()
    keys = (relay.state / "relay.keys").read_bytes()
    assert "is made" in first.stdout
    for words in [(), ("--public-url", URL), ("--public-url", f"{URL}/", "--listen", "127.0.0.1:8765")]:
        again = relay.run("init", *words)
        assert "relay.conf is there already" in again.stdout and "relay.keys is there already" in again.stdout
    other = relay.run("init", "--public-url", "https://other.example.org", check=False)
    assert other.returncode == EX_USAGE
    assert f"public_url = {URL}" in other.stderr and "set public_url under [listen] there by hand" in other.stderr
    assert "join again" in other.stderr
    other = relay.run("init", "--listen", "0.0.0.0:8765", check=False)
    assert other.returncode == EX_USAGE and "address = 127.0.0.1:8765" in other.stderr
    assert relay.configuration.read_text() == text and (relay.state / "relay.keys").read_bytes() == keys


def with_tls(relay, certificate, key):
    relay.write(listen={"tls_address": f"127.0.0.1:{relay.port + 1}", "tls_certificate": certificate, "tls_key": key})
    relay.run("init")


def test_check_finds_a_key_that_is_not_the_certificates(relay):
    authority, other = Certificates(), Certificates()
    with_tls(relay, authority.server.certificate, other.server.key)
    check = relay.run("check", check=False)
    assert check.returncode == EX_CONFIG
    assert "cannot be used" in check.stderr and str(other.server.key) in check.stderr
    with_tls(relay, authority.server.certificate, authority.server.key)
    assert "its key are right" in relay.run("check").stdout


def open_way(folder):
    """Lets everybody enter a folder."""
    while folder != folder.parent:
        folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent


def give_to_service(relay):
    """As systemd gives the state to the service's user, who reads the configuration too."""
    for path in [relay.state, *relay.state.iterdir()]:
        os.chown(path, SERVICE, SERVICE)
    open_way(relay.folder)
    relay.configuration.chmod(0o644)


@as_root
def test_check_by_root_finds_what_the_services_user_cannot_read(relay):
    authority = Certificates()
    folder = relay.folder / "tls"
    folder.mkdir()
    for source, name, mode in [(authority.server.certificate, "fullchain.pem", 0o644), (authority.server.key, "privkey.pem", 0o600)]:
        shutil.copy(source, folder / name)
        (folder / name).chmod(mode)
    with_tls(relay, folder / "fullchain.pem", folder / "privkey.pem")
    assert relay.run("check").returncode == 0, "root's own relay reads all of it"
    give_to_service(relay)
    folder.chmod(0o755)
    check = relay.run("check", check=False)
    assert check.returncode == EX_CONFIG
    assert f"the service's user cannot read {folder}/privkey.pem\n" in check.stderr and "the page relay in /usr/share/doc/homing-relay" in check.stderr
    os.chown(folder / "privkey.pem", SERVICE, SERVICE)
    assert relay.run("check").returncode == 0


@as_root
def test_check_by_root_says_what_opens_each_file_to_the_service_also_drop_ins(relay):
    relay.write()
    relay.run("init")
    give_to_service(relay)
    drop_in = relay.folder / "relay.conf.d/a.conf"
    drop_in.parent.mkdir()
    drop_in.parent.chmod(0o755)
    drop_in.write_text("[log]\nlevel = debug\n")
    drop_in.chmod(0o600)
    check = relay.run("check", check=False)
    assert check.returncode == EX_CONFIG and f"cannot read {drop_in}\n" in check.stderr
    assert f"chmod 644 {drop_in.resolve()}\n" in check.stderr
    drop_in.chmod(0o644)
    keys = relay.state / "relay.keys"
    os.chown(keys, 0, 0)
    check = relay.run("check", check=False)
    assert check.returncode == EX_CONFIG and f"chown --reference={relay.state} {keys}\n" in check.stderr
    os.chown(keys, SERVICE, SERVICE)
    assert relay.run("check").returncode == 0


def test_init_makes_files_that_the_service_reads_whatever_the_umask_is(relay):
    relay.configuration = relay.folder / "etc/homing/relay.conf"
    before = os.umask(0o077)
    try:
        relay.run("init")
    finally:
        os.umask(before)
    files = [relay.configuration.parent, relay.configuration, relay.state / "relay.keys"]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o755, 0o644, 0o600]


def test_init_names_the_option_that_is_wrong_and_leaves_no_file(relay):
    for option, value, words in [("--public-url", "192.168.1.20:8765", "is not an http or https URL"),
                                 ("--listen", "8765", "is not an address"), ("--forward", "far", "is no address of a relay")]:
        done = relay.run("init", option, value, check=False)
        assert done.returncode == EX_USAGE and f"{option} " in done.stderr and words in done.stderr
        assert str(relay.configuration) not in done.stderr and not relay.configuration.exists()


def test_init_and_check_warn_where_no_other_machine_reaches_the_relay(relay):
    local, home = f"127.0.0.1:{relay.port}", f"http://192.168.1.20:{relay.port}"
    said = relay.run("init", "--public-url", home, "--listen", local).stdout
    assert f"Warning: public_url is plain HTTP, and the relay listens on this machine alone ({local})." in said
    assert f"set address = 0.0.0.0:{relay.port} under [listen]." in said and "Next: " in said
    assert "Warning: public_url is plain HTTP" in relay.run("check").stdout
    relay.write(listen={"address": f"0.0.0.0:{relay.port}", "public_url": "http://192.168.1.20"})
    assert "Warning: public_url means port 80" in relay.run("check").stdout
    for listen in ({"address": f"0.0.0.0:{relay.port}", "public_url": home}, {"public_url": URL}):
        relay.write(listen=listen)
        assert "Warning" not in relay.run("check").stdout


def test_before_init_each_command_says_init_and_after_it_says_start(relay):
    for command, code in [("status", EX_UNAVAILABLE), ("invite", EX_UNAVAILABLE), ("rotate-key", EX_UNAVAILABLE),
                          ("check", EX_CONFIG)]:
        done = relay.run(command, check=False)
        assert done.returncode == code and "homing-relay init" in done.stderr, done
        assert "backup" not in done.stderr and "systemctl" not in done.stderr and "daemon" not in done.stderr
    relay.run("init")
    done = relay.run("status", check=False)
    assert done.returncode == EX_UNAVAILABLE and "the relay does not run" in done.stderr
    assert "systemctl start homing-relay" in done.stderr and "journalctl -u homing-relay" in done.stderr


def test_a_relay_that_hangs_is_no_absent_relay(relay):
    relay.write()
    with relay:
        relay.signal(signal.SIGSTOP)
        with full_queue(relay.runtime / "control.sock"):
            for command in ("status", "check"):
                done = relay.run(command, check=False)
                assert done.returncode == EX_UNAVAILABLE and "the relay does not answer" in done.stderr, done
                assert "does not run" not in done.stdout + done.stderr
        relay.signal(signal.SIGCONT)


def test_check_before_a_start_says_how_to_start_and_finds_an_address_that_is_taken(relay):
    relay.write()
    relay.run("init")
    assert relay.run("check").stdout.endswith(
        "Next: sudo systemctl start homing-relay\nIf the relay stops again: sudo journalctl -u homing-relay\n")
    with socket.create_server(("127.0.0.1", relay.port)):
        for command in ("check", "serve"):
            done = relay.run(command, check=False)
            assert done.returncode == 1 and f"cannot listen on 127.0.0.1:{relay.port}" in done.stderr, done
            assert "ss -ltnp" in done.stderr and "public_url" in done.stderr
    with relay:
        assert relay.run("check").stdout.endswith("The relay runs.\n")
        assert re.search(r"^Waiting +no messages; the store uses \d+ KiB$", relay.run("status").stdout, re.MULTILINE)


def test_check_ends_with_1_where_a_relay_is_there_and_does_not_answer(relay):
    relay.write()
    relay.run("init")
    relay.runtime.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(relay.runtime / "control.sock"))
        listener.listen()
        mute = threading.Thread(target=lambda: listener.accept()[0].close(), daemon=True)
        mute.start()
        check = relay.run("check", check=False)
        mute.join(10)
    assert check.returncode == 1 and "was not checked: the relay ended the connection" in check.stdout, check


def test_damaged_mailboxes_are_found_before_a_start_with_the_way_to_a_new_file(relay):
    relay.write()
    with relay:
        pass
    mailboxes = relay.state / "mailboxes.db"
    whole = mailboxes.read_bytes()
    assert relay.run("check").returncode == 0 and mailboxes.read_bytes() == whole
    mailboxes.write_bytes(b"no database " * 1000)
    for command in ("check", "serve"):
        done = relay.run(command, check=False)
        assert done.returncode == EX_CONFIG and "file is not a database" in done.stderr, done
        assert f"{mailboxes}-wal" in done.stderr and "no machine has to join again" in done.stderr
    aside = relay.folder / "damaged"
    aside.mkdir()
    for file in list(relay.state.glob(f"{mailboxes.name}*")):
        file.rename(aside / file.name)
    with relay:
        assert relay.waiting() == 0


def test_a_key_that_is_not_the_certificates_ends_a_check_and_lets_systemd_start_the_relay_again(relay):
    with_tls(relay, Certificates().server.certificate, Certificates().server.key)
    # In the middle of a renewal, the next start finds the other half.
    for command, status in (("check", EX_CONFIG), ("serve", 1)):
        done = relay.run(command, check=False)
        assert done.returncode == status and "cannot be used" in done.stderr, done


def test_check_of_a_front_names_the_key_for_a_far_relay_that_is_not_trusted(relay):
    authority = Certificates()
    port = free_port()
    secure = {"tls_address": f"127.0.0.1:{port}", "tls_certificate": authority.server.certificate,
              "tls_key": authority.server.key}
    with RelayProgram(listen=secure):
        url = f"https://localhost:{port}"
        relay.write(forward={"url": url})
        relay.run("init")
        check = relay.run("check", check=False)
        assert check.returncode == 1 and "not trusted here; let ca_file under [forward]" in check.stdout, check
        relay.write(forward={"url": url, "ca_file": authority.ca})
        assert "The far relay" not in relay.run("check").stdout


@as_root
def test_another_user_is_told_to_use_sudo_whatever_the_command_asks_first(relay):
    relay.write()
    # The folder of the build may be closed to others.
    program = relay.folder / "homing-relay"
    shutil.copy(BINARIES / "homing-relay", program)
    with relay:
        open_way(relay.folder)
        relay.configuration.chmod(0o644)
        relay.runtime.chmod(0o755)
        for words in (["status"], ["invite"], ["rotate-key"], ["mailbox", "list"]):
            done = subprocess.run([program, "--config", relay.configuration, *words], env=relay.environment, user=SERVICE,
                                  text=True, capture_output=True, timeout=60, cwd=relay.folder)
            assert done.returncode == EX_NOPERM and "run it with sudo" in done.stderr, done
            assert "group" not in done.stderr and '"status"' not in done.stderr
