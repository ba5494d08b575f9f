"""What the expressions of a program are while it runs: the facts for its port.

The program's own files are compiled with their expressions wrapped, `x` in `see(17, x)`.
"""

from __future__ import annotations

import ast
import builtins
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from mxtorch._core.device import Context
from mxtorch._core.homes import defined_in
from mxtorch.gluon.block import Block
from mxtorch.ndarray import NDArray
from mxtorch.port.facts import Facts, FileFacts, Layer, Place, Seen, digest, merged_shape, place_of
from mxtorch.port.tree import read

_SEE = "__mxtorch_see__"
# A place with more kinds of values than this is not followed any further.
_MOST = 64


class _Wrapper(ast.NodeTransformer):
    """Wraps the expressions of a file; `places` and `made` grow with them."""

    def __init__(self, sight: Sight, path: str) -> None:
        self.sight, self.path = sight, path

    def visit(self, node: ast.AST) -> Any:
        """The node with what is below it wrapped."""
        if isinstance(node, ast.Call):
            return self._wrap(node, self._call(node))
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            self.generic_visit(node)
            return self._wrap(node, node) if isinstance(node.ctx, ast.Load) else node
        if isinstance(node, ast.ClassDef):
            node.body = [self.visit(s) for s in node.body]
            return node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.body = [self.visit(s) for s in node.body]
            node.args = self.visit_defaults(node.args)
            return node
        if isinstance(node, ast.AnnAssign):
            node.value = self.visit(node.value) if node.value is not None else None
            return node
        if isinstance(node, ast.pattern):
            return node
        return self.generic_visit(node)

    def visit_defaults(self, args: ast.arguments) -> ast.arguments:
        """The arguments of a function with their defaults wrapped, not their annotations."""
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [d if d is None else self.visit(d) for d in args.kw_defaults]
        return args

    def _call(self, node: ast.Call) -> ast.Call:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        else:
            node.func = self._wrap(node.func, node.func) if node.func.id != "super" else node.func
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def _wrap(self, node: ast.expr, whole: ast.expr) -> ast.expr:
        number = len(self.sight.places)
        self.sight.places.append((self.path, place_of(node), isinstance(node, ast.Call)))
        self.sight.seen.append({})
        see = ast.Name(_SEE, ast.Load())
        made = ast.Call(see, [ast.Constant(number), whole], [])
        for new in (see, made, made.args[0]):
            ast.copy_location(new, node)
        return made


class Sight:
    """Sees the values in the files below a folder."""

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self.places: list[tuple[str, Place, bool]] = []
        self.seen: list[dict[Any, Seen | None]] = []
        self.digests: dict[str, str] = {}
        self._makers: dict[int, tuple[Any, int]] = {}
        self._inputs: dict[int, tuple[int, ...] | None] = {}
        self._finder = _Finder(self)

    def start(self) -> None:
        """Look at modules that are imported from now on."""
        vars(builtins)[_SEE] = self.see
        sys.meta_path.insert(0, self._finder)

    def is_own(self, path: str | None) -> bool:
        """Whether a file is the program's."""
        return bool(path) and os.path.realpath(str(path)).startswith(os.path.join(self.root, ""))

    def compile(self, path: str) -> CodeType:
        """The code of a file, its expressions wrapped; raises as `compile` does."""
        text, _, _ = read(Path(path))
        name = Path(os.path.relpath(os.path.realpath(path), self.root)).as_posix()
        tree = ast.parse(text, path)
        self.digests[name] = digest(text)
        tree = _Wrapper(self, name).visit(tree)
        return compile(tree, path, "exec", dont_inherit=True)

    # at run time ---------------------------------------------------------------------------------

    def see(self, number: int, value: Any) -> Any:
        """Take notice of a value; gives it back."""
        known = self.seen[number]
        cls = value.__class__
        if cls in known:
            return value
        key: Any = cls
        if isinstance(value, (NDArray, np.ndarray)):
            key = cls, tuple(value.shape), value.dtype
            if key in known:
                return value
        elif isinstance(value, tuple):
            key = cls, all(type(v) is int for v in value)
        elif isinstance(value, Block):
            key = (cls,)  # not the class alone: a call may make many
            if self.places[number][2]:
                self._makers.setdefault(id(value), (value, number))
        if len(known) < _MOST:
            known[key] = _describe(value)
        return value

    def fed(self, block: Any, args: Sequence[Any]) -> None:
        """A layer is called: what its input is."""
        if id(block) not in self._makers or not args or not isinstance(args[0], NDArray):
            return
        shape = tuple(args[0].shape)
        known = self._inputs.get(id(block), shape)
        self._inputs[id(block)] = shape if known == shape else merged_shape(known, shape)  # type: ignore[assignment]

    # the result ----------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """All that was seen."""
        found = Facts({path: FileFacts(text) for path, text in self.digests.items()})
        for (path, place, _), seen in zip(self.places, self.seen, strict=True):
            for value in seen.values():
                if value is not None:
                    found.files[path].see(place, value)
        for block, number in self._makers.values():
            path, place, _ = self.places[number]
            layer = self._layer(block)
            if layer is not None:
                found.files[path].learn(place, layer)
        return found

    def _layer(self, block: Any) -> Layer | None:
        if id(block) not in self._inputs:
            return None
        shape = self._inputs[id(block)]
        flattens = bool(getattr(block, "_flatten", False)) and shape is not None and len(shape) > 2
        return Layer(tuple(_sizes(block)), shape, flattens)


class _Finder:
    """Finds modules as Python does; the program's own are compiled with their values in sight."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The spec of one of the program's modules, None for any other."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        if not self.sight.is_own(spec.origin):
            return None
        spec.loader = _Loader(name, str(spec.origin), self.sight)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, sight: Sight) -> None:
        super().__init__(name, path)
        self.sight = sight

    def get_code(self, fullname: str) -> CodeType:
        """The code with its values in sight, never from a cache."""
        return self.sight.compile(self.path)


_PLAIN: tuple[tuple[Any, str], ...] = (
    (np.ndarray, "numpy"),
    ((bool, int, float, np.generic), "scalar"),
    (str, "text"),
    (type(None), "none"),
    (Context, "device"),
    (np.dtype, "dtype"),
    (list, "list"),
    (dict, "dict"),
)
_SKIPPED = (ModuleType, FunctionType, type(len), type)


def _describe(value: Any) -> Seen | None:
    if isinstance(value, NDArray):
        shape = tuple(value.shape)
        return Seen(("array",), shape, np.dtype(value.dtype).name)
    if isinstance(value, type) and issubclass(value, np.generic):
        return Seen(("dtype",))
    if isinstance(value, _SKIPPED):
        return None
    for cls, kind in _PLAIN:
        if isinstance(value, cls):
            return Seen((kind,), *_shape_of(value))
    if isinstance(value, tuple):
        is_shape = bool(value) and all(type(v) is int for v in value)
        return Seen(("shape" if is_shape else "tuple",))
    return Seen(("instance",), cls=_class_name(type(value)))


def _shape_of(value: Any) -> tuple[Any, ...]:
    return (tuple(value.shape), value.dtype.name) if isinstance(value, np.ndarray) else ()


def _class_name(cls: type) -> str:
    """MXNet's dotted name of a class, as the port knows it; otherwise its own name."""
    module = defined_in(cls)
    if not module.startswith("mxtorch."):
        return cls.__name__
    parts = module.split(".")
    for end in range(2, len(parts) + 1):
        owner = sys.modules.get(".".join(parts[:end]))
        if getattr(owner, cls.__name__, None) is cls:
            return ".".join(["mx", *parts[1:end], cls.__name__])
    return ".".join(["mx", *parts[1:], cls.__name__])


def _sizes(block: Any) -> list[tuple[str, int | None]]:
    own: dict[str, Any] = block._reg_params
    kind = type(block).__name__
    weight, gamma = own.get("weight"), own.get("gamma")
    if weight is not None and weight.shape is not None:
        shape = tuple(weight.shape)
        if len(shape) == 2 and "Embedding" not in kind:
            return [("in_units", shape[1])]
        if len(shape) > 2:
            groups = int(getattr(block, "_kwargs", {}).get("num_group", 1))
            is_transposed = "Transpose" in kind
            return [("in_channels", shape[0] if is_transposed else shape[1] * groups)]
    if gamma is not None and gamma.shape is not None:
        return [("in_channels", int(gamma.shape[0]))]
    first = next((p for n, p in own.items() if n.endswith("l0_i2h_weight")), None)
    if first is None:
        first = own.get("i2h_weight")
    if first is not None and first.shape is not None:
        return [("input_size", int(first.shape[1]))]
    return []
