"""`homing-relay init` again, and what `homing-relay check` finds before the relay runs."""

import os
import shutil

import pytest
from homing_rigs.certificates import Certificates
from own_process import as_root
from relay_program import RelayProgram

URL = "https://relay.example.org"
EX_USAGE, EX_CONFIG = 64, 78


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
    for path in [relay.state, *relay.state.iterdir()]:
        os.chown(path, 54321, 54321)
    opened = relay.folder
    while opened != opened.parent:
        opened.chmod(opened.stat().st_mode | 0o055)
        opened = opened.parent
    folder.chmod(0o755)
    relay.configuration.chmod(0o644)
    check = relay.run("check", check=False)
    assert check.returncode == EX_CONFIG
    assert f"the service's user cannot read {folder}/privkey.pem\n" in check.stderr and "docs/relay.md" in check.stderr
    os.chown(folder / "privkey.pem", 54321, 54321)
    assert relay.run("check").returncode == 0
