"""A Symbol's inferred shapes are those that MXNet infers, and those that running gives."""

import pytest

import mxtorch as mx
from tests import recorded, surfaces


def infers(line):
    """Whether MXNet itself can: not where the shape depends on the values."""
    return "symbol" in line.get("as", ()) and line.get("infers", True)


@pytest.mark.parametrize(("row", "line"), recorded.params_where(infers))
def test_output_shapes(row, line):
    with mx.name.NameManager():
        assert surfaces.output_shapes(mx, row) == [array["s"] for array in line["out"]]


@pytest.mark.filterwarnings("ignore:Cannot decide shape")
@pytest.mark.parametrize(("row", "line"), recorded.params_where(lambda line: "infer" in line))
def test_missing_inputs(row, line):
    """Shapes of weights, biases and states follow from the data's; so do their names."""
    assert surfaces.inferred(mx, row) == line["infer"]
