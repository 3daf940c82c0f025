"""The mobile_app registrations of a Home Assistant: looking at them, and doing to them what users and backups do."""

import dataclasses
import json
import shutil

from . import processes


@dataclasses.dataclass(frozen=True)
class Registration:
    """A mobile_app config entry. `state` is Home Assistant's ("loaded", "not_loaded", "setup_error" …)."""

    entry_id: str
    title: str
    state: str
    disabled: bool
    device_id: str
    app_id: str
    webhook_id: str = dataclasses.field(repr=False)
    secret: str = dataclasses.field(repr=False)
    data: dict = dataclasses.field(repr=False)


class Registrations:
    """The part of HomeAssistant that is about mobile_app."""

    def registrations(self):
        """All mobile_app registrations. Webhook ids and secrets are in no API, only in the storage, which Home
        Assistant writes a second late: this waits until it holds what the API names."""
        entries = {entry["entry_id"]: entry for entry in self.command("config_entries/get", domain="mobile_app")}

        def stored():
            found = {entry["entry_id"]: entry["data"] for entry in self._stored_entries()["data"]["entries"]
                     if entry["domain"] == "mobile_app"}
            return (found,) if found.keys() == entries.keys() else None

        if not entries:
            return []
        data, = processes.wait_for(stored, 40, "the storage holds the registrations")
        return [self._registration(entries[entry_id], data[entry_id]) for entry_id in entries]

    @staticmethod
    def _registration(entry, data):
        return Registration(
            entry_id=entry["entry_id"], title=entry["title"], state=entry["state"],
            disabled=entry["disabled_by"] is not None, device_id=data["device_id"], app_id=data["app_id"],
            webhook_id=data["webhook_id"], secret=data.get("secret"), data=data)

    def registration(self, name):
        """The one registration with this device id, title or entry id."""
        for registration in self.registrations():
            if name in (registration.device_id, registration.title, registration.entry_id):
                return registration
        raise LookupError(f"no mobile_app registration {name!r}")

    def tracker_of(self, device_id):
        """The entity id of a device's tracker (None before it is made)."""
        for entity in self.entities_of(device_id):
            if entity["entity_id"].startswith("device_tracker."):
                return entity["entity_id"]
        return None

    def entities_of(self, device_id):
        """Home Assistant's registry entries of everything a device brought: tracker, sensors, notify."""
        entry_id = self.registration(device_id).entry_id
        return [entity for entity in self.command("config/entity_registry/list")
                if entity["config_entry_id"] == entry_id]

    def delete_mobile_app(self, name):
        """Delete a registration as the user does in the settings. Its webhook answers 200 with nothing until
        Home Assistant restarts, and 410 from then on."""
        self.request("DELETE", f"/api/config/config_entries/entry/{self.registration(name).entry_id}")

    def disable_entry(self, name):
        """Disable a registration in the settings: its webhook answers 200 with nothing."""
        self.command("config_entries/disable", entry_id=self.registration(name).entry_id, disabled_by="user")

    def enable_entry(self, name):
        """Undo `disable_entry`; returns when the registration is loaded."""
        entry_id = self.registration(name).entry_id
        self.command("config_entries/disable", entry_id=entry_id, disabled_by=None)
        processes.wait_for(lambda: self.registration(entry_id).state == "loaded", 60, "the registration is loaded")

    def reload_entry(self, name):
        """Reload the integration's entry, as "Reload" in the settings does."""
        self.post(f"/api/config/config_entries/entry/{self.registration(name).entry_id}/reload")

    def set_registration_secret(self, name, secret):
        """Make Home Assistant hold another secret (64 hex digits) than it gave, as one restored from a backup
        does. It is restarted for it."""
        entry_id = self.registration(name).entry_id

        def change(content):
            for entry in content["data"]["entries"]:
                if entry["entry_id"] == entry_id:
                    entry["data"]["secret"] = secret

        self._edit_entries(change)

    def _edit_entries(self, change):
        """Edit the stored config entries with Home Assistant stopped: it would overwrite them."""
        self.stop(keep=True)
        content = self._stored_entries()
        change(content)
        self._entries_file.write_text(json.dumps(content, indent=2))
        self.start()

    def backup(self):
        """Take a copy of everything Home Assistant has stored (it is restarted for it); returns a name."""
        copies = self.config_dir / "backups-of-the-rig"
        copy = copies / str(len(list(copies.glob("*"))))
        self.stop(keep=True)
        shutil.copytree(self.config_dir / ".storage", copy)
        self.start()
        return copy

    def restore(self, copy):
        """Go back to a backup, keeping the rig's own token: registrations made since are gone, secrets are
        those of then."""
        self.stop(keep=True)
        shutil.rmtree(self.config_dir / ".storage")
        shutil.copytree(copy, self.config_dir / ".storage")
        self.start()

    @property
    def _entries_file(self):
        return self.config_dir / ".storage" / "core.config_entries"

    def _stored_entries(self):
        return json.loads(self._entries_file.read_text())
