"""The played Home Assistant answers as real ones do: the same conversation with both, and the same answers."""

import pytest
from conftest import home_assistant, VERSIONS
from faults.conversation import DEVICE, LOCATIONS, OTHER_COMMANDS, PLACE, TEMPLATES, Talk, envelopes
from homing_rigs.faults.server import FaultServer


@pytest.fixture(params=VERSIONS)
def both(request):
    """A conversation with a real one, and one with a played one of the same version; both registered."""
    real = home_assistant(request.param)
    with FaultServer(request.param) as played:
        talks = Talk(real), Talk(played)
        yield talks
        for talk in talks:
            talk.register()  # so that the next test finds it as this one did


def same(talks, what):
    """What both say to `what(talk)`; fails where they differ."""
    real, played = (what(talk) for talk in talks)
    assert played == real
    return real


def test_registering(both):
    same(both, lambda talk: talk.register(token="wrong"))
    same(both, lambda talk: talk.register({"app_id": "x"}))
    assert same(both, lambda talk: talk.register())[0] == 201
    before = [talk.path for talk in both]
    same(both, lambda talk: talk.register())
    for talk, path in zip(both, before):
        assert path != talk.path
    same(both, lambda talk: talk.sort(*talk.request("POST", before[both.index(talk)], {"type": "get_zones"})))
    same(both, lambda talk: talk.request("GET", "/api/", token=talk.token))
    same(both, lambda talk: talk.request("GET", "/api/", token="x"))


def test_envelopes(both):
    same(both, lambda talk: talk.register())
    differing = []
    sent = list(zip(*(envelopes(talk) for talk in both)))
    for (label, to_real), (_, to_played) in sent:
        answers = both[0].raw(to_real), both[1].raw(to_played)
        if answers[0] != answers[1]:
            differing.append((label, *answers))
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        answers = [talk.raw(b"", method) for talk in both]
        if answers[0] != answers[1]:
            differing.append((method, *answers))
    assert differing == []
    same(both, lambda talk: talk.sort(*talk.request("POST", "/api/webhook/unknown", {})))


def test_locations_and_what_the_tracker_shows(both):
    same(both, lambda talk: talk.register())
    for talk in both:
        talk.wait_for_tracker()
    differing = []
    for location in LOCATIONS:
        for talk in both:  # what is refused must not look like what came before
            talk.ask("update_location", {"gps": [10, 10], "gps_accuracy": 1})
        answers = [(talk.ask("update_location", location), talk.state()) for talk in both]
        if answers[0] != answers[1]:
            differing.append((location, *answers))
    assert differing == []


def test_templates_and_the_other_commands(both):
    same(both, lambda talk: talk.register())
    conversation = [("render_template", data) for data in TEMPLATES] + OTHER_COMMANDS
    differing = []
    for kind, data in conversation:
        answers = [talk.ask(kind, data) for talk in both]
        if answers[0] != answers[1]:
            differing.append((kind, data, *answers))
    assert differing == []


def test_what_a_restart_leaves(both):
    """A device for each thing that was told last; one restart for them all."""
    told = {"lastplace": PLACE, "lastzone": {"location_name": "Work"}, "lastall": PLACE | {"battery": 50, "altitude": 7}}
    devices = [[Talk(talk.server, device) for talk in both] for device in told]
    for talks, last in zip(devices, told.values()):
        same(talks, lambda talk: talk.register())
        for talk in talks:
            talk.wait_for_tracker()
            talk.ask("update_location", last)
        same(talks, lambda talk: talk.state())
    for talk in both:
        talk.server.restart()
    for talks in devices:
        for talk in talks:
            talk.wait_for_tracker()
        same(talks, lambda talk: talk.state())


def test_a_registration_in_the_clear(both):
    in_the_clear = DEVICE | {"supports_encryption": False}
    same(both, lambda talk: talk.register(in_the_clear))
    for body in ({"type": "get_zones"}, {"type": "get_zones", "data": None}, {"type": "get_zones", "data": "x"},
                 {"type": "update_location", "data": {"gps": [1, 2], "gps_accuracy": 3}},
                 {"type": "get_zones", "encrypted": True, "encrypted_data": "x"}):
        real, played = (talk.raw(body) for talk in both)
        assert played[:3] == real[:3], body
