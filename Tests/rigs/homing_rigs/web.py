"""The endpoints of Home Assistant from outside, in nginx: a cloudhook, a remote UI, and the instance's own port.

Each is a Front whose `mode()` breaks it as the world does. nginx has a room (a Unix socket) for every way of doing
TLS; a switch in front of it sends each connection to the room of the present mode. A room is either open (Home
Assistant answers) or canned (a fixed answer).
"""

import json
import secrets

from . import nginx_rooms, processes
from .canned_answers import ANSWERS, Answer, Backstage
from .certificates import Certificates
from .tcp_switch import Switch

TLS_MODES = {"tls-expired": "expired", "tls-wrong-name": "wrong_name", "tls-self-signed": "self_signed"}
MODES = ["ok", "refuse", "timeout", "freeze", "reset", "slow", "client-certificate-required", *TLS_MODES, *ANSWERS]


class Front:
    """One address at which Home Assistant can be reached. `upstream_port` is Home Assistant's, or that of a
    recorder before it. Without certificates it speaks plain HTTP."""

    def __init__(self, name, upstream_port, certificates=None, port=None, host="127.0.0.1", hostname=None):
        self.name = name
        self.certificates = certificates
        self.port = port or processes.free_port(host)
        self.folder = processes.temporary_folder(name)
        hostname = hostname or ("localhost" if certificates else host)
        self.base_url = f"{'https' if certificates else 'http'}://{hostname}:{self.port}"
        self._switch = Switch(host, self.port)
        self._backstage = Backstage(self.folder, upstream_port)
        self._upstream = f"127.0.0.1:{upstream_port}"
        self._nginx = None
        self._mode = ("ok",)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def url(self):
        """What an agent is told."""
        return self.base_url

    def start(self):
        """Start it in mode ok. Returns self."""
        self._backstage.start()
        self._start_nginx()
        self.mode("ok")
        return self

    def stop(self):
        """End it: nothing listens any more."""
        self._switch.close()
        self._backstage.stop()
        if self._nginx:
            self._nginx.stop()

    def mode(self, name, *argument, cut=True):
        """From now on be one of MODES; `argument` is the delay of "slow" and the Retry-After of "429", in seconds.
        Connections of before are cut once they are quiet, so that the next request meets the new mode;
        with cut=False they go on as they were."""
        if name not in MODES or (name in (*TLS_MODES, "client-certificate-required") and not self.certificates):
            raise ValueError(f"{self.name} has no mode {name!r}")
        self._mode = (name, *argument)
        if name in ANSWERS:
            self._backstage.answer = ANSWERS[name].with_retry_after(*argument)
        if name == "slow":
            self._backstage.delay = float(argument[0])
        self._switch.freeze(name == "freeze")
        self._switch.go(self._room(name), cut and name != "freeze")

    def answer(self, status, body="", content_type="text/html", headers=None):
        """From now on answer every request with this."""
        self._backstage.answer = Answer(status, body, content_type, headers or {})
        self._mode = ("answer", status)
        self._switch.freeze(False)
        self._switch.go(self._room("404"))

    def _room(self, mode):
        if mode in ("refuse", "reset"):
            return mode
        if mode == "timeout":
            return "hold"
        room = "canned" if mode in ANSWERS else "open" if mode in ("ok", "freeze") else mode
        return self.folder / f"{room}.sock"

    def requests(self):
        """What nginx has answered: a list of dictionaries (time, room, method, path, status)."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [json.loads(line) for line in lines]

    @property
    def connections(self):
        """How many connections were accepted so far, answered or not."""
        return self._switch.accepted

    # nginx

    def _locations(self):
        """Where nginx sends which path: a list of (nginx location, path at Home Assistant)."""
        return [("/", "")]

    def _rooms(self):
        """(name, certificate or None, asks for a client certificate, backend)"""
        sure = self.certificates and self.certificates.server
        rooms = [("open", sure, False, "ha"), ("canned", sure, False, "canned"), ("slow", sure, False, "slow")]
        if self.certificates:
            rooms += [(mode, getattr(self.certificates, pair), False, "ha") for mode, pair in TLS_MODES.items()]
            rooms.append(("client-certificate-required", sure, True, "ha"))
        return rooms

    def _start_nginx(self):
        configuration = nginx_rooms.configuration(
            self.folder, self._upstream, self._rooms(), self._locations(), self.certificates and self.certificates.ca)
        if self._nginx:
            self._nginx.stop()
        for room in self._rooms():
            (self.folder / f"{room[0]}.sock").unlink(missing_ok=True)
        self._nginx = nginx_rooms.start(self.folder, configuration)


class Cloudhook(Front):
    """An unguessable address that is one webhook and nothing else."""

    def __init__(self, upstream_port, certificates, **options):
        super().__init__("cloudhook", upstream_port, certificates, **options)
        self.token = secrets.token_urlsafe(32)
        self._webhook_id = None

    @property
    def url(self):
        return f"{self.base_url}/hook/{self.token}"

    def set_webhook(self, webhook_id):
        """Let the address be this webhook; before, it answers 404."""
        self._webhook_id = webhook_id
        self._start_nginx()

    def _locations(self):
        if self._webhook_id is None:
            return []
        return [(f"= /hook/{self.token}", f"/api/webhook/{self._webhook_id}")]


class RemoteUI(Front):
    """The whole of Home Assistant over TLS, WebSocket included."""

    def __init__(self, upstream_port, certificates, **options):
        super().__init__("remote-ui", upstream_port, certificates, **options)


class Instance(Front):
    """Home Assistant's own address: plain HTTP."""

    def __init__(self, upstream_port, **options):
        super().__init__("instance", upstream_port, **options)


class Web:
    """All three endpoints of one Home Assistant: `cloudhook`, `remote_ui`, `instance`; and the `certificates`."""

    def __init__(self, upstream_port, names=("localhost", "127.0.0.1"), certificates=None):
        self.certificates = certificates or Certificates(names)
        self.cloudhook = Cloudhook(upstream_port, self.certificates)
        self.remote_ui = RemoteUI(upstream_port, self.certificates)
        self.instance = Instance(upstream_port)
        self.fronts = (self.cloudhook, self.remote_ui, self.instance)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Start all three in mode ok. Returns self."""
        for front in self.fronts:
            front.start()
        return self

    def stop(self):
        """End all three."""
        for front in self.fronts:
            front.stop()

    def mode(self, name, *argument):
        """Put all three into one mode (those of TLS: the two that have it)."""
        for front in self.fronts:
            if front.certificates or not name.startswith(("tls", "client")):
                front.mode(name, *argument)
