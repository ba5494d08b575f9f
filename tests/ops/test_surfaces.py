"""An operator is one thing, however it is called: nd, sym (through JSON), method, help."""

import inspect
import json
import pydoc

import pytest

import mxtorch as mx
from mxtorch._core.op import lookup
from tests import recorded, replay, surfaces
from tests.cases import TESTS


def rows_as(surface):
    return recorded.params_where(lambda line: surface in line.get("as", ()))


@pytest.mark.parametrize(("row", "line"), rows_as("symbol"))
def test_symbol(row, line):
    surfaces.check(mx, row, line, "symbol")


@pytest.mark.parametrize(("row", "line"), rows_as("method"))
def test_method(row, line):
    surfaces.check(mx, row, line, "method")


def recorded_operators():
    """(operator, parameter names) of MXNet's that are registered here."""
    text = (TESTS / "golden" / "api" / "operators.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()[1:]]
    sampled = {case.op for _, case, _ in recorded.recorded(recorded.cases.S)}
    for record in records:
        for name in [record["name"], *record.get("aliases", [])]:
            if name in sampled and lookup(name) is not None:
                yield pytest.param(name, [p[0] for p in record["params"]], id=name)


@pytest.mark.parametrize(("name", "parameters"), list(recorded_operators()))
def test_help_shows_parameters(name, parameters):
    for space in (mx.nd, mx.sym):
        function = replay.lookup(space, name)
        shown = inspect.signature(function).parameters
        text = pydoc.render_doc(function)
        # the count of a variadic operator's arrays is found, not passed
        missing = [p for p in parameters if p not in shown and p != "num_args"]
        assert not missing
        assert function.__name__ in text
        assert function.__doc__
