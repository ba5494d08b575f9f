"""A Symbol's inferred shapes are those that MXNet infers, and those that running gives."""

import pytest

import mxtorch as mx
from tests import recorded, surfaces


@pytest.mark.parametrize(
    ("row", "line"), recorded.params_where(lambda line: "symbol" in line.get("as", ()))
)
def test_output_shapes(row, line):
    with mx.name.NameManager():
        assert surfaces.output_shapes(mx, row) == [array["s"] for array in line["out"]]


@pytest.mark.parametrize(("row", "line"), recorded.params_where(lambda line: "infer" in line))
def test_missing_inputs(row, line):
    """Shapes of weights, biases and states follow from the data's; so do their names."""
    assert surfaces.inferred(mx, row) == line["infer"]
