"""tools/differential.py: its variations are the same everywhere; what counts as a difference."""

import numpy as onp

from tests import cases, golden_store
from tests.replay import Array
from tools import differential, not_compared, variations
from tools.record_golden import Outcome


def outcome(value, **more):
    case = cases.S("sum", (2, 3))
    result = {"out": [Array("nd", onp.array(value, "float32"))]}
    return Outcome({**golden_store.case_line(case, result), **more}, "")


def raised(*names):
    return Outcome({"id": "x", "error": [*names, "Exception"]}, f"{names[0]}: no")


def kind(ours, theirs):
    found = differential.difference(cases.S("sum", (2, 3)), ours, theirs)
    return found and found.kind


def test_variations_depend_on_seed_and_names_alone():
    first = [case.id for case in variations.variations(["sum", "take"], 3, 20)]
    assert first == [case.id for case in variations.variations(["sum", "take"], 3, 20)]
    assert first != [case.id for case in variations.variations(["sum", "take"], 4, 20)]
    assert len(set(first)) == len(first) > 30


def test_what_differs():
    assert kind(outcome([1, 2]), outcome([1, 2])) is None
    assert kind(outcome([1, 2]), outcome([1, 3])) == "value"
    assert kind(outcome([1, 2]), outcome([[1, 2]])) == "value shape"
    assert kind(outcome([1]), raised("MXNetError")) == "MXNet raises"
    assert kind(raised("MXNetError"), outcome([1])) == "we raise"
    assert kind(raised("MXNetValueError", "MXNetError"), raised("MXNetError")) is None
    assert kind(raised("KeyError"), raised("MXNetError")) == "other class"
    assert kind(Outcome(None, "exit -11"), outcome([1])) == "we crash"


def test_what_is_not_counted_has_a_reason():
    text = "gradient add mean(2x3) | gradient of input 0: 6 of 6 differ"
    assert "add" in not_compared.why_not("mean", text)
    assert not not_compared.why_not("sum", text)
    assert all(why for *_, why in not_compared.ROWS)


def test_snippets_of_a_file(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("## one\nout.append(1)\n\n## two\nout.append(2)\n")
    assert [case.id for case in variations.variations([str(path)], 0, 1)] == ["one", "two"]
