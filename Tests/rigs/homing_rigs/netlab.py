"""A home behind a router that does not hairpin, an internet, a cafe, and a laptop that moves between them (root needed).

    home 10.10.0.10 ─┐                     ┌─ cafe 198.51.100.1, with a portal if it likes
    laptop .20 ──────┴─ router ─ internet ─┴─ laptop 198.51.100.20
                      10.10.0.1  203.0.113.2 → 443 leads to home

From outside, 203.0.113.2 leads to home; from inside it leads nowhere, unless `hairpin(True)`. Each side has a name
server that knows `name` as 203.0.113.2. No link leads out of the lab. Servers of this process listen inside by sockets
that were made there (`socket`).

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.netlab [NAME]
It says how to run commands inside, and obeys `move home`, `move away`, `move nowhere`, `hairpin on`, `internet drop`,
`internet ok`, `portal on`, `stranger 10.10.0.10` and the like.
"""

import ctypes
import pathlib
import socket
import subprocess
import sys
import threading

from . import netns, processes
from .faults import hand
from .faults.dns import NameServer

ROLES = ("home", "laptop", "router", "internet")
HOME, LAPTOP_AT_HOME, ROUTER, PUBLIC = "10.10.0.10", "10.10.0.20", "10.10.0.1", "203.0.113.2"
CAFE, LAPTOP_AWAY = "198.51.100.1", "198.51.100.20"
CLONE_NEWNET = 0x40000000
ROUTER_RULES = """
table ip nat {
  chain pre { type nat hook prerouting priority -100; iifname "wan" tcp dport 443 dnat to 10.10.0.10; }
  chain post { type nat hook postrouting priority 100; oifname "wan" masquerade; }
}
table inet filter {
  chain forwarding { type filter hook forward priority 0; policy drop; ct state established,related accept
    iifname "lan" accept; ct status dnat accept; }
  chain incoming { type filter hook input priority 0; policy accept; }
}
"""
NO_HAIRPIN = 'add rule inet filter incoming iifname "lan" ip daddr 203.0.113.2 drop'
HAIRPIN = """
add rule ip nat pre iifname "lan" ip daddr 203.0.113.2 tcp dport 443 dnat to 10.10.0.10
add rule ip nat post ip saddr 10.10.0.0/24 ip daddr 10.10.0.10 masquerade
"""
INTERNET_FAULTS = {"drop": "drop", "reject": "reject", "reset": "meta l4proto tcp reject with tcp reset",
                   "connects only": "tcp flags & (syn | ack) != syn drop", "loses a third": "numgen random mod 3 < 1 drop"}


class NetLab:
    """The lab; the laptop begins at home. Also a context manager."""

    def __init__(self, name="ha.example.test"):
        self.name = name
        self.base = None
        self.names = {}  # "home" and "away" -> NameServer

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @staticmethod
    def possible():
        """Whether this process may make one."""
        return netns.Namespace.possible()

    # Its life

    def start(self):
        """Make it. Returns self."""
        netns.remove_left_overs()
        self.base = next(f"{netns.NAME}lab{n}-" for n in range(100)
                         if netns.ip("netns", "add", f"{netns.NAME}lab{n}-home", check=False).returncode == 0)
        self._at_end = processes.at_end(self.stop)
        for role in ROLES:
            if role != "home":
                netns.ip("netns", "add", self.base + role)
            folder = pathlib.Path("/etc/netns") / (self.base + role)
            folder.mkdir(parents=True, exist_ok=True)
            netns.own(self.base + role)
            (folder / "resolv.conf").touch()
            (folder / "hosts").write_text("127.0.0.1 localhost\n")
            self.ip(role, "link", "set", "lo", "up")
        self._lay_cables()
        for role in ("router", "internet"):
            self.run(role, "sysctl", "-qw", "net.ipv4.ip_forward=1")
        self.nft("router", ROUTER_RULES + NO_HAIRPIN)
        for where, role, address in (("home", "router", ROUTER), ("away", "internet", CAFE)):
            self.names[where] = NameServer([PUBLIC], address, sockets=lambda r=role, a=address: (
                self.socket(r, a, 53, socket.SOCK_DGRAM), self.socket(r, a, 53))).start()
        self.move("home")
        return self

    def _lay_cables(self):
        self.ip("router", "link", "add", "lan", "type", "bridge")
        for role, address in (("home", HOME), ("laptop", None)):
            port = f"to-{role}"
            self._cable(role, "eth0", "router", port)
            self.ip("router", "link", "set", port, "master", "lan", "up")
            if address:
                self._address(role, "eth0", address, ROUTER)
        self._cable("router", "wan", "internet", "to-router")
        self._cable("laptop", "wlan0", "internet", "cafe")
        for role, link, address in (("router", "lan", ROUTER), ("router", "wan", PUBLIC),
                                    ("internet", "to-router", "203.0.113.1"), ("internet", "cafe", CAFE)):
            self._address(role, link, address)
        self.ip("router", "route", "add", "default", "via", "203.0.113.1")

    def _cable(self, role, link, other_role, other_link):
        netns.ip("-n", self.base + role, "link", "add", link, "type", "veth", "peer", "name", other_link, "netns",
            self.base + other_role)

    def _address(self, role, link, address, gateway=None):
        self.ip(role, "address", "add", f"{address}/24", "dev", link)
        self.ip(role, "link", "set", link, "up")
        if gateway:
            self.ip(role, "route", "add", "default", "via", gateway)

    def stop(self):
        """Take it away."""
        if self.base is None:
            return
        processes.not_at_end(self._at_end)
        for server in self.names.values():
            server.stop()
        for role in ROLES:
            netns.remove(self.base + role)
        self.base = None

    # What can be done to it

    def move(self, where):
        """The laptop is at "home", "away" in the cafe, or nowhere (None): its addresses change, links go down."""
        if where not in ("home", "away", None):
            raise ValueError(f"no place {where!r}")
        for link in ("eth0", "wlan0"):
            self.ip("laptop", "address", "flush", "dev", link)
            self.ip("laptop", "link", "set", link, "down")
        resolver = "127.0.0.53"
        if where == "home":
            self._address("laptop", "eth0", LAPTOP_AT_HOME, ROUTER)
            resolver = ROUTER
        elif where == "away":
            self._address("laptop", "wlan0", LAPTOP_AWAY, CAFE)
            resolver = CAFE
        # In place: programs that run have this very file before them.
        file = pathlib.Path("/etc/netns") / (self.base + "laptop") / "resolv.conf"
        with open(file, "r+") as content:
            content.write(f"nameserver {resolver}\noptions timeout:1 attempts:2\n")
            content.truncate()

    def hairpin(self, yes):
        """Whether the router leads its own public address back home for those inside."""
        self.nft("router", "flush ruleset" + ROUTER_RULES + (HAIRPIN if yes else NO_HAIRPIN))

    def internet(self, fault=None):
        """Break what goes through the internet by one of INTERNET_FAULTS; None: mend it."""
        rule = "add table inet faults; delete table inet faults;"
        if fault:
            rule += (" table inet faults { chain forwarding { type filter hook forward priority -5; "
                     f"{INTERNET_FAULTS[fault]}; }}; }}")
        self.nft("internet", rule)

    def portal(self, yes):
        """A portal in the cafe: all names are its own, and all web traffic ends at it (198.51.100.1:80 and 443)."""
        rule = "add table ip portal; delete table ip portal;"
        if yes:
            rule += (' table ip portal { chain pre { type nat hook prerouting priority -100; iifname "cafe" tcp dport '
                     f"{{ 80, 443, 8123 }} dnat to {CAFE}; }}; }}")
        self.nft("internet", rule)
        self.names["away"].answer(CAFE if yes else PUBLIC)

    def stranger(self, address):
        """Somebody in the cafe has this address, too."""
        self.ip("internet", "address", "replace", f"{address}/32", "dev", "lo")

    # Being inside

    @property
    def prefix(self):
        """What to put before a command to run it on the laptop."""
        return ("ip", "netns", "exec", self.base + "laptop")

    def ip(self, role, *words):
        """The command `ip` inside."""
        return netns.ip("-n", self.base + role, *words)

    def run(self, role, *words):
        """Run a command inside and wait for it."""
        return subprocess.run(["ip", "netns", "exec", self.base + role, *words], check=True, capture_output=True, text=True)

    def nft(self, role, rules):
        """Change a firewall."""
        subprocess.run(["ip", "netns", "exec", self.base + role, "nft", "-f", "-"], input=rules, text=True, check=True)

    def socket(self, role, address, port, kind=socket.SOCK_STREAM):
        """A socket of this process that listens inside. A thread of its own makes it, as a namespace is entered by
        threads; where a socket was made is where it stays."""
        made = []

        def make():
            with open(f"/run/netns/{self.base}{role}") as namespace:
                if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET):
                    made.append(OSError(ctypes.get_errno(), f"cannot enter {role}"))
                    return
            there = socket.socket(socket.AF_INET, kind)
            there.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            there.bind((address, port))
            if kind == socket.SOCK_STREAM:
                there.listen(64)
            there.setblocking(False)
            made.append(there)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        return made[0]


def _switch(word):
    """What `on` and `off` mean."""
    return {"on": True, "off": False}[word]


def _fault(words):
    """One of INTERNET_FAULTS; None for `ok`."""
    if words not in (*INTERNET_FAULTS, "ok"):
        raise ValueError(f"no fault {words!r}: {', '.join(INTERNET_FAULTS)}, ok")
    return None if words == "ok" else words


def _main(*name):
    with NetLab(*name) as lab:
        print(f"{lab.name} is {PUBLIC}, whose port 443 leads to {HOME}", flush=True)
        for role in ROLES:
            print(f"{role:<9} ip netns exec {lab.base}{role} COMMAND…", flush=True)
        hand.obey({"move": lambda where: lab.move(None if where == "nowhere" else where),
                   "hairpin": lambda word: lab.hairpin(_switch(word)),
                   "internet": lambda *words: lab.internet(_fault(" ".join(words))),
                   "portal": lambda word: lab.portal(_switch(word)), "stranger": lab.stranger})


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if not NetLab.possible():
        sys.exit("netlab: to make namespaces needs root")
    _main(*sys.argv[1:])
