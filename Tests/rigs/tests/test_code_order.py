"""The reader of callgrind's records, and the order of functions that the linker gets."""

import collections
import importlib.machinery
import importlib.util
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from homing_bench import callgrind  # noqa: E402

# The loop calls a library four times, which calls back; what is called then calls itself once.
RECORD = """\
# callgrind format
events: Ir

ob=(1) /usr/bin/homingd
fl=(1) ???
fn=(1) loop
0 10
cob=(2) /lib/libglib.so
cfn=(2) g_dispatch
calls=4 0
0 500
cfn=(3) rare
calls=1 0
+1 20

fn=(3)
0 20

fn=(4) zeal
0 5
cfn=(5) answer
calls=4 0
* 80
cfn=(6) 0x0000000000001234
calls=4 0
0 8

fn=(5)
0 60
cfn=(7) answer'2
calls=4 0
0 20

fn=(7)
0 20

ob=(2)
fn=(2)
0 7
cob=(1)
cfn=(4)
calls=4 0
0 90

totals: 122
"""


@pytest.fixture
def record(tmp_path):
    file = tmp_path / "homingd"
    file.write_text(RECORD)
    return file


@pytest.fixture
def order_code():
    loader = importlib.machinery.SourceFileLoader("order_code", str(ROOT / "scripts/order-code"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("order_code", loader))
    loader.exec_module(module)
    return module


def test_a_record_gives_each_function_its_own_cost_and_its_calls(record):
    program, library = "/usr/bin/homingd", "/lib/libglib.so"
    assert callgrind._read(record) == {
        (program, "loop"): 10, (program, "rare"): 20, (program, "zeal"): 5, (program, "answer"): 60, (program, "answer'2"): 20,
        (library, "g_dispatch"): 7}
    calls = collections.Counter()
    for caller, callee, count, _ in callgrind.entries(record):
        if callee:
            calls[caller[1], *callee] += count
    assert calls == {
        ("loop", library, "g_dispatch"): 4, ("loop", program, "rare"): 1, ("zeal", program, "answer"): 4,
        ("zeal", program, "0x0000000000001234"): 4, ("answer", program, "answer'2"): 4, ("g_dispatch", program, "zeal"): 4}


def test_what_is_called_often_follows_its_caller_and_what_libraries_call_comes_first(record, order_code):
    assert order_code.in_order_of_calls(record, "homingd", 4) == ["zeal", "answer"]
    assert order_code.in_order_of_calls(record, "homingd", 1) == ["zeal", "answer", "rare"]
    assert order_code.functions(record, "homingd") == {"loop", "rare", "zeal", "answer"}
    assert order_code.functions(record, "homing-relay") == set()
