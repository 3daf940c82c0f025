"""A network of two: this machine's side at 10.77.N.1 and a namespace at 10.77.N.2, with a cable between (root needed).

The rigs (Home Assistant, nginx) stay outside and listen on the near address too; the agent runs inside, sees no other
network, and is on something that is not loopback. Unix sockets (D-Bus) reach across.
"""

import contextlib
import os
import pathlib
import signal
import subprocess

from . import processes

NAME, LINK = "homing-rig-", "homingrig"
OWNERS = pathlib.Path("/run/homing-rigs")  # which process made which namespace


def ip(*words, check=True):
    return subprocess.run(["ip", *map(str, words)], check=check, capture_output=True, text=True)


def remove(name, link=None):
    """Take a namespace, its cable and its files away, and kill what runs in it."""
    for pid in ip("netns", "pids", name, check=False).stdout.split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    if link:
        ip("link", "delete", link, check=False)
    ip("netns", "delete", name, check=False)
    folder = pathlib.Path("/etc/netns") / name
    for file in folder.glob("*"):
        file.unlink()
    (OWNERS / name).unlink(missing_ok=True)
    for each in (folder, folder.parent):
        try:
            each.rmdir()
        except OSError:
            pass  # not there, or another namespace's files are


def remove_left_overs():
    """Take away the namespaces of runs that were killed."""
    for owner in OWNERS.glob(f"{NAME}*"):
        if not pathlib.Path("/proc", owner.read_text()).exists():
            remove(owner.name, LINK + owner.name[len(NAME):])


def own(name):
    """Note that this process made it."""
    OWNERS.mkdir(exist_ok=True)
    (OWNERS / name).write_text(str(os.getpid()))


class Namespace:
    """The namespace. `near` is this side's address, `far` the one inside. `names` are resolved to `near` in there;
    no other name resolves, unless `name_server` says that one listens at `near`, on DNS's own port. Also a context
    manager."""

    def __init__(self, names=("ha.homing.test",), name_server=False):
        self.names = tuple(names)
        self._name_server = name_server
        self.name = self.near = self.far = None
        self._link = self._at_end = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @staticmethod
    def possible():
        """Whether this process may make one."""
        return os.geteuid() == 0 and subprocess.run(
            ["unshare", "--net", "true"], capture_output=True).returncode == 0

    def start(self):
        """Make it. The first of the numbers N that is free is taken, 0 as a rule. Returns self."""
        remove_left_overs()
        for number in range(100):
            name = f"{NAME}{number}"
            if ip("netns", "add", name, check=False).returncode == 0:
                break
        else:
            raise RuntimeError("no free namespace; `ip netns` shows what is left over")
        self.name, self._link = name, f"{LINK}{number}"
        self.near, self.far = f"10.77.{number}.1", f"10.77.{number}.2"
        self._at_end = processes.at_end(self.stop)
        own(name)
        self._write_resolver()
        ip("link", "add", self._link, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("address", "add", f"{self.near}/30", "dev", self._link)
        ip("link", "set", self._link, "up")
        for words in (("link", "set", "lo", "up"), ("address", "add", f"{self.far}/30", "dev", "eth0"),
                      ("link", "set", "eth0", "up")):
            ip("-n", name, *words)
        return self

    def _write_resolver(self):
        """`ip netns exec` shows these files as /etc/hosts and /etc/resolv.conf."""
        folder = pathlib.Path("/etc/netns") / self.name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"{self.near} {n}\n" for n in self.names))
        server = self.near if self._name_server else "127.0.0.1"
        (folder / "resolv.conf").write_text(f"nameserver {server}\noptions timeout:1 attempts:1\n")

    def stop(self):
        """Take it away, with the cable; what runs inside is killed."""
        if self.name is None:
            return
        processes.not_at_end(self._at_end)
        remove(self.name, self._link)
        self.name = None

    def add_neighbour(self, device, address, hardware):
        """Have the kernel in the namespace know a neighbour on a device of that name, which leads nowhere."""
        ip("-n", self.name, "link", "add", device, "type", "veth", "peer", "name", f"{device}-end")
        ip("-n", self.name, "link", "set", device, "up")
        ip("-n", self.name, "neighbour", "replace", address, "lladdr", hardware, "nud", "reachable", "dev", device)

    @property
    def prefix(self):
        """What to put before a command line to run it inside (for processes.Child, GPSD)."""
        return ["ip", "netns", "exec", self.name]

    def run(self, *words, **options):
        """Run a command inside and wait for it; options as of subprocess.run."""
        return subprocess.run([*self.prefix, *map(str, words)],
                              **{"capture_output": True, "text": True, "timeout": 60, **options})

    def connect(self, other):
        """A cable to another namespace: what runs in either one reaches the other's `far`."""
        ends = ((self, other), (other, self))
        names = [f"to{peer.name.removeprefix(NAME)}" for _, peer in ends]
        ip("link", "add", names[0], "netns", self.name, "type", "veth", "peer", "name", names[1], "netns", other.name)
        for (here, peer), link in zip(ends, names):
            ip("-n", here.name, "link", "set", link, "up")
            ip("-n", here.name, "route", "add", f"{peer.far}/32", "dev", link, "src", here.far)

    def also_near(self):
        """A second address of this side, as if a machine had moved."""
        other = self.near.rsplit(".", 1)[0] + ".129"
        ip("address", "add", f"{other}/32", "dev", self._link)
        ip("-n", self.name, "route", "add", f"{other}/32", "dev", "eth0")
        return other

    def cable(self, plugged):
        """Pull the cable out or put it in: packets vanish, connections hang."""
        ip("link", "set", self._link, "up" if plugged else "down")
