"""Model files of MXNet to PyTorch: what the command and programs call."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._deploy.export import SymbolModule
from mxtorch._deploy.model import Dims, Model, load_model, make_model, read_arrays
from mxtorch.convert.blocks import load_block
from mxtorch.convert.write import Progress, Report, write_model
from mxtorch.symbol import Symbol, load

Path = str | os.PathLike[str]


def as_module(symbol: Path, params: Path, outputs: Sequence[str] = ()) -> SymbolModule:
    """The model of a symbol file and its weights as a torch module, in eval mode.

    `forward` takes the inputs in the order of its `inputs`. Raises MXNetError for damaged files
    and missing weights.
    """
    return _module(load_model(symbol, params, outputs))


def _module(model: Model) -> SymbolModule:
    module = SymbolModule(model).eval()
    assert isinstance(module, SymbolModule)
    return module


def convert(
    model: Any,
    params: Any = None,
    *,
    block: Any = None,
    outputs: Sequence[str] = (),
    dtype: torch.dtype | None = None,
) -> SymbolModule:
    """A model as a torch module, in eval mode; `forward` takes the inputs in the order of `inputs`.

    `model`: a symbol file, a Symbol, a Gluon `.params` file (with `block=`, a HybridBlock or as in
    `--block`, if it is not of the model zoo), or a folder with one model. `params`: the weights, as
    a file or a dictionary of arrays; by default the newest file beside the graph. `outputs` names
    nodes to end at; `dtype`, a torch.dtype, is given to the weights. Raises MXNetError for files
    that are not there or damaged, and for weights that are missing or do not fit.
    """
    if not isinstance(model, Symbol) and isinstance(params, (Mapping, list, tuple)):
        model = load(os.fspath(model))
    if isinstance(model, Symbol):
        if params is None:
            raise MXNetValueError("a Symbol has no weights with it: give params=")
        return _module(make_model(model._outputs, _tensors(params), outputs, dtype))
    symbol, weights = find_model(pathlib.Path(model), params)
    if symbol is None:
        return _module(load_block(weights, block, (), outputs, dtype))
    return _module(load_model(symbol, weights, outputs, dtype))


def _tensors(params: Any) -> dict[str, Tensor]:
    if isinstance(params, Mapping):
        arrays = {name: getattr(value, "storage", None) for name, value in params.items()}
        return {n: s() if s is not None else torch.as_tensor(params[n]) for n, s in arrays.items()}
    if isinstance(params, (list, tuple)):
        return {name: value for part in params for name, value in _tensors(part).items()}
    return read_arrays(params)


def convert_symbol(
    symbol: Path,
    params: Path,
    targets: Sequence[Path],
    *,
    shapes: Mapping[str, Dims] | None = None,
    outputs: Sequence[str] = (),
    check: bool = False,
    dtype: torch.dtype | None = None,
    types: Mapping[str, torch.dtype] | None = None,
    data: Sequence[Mapping[str, Tensor]] = (),
    progress: Progress | None = None,
) -> Report:
    """Write a model in each form that the names of `targets` ask for.

    `.safetensors`: weights under MXNet's names; `.py`: source, with its weights beside it; `.pt2`:
    a torch.export program; `.onnx`. `shapes` are those of the inputs, with a batch size; all but
    `.safetensors` need them; `types` those that do not follow from the weights'. `check` runs what
    was written beside the graph, on random inputs and on those of `data`.
    """
    model = load_model(symbol, params, outputs, dtype)
    model.give_types(types or {})
    return write_model(
        model,
        targets,
        shapes=shapes,
        check=check,
        data=data,
        progress=progress,
        sources=(symbol, params),
    )


def find_model(
    path: pathlib.Path, params: Path | None = None
) -> tuple[pathlib.Path | None, pathlib.Path]:
    """The symbol file (None: a Gluon `.params`) and the weights of a file or a folder."""
    if path.is_dir():
        symbols, weights = sorted(path.glob("*-symbol.json")), sorted(path.glob("*.params"))
        if len(symbols) == 1:
            path = symbols[0]
        elif not symbols and len(weights) == 1:
            path = weights[0]
        else:
            names = ", ".join(p.name for p in [*symbols, *weights][:8]) or "no model"
            raise MXNetError(f"{path}: has {names}; name the file that you want")
    for given in (path, params):
        if given is not None and not os.path.exists(given):
            raise MXNetError(f"{os.fspath(given)}: there is no such file")
    if path.suffix == ".json":
        return path, pathlib.Path(params) if params is not None else find_params(path)
    return None, path


def find_params(symbol: pathlib.Path) -> pathlib.Path:
    """The weights beside `X-symbol.json`: `X-NNNN.params` with the highest number."""
    stem = symbol.name.removesuffix("-symbol.json")
    found = sorted(symbol.parent.glob(f"{stem}-[0-9]*.params"))
    if stem == symbol.name or not found:
        raise MXNetError(f"{symbol}: there are no weights {stem}-0000.params beside it; name them")
    return found[-1]
