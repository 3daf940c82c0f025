"""The bench's own logic: what is a busy machine, what is printed then, what counts as shipped, and the Home Assistant
that it plays."""

import base64
import importlib.machinery
import importlib.util
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import types

import pytest
from homing_rigs import sealed
from homing_rigs.ha_websocket import WebSocket

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from homing_bench import load, shipped, stand_ins, waiting  # noqa: E402
from homing_bench.load import Load, Reading, judge  # noqa: E402
from homing_bench.receipts import Receipts  # noqa: E402
from homing_bench.report import Report, at_most, ratio_at_least, ratio_at_most  # noqa: E402

QUIET, BUSY = Load(60, 0.02, 0.1), Load(60, 1.5, 2.0)


def readings(*slices):
    """Of slices (seconds, all, ours, stolen), one after the other."""
    found = [Reading(0, 0, 0, 0)]
    for seconds, everything, ours, stolen in slices:
        last = found[-1]
        found.append(Reading(last.at + seconds, last.all + everything, last.ours + ours, last.stolen + stolen))
    return found


@pytest.mark.parametrize("slices, is_busy", [
    ([(5, 1.00, 0.98, 0)] * 6, False),  # the bench itself may take what it wants
    ([(5, 9.90, 9.80, 0)] * 6, False),
    ([(5, 1.00, 0.40, 0)] * 6, True),
    ([(5, 0.10, 0.10, 0.6)] * 6, True),  # the host took it away
    ([(5, 0.1, 0.1, 0)] * 100 + [(5, 4.1, 0.1, 0)], True),  # for a moment, which the mean hides
    ([(5, 0.1, 0.1, 0)] * 100 + [(0.1, 0.2, 0.1, 0)], False),  # a tick at the end is no slice
    ([(1.2, 1.2, 0.1, 0)], True),  # a window shorter than a slice
    ([(5, 0.50, 0.52, 0)] * 6, False),  # two clocks of the kernel's
])
def test_a_machine_is_busy_by_what_others_take(slices, is_busy):
    assert (judge(readings(*slices)).problem is not None) == is_busy


def test_what_the_bench_has_started_is_its_own():
    found = {1: (0, 7), 100: (1, 10), 101: (100, 20), 102: (101, 40), 200: (1, 500)}
    assert load._ours(found, 100) == 70
    assert load._ours({**found, 102: (1, 40)}, 100) == 30, "what has left it is not"


def test_work_of_others_is_seen():
    seen = []
    # Nobody's child: it belongs to init, like a build in another terminal.
    subprocess.run(["sh", "-c", "timeout 3 sh -c 'while :; do :; done' & sleep 0.1"], check=True)
    with load.watched(seen.append):
        subprocess.run(["sleep", "1.5"], check=True)
    assert seen[0].mean > 0.2 and seen[0].problem, seen


def filled(loads):
    report = Report()
    for window, found in loads.items():
        report.add_load(window, found)
    report.add("moving", "wake-ups", "a second", 2.4, [("C client", 2.0, ratio_at_most(1.1)), ("one home", 4.8, None)])
    report.add("draining", "a backlog", "a second", 500, [("C client", 1000, ratio_at_least(0.6))])
    report.add("start", "start", "ms", 20, aim=at_most(150))
    report.add("moving", "receipt", "bytes", None, [("C client", None, None)], at_most(800))
    report.explain("moving", "a receiver of 1 Hz")
    return report


def test_a_quiet_run_has_ratios_beside_its_aims():
    text = filled({"moving": QUIET, "draining": QUIET}).text()
    assert "1.20  ≤ 1.1 ×" in text and "0.50  ≥ 0.6 ×" in text and "≤ 150" in text
    assert "NO RATIOS" not in text and "busy" not in text


def test_a_busy_window_has_counts_and_no_ratio():
    report = filled({"moving": BUSY, "draining": QUIET})
    text = report.text()
    assert "1.20" not in text and "2.4" in text and "0.50  ≥ 0.6 ×" in text
    assert "NO RATIOS" in text and "moving: others took 1.50 cores" in text
    moving, draining, start, receipt = json.loads(report.json())["figures"]
    assert [other["ratio"] for other in moving["beside"]] == [None, None]
    assert moving["beside"][0]["aim"] == {"text": "≤ 1.1 ×", "met": None}
    assert draining["beside"][0] == {
        "what": "C client", "value": 1000, "ratio": 0.5, "aim": {"text": "≥ 0.6 ×", "met": False}}
    assert start["aim"] == {"text": "≤ 150", "met": True} and receipt["aim"]["met"] is None


def test_the_last_of_two_tries_counts():
    report = filled({"moving": BUSY})
    report.add_load("moving", QUIET)
    assert not report.busy


@pytest.fixture
def bench(monkeypatch):
    """The command."""
    loader = importlib.machinery.SourceFileLoader("bench", str(BENCHMARKS / "bench"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    monkeypatch.setattr(tempfile, "tempdir", None)  # it chooses another, which ends with the test
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("found, whole, is_kept", [(QUIET, True, True), (BUSY, True, False), (QUIET, False, False)])
def test_only_a_whole_and_quiet_run_is_kept_for_the_documents(bench, tmp_path, capsys, found, whole, is_kept):
    file = tmp_path / "bench.json"
    file.write_text("before")
    bench.keep(filled({"moving": found}), file, {"whole": whole})
    assert (file.read_text() != "before") == is_kept
    assert ("stays as it was" in capsys.readouterr().err) != is_kept


@pytest.mark.parametrize("found, code", [(QUIET, 0), (BUSY, 75)])
def test_a_busy_run_ends_with_a_code_of_its_own(bench, monkeypatch, tmp_path, found, code):
    monkeypatch.setattr(bench.shipped, "stripped", lambda source, target: source)
    monkeypatch.setattr(bench.shipped, "loaded", lambda program: "0" * 64)
    monkeypatch.setattr(bench.subjects, "build_floor", lambda folder, name: folder / name)
    monkeypatch.setattr(bench, "run", lambda measured, parts: measured.report.add_load("moving", found))
    monkeypatch.setattr(sys, "argv", ["bench", "--json", str(tmp_path / "all.json"), "--quick"])
    with pytest.raises(SystemExit) as ended:
        bench.main()
    assert ended.value.code == code
    assert json.loads((tmp_path / "all.json").read_text())["whole"] is False


def test_a_window_is_measured_once_more_where_the_machine_was_busy(bench):
    report, loads = Report(), [BUSY, QUIET, QUIET]
    measured = bench.measuring.Bench(report, None, None, (None, None), None)

    def measure():
        report.add_load("moving", loads.pop(0))
        return len(loads)

    assert measured.quietly("moving", measure) == 1 and not report.busy
    assert measured.quietly("moving", measure) == 0


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A small program, with symbols, as an ordinary compiler links it."""
    source = tmp_path_factory.mktemp("program") / "one.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts("one"); return 0; }\n')
    subprocess.run(["cc", "-g", "-o", source.with_suffix(""), source], check=True)
    return source.with_suffix("")


def test_what_is_linked_otherwise_is_refused(program, tmp_path):
    with pytest.raises(shipped.NotShipped, match="run make binaries"):
        shipped.stripped(tmp_path, tmp_path / "to")
    for name in shipped.PROGRAMS:
        (tmp_path / name).write_bytes(program.read_bytes())
        (tmp_path / name).chmod(0o755)
    with pytest.raises(shipped.NotShipped, match="not packed"):
        shipped.stripped(tmp_path, tmp_path / "to")


def test_stripping_changes_nothing_that_is_loaded_and_another_program_is_another(program, tmp_path):
    bare = tmp_path / "bare"
    subprocess.run([*shipped.STRIP, "-o", bare, program], check=True)
    assert bare.stat().st_size < program.stat().st_size
    assert shipped.loaded(bare) == shipped.loaded(program)
    other = bytearray(bare.read_bytes())
    other[other.index(b"one\0")] = ord("t")
    bare.write_bytes(other)
    assert shipped.loaded(bare) != shipped.loaded(program)


UPDATE = {"gps": [52.3731, 4.8922], "gps_accuracy": 17}
TEMPLATE = (
    "['fedcba9876543210'{%set m=integration_entities('mobile_app')%}{%for e in m if e[:2]=='de'and'"
    + stand_ins.DEVICE_ID + "'in device_attr(e,'identifiers')|string%},"
    "{{[states(e),state_attr(e,'latitude'),state_attr(e,'longitude')]}}{%endfor%}]")


def body(kind, data):
    return json.dumps({"type": kind, "encrypted": True, "encrypted_data": sealed.seal(data, stand_ins.SECRET)},
                      separators=(",", ":"))


def opened(answer):
    return sealed.unseal(json.loads(answer)["encrypted_data"], stand_ins.SECRET)


class Weighing(WebSocket):
    """Counts what it reads."""

    received = 0

    def _more(self):
        before = len(self.buffer)
        super()._more()
        self.received += len(self.buffer) - before


def test_the_played_home_assistant_speaks_its_websocket():
    server = stand_ins.HomeAssistant()
    with Weighing("127.0.0.1", server.port, "any") as channel:
        assert not server.channel_opened.is_set()
        assert channel.call("mobile_app/push_notification_channel", webhook_id="b", support_confirm=True) is None
        assert server.channel_opened.wait(5)
        def told(kind, data):
            return channel.call("webhook/handle", webhook_id="b", method="POST", query="", headers={}, body=body(kind, data))
        before = channel.received
        assert told("update_location", UPDATE) == {
            "body": "{}", "status": 200, "headers": {"Content-Type": "application/json"}}
        assert server.traffic["update_location"].answered == channel.received - before < 126 + 4
        before = channel.received
        told("get_zones", {})
        assert server.traffic["get_zones"].answered == channel.received - before > 500
        assert opened(told("render_template", {"r": {"template": TEMPLATE}})["body"]) == {
            "r": ["fedcba9876543210", ["not_home", 52.3731, 4.8922]]}
        long = told("update_location", {**UPDATE, "more": "x" * 70_000})
        assert long["status"] == 200 and server.count() == 2


def test_what_a_message_weighs_is_what_was_on_the_wire():
    server = stand_ins.HomeAssistant()
    text = body("update_location", UPDATE).encode()
    request = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text)
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(request)
        answer = connection.recv(4096)
        connection.sendall(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 404 Not Found\r\n")
    seen = server.traffic["update_location"]
    assert (seen.count, seen.sent, seen.bodies, seen.answered) == (1, len(request), len(text), len(answer))


def test_a_template_is_compiled_once_and_rendered_each_time():
    receipts = Receipts(stand_ins.DEVICE_ID)
    for number in range(3):
        nonce = base64.b64encode(bytes([number] * 6)).decode()
        text = TEMPLATE.replace("fedcba9876543210", nonce)
        assert receipts.render(text, [number, 4.5]) == [nonce, ["not_home", number, 4.5]]
    assert len(receipts._compiled) == 1
    assert receipts.render("{{1+1}}", [0, 0]) == 2


@pytest.mark.skipif(not waiting.can_be_without_network(), reason="this user may make no namespace")
def test_a_daemon_without_a_network_sees_none():
    shown = subprocess.run([*waiting.without_network(), "cat", "/proc/net/route"], check=True, capture_output=True, text=True)
    assert len(shown.stdout.splitlines()) <= 1
    links = subprocess.run([*waiting.without_network(), "ip", "-json", "address"], check=True, capture_output=True, text=True)
    assert all(not link["addr_info"] for link in json.loads(links.stdout))


def test_memory_and_what_was_written_are_read_of_any_process():
    from homing_bench import process
    child = types.SimpleNamespace(pid="self")
    found = process.memory(child.pid)
    assert found["resident"] >= found["unique"] > 0 and found["resident"] >= found["pss"] and found["anonymous"] > 0
    before = process.written(child.pid)
    with open("/var/tmp/homing-bench-test", "wb") as file:
        file.write(bytes(1 << 20))
        file.flush()
        assert process.written(child.pid) - before >= 1 << 20
    pathlib.Path("/var/tmp/homing-bench-test").unlink()
