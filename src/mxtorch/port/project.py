"""The files of a tree that import each other, and what each says of the others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mxtorch.port.contexts import Contexts
from mxtorch.port.file import lowered_text
from mxtorch.port.flow import Flow
from mxtorch.port.names import PACKAGES
from mxtorch.port.outside import ClassFacts, Exports, Function, Outside, joined, plain, shared
from mxtorch.port.pace import collector_at_rest
from mxtorch.port.statements import MODAL
from mxtorch.port.values import Value

_ROUNDS = 2


@dataclass
class _Module:
    """A file on its way: its tree, its imports, and what the last round found."""

    name: str
    package: bool
    tree: ast.Module
    imports: frozenset[str] = frozenset()
    flow: Flow | None = None
    given: dict[str, dict[str, Value]] = field(default_factory=dict)
    recorded: set[str] = field(default_factory=set)

    @property
    def functions(self) -> dict[Function, str]:
        """The functions by `name` or `Class.name`."""
        found: dict[Function, str] = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[node] = node.name
            elif isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        found[inner] = f"{node.name}.{inner.name}"
        return found


class Project:
    """The Python files of a tree: their texts by path, `/` between folders."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._modules: dict[str, _Module] = {}
        self._paths: dict[str, str] = {}
        self._exports: dict[str, Exports] = {}
        self._modal = self._numpy = False
        for path, text in texts.items():
            self._enter(path, text)
        for module in self._modules.values():
            module.imports = frozenset(self._imported(module))
        connected = {m for one in self._modules.values() for m in (one.name, *one.imports)
                     if one.imports}  # fmt: skip
        self._modules = {n: m for n, m in self._modules.items() if n in connected}
        with collector_at_rest():
            for _ in range(_ROUNDS if self._modules else 0):
                self._round()

    def _enter(self, path: str, text: str) -> None:
        parts = path.removesuffix(".py").split("/")
        package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if package else parts)
        try:
            lowered = lowered_text(text) if any(p in text for p in PACKAGES) else None
            tree = ast.parse(text if lowered is None else lowered.text)
        except (SyntaxError, ValueError, RecursionError):
            return
        self._paths[path] = name
        self._modules[name] = _Module(name, package, tree)
        self._exports[name] = Exports({}, {}, {}, {})

    def _imported(self, module: _Module) -> Iterator[str]:
        """The files of the tree that a file imports."""
        outside = self._outside(module)
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                base = outside.absolute(node.module or "", node.level)
                yield from (m for m in (base, *(f"{base}.{a.name}" for a in node.names))
                            if m in self._modules and m != module.name)  # fmt: skip
            elif isinstance(node, ast.Import):
                names = (outside.absolute(a.name, 0) for a in node.names)
                yield from (n for n in names if n in self._modules)

    def _round(self) -> None:
        done: set[str] = set()
        for module in list(self._modules.values()):
            self._analyze(module, done)
        calls: dict[str, dict[str, list[Mapping[str, Value]]]] = {n: {} for n in self._modules}
        homes = {f: (m, q) for m in self._modules.values() for f, q in m.functions.items()}
        for module in self._modules.values():
            assert module.flow is not None
            for function, passed in module.flow.passed.items():
                home, name = homes.get(function, (module, ""))
                if home is not module:
                    values = {key: plain(value) for key, value in passed.items()}
                    calls[home.name].setdefault(name, []).append(values)
        for name, found in calls.items():
            self._modules[name].given = {q: joined(given) for q, given in found.items()}
        for module in self._modules.values():
            assert module.flow is not None
            for function in Contexts(module.tree, module.flow, module.recorded).recorded():
                home, name = homes.get(function, (module, ""))
                if home is not module:
                    home.recorded.add(name)

    def _analyze(self, module: _Module, done: set[str]) -> None:
        """A file after those that it imports."""
        if module.name in done:
            return
        done.add(module.name)
        for name in sorted(module.imports):
            self._analyze(self._modules[name], done)
        flow = module.flow = Flow(module.tree, outside=self._outside(module))
        self._modal |= any(
            value.kind == "member" and any(part in value.name for part in MODAL)
            for value in flow.values.values()
        )
        self._numpy |= flow.is_numpy
        self._exports[module.name] = Exports(
            flow.scope,
            {name: shared(facts) for name, facts in flow.classes.items()},
            flow.functions,
            {f: plain(flow.returned(f)) for f in module.functions},
        )

    def _outside(self, module: _Module) -> Outside:
        near = self._near(module)
        return Outside(
            module.name,
            module.package,
            self._exports,
            self._classes(near),
            {f: v for name in near for f, v in self._exports[name].returns.items()},
            module.given,
            self._modal,
            self._numpy,
            frozenset(module.recorded),
        )

    def _classes(self, near: list[str]) -> dict[str, ClassFacts]:
        """The classes of a tree by name; of two, that of a file that is imported."""
        every = _unique(exports.classes for exports in self._exports.values())
        return every | _unique(self._exports[name].classes for name in near)

    def _near(self, module: _Module) -> list[str]:
        """The files that a file imports, and those that these do."""
        found: list[str] = []
        waiting = sorted(module.imports)
        while waiting:
            name = waiting.pop()
            if name not in found and name in self._modules:
                found.append(name)
                waiting += sorted(self._modules[name].imports)
        return found

    def of(self, path: str) -> Outside | None:
        """What the tree says of a file; None if nothing."""
        module = self._modules.get(self._paths.get(path, ""))
        return None if module is None else self._outside(module)


def _unique(classes: Iterable[Mapping[str, ClassFacts]]) -> dict[str, ClassFacts]:
    """Classes by name; those that two files have are left out."""
    found: dict[str, ClassFacts] = {}
    twice: set[str] = set()
    for one in classes:
        for name, facts in one.items():
            if name in found and found[name].node is not facts.node:
                twice.add(name)
            found[name] = facts
    return {name: facts for name, facts in found.items() if name not in twice}
