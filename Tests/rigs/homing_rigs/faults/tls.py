"""Servers that speak TLS wrongly: contexts for a Proxy or a FaultServer, and one that is too old for either.

By hand (from Tests/rigs): /usr/bin/python3 -m homing_rigs.faults.tls FAULT UPSTREAM_PORT [PORT]
speaks TLS before that port, with the fault; it says which file the client must trust. FAULT is "right", "expired",
"not valid yet", "wrong name", "self-signed", "another authority", or a version: "tls 1.0" (alone) to "tls 1.3".
"""

import ssl
import sys

from .. import processes
from ..certificates import Certificates
from . import hand
from .proxy import Proxy

GOOD = {"tls 1.2": ssl.TLSVersion.TLSv1_2, "tls 1.3": ssl.TLSVersion.TLSv1_3}
BAD_CERTIFICATES = {"expired": "expired", "not valid yet": "not_yet_valid", "wrong name": "wrong_name",
                    "self-signed": "self_signed"}
OLD = {"tls 1.0": "-tls1", "tls 1.1": "-tls1_1"}


class TLSFaults:
    """`context(name)` for each of `names`, for "right" and for the versions of GOOD; `certificates.ca` is what the
    client trusts."""

    names = [*BAD_CERTIFICATES, "another authority"]

    def __init__(self, names=("localhost", "127.0.0.1")):
        self.certificates = Certificates(names)
        self._stranger = Certificates(names)  # right in everything but who vouches: a man in the middle

    def context(self, name):
        """What such a server speaks."""
        pair = self.certificates.server
        if name in BAD_CERTIFICATES:
            pair = getattr(self.certificates, BAD_CERTIFICATES[name])
        elif name == "another authority":
            pair = self._stranger.server
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair.certificate, pair.key)
        if name in GOOD:
            context.minimum_version = context.maximum_version = GOOD[name]
        return context

    def old_server(self, version, port):
        """openssl itself, of the age of OLD, with a good certificate, on a port of loopback: a Child. (Python's asyncio
        hangs up where a real server says why.)"""
        pair = self.certificates.server
        child = processes.Child(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", OLD[version], "-cipher", "ALL:@SECLEVEL=0",
             "-cert", pair.certificate, "-key", pair.key, "-www"], self.certificates.folder / "s_server.log")
        processes.wait_for(lambda: child.must_live() or processes.listens(port), 40, "the old server listens")
        return child


def _main(fault, upstream_port, port=None):
    faults, port = TLSFaults(), int(port or processes.free_port())
    print(f"{fault}: https://localhost:{port}, where {faults.certificates.ca} must be trusted", flush=True)
    if fault in OLD:
        faults.old_server(fault, port)  # ends with this process
        return hand.obey({})
    with Proxy(int(upstream_port), port, tls=faults.context(fault)) as front:
        hand.obey({"connections": lambda: front.accepted})


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("right", *TLSFaults.names, *GOOD, *OLD):
        sys.exit(__doc__)
    _main(*sys.argv[1:])
