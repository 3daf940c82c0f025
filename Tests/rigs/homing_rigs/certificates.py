"""A certificate authority for tests, with good and bad certificates, made by openssl in a temporary folder."""

import pathlib
import subprocess
from typing import NamedTuple

from . import processes

CONFIGURATION = """\
[ca]
default_ca = rig
[rig]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


class Pair(NamedTuple):
    """A certificate and its key, as PEM files."""

    certificate: pathlib.Path
    key: pathlib.Path


class Certificates:
    """`ca` is the file that a client must trust. Pairs: `server` (for `names`), `client` (for a server that asks
    for one), and of servers that a client must refuse: `expired`, `not_yet_valid`, `wrong_name`, `self_signed`."""

    def __init__(self, names=("localhost", "127.0.0.1")):
        self.names = tuple(names)
        self.folder = processes.temporary_folder("ca")
        (self.folder / "openssl.cnf").write_text(CONFIGURATION)
        (self.folder / "index.txt").touch()
        (self.folder / "serial").write_text("1000")
        ca_key = self._key("ca")
        self.ca = self.folder / "ca.crt"
        self._openssl("req", "-x509", "-new", "-key", ca_key, "-sha256", "-days", "3650", "-subj", "/CN=Rig CA",
                      "-addext", "basicConstraints=critical,CA:TRUE",
                      "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", self.ca)
        right = ",".join(("IP:" if name[0].isdigit() else "DNS:") + name for name in self.names)
        self.server = self._issue("server", "serverAuth", right)
        self.client = self._issue("client", "clientAuth")
        self.expired = self._issue("expired", "serverAuth", right, "20200101000000Z", "20200201000000Z")
        self.not_yet_valid = self._issue("not_yet_valid", "serverAuth", right, "20430101000000Z")
        self.wrong_name = self._issue("wrong_name", "serverAuth", "DNS:other.example.test")
        self.self_signed = self._self_sign("self_signed", right)

    def _openssl(self, *words):
        subprocess.run(["openssl", *map(str, words)], cwd=self.folder, check=True, capture_output=True)

    def _key(self, name):
        key = self.folder / f"{name}.key"
        self._openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", key)
        return key

    def _issue(self, name, usage, subject_names=None, start="20240101000000Z", end="20440101000000Z"):
        """A certificate of our authority."""
        key, certificate, extensions = self._key(name), self.folder / f"{name}.crt", self.folder / f"{name}.ext"
        extensions.write_text(f"basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage={usage}\n"
                              + (f"subjectAltName={subject_names}\n" if subject_names else ""))
        request = self.folder / f"{name}.csr"
        self._openssl("req", "-new", "-key", key, "-subj", f"/CN=rig {name}", "-out", request)
        self._openssl("ca", "-batch", "-notext", "-config", "openssl.cnf", "-cert", self.ca,
                      "-keyfile", self.folder / "ca.key", "-in", request, "-extfile", extensions,
                      "-startdate", start, "-enddate", end, "-out", certificate)
        return Pair(certificate, key)

    def _self_sign(self, name, subject_names):
        key, certificate = self._key(name), self.folder / f"{name}.crt"
        self._openssl("req", "-x509", "-new", "-key", key, "-days", "365", "-subj", "/CN=rig",
                      "-addext", f"subjectAltName={subject_names}", "-out", certificate)
        return Pair(certificate, key)
