"""Operators' bodies, copied with all that they call, for files that do without mxtorch."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import math
import re
import sys
import types
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from mxtorch._core.env import Variable
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch._core.homes import defined_in
from mxtorch._core.modes import Modes
from mxtorch._core.pending import Function
from mxtorch._ops._gradients import without_slope
from mxtorch.convert.folding import Folding
from mxtorch.convert.syntax import function_of, lift, method, name_of
from mxtorch.convert.tidy import drop_unread

_OWN = "mxtorch."
# Modules that a file imports, by the object: what it writes, and the line that brings it.
_MODULES = {
    torch: ("torch", "import torch"),
    torch.nn: ("nn", "from torch import nn"),
    functional: ("F", "from torch.nn import functional as F"),
    math: ("math", "import math"),
    np: ("np", "import numpy as np"),
    functools: ("functools", "import functools"),
}
_HOMES = (torch, functional, math, torch.special, torch.linalg, torch.fft, torch.Tensor)
_PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype)


class Bodies:
    """The functions and classes that a file has copied, in an order in which they can stand."""

    def __init__(self, taken: set[str], is_numpy: bool = False) -> None:
        self.is_numpy = is_numpy
        self.statements: list[ast.stmt] = []
        self.imports: set[str] = set()
        self._taken = taken
        self._names: dict[int, ast.expr] = {}
        self._alive: list[Any] = []  # ids in _names stay those of these
        self._here: list[str] = []

    def function(self, body: Any, wish: str) -> ast.expr:
        """An expression for an operator's body."""
        self._here = [wish]
        return self._value(body, wish)

    def define(self, wish: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.expr:
        """An expression for a function that is written here."""
        name = self._fresh(re.sub(r"\W|^(?=\d)", "_", wish, flags=re.ASCII))
        self.statements.append(function_of(name, parameters, body))
        return name_of(name)

    def _value(self, value: Any, wish: str) -> ast.expr:
        if isinstance(value, _PLAIN):
            return lift(value)
        if value is Function:  # a file has nothing that is pending
            value = torch.autograd.Function
        if id(value) in self._names:
            return self._names[id(value)]
        found = self._imported(value)
        if found is None:
            found = self._copied(value, wish)
        self._names[id(value)] = found
        self._alive.append(value)
        return found

    def _imported(self, value: Any) -> ast.expr | None:
        """What torch, Python or its library has."""
        if value is Function:  # it only adds what contexts of MXNet need
            self.imports.add("import torch")
            return ast.parse("torch.autograd.Function", mode="eval").body
        if isinstance(value, types.ModuleType):
            if value in _MODULES:
                text, line = _MODULES[value]
                self.imports.add(line)
                return name_of(text)
            if not value.__name__.startswith(_OWN):
                self.imports.add(f"import {value.__name__}")
                return ast.parse(value.__name__, mode="eval").body
            raise self._refused(f"the module {value.__name__}")
        name = getattr(value, "__name__", None)
        if name and getattr(builtins, name, None) is value:
            return name_of(name)
        for home in _HOMES:
            if name and getattr(home, name, None) is value:
                owner = self._owner(home)
                return ast.Attribute(owner, name, ast.Load())
        module = _module_of(value)
        if name and isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            place = sys.modules.get(module)
            if not module.startswith(_OWN) and getattr(place, name, None) is value:
                self.imports.add(f"from {module} import {name}")
                return name_of(name)
        return None

    def _owner(self, home: Any) -> ast.expr:
        if isinstance(home, type):
            self.imports.add("import torch")
            return ast.parse("torch.Tensor", mode="eval").body
        if home in _MODULES:
            text, line = _MODULES[home]
            self.imports.add(line)
            return name_of(text)
        self.imports.add("import torch")
        return ast.parse(home.__name__, mode="eval").body

    def _copied(self, value: Any, wish: str) -> ast.expr:
        if isinstance(value, functools.partial):
            self.imports.add("import functools")
            function = self._value(value.func, wish)
            arguments = [self._value(a, wish) for a in value.args]
            keywords = [ast.keyword(k, self._value(v, k)) for k, v in value.keywords.items()]
            maker = ast.parse("functools.partial", mode="eval").body
            return ast.Call(maker, [function, *arguments], keywords)
        if isinstance(value, (tuple, list, set, frozenset, dict)):
            return self._container(value, wish)
        wrapped = getattr(value, "__wrapped__", None)
        if wrapped is not None:  # a function with decorators, which its definition names
            return self._value(wrapped, wish)
        if isinstance(value, types.FunctionType):
            return self._function(value, wish)
        if isinstance(value, type) and issubclass(value, MXNetError):
            plain = (Exception, BaseException, object)
            known = [c for c in value.__mro__ if c.__module__ == "builtins" and c not in plain]
            return name_of(min(known, key=lambda c: c is RuntimeError).__name__)
        if isinstance(value, type) and defined_in(value).startswith(_OWN):
            return self._class(value)
        if isinstance(value, np.ndarray):
            self.imports.add("import numpy as np")
            array = ast.parse("np.array", mode="eval").body
            return ast.Call(
                array, [lift(value.tolist())], [ast.keyword("dtype", lift(str(value.dtype)))]
            )
        raise self._refused(f"{wish!r}, a {type(value).__name__}")

    def _container(self, value: Any, wish: str) -> ast.expr:
        if isinstance(value, dict):
            keys: list[ast.expr | None] = [self._value(k, wish) for k in value]
            return ast.Dict(keys, [self._value(v, wish) for v in value.values()])
        parts = [self._value(v, wish) for v in value]
        if isinstance(value, tuple):
            return ast.Tuple(parts, ast.Load())
        return ast.List(parts, ast.Load()) if isinstance(value, list) else ast.Set(parts)

    def _function(self, function: types.FunctionType, wish: str) -> ast.expr:
        tree = _definition_of(function)
        if tree is None:
            raise self._refused(f"{function.__qualname__}, whose source is not there")
        named = function.__code__.co_name
        name = self._fresh(named if named.isidentifier() and wish != self._here[0] else wish)
        found = name_of(name)
        self._names[id(function)] = found  # it may call itself
        self._alive.append(function)
        closure = inspect.getclosurevars(function)
        known = {**function.__globals__, **closure.nonlocals}
        copy = self._translated(tree, known)
        if isinstance(copy, ast.Lambda):
            body: list[ast.stmt] = [ast.Return(copy.body)]
            copy = ast.FunctionDef(name, copy.args, body, [])
            if "type_params" in ast.FunctionDef._fields:
                copy.type_params = []  # type: ignore[attr-defined]
        copy.name = name
        self.statements.append(copy)
        return found

    def _class(self, cls: type) -> ast.expr:
        tree = _class_definition(cls)
        if tree is None:
            raise self._refused(f"{cls.__qualname__}, whose source is not there")
        found = name_of(self._fresh(cls.__name__))
        self._names[id(cls)] = found
        self._alive.append(cls)
        copy = self._translated(tree, vars(sys.modules[defined_in(cls)]))
        copy.name = found.id
        self.statements.append(copy)
        return found

    def _translated(self, tree: Any, known: dict[str, Any]) -> Any:
        """A copy of a definition in which every name from outside is one of the file's."""
        copy: Any = ast.parse(ast.unparse(tree)).body[0]
        if isinstance(copy, ast.Expr):
            copy = copy.value
        if isinstance(copy, (ast.FunctionDef, ast.ClassDef)):
            copy.decorator_list = [d for d in copy.decorator_list if not _is_own(d, known)]
        for node in ast.walk(copy):
            if isinstance(node, ast.FunctionDef):
                _strip_annotations(node)
            elif isinstance(node, ast.AnnAssign):
                node.annotation = name_of("object")
        copy = _PlainAssignments().visit(copy)
        copy = _Renamer(self, known, _bound(copy)).visit(copy)
        for node in ast.walk(copy):
            if isinstance(node, ast.FunctionDef):
                drop_unread(node)
        return copy

    def _fresh(self, wish: str) -> str:
        base = wish  # its own name: locals of the functions differ from it
        name, number = base, 1
        while name in self._taken or name in dir(builtins):
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name

    def _refused(self, what: str) -> NotSupportedError:
        return NotSupportedError(f"the body of {self._here[0]} cannot be copied: it uses {what}")


class _Renamer(Folding):
    """Puts the file's expressions in the place of names from outside."""

    def __init__(self, bodies: Bodies, known: dict[str, Any], bound: set[str]) -> None:
        self.bodies = bodies
        self.known = known
        self.bound = bound

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        """A check of what a caller passes has been made: the graph's shapes are known."""
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
            name = node.value.func.id
            function = self.known.get(name)
            is_check = name.lstrip("_").startswith(("check", "require"))
            if is_check and isinstance(function, types.FunctionType):
                return None
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """`fn is None` of a name from outside is known."""
        first = node.left
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(first, ast.Name):
            other = node.comparators[0]
            none = isinstance(other, ast.Constant) and other.value is None
            if none and first.id in self.known and first.id not in self.bound:
                is_none = self.known[first.id] is None
                return lift(is_none == isinstance(node.ops[0], ast.Is))
        return super().visit_Compare(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`VARIABLE.get()` of the environment is what it is now."""
        if isinstance(node.func, ast.Attribute) and node.func.attr == "get" and not node.args:
            found = self._found(node.func.value)
            if isinstance(found, Variable):
                return lift(found.get())
        if self._found(node.func) is without_slope and not node.keywords:
            return _stopped(self.visit(node.args[0]))
        self.generic_visit(node)
        return node

    def _found(self, node: ast.expr) -> Any:
        """What a name from outside stands for."""
        if isinstance(node, ast.Name):
            return None if node.id in self.bound else self.known.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self._found(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
        return None

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.bound or not isinstance(node.ctx, ast.Load):
            return node
        if node.id not in self.known:
            return node  # a builtin
        return self.bodies._value(self.known[node.id], node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        # a name of one of mxtorch's modules: `rng.current`
        if isinstance(node.value, ast.Name) and node.value.id not in self.bound:
            owner = self.known.get(node.value.id)
            if isinstance(owner, Modes):
                return lift(self.bodies.is_numpy and node.attr.startswith("np_"))
            if isinstance(owner, types.ModuleType) and owner.__name__.startswith(_OWN):
                return self.bodies._value(getattr(owner, node.attr), node.attr)
        self.generic_visit(node)
        return node


# Calls whose results have no gradient by themselves.
_FLAT = ("zeros_like", "ones_like", "full_like", "new_empty", "new_full", "new_zeros", "detach")


def _stopped(result: ast.expr) -> ast.expr:
    """A result without a gradient, as a person writes it."""
    last: ast.expr = result
    while isinstance(last, ast.Call) and isinstance(last.func, ast.Attribute):
        owner = last.func.value
        if last.func.attr in _FLAT or isinstance(owner, ast.Compare):
            return result
        last = owner
    return method(result, "detach")


def _is_own(decorator: ast.expr, known: dict[str, Any]) -> bool:
    """Whether a decorator is mxtorch's: it tells mxtorch of a function, and leaves it as it is."""
    while not isinstance(decorator, ast.Name):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value  # type: ignore[attr-defined]
    return _module_of(known.get(decorator.id)).startswith(_OWN)


def _bound(tree: ast.AST) -> set[str]:
    """Names that are the definition's own."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef) and node is not tree:
            found.add(node.name)
    return found


class _PlainAssignments(ast.NodeTransformer):
    """`x: Tensor = f()` is `x = f()`; fields of classes keep theirs."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        body: list[ast.stmt] = []
        for child in node.body:
            body.append(child if isinstance(child, ast.AnnAssign) else self.visit(child))
        node.body = body
        return node


def _strip_annotations(function: ast.FunctionDef) -> None:
    function.returns = None
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    for argument in (*every, arguments.vararg, arguments.kwarg):
        if argument is not None:
            argument.annotation = None


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


def _definition_of(function: types.FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    """The syntax of a function, found by where its code says that it begins."""
    code = function.__code__
    candidates: list[ast.Lambda] = []
    for node in ast.walk(_tree(function.__module__)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
        elif isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            candidates.append(node)
    for node in candidates if code.co_name == "<lambda>" else ():
        if len(candidates) == 1 or _same_code(node, code):
            return node
    return None


def _same_code(node: ast.Lambda, code: types.CodeType) -> bool:
    made = compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval")
    inside = next(c for c in made.co_consts if isinstance(c, types.CodeType))
    return (inside.co_consts, inside.co_names, inside.co_varnames) == (
        code.co_consts,
        code.co_names,
        code.co_varnames,
    )


def _module_of(value: Any) -> str:
    if isinstance(value, type):
        return defined_in(value)
    return getattr(value, "__module__", None) or ""


def _class_definition(cls: type) -> ast.ClassDef | None:
    for node in ast.walk(_tree(defined_in(cls))):
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            return node
    return None
