"""Home Assistant Cloud, as far as mobile_app asks for it: a subscription that can be switched on and off.

The real cloud needs an account. What mobile_app takes from it are two URLs, so a small custom integration answers in
its place inside the real Home Assistant; the URLs then lead to the rig's fronts."""

import json
import pathlib

MANIFEST = {"domain": "rig_cloud", "name": "Rig cloud", "version": "1.0.0", "documentation": "", "codeowners": [],
            "requirements": [], "dependencies": [], "iot_class": "calculated"}

INTEGRATION = '''\
"""Answers mobile_app's questions to Home Assistant Cloud from a file beside the configuration."""
import json
import pathlib

from homeassistant.components import cloud


async def async_setup(hass, config):
    path = pathlib.Path(hass.config.path("rig_cloud.json"))

    def offer():
        return json.loads(path.read_text()) if path.exists() else None

    def remote_ui(hass):
        urls = offer()
        if not urls or not urls["remote_ui"]:
            raise cloud.CloudNotAvailable
        return urls["remote_ui"]

    async def cloudhook(hass, webhook_id):
        return offer()["cloudhook"]

    async def forget(hass, webhook_id):
        return None

    for name in ("async_active_subscription", "async_is_connected", "async_is_logged_in"):
        setattr(cloud, name, lambda hass: offer() is not None)
    cloud.async_remote_ui_url = remote_ui
    cloud.async_get_or_create_cloudhook = cloudhook
    cloud.async_create_cloudhook = cloudhook
    cloud.async_delete_cloudhook = forget
    return True
'''

YAML = "rig_cloud:\n"


class Cloud:
    """The subscription of one Home Assistant. Make it before that starts, with `extra_yaml=YAML`."""

    def __init__(self, config_dir):
        self._offer = pathlib.Path(config_dir) / "rig_cloud.json"
        folder = pathlib.Path(config_dir) / "custom_components" / "rig_cloud"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manifest.json").write_text(json.dumps(MANIFEST))
        (folder / "__init__.py").write_text(INTEGRATION)

    def offer(self, cloudhook, remote_ui):
        """From now on registrations get these URLs."""
        self._offer.write_text(json.dumps({"cloudhook": cloudhook, "remote_ui": remote_ui}))

    def withdraw(self):
        """The subscription has ended."""
        self._offer.unlink(missing_ok=True)
