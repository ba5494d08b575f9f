"""Gluon's `.params` files: the block that they belong to, and its graph."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from mxtorch import symbol
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._deploy.model import Dims, Model, make_model, read_arrays
from mxtorch.gluon import HybridBlock
from mxtorch.gluon.model_zoo.vision import get_model
from mxtorch.gluon.model_zoo.vision._names import _MODELS


def load_block(
    params: str | os.PathLike[str],
    block: str | HybridBlock | None = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    dtype: Any = None,
) -> Model:
    """The model of a Gluon `.params` file.

    `block`: a block, `package.module:function(args)` that makes one, or a name of the model zoo; by
    default the zoo's net whose parameters the file has. `inputs` are the names of its inputs.
    """
    arrays = read_arrays(params)
    made = block if isinstance(block, HybridBlock) else _make(block, arrays, params)
    known = _assign(made, arrays, f"{os.fspath(params)}: is not of {_told(block, made)}")
    result = made(*(symbol.Variable(name) for name in inputs or ("data",)))
    if isinstance(result, (list, tuple)):
        result = symbol.Group(_flat(result))
    fixed = [p.name for p in made.collect_params().values() if p.grad_req == "null"]
    return make_model(result._outputs, known, outputs, dtype, fixed)


def _told(block: str | HybridBlock | None, made: HybridBlock) -> str:
    return f"the block {block}" if isinstance(block, str) else f"this {type(made).__name__}"


def _own(net: HybridBlock, structural: bool) -> dict[str, Any]:
    """The block's parameters under the kind of name that a file has."""
    if structural:
        found: dict[str, Any] = net._collect_params_with_prefix()
        return found
    return {p.name.removeprefix(net.prefix): p for p in net.collect_params().values()}


def _plain(arrays: Mapping[str, Tensor], own: Mapping[str, Any]) -> dict[str, Tensor]:
    """The arrays without `arg:`, `aux:` and the prefix that the net had when they were saved."""
    if any("." in name for name in arrays) or arrays.keys() <= own.keys():
        return dict(arrays)
    plain = {n.partition(":")[2] if n[:4] in ("arg:", "aux:") else n: v for n, v in arrays.items()}
    if plain.keys() <= own.keys():
        return plain
    return {name.partition("_")[2]: value for name, value in plain.items()}


def _assign(net: HybridBlock, arrays: Mapping[str, Tensor], wrong: str) -> dict[str, Tensor]:
    """The arrays under the names of the block's variables."""
    own = _own(net, any("." in name for name in arrays))
    given = _plain(arrays, own)
    found: dict[str, Tensor] = {}
    for name, parameter in own.items():
        if name not in given:
            continue  # a shared one is there under its other name
        if not _fits(parameter.shape, given[name]):
            shape = tuple(given[name].shape)
            raise MXNetError(f"{wrong}: {name!r} has shape {shape}, not {parameter.shape}")
        found[parameter.name] = given[name]
    missing = [name for name, p in own.items() if p.name not in found]
    extra = [name for name in given if name not in own]
    if missing or extra:
        what = f"it lacks {missing[0]!r}" if missing else f"it has {extra[0]!r} too"
        both = f" and has {extra[0]!r}" if missing and extra else ""
        raise MXNetError(
            f"{wrong}: {what}{both}; the file's names begin with {next(iter(given))!r}"
        )
    return found


def _flat(results: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for result in results:
        found += _flat(result) if isinstance(result, (list, tuple)) else [result]
    return found


def _make(
    spec: str | None, arrays: Mapping[str, Tensor], params: str | os.PathLike[str]
) -> HybridBlock:
    if spec is None:
        return guess(arrays, os.fspath(params))
    if ":" in spec:
        made = _call(spec)
    elif spec.lower() in _MODELS:
        made = _zoo(spec.lower(), arrays)
    else:
        raise MXNetValueError(
            f"--block {spec}: is neither a name of the model zoo nor package.module:function(args)"
        )
    if not isinstance(made, HybridBlock):
        raise MXNetError(
            f"--block {spec}: gives a {type(made).__name__}, which has no graph; a HybridBlock "
            "is needed"
        )
    return made


def _call(spec: str) -> Any:
    """What `package.module:function(args)` gives; the arguments are literals."""
    module_name, _, text = spec.partition(":")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise MXNetValueError(f"--block {spec}: {error.msg}") from error
    function = tree.func if isinstance(tree, ast.Call) else tree
    try:
        arguments = [ast.literal_eval(a) for a in getattr(tree, "args", [])]
        keywords = {k.arg or "": ast.literal_eval(k.value) for k in getattr(tree, "keywords", [])}
    except ValueError as error:
        raise MXNetValueError(f"--block {spec}: arguments must be literals") from error
    found = import_own(module_name, f"--block {spec}")
    try:
        for name in ast.unparse(function).split("."):
            found = getattr(found, name)
    except AttributeError as error:
        raise MXNetError(f"--block {spec}: {error}") from error
    return found(*arguments, **keywords)


def search_here() -> None:
    """Let modules of the current folder be found, as `python -m` does."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def import_own(module: str, where: str) -> Any:
    """A module of the user's, also from the folder that is the current one."""
    search_here()
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MXNetError(f"{where}: {error}") from error


def _classes(arrays: Mapping[str, Tensor]) -> int:
    """The number of classes: the last bias or weight, in the order of the file."""
    last = [v for n, v in arrays.items() if n.endswith(("weight", "bias"))]
    return int(last[-1].shape[0]) if last else 1000


def _zoo(name: str, arrays: Mapping[str, Tensor]) -> HybridBlock:
    classes = {"classes": _classes(arrays)} if arrays else {}
    return get_model(name, **classes)


def guess(arrays: Mapping[str, Tensor], origin: str) -> HybridBlock:
    """The zoo's net that has the parameters of a file; MXNetError if none has."""
    structural = any("." in name for name in arrays)
    for name in _MODELS:
        net = _zoo(name, arrays)
        own = _own(net, structural)
        given = _plain(arrays, own)
        if own.keys() == given.keys() and all(
            _fits(parameter.shape, given[key]) for key, parameter in own.items()
        ):
            return net
    if any(name.startswith(("arg:", "aux:")) for name in arrays):
        raise MXNetError(
            f"{origin}: is of a graph, as export() and checkpoints write it; give its -symbol.json "
            "too"
        )
    raise MXNetError(
        f"{origin}: has the parameters of no net of the model zoo; say which block it is of, with "
        "--block package.module:function(args)"
    )


def _fits(shape: Dims | None, array: Tensor) -> bool:
    """Whether a shape with unknown lengths 0 can be that of the array."""
    if not shape:
        return True
    pairs = zip(shape, array.shape, strict=False)
    return len(shape) == array.ndim and all(a in (0, b) for a, b in pairs)
