"""The recorder: cases, what is stale, crashes and hangs; and the golden files as committed."""

import json
import sys
import textwrap

import numpy as onp
import pytest

from tests import cases, golden_store
from tests.cases import A, C, I, S, V
from tools import record_golden

MEGABYTES = 60


def test_ids_are_readable():
    row = S("sum", (2, 3), A((), "float16"), I((4,), 0, 9), None, axis=(0, 1), keepdims=True)
    assert row.id == "sum(2x3,scalar:float16,4:int32[0:9),None,axis=(0,1),keepdims=True)"
    assert S("max", V([1, 2]), train=False).id == "max([1.0,2.0],predict)"
    assert S("sum", (2,), id="mine").id == "mine"


def test_hash_follows_what_is_run():
    plain = S("sum", (2, 3), axis=1)
    assert plain.hash == S("sum", (2, 3), axis=1, xfail="later").hash
    others = [S("sum", (2, 3), axis=0), S("sum", (2, 4), axis=1), S("mean", (2, 3), axis=1)]
    others += [S("sum", (2, 3), axis=1, grad=False), S("sum", A((2, 3), hi=2.0), axis=1)]
    assert plain.hash not in {other.hash for other in others}
    assert C("a", "x = 1").hash == C("b", "\n    x = 1\n").hash


def test_inputs_are_reproducible_and_apart():
    row = S("f", (50, 40), A((9,), "float64", 2, 3), I((1000,), 0, 3))
    first, second = row.values(), row.values()
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    values = onp.sort(first[0].reshape(-1))
    assert onp.diff(values).min() > 0.5 * 2 / 2000
    assert abs(values).min() > 1e-5
    assert (first[1] >= 2).all() and (first[1] <= 3).all()
    assert set(first[2]) == {0, 1, 2}
    assert (S("f", (2, 3)).values()[0] != S("f", (2, 3), axis=1).values()[0]).all()


def test_a_wider_tolerance_needs_a_reason():
    with pytest.raises(ValueError, match="needs why="):
        S("sum", (2,), tol=1e-3)
    with pytest.raises(ValueError, match="is none of"):
        C("a", "", cls="close")


def test_two_equal_rows_are_refused(monkeypatch):
    from tests.ops.samples import reduce

    monkeypatch.setattr(reduce, "ROWS", [S("sum", (2, 3)), S("sum", (2, 3))])
    with pytest.raises(ValueError, match="two cases have the id"):
        cases.load("ops/reduce")


def test_one_row_gives_three_samples(monkeypatch):
    from tests.ops.samples import reduce

    row = S("brand_new", (2, 3), I((2,), 0, 3, "float32"), V([0.5]), axis=1, cls="ulp", grad=False)
    refused = S("brand_new", (2,), raises="MXNetError")
    monkeypatch.setattr(reduce, "ROWS", [refused, row, S("summed", (2, 3)), S("summed", (3, 3))])
    cases.derived.cache_clear()
    try:
        found = cases.load("ops/reduce")
    finally:
        cases.derived.cache_clear()
    double, others, once = (case for case in found if case.derived)
    assert [case.id.replace(row.id, "") for case in (double, others)] == ["~float64", "~others"]
    assert once.id.startswith("summed") and once.id.endswith("~float64")
    for case in (double, others):
        assert (case.op, case.attrs, case.cls, case.grad) == (row.op, row.attrs, "ulp", False)
        assert case.values()[0].shape == (2, 3)
        assert (case.values()[0] != row.values()[0]).all()
    assert {x.dtype.name for x in double.values()} == {"float64"}
    assert {x.dtype.name for x in others.values()} == {"float32"}


WORKER = """
    import json, os, sys, time
    ids = json.load(sys.stdin)
    with open(sys.argv[1], "a") as out:
        for id in ids:
            print(json.dumps({"start": id}), file=out, flush=True)
            if id == "crash" or id == "spoiled" and len(ids) > 1:
                os.abort()
            if id == "hang":
                time.sleep(60)
            print(json.dumps({"done": {"id": id}, "message": ""}), file=out, flush=True)
"""


def test_a_crash_or_a_hang_costs_one_case(tmp_path):
    worker = tmp_path / "worker.py"
    worker.write_text(textwrap.dedent(WORKER))
    ids = ["a", "crash", "b", "hang", "spoiled", "c"]
    found = record_golden.run_cases([sys.executable, str(worker)], ids, {}, timeout=2.0)
    assert set(found) == set(ids)
    assert {id for id, outcome in found.items() if outcome.line} == {"a", "b", "spoiled", "c"}
    assert found["crash"].message.startswith("lost: exit -6")
    assert found["hang"].message == "lost: no answer for 2 s"


ERROR = {"id": "x", "error": "ValueError"}


@pytest.mark.parametrize(
    ("case", "line", "refused"),
    [
        (S("f", (2,)), {"id": "x"}, False),
        (S("f", (2,)), ERROR, True),
        (S("f", (2,), raises="ValueError"), ERROR, False),
        (S("f", (2,), raises="MXNetError"), ERROR, True),
        (S("f", (2,), raises="MXNetError"), {"id": "x"}, True),
        (C("x", ""), ERROR, False),
        (C("x", ""), ERROR | {"error": "NameError"}, True),
        (C("x", "", raises="MXNetError"), ERROR, True),
        (C("x", ""), None, True),
    ],
)
def test_what_may_be_recorded(case, line, refused):
    outcome = record_golden.Outcome(line, "what MXNet said")
    assert bool(record_golden.refusal(case, outcome)) == refused


def test_families_by_name_or_file():
    assert record_golden.is_meant("ops/reduce", "reduce")
    assert record_golden.is_meant("ops/reduce", "ops/reduce")
    assert record_golden.is_meant("ops/reduce", "tests/ops/samples/reduce.py")
    assert record_golden.is_meant("gluon/dropout", "tests/gluon/cases_dropout.py")
    assert not record_golden.is_meant("gluon/dropout", "tests/ops/samples/dropout.py")


@pytest.mark.parametrize("name", cases.names())
def test_golden_file_is_up_to_date(name):
    family = golden_store.Family.read(cases.golden_path(name))
    assert golden_store.is_fresh(cases.load(name), family), f"tools/record_golden.py {name}"


def test_every_golden_file_has_its_cases():
    known = {cases.golden_path(name) for name in cases.names()}
    files = (cases.TESTS / "golden").rglob("*.jsonl")
    heads = {path: path.read_text(encoding="utf-8").partition("\n")[0] for path in files}
    recorded = {p for p, head in heads.items() if json.loads(head)["format"] == golden_store.FORMAT}
    assert recorded == known


def test_golden_files_stay_small():
    size = sum(p.stat().st_size for p in (cases.TESTS / "golden").rglob("*") if p.is_file())
    assert size < MEGABYTES * 2**20
