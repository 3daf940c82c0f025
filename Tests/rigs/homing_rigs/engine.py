"""Real redis-server processes: one, or a cluster of primaries with replicas."""

import codecs
import os
import re
import signal
import socket
import subprocess
import time

from .ports import free_port, listens
from .processes import Child, temporary_folder, wait_for

SETTINGS = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "maxmemory": "200mb",
            "save": ""}


class EngineClient:
    """A client that takes and gives bytes, which redis-cli does not. `with node.connect() as engine:`"""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), 10)
        self._file = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._socket.close()

    def call(self, *words):
        """The answer of a command: bytes, a number, a list, or None."""
        text = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        self._socket.sendall(b"*%d\r\n%s" % (len(words), text))
        return self._read()

    def watch(self):
        """The commands that the engine is given from now on, each a list of words. This client gives no more itself."""
        self.call(b"MONITOR")
        return self._commands()

    def _commands(self):
        while True:
            words = re.findall(rb'"((?:[^"\\]|\\.)*)"', self._read())
            yield [codecs.escape_decode(word)[0] for word in words]

    def _read(self):
        line = self._file.readline()[:-2]
        kind, rest = line[:1], line[1:]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self._file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self._read() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest


PROGRAM = os.environ.get("HOMING_ENGINE", "redis-server")


def engine_version():
    """The engine's version, as (major, minor)."""
    words = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in re.search(r"v=(\d+)\.(\d+)", words).groups())


class EngineNode:
    """One server in a folder of its own; `settings` replace those that a relay asks for. Cluster nodes need a port whose
    cluster port, 10 000 above, is free as well."""

    def __init__(self, is_cluster=False, program=PROGRAM, pair=None, ca=None,
                 **settings):
        """`pair` is its certificate and key, and `ca` the authority: then it speaks TLS alone."""
        self.folder = temporary_folder("engine")
        self.port = free_port()
        # The kernel takes ports from 32 768 on for outgoing connections.
        while is_cluster and (self.port >= 22_000 or listens(self.port + 10_000)):
            self.port = free_port()
        self.program = program
        self.settings = {**SETTINGS, **{name.replace("_", "-"): value for name, value in settings.items()}}
        self._client = []
        if pair:
            self.settings |= {"port": "0", "tls-port": str(self.port), "tls-cert-file": str(pair.certificate),
                              "tls-key-file": str(pair.key), "tls-ca-cert-file": str(ca), "tls-auth-clients": "no"}
            self._client = ["--tls", "--cacert", str(ca)]
        if is_cluster:
            self.settings |= {"cluster-enabled": "yes", "cluster-node-timeout": "1500",
                              "cluster-config-file": str(self.folder / "nodes.conf")}
        self._child = None
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def pid(self):
        return self._child.pid

    @property
    def url(self):
        return f"redis{'s' if self._client else ''}://127.0.0.1:{self.port}"

    def start(self):
        words = [self.program, *([] if self._client else ["--port", str(self.port)]), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        for name, value in self.settings.items():
            words += [f"--{name}", value]
        self._child = Child(words, self.folder / "log")
        wait_for(lambda: self.ask("ping") == "PONG", 20, "redis-server")
        return self

    def ask(self, *words):
        """What redis-cli prints."""
        password = self.settings.get("requirepass")
        environment = os.environ | ({"REDISCLI_AUTH": password} if password else {})
        return subprocess.run(["redis-cli", "-p", str(self.port), *self._client, *words], text=True, capture_output=True, timeout=30,
                              env=environment).stdout.strip()

    def connect(self):
        return EngineClient(self.port)

    def freeze(self):
        self._child.signal(signal.SIGSTOP)

    def thaw(self):
        self._child.signal(signal.SIGCONT)

    def kill(self):
        self._child.kill()

    def stop(self):
        self.thaw()
        self._child.kill()


class EngineCluster:
    """A cluster. `with EngineCluster(replicas=1) as engine:`"""

    def __init__(self, primaries=3, replicas=0):
        self.nodes = [EngineNode(is_cluster=True) for _ in range(primaries * (1 + replicas))]
        self._replicas = replicas

    def __enter__(self):
        addresses = [f"127.0.0.1:{node.port}" for node in self.nodes]
        made = subprocess.run(["redis-cli", "--cluster", "create", *addresses, "--cluster-replicas", str(self._replicas),
                               "--cluster-yes"], text=True, capture_output=True, timeout=60)
        assert made.returncode == 0, made.stdout + made.stderr
        wait_for(lambda: all("cluster_state:ok" in node.ask("cluster", "info") for node in self.nodes), 30, "the cluster")
        if self._replicas:
            wait_for(lambda: all("master_link_status:up" in node.ask("info", "replication") for node in self.nodes
                                 if not self.is_primary(node)), 30, "the replicas")
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.stop()

    @staticmethod
    def is_primary(node):
        return "role:master" in node.ask("info", "replication")

    @property
    def urls(self):
        return ";".join(node.url for node in self.nodes[:3])

    def move_slot(self, key, pause=0.05):
        """Moves a key's slot to another node as redis-cli does, but slowly: keys lie on both nodes for a while."""
        source = self.primary_of(key)
        target = next(node for node in self.nodes if node is not source and self.is_primary(node))
        slot = self.nodes[0].ask("cluster", "keyslot", key)
        ids = {node: node.ask("cluster", "myid") for node in (source, target)}
        target.ask("cluster", "setslot", slot, "importing", ids[source])
        source.ask("cluster", "setslot", slot, "migrating", ids[target])
        while source.ask("cluster", "countkeysinslot", slot) != "0":
            self._move_key(source, target, slot)
            time.sleep(pause)
        for node in (target, source, *self.nodes):
            node.ask("cluster", "setslot", slot, "node", ids[target])

    @staticmethod
    def _move_key(source, target, slot):
        with source.connect() as engine:
            [key] = engine.call(b"CLUSTER", b"GETKEYSINSLOT", slot.encode(), b"1") or [None]
            if key is not None:
                engine.call(b"MIGRATE", b"127.0.0.1", str(target.port).encode(), key, b"0", b"2000")

    def primary_of(self, key):
        """The node that has a key's slot now."""
        living = next(node for node in self.nodes if node.ask("ping") == "PONG")
        slot = int(living.ask("cluster", "keyslot", key))
        for line in living.ask("cluster", "nodes").splitlines():
            words = line.split()
            spans = [[int(part) for part in span.split("-")] for span in words[8:] if "[" not in span]
            if "master" in words[2] and any(span[0] <= slot <= span[-1] for span in spans):
                port = int(words[1].split("@")[0].rsplit(":", 1)[1])
                return next(node for node in self.nodes if node.port == port)
        raise AssertionError(f"no node has slot {slot}")
