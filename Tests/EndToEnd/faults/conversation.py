"""One conversation with a Home Assistant, real or played, and its answers in a form that can be compared."""

import base64
import http.client
import json

from homing_rigs import sealed
from homing_rigs.processes import wait_for

DEVICE = {"app_id": "homing.tests", "app_name": "Homing tests", "app_version": "1", "device_name": "Conformance",
          "device_id": "conformance", "manufacturer": "x", "model": "x", "os_name": "Linux", "os_version": "1",
          "supports_encryption": True}
STATE = ("{%for e in integration_entities('mobile_app')if e[:8]=='device_t'and d in "
         "device_attr(e,'identifiers')|string%}{{[states(e),state_attr(e,'latitude'),state_attr(e,'longitude'),"
         "state_attr(e,'gps_accuracy'),state_attr(e,'speed'),state_attr(e,'course'),state_attr(e,'altitude'),"
         "state_attr(e,'vertical_accuracy'),state_attr(e,'battery_level')]}}{%endfor%}")
PLACE = {"gps": [52.1, 4.5], "gps_accuracy": 10}
NEAR_WORK = {"gps": [52.3398, 4.8729], "gps_accuracy": 10}  # 200 m off, of a zone of 150 m

# Locations, each followed by a look at what the tracker shows.
LOCATIONS = [
    PLACE, {}, {"gps": [1, 2]}, {"gps_accuracy": 5}, NEAR_WORK, NEAR_WORK | {"gps_accuracy": 100},
    {"gps": [52.338, 4.8729], "gps_accuracy": 5}, {"gps": [52.3731, 4.8922], "gps_accuracy": 5},
    PLACE | {"gps": None}, PLACE | {"gps": [1, 2, 3]}, PLACE | {"gps": [95, 4]}, PLACE | {"gps": ["52.2", "4.6"]},
    PLACE | {"surprise": 1}, PLACE | {"battery": 50}, {"battery": 50},
    *(PLACE | {"gps_accuracy": value} for value in (0, 12.7, -1, "12", "x")),
    *(PLACE | {key: value} for key in ("battery", "speed", "course", "vertical_accuracy", "altitude")
      for value in (0, 12.7, -0.5, -1, "12", "", None)),
    {"location_name": "home"}, {"location_name": "not_home"}, {"location_name": "work"}, {"location_name": "Work"},
    {"location_name": "Somewhere"}, {"location_name": ""}, {"location_name": None}, PLACE | {"location_name": "Gym"},
    {"in_zones": ["zone.work"]}, {"in_zones": []}, {"in_zones": ["person.x"]}, PLACE]
OWN = "integration_entities('mobile_app')|select('in',device_entities(device_id('device_tracker.conformance')))"
TEMPLATES = [
    {"a": {"template": "x{{n}}", "variables": {"n": 1}}}, {"n": {"template": "{{1+1}}"}},
    {"l": {"template": "{{[1,'a',none]}}"}}, {"u": {"template": "{{nothing_of_that_name}}"}},
    {"t": {"template": "{{true}}"}}, {"s": {"template": "007"}}, {"f": {"template": "1.50"}},
    {"own": {"template": "{{" + OWN + "|list}}"}},
    {"shown": {"template": "{{" + OWN + "|reject('is_state','unavailable')|list}}"}},
    {"witness": {"template": "{%set m=" + OWN + "|list%}['{{expand(m|reject('in',m[0]))"
                             "|map(attribute='last_changed')|min}}',{{m|length}}]"}},
    {"named": {"template": "[{{states['device_tracker.conformance'] is none}},'{{states('device_tracker.no')}}',"
                           "{{as_timestamp(states['device_tracker.no'].last_changed,0)}}]"}},
    {"sorted": {"template": "[{%for w in(expand(" + OWN + "|list)|sort(attribute='last_changed'))[:1]%}"
                            "'{{w.entity_id}}'{%endfor%}{%for w in(expand([])|sort(attribute='last_changed'))[:1]%}"
                            "'{{w.entity_id}}'{%endfor%}]"}},
    {"bad": {"template": "{{"}}, {"missing": {}}, {"two": {"template": "{{2}}"}, "one": {"template": "1"}}]
SENSOR = {"name": "Level", "type": "sensor", "unique_id": "level", "state": 1}
OTHER_COMMANDS = [
    ("get_zones", {}), ("get_config", {}), ("nonsense", {}), ("encrypted", {}),
    ("fire_event", {"event_type": "homing_conformance", "event_data": {"a": 1}}), ("fire_event", {"event_type": "x"}),
    ("fire_event", {}), ("fire_event", {"event_type": "x" * 64}), ("fire_event", {"event_type": "x", "more": 1}),
    ("fire_event", {"event_type": "x", "event_data": [1]}),
    ("call_service", {"domain": "no", "service": "no"}), ("call_service", {"domain": "no"}),
    ("scan_tag", {"tag_id": "t"}), ("scan_tag", {}),
    ("register_sensor", SENSOR), ("register_sensor", SENSOR | {"more": 1}), ("register_sensor", {"name": "x"}),
    ("register_sensor", SENSOR | {"icon": "battery"}), ("register_sensor", SENSOR | {"state": {}}),
    ("register_sensor", SENSOR | {"type": "binary_sensor", "unique_id": "b", "state_class": "measurement"}),
    ("update_sensor_states", [{"type": "sensor", "unique_id": "level", "state": 2}]),
    ("update_sensor_states", {"type": "sensor", "unique_id": "level", "state": 3}),
    ("update_sensor_states", [{"type": "sensor", "unique_id": "never", "state": 2},
                              {"type": "sensor", "unique_id": "level"},
                              {"type": "binary_sensor", "unique_id": "level", "state": True}]),
    ("update_sensor_states", [{"unique_id": "level", "state": 2}]), ("update_sensor_states", []),
    ("update_registration", {"app_version": "2"}),
    ("update_registration", {"app_version": "2", "device_name": "Conformance", "manufacturer": "x", "model": "y"}),
    ("enable_encryption", {})]


class Talk:
    """A conversation with a server, real or played."""

    def __init__(self, server, device="conformance"):
        self.server, self.port, self.token = server, server.port, server.token
        self.device = {"device_id": device, "device_name": device.title()}
        self.path = self.secret = None

    def request(self, method, path, body=None, token=None):
        """(status, content type, body) of a request; `body` is bytes, or JSON to be."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        connection.request(method, path, data, headers)
        reply = connection.getresponse()
        content = reply.status, reply.headers.get("Content-Type"), reply.read()
        connection.close()
        return content

    def register(self, data=None, token=None):
        """Register; what is told of webhook and secret is used from now on."""
        status, _, body = self.request("POST", "/api/mobile_app/registrations", (DEVICE if data is None else data) | self.device, token or self.token)
        if status == 201:
            reply = json.loads(body)
            self.path, self.secret = f"/api/webhook/{reply['webhook_id']}", reply["secret"]
        return status, sorted(json.loads(body)) if status in (201, 400) else body

    def raw(self, body, method="POST"):
        """The answer to a body as it is, sorted."""
        return self.sort(*self.request(method, self.path, body))

    def ask(self, kind, data, secret=None):
        """The answer to a sealed command, sorted."""
        sealed_data = sealed.seal(data, secret or self.secret)
        return self.raw({"type": kind, "encrypted": True, "encrypted_data": sealed_data})

    def sort(self, status, content_type, body):
        """(status, content type, kind, content) of an answer; the content of what differs each time is its shape."""
        if not body:
            return status, None, "nothing", None  # later versions give an empty body no type
        try:
            content = json.loads(body)
        except ValueError:
            return status, content_type, "text", body
        if isinstance(content, dict) and content.get("encrypted"):
            return status, content_type, "sealed", shape(sealed.unseal(content["encrypted_data"], self.secret))
        return status, content_type, "plain", content

    def state(self):
        """What the tracker shows."""
        return self.ask("render_template", {"r": {"template": STATE, "variables": {"d": self.device["device_id"]}}})[-1]

    def wait_for_tracker(self):
        """Until the tracker is loaded."""
        wait_for(lambda: isinstance(self.state()["r"], list) and self.state()["r"][0] != "unavailable", 20, "the tracker")


def shape(content):
    """A reply without what differs from one Home Assistant to the next."""
    if isinstance(content, dict) and "components" in content:
        return sorted(content)
    if isinstance(content, list) and content and isinstance(content[0], dict):
        return [(zone["entity_id"], zone["attributes"]["friendly_name"], zone["attributes"]["radius"])
                for zone in content]
    if isinstance(content, dict):
        return {key: shape(value) for key, value in content.items() if key not in ("message",)}
    if isinstance(content, str) and content.startswith("TemplateSyntaxError"):
        return "TemplateSyntaxError"
    return content


def envelopes(talk):
    """(label, what to send as it is) for everything that is wrong before there is a command."""
    good = sealed.seal({}, talk.secret)
    outer = {"type": "get_zones", "encrypted": True, "encrypted_data": good}
    short = base64.b64encode(b"short").decode()
    inner = sealed.seal("x", talk.secret)
    return [
        ("in the clear", {"type": "get_zones"}), ("no JSON", b"{"), ("empty", b""), ("a list", [1]), ("text", '"x"'),
        ("encrypted false", outer | {"encrypted": False}), ("one key more", outer | {"more": 1}),
        ("no type", {"encrypted": True, "encrypted_data": good}), ("too short", outer | {"encrypted_data": short}),
        ("no Base64", outer | {"encrypted_data": "***"}),
        ("without padding", outer | {"encrypted_data": good.strip("=")}),
        ("another key", outer | {"encrypted_data": sealed.seal({}, "ab" * 32)}),
        ("no data", {"type": "get_zones", "encrypted": True}), ("text inside", outer | {"encrypted_data": inner}),
        ("good", outer)]
