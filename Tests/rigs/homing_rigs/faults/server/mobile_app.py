"""mobile_app as Home Assistant has it: registrations, and what a webhook does with a body before it is a command."""

import base64
import binascii
import dataclasses
import json
import secrets
from typing import Any

import nacl.exceptions
import nacl.secret

from ...nmea_track import HOME, WORK
from . import commands, http_messages
from .http_messages import Reply, empty_object, error_page, nothing, of_json
from .locations import Tracker
from .outcomes import PLAIN, Error, Failed, Refused

REQUIRED = ("app_id", "app_name", "app_version", "device_name", "manufacturer", "model", "os_name")
PLAIN_KEYS, SEALED_KEYS = {"type", "data"}, {"type", "encrypted", "encrypted_data"}
ERRORS = {"encryption_required": "Encryption required", "encryption_already_enabled": "Encryption already enabled"}


@dataclasses.dataclass
class Registration:
    """A mobile_app entry. `secret` is None if it is not sealed."""

    webhook_id: str
    secret: str | None
    data: dict
    tracker: Tracker
    disabled: bool = False
    sensors: dict = dataclasses.field(default_factory=dict)

    @property
    def device_id(self):
        """The id that the app gave itself."""
        return self.data["device_id"]


@dataclasses.dataclass(frozen=True)
class Answered:
    """The reply to a request; if it was a command that was taken, its type, its data and how often it was done."""

    reply: Reply
    type: str | None = None
    data: Any = None
    performed: int = 0


class MobileApp:
    """The integration of a Home Assistant of `version` ("2026.11.0")."""

    def __init__(self, version, token, zones=(HOME, WORK), location_name="Rig Home"):
        self.version_text, self.token, self.location_name = version, token, location_name
        self.version = tuple(int(part) for part in version.split(".")[:2])
        home = zones[0]._replace(name=location_name)
        self.zones = (home, *zones[1:])
        self.by_webhook = {}
        self.deleted = set()  # known as deleted: since the last restart
        self.just_deleted = set()
        self.set_up, self.tracker_loaded = True, True
        self.cloudhook_url = self.remote_ui_url = None
        self.events = []  # (type, data), in order

    # What happens to it

    def delete(self, webhook_id):
        """A person deletes the registration: nothing is answered, and 410 after a restart."""
        del self.by_webhook[webhook_id]
        self.just_deleted.add(webhook_id)

    def restart(self):
        """The state after a restart of Home Assistant."""
        self.deleted |= self.just_deleted
        self.just_deleted = set()
        for registration in self.by_webhook.values():
            registration.tracker.restore()
        self.reload()

    def reload(self):
        """A person reloads the registrations, or disables and enables them: every entity is set up again. The tracker
        changes with each position anyway."""
        for registration in self.by_webhook.values():
            for sensor in registration.sensors.values():
                sensor.reload()

    # Requests

    def answer(self, request, perform=1):
        """Answer a request. The command is carried out `perform` times; the reply is that of the last."""
        path = request.path.partition("?")[0]
        if path.startswith("/api/webhook/"):
            return self._webhook(request, path.removeprefix("/api/webhook/"), perform)
        if path not in ("/api/", "/api/config", "/api/mobile_app/registrations"):
            return Answered(error_page(404))
        if request.headers.get("authorization") != f"Bearer {self.token}":
            return Answered(error_page(401))
        if path == "/api/mobile_app/registrations":
            return Answered(self._register(request) if self.set_up else error_page(404), "register")
        if path == "/api/":
            return Answered(of_json({"message": "API running."}))
        return Answered(of_json({"version": self.version_text, "state": "RUNNING", "components": ["mobile_app"]}))

    def _register(self, request):
        try:
            data = json.loads(request.body)
            missing = next((key for key in REQUIRED if not isinstance(data.get(key), str)), None)
        except (ValueError, AttributeError, TypeError):
            return of_json({"message": "Invalid JSON specified."}, 400)
        if missing:
            return of_json({"message": f"Message format incorrect: required key not provided @ data['{missing}']"}, 400)
        data.setdefault("device_id", secrets.token_hex(16))
        sealed = data.get("supports_encryption") in (True, "yes", "true", "on", 1)
        for old in [each for each in self.by_webhook.values()
                    if (each.device_id, each.data["app_id"]) == (data["device_id"], data["app_id"])]:
            tracker, _ = old.tracker, self.delete(old.webhook_id)
            break
        else:
            tracker = Tracker(self.zones, self.version, data["device_name"])
        new = Registration(secrets.token_hex(32), secrets.token_hex(32) if sealed else None, data, tracker)
        if "os_version" in data:  # without it the entry is never set up
            self.by_webhook[new.webhook_id] = new
        return of_json({"cloudhook_url": self.cloudhook_url, "remote_ui_url": self.remote_ui_url,
                        "secret": new.secret, "webhook_id": new.webhook_id}, 201)

    def _webhook(self, request, webhook_id, perform):
        if request.method == "HEAD":
            return Answered(Reply(content_type=None))
        if request.method not in ("POST", "PUT", "GET"):
            return Answered(error_page(405))
        registration = self.by_webhook.get(webhook_id)
        known = registration and not registration.disabled or webhook_id in self.deleted
        if not self.set_up or not known or request.body is None:
            return Answered(nothing())
        if request.method == "GET":
            return Answered(nothing(405))
        if webhook_id in self.deleted:
            return Answered(nothing(410))
        try:
            return self._open(registration, request.body, perform)
        except Failed:
            return Answered(nothing())

    def _open(self, registration, body, perform):
        """From the outer JSON to the command."""
        try:
            outer = json.loads(body)
        except ValueError:
            return Answered(empty_object(400))
        if registration.secret and "encrypted" not in outer:
            return Answered(refusal("encryption_required"))
        kind, data = self._unwrap(registration, outer)
        if data is None or kind not in commands.COMMANDS:
            return Answered(empty_object(), kind)
        # Before its tracker is loaded nobody listens: a position is answered, and lost.
        taken = self.tracker_loaded or kind != "update_location"
        reply = empty_object()
        for _ in range(perform):
            try:
                reply = self._reply(registration, commands.COMMANDS[kind](self, registration, data))
            except Refused:
                return Answered(empty_object(), kind)
        return Answered(reply, kind, data, perform if taken else 0)

    @staticmethod
    def _unwrap(registration, outer):
        """(type, data) of a payload; data is None for what Home Assistant throws away without a word."""
        if not isinstance(outer, dict) or not isinstance(outer.get("type"), str):
            return None, None
        if set(outer) <= PLAIN_KEYS and isinstance(outer.get("data", {}), (dict, list)):
            return outer["type"], outer.get("data", {})
        if not set(outer) <= SEALED_KEYS or outer.get("encrypted") is not True:
            return None, None
        if "encrypted_data" not in outer or not registration.secret:
            raise Failed
        box = nacl.secret.SecretBox(bytes.fromhex(registration.secret))
        try:
            return outer["type"], json.loads(box.decrypt(base64.b64decode(outer["encrypted_data"], validate=True)))
        except (nacl.exceptions.CryptoError, binascii.Error, ValueError, TypeError):
            return outer["type"], None

    @staticmethod
    def _reply(registration, result):
        """A command's result as an answer: None is `{}`, an Error plain, all else sealed."""
        if result is None:
            return empty_object()
        if isinstance(result, Error):
            return refusal(result.code)
        status, content = result
        if not registration.secret or status == PLAIN:
            return of_json(content, 200 if status == PLAIN else status)
        return of_json({"encrypted": True, "encrypted_data": seal(content, registration.secret)}, status)


def seal(content, secret):
    """A value sealed as Home Assistant seals."""
    box = nacl.secret.SecretBox(bytes.fromhex(secret))
    return base64.b64encode(box.encrypt(json.dumps(content, separators=(",", ":")).encode())).decode()


def refusal(code):
    """An error in Home Assistant's words, which is never sealed."""
    content = {"success": False, "error": {"code": code, "message": ERRORS[code]}}
    return Reply(400, json.dumps(content).encode(), http_messages.JSON_UTF8)
