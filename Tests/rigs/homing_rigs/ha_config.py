"""A fresh Home Assistant's configuration, and the first steps a person would do in its browser pages."""

import json
import secrets
import urllib.parse
import urllib.request

from .ha_websocket import Refused, WebSocket

# The home zone is Home Assistant's own place; its radius is 100 m unless set otherwise.
# The conversation knows a sentence of its own, without a light to be turned on.
# A proxy on loopback may name the client it speaks for, as the rig's nginx does; from others that is an error.
YAML = """\
homeassistant:
  name: Rig Home
  latitude: {home[0]}
  longitude: {home[1]}
  elevation: 4
  unit_system: metric
  currency: EUR
  country: NL
  language: en
  time_zone: Europe/Amsterdam
http:
  server_host: [{hosts}]
  server_port: {port}
  use_x_forwarded_for: true
  trusted_proxies: [127.0.0.1]
logger:
  default: warning
  logs:
    homeassistant.components.mobile_app: {log_level}
    homeassistant.components.webhook: {log_level}
recorder:
  commit_interval: 0
history:
mobile_app:
conversation:
  intents:
    RigLights:
      - turn on the lights
intent_script:
  RigLights:
    speech:
      text: The lights are on
    action:
      - event: rig_lights
        event_data:
          lights: "on"
zone:
{zones}
{extra}
"""

ZONE = """\
  - name: {0}
    latitude: {1}
    longitude: {2}
    radius: {3}
"""


def configuration_yaml(hosts, port, home, zones, debug, extra):
    """The text of configuration.yaml. `home` is (latitude, longitude); `zones` holds the others as
    (name, latitude, longitude, radius)."""
    return YAML.format(hosts=", ".join(hosts), port=port, home=home, log_level="debug" if debug else "info",
                       zones="".join(ZONE.format(*zone) for zone in zones), extra=extra)


def post(url, fields, form=False):
    """POST without authorisation and return the JSON reply."""
    if form:
        request = urllib.request.Request(url, urllib.parse.urlencode(fields).encode())
    else:
        request = urllib.request.Request(url, json.dumps(fields).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.loads(reply.read())


def onboard(url, host, port):
    """Make the owner through the onboarding API. Returns (long-lived token, user name, password)."""
    client, user, password = url + "/", "owner", secrets.token_hex(8)
    code = post(url + "/api/onboarding/users", {
        "client_id": client, "name": "Owner", "username": user, "password": password, "language": "en"})["auth_code"]
    session = post(url + "/auth/token", {
        "grant_type": "authorization_code", "code": code, "client_id": client}, form=True)
    with WebSocket(host, port, session["access_token"]) as websocket:
        token = websocket.call("auth/long_lived_access_token", client_name="rig", lifespan=365)
        try:
            # Late in 2026 an `http:` section in YAML is on trial: unless it is promoted within five minutes,
            # Home Assistant goes back to port 8123 and exits.
            websocket.call("http/config/promote")
        except Refused:
            pass  # an older version does not know the command, and needs none
    return token, user, password


def ordinary_user(ha, name):
    """Make a user who is no administrator, as a household's other members are; returns a long-lived token."""
    client, password = ha.local_url + "/", secrets.token_hex(8)
    user = ha.command("config/auth/create", name=name, group_ids=["system-users"])["user"]
    ha.command("config/auth_provider/homeassistant/create", user_id=user["id"], username=name, password=password)
    flow = post(ha.local_url + "/auth/login_flow", {
        "client_id": client, "handler": ["homeassistant", None], "redirect_uri": client})["flow_id"]
    code = post(f"{ha.local_url}/auth/login_flow/{flow}", {
        "client_id": client, "username": name, "password": password})["result"]
    session = post(ha.local_url + "/auth/token", {
        "grant_type": "authorization_code", "code": code, "client_id": client}, form=True)
    with WebSocket("127.0.0.1", ha.port, session["access_token"]) as websocket:
        return websocket.call("auth/long_lived_access_token", client_name=name, lifespan=365)
