"""The servers that `Benchmarks/bench-relay` compares: homing-relay, the C floor, and ntfy; and the generator."""

import asyncio
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import time

from homing_rigs import debian_tree, processes
from homing_rigs.ports import free_port, listens
from homing_rigs.relay_device import RelayDevice

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "relay"
# No bound of a day or of a mailbox is met; the count is kept all the same.
WIDE = {"maximum": 100_000, "per_address": 1_000_000, "connections": 1_000_000, "messages": 10_000,
        "mailbox_kib": 65_536}


def build(folder, name, *libraries):
    """Compiles one of the C programs; returns its path."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], check=True, capture_output=True,
                           text=True).stdout if libraries else ""
    program = folder / name
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCES / f"{name}.c",
                    *shlex.split(flags)], check=True)
    return program


class Server:
    """One of them: a process with a folder of its own on the disk that is measured."""

    path = "/v1/push"

    def __init__(self, disk):
        self.folder = processes.temporary_folder("bench-relay") if disk is None else pathlib.Path(disk)
        self.port = free_port()
        self.environment = dict(os.environ)
        self.child = None

    def __enter__(self):
        self.child = processes.Child(self.command, self.folder / "log", env=self.environment)
        processes.wait_for(lambda: self.child.must_live() or listens(self.port), 30, f"{self.command[0]} to listen")
        return self

    def __exit__(self, *_):
        self.child.stop()

    @property
    def pid(self):
        return self.child.pid


class Floor(Server):
    """The least that a relay can do, in C."""

    def __init__(self, program, disk=None):
        super().__init__(disk)
        self.command = [program, str(self.port), str(self.folder / "floor.db")]


class Relay(Server):
    """homing-relay, which anybody may join, with wide bounds. `engine` is the URL of what keeps its mailboxes in place of
    a file, `like` a relay whose keys it has, and `pair` the certificate and key with which it speaks TLS at `tls_port`.
    `bounds` are in place of the wide ones."""

    def __init__(self, programs, disk=None, engine=None, like=None, pair=None, bounds=None):
        super().__init__(disk)
        self.tls_port = free_port()
        secure = (f"tls_address = 127.0.0.1:{self.tls_port}\ntls_certificate = {pair.certificate}\ntls_key = {pair.key}\n"
                  if pair else "")
        store = f"engine = valkey\nurl = {engine}" if engine else "max_size = 8192"
        self.program = programs / "homing-relay"
        for name in ("state", "run"):
            (self.folder / name).mkdir(mode=0o700)
        self.environment |= {"STATE_DIRECTORY": str(self.folder / "state"), "RUNTIME_DIRECTORY": str(self.folder / "run")}
        limits = "".join(f"{key} = {value}\n" for key, value in (WIDE | (bounds or {})).items())
        (self.folder / "relay.conf").write_text(
            f"[listen]\naddress = 127.0.0.1:{self.port}\npublic_url = http://127.0.0.1:{self.port}\n"
            f"{secure}[join]\nmode = open\n[store]\n{store}\n[limits]\nburst = 0\n{limits}")
        self.command = [self.program, "--config", self.folder / "relay.conf", "serve"]
        self._run("init")
        if like:
            shutil.copy(like.folder / "state/relay.keys", self.folder / "state/relay.keys")

    def _run(self, *words):
        return subprocess.run([self.program, "--config", self.folder / "relay.conf", *words], env=self.environment,
                              check=True, capture_output=True, text=True).stdout

    def status(self):
        return json.loads(self._run("status", "--json"))

    def operations(self):
        """What the store was asked so far; the question itself is one."""
        return self.status()["store"]["operations"]

    def join(self, count, first=0):
        """So many devices; each address of 127.0.0.0/8 may join ten in an hour."""
        async def story():
            gate = asyncio.Semaphore(64)

            async def one(number):
                address = f"127.{1 + number // 500_000}.{number // 2000 % 250}.{number // 10 % 200 + 1}"
                async with gate:
                    return await RelayDevice(self.port, f"device {number}", address).join()

            return await asyncio.gather(*(one(number) for number in range(first, first + count)))

        return asyncio.run(story())


class Ntfy(Server):
    """ntfy of Debian 13, out of its package, with a durable cache: what it answers is on the disk."""

    path = "/%s"

    def __init__(self, disk=None):
        super().__init__(disk)
        (self.folder / "server.yml").write_text(
            f'listen-http: "127.0.0.1:{self.port}"\nbase-url: "http://127.0.0.1:{self.port}"\n'
            # Each of ntfy's connections must sync: as its SQLite is compiled, only what is told here does so with WAL.
            f'cache-file: "{self.folder}/cache.db?_journal_mode=WAL&_synchronous=FULL"\nvisitor-request-limit-burst: 100000000\n'
            "visitor-message-daily-limit: 100000000\nglobal-topic-limit: 1000000\nvisitor-subscription-limit: 1000000\n"
            "keepalive-interval: 10m\n")
        self.command = [unpacked_ntfy(self.folder), "serve", "--config", self.folder / "server.yml"]


def unpacked_ntfy(folder):
    """The program of Debian 13's package ntfy, fetched by the apt of a tree of Debian 13."""
    tree = debian_tree.to_test("trixie")
    place = tree / "tmp/ntfy"
    place.mkdir(exist_ok=True)
    if not list(place.glob("ntfy_*.deb")):
        debian_tree.in_tree(tree, "sh", "-c", "cd /tmp/ntfy && apt-get -q=2 update && apt-get -q=2 download ntfy")
    package, = place.glob("ntfy_*.deb")
    subprocess.run(["dpkg-deb", "-x", package, folder / "ntfy"], check=True)
    return folder / "ntfy/usr/bin/ntfy"


class Generator:
    """`Benchmarks/relay/load.c`."""

    def __init__(self, program):
        self.program = program

    def post(self, server, tokens, at_once, requests, path=None, thread=None, awake=False):
        """Posts for the tokens in turn; returns what it measured. The processor time is that of one thread of the server's
        where its number is given. Awake, the generator does not sleep until answers come."""
        file = server.folder / "tokens"
        file.write_text("".join(f"{token}\n" for token in tokens))
        measured = f"{server.pid}/task/{thread}" if thread else str(server.pid)
        done = subprocess.run([self.program, str(server.port), file, str(at_once), str(requests), measured,
                               path or server.path, *(["awake"] if awake else [])], check=True, capture_output=True, text=True)
        time.sleep(0.2)
        return json.loads(done.stdout)
