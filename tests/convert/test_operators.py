"""Every recorded operator as PyTorch source: it computes what MXNet did, and ruff is content."""

import itertools
import runpy

import pytest
import torch

import mxtorch as mx
from mxtorch._core.errors import NotSupportedError
from mxtorch._deploy.model import make_model
from mxtorch.convert.layers import LAYERS
from mxtorch.convert.source import write_source
from tests import golden_store, recorded, replay, surfaces
from tests.cases import S
from tests.convert import alone

# What has no source: random operators, and those that look at the program that runs them.
WITHOUT = ("random", "sample", "shuffle", "all_finite", "Dropout", "SyncBatchNorm")
pytestmark = pytest.mark.filterwarnings("ignore:LSTM with projections")  # torch's, of its speed


def rows():
    """The rows by family that are recorded as symbols, in prediction."""
    for family, row, line in recorded.recorded(S):
        if not line or "error" in line or "symbol" not in line.get("as", ()):
            continue
        if row.xfail or row.env or row.op == "np.linalg.det":
            continue  # one number has the shape () or (1,): the program says which, not the graph
        training = any(a.name == "training" for a in operator_of(row).ambient.values())
        if not (row.train and training):
            yield family, row, line


def operator_of(row):
    with replay.fresh_state(mx):
        return surfaces.symbol_of(mx, row, row.values())._outputs[0][0].operator()


FAMILIES = {name: list(found) for name, found in itertools.groupby(rows(), lambda r: r[0])}


def computed(row, path):
    """The outputs of the row's source; what has weights has them as weights."""
    with replay.fresh_state(mx):
        values = row.values()
        heads = surfaces.symbol_of(mx, row, values)._outputs
    arrays = {f"x{i}": torch.from_numpy(v.copy()) for i, v in enumerate(values) if v is not None}
    layer = heads[0][0].operator().fill is not None
    model = make_model(heads, {k: v for k, v in arrays.items() if layer and k != "x0"})
    given = {name: arrays[name] for name in model.inputs}
    model.give_types({name: value.dtype for name, value in given.items()})
    source = write_source(model, {name: tuple(v.shape) for name, v in given.items()})
    path.write_text(source.text)
    net = runpy.run_path(str(path))["Net"]()
    net.load_state_dict(source.state, assign=True)
    with torch.no_grad():
        results = net.eval()(*given.values())
    results = (results,) if isinstance(results, torch.Tensor) else results
    return [replay.Array("mxnp" if row.is_np else "nd", r.numpy()) for r in results]


def check(found, folder):
    wrong = []
    for number, (_, row, line) in enumerate(found):
        try:
            outputs = computed(row, folder / f"row{number}.py")
            golden_store.compare(outputs, line["out"], row.cls, row.tol, "out")
        except NotSupportedError as error:
            if not any(part in row.op for part in WITHOUT):
                wrong.append(f"{row.id}: {error}")
        except (golden_store.Mismatch, RuntimeError, TypeError, ValueError) as error:
            wrong.append(f"{row.id}: {error}")
    assert not wrong, "\n".join(wrong)
    alone.ruff(folder)


@pytest.mark.full
@pytest.mark.parametrize("family", FAMILIES)
def test_rows_as_source(family, tmp_path):
    check(FAMILIES[family], tmp_path)


@pytest.mark.parametrize("part", range(4))
def test_layers_and_calls(part, tmp_path):
    """Operators that are torch's own layers and calls in source: the other bodies are copies."""
    every = [r for found in FAMILIES.values() for r in found if operator_of(r[1]).name in LAYERS]
    check(every[part::4], tmp_path)
