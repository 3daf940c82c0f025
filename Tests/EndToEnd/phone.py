"""A registration of mobile_app without a device behind it: what it tells Home Assistant of push is the test's choice."""

import json
import re
import urllib.request
import uuid

from homing_rigs.processes import wait_for

PHONE = {"app_version": "1", "manufacturer": "Rig", "model": "Rig", "os_version": "1"}


class Phone:
    """`with Phone(ha, "Golden", url, token) as phone:`; it goes with the block."""

    def __init__(self, ha, name, url, token):
        self._ha, self.name = ha, name
        self.service = f"mobile_app_{re.sub(r'[^a-z0-9]+', '_', name.lower())}"
        self._app_data = {"push_url": url, "push_token": token}

    def __enter__(self):
        self._id = uuid.uuid4().hex
        registered = self._ha.post("/api/mobile_app/registrations", {
            **PHONE, "device_id": self._id, "app_id": "rig", "app_name": "Rig", "device_name": self.name, "os_name": "Rig",
            "supports_encryption": False, "app_data": self._app_data})
        self.webhook_id = registered["webhook_id"]
        wait_for(lambda: self.service in self._services(), 20, f"the service of {self.name}")
        return self

    def __exit__(self, *_):
        self._ha.delete_mobile_app(self._id)

    def _services(self):
        return next((each["services"] for each in self._ha.get("/api/services") if each["domain"] == "notify"), {})

    def tell(self, url, token):
        """Have Home Assistant post there from now on, with this token."""
        body = {"type": "update_registration", "data": {
            **PHONE, "device_name": self.name, "app_data": {"push_url": url, "push_token": token}}}
        request = urllib.request.Request(f"{self._ha.local_url}/api/webhook/{self.webhook_id}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=20).close()

    def notify(self, message, data=None):
        """By the service that automations of old call."""
        self._ha.post(f"/api/services/notify/{self.service}", {"message": message, **({"data": data} if data else {})})

    @property
    def entity_id(self):
        """Of the notify entity; None where Home Assistant is too old to make one."""
        found = [one["entity_id"] for one in self._ha.entities_of(self._id) if one["entity_id"].startswith("notify.")]
        return found[0] if found else None
