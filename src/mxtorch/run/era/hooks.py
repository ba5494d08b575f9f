"""Puts removed names back, for the code that asks for them and fails without them.

Loaded by child processes before anything else: only the standard library and its neighbours here.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib.machinery import ModuleSpec
from types import CodeType, FrameType, MethodType, ModuleType
from typing import Any

from mxtorch._core.warn import is_worker, say
from mxtorch.run.era import frames, stand_ins
from mxtorch.run.era.table import CLASSES, ROWS, Removed
from mxtorch.run.loading import AfterImport, SameModuleLoader

_REVIVED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "revived")
NUMPY_2 = (
    "prints scalars in lists as np.float32(1.0), and keeps float32 in np.float32(x) * 2.0, which "
    "NumPy 1 made float64; mxtorch leaves both as they are"
)


class Era:
    """The rows of the table, who was given what, and what is to be undone."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.names: dict[str, dict[str, Removed]] = {}
        self.modules: dict[str, Removed] = {}
        for row in ROWS:
            if row.name:
                self.names.setdefault(row.module, {})[row.name] = row
            else:
                self.modules[row.module] = row
        self.owners = {name.rpartition(".")[0] if name in CLASSES else name for name in self.names}
        self.announced: set[str] = set()
        self.given: set[Removed] = set()
        self.undo: list[Callable[[], None]] = []

    def attach(self, module: ModuleType, name: str) -> None:
        """Hook a module that has just been imported, and its classes."""
        if name in self.names:
            hook = ModuleHook(self, module, name)
            module.__dict__["__getattr__"] = hook
            self.undo.append(hook.remove)
        for full in CLASSES:
            if full.rpartition(".")[0] == name:
                self._attach_methods(getattr(module, full.rpartition(".")[2], None), full)

    def _attach_methods(self, owner: type | None, full: str) -> None:
        for name, row in self.names[full].items():
            if owner is not None and not any(name in vars(base) for base in owner.__mro__):
                setattr(owner, name, MethodHook(self, row))
                self.undo.append(partial(delattr, owner, name))

    def announce(self, row: Removed, name: str, frame: FrameType) -> None:
        """Say once what was put back, in the process that the user started."""
        if name in self.announced:
            return
        first = not self.announced
        self.announced.add(name)
        self.given.add(row)
        if self.quiet or is_worker():
            return
        hint = " (--quiet-era hides these lines, --no-era takes the names away)" if first else ""
        say(f"{frames.place(frame)}: {name} was removed in {row.since}; write {row.advice}{hint}")
        numpy: Any = sys.modules.get("numpy")
        of_numpy = row.since.startswith("NumPy") and "NumPy 2" not in self.announced
        if of_numpy and numpy.__version__[:2] != "1.":
            self.announced.add("NumPy 2")
            say(f"NumPy 2 {NUMPY_2}")


class ModuleHook:
    """The `__getattr__` of a module that has lost names."""

    def __init__(self, era: Era, module: ModuleType, name: str) -> None:
        self.era, self.module, self.name = era, module, name
        self.rows = era.names[name]
        before: Any = module.__dict__.get("__getattr__")
        self.before: Any = before.before if isinstance(before, ModuleHook) else before
        self.given: dict[tuple[CodeType, int, str], Any] = {}

    def __call__(self, name: str) -> Any:
        row = self.rows.get(name) or (None if name.startswith("_") else self.rows.get("*"))
        if row is None:
            return self._missing(name)
        frame = sys._getframe(1)
        key = (frame.f_code, frame.f_lasti, name)
        if key not in self.given:
            if not frames.needs(frame, self.name, name) or self._has(name):
                return self._missing(name)
            source = f"{row.source}.{name}" if row.name == "*" else row.source
            self.given[key] = find(source, row)
            if row.name == "*":
                row = row._replace(advice=source)
            self.era.announce(row, f"{self.name}.{name}", frame)
        return self.given[key]

    def _has(self, name: str) -> bool:
        """Whether the module's own `__getattr__` still knows the name."""
        if self.before is None:
            return False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self.before(name)
            except AttributeError:
                return False
        return True

    def _missing(self, name: str) -> Any:
        """What the module itself answers; its warnings point at who asked, not at us."""
        if self.before is not None:
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    return self.before(name)
            finally:
                for one in caught:
                    warnings.warn(one.message, one.category, stacklevel=3)
        text = f"module {self.module.__name__!r} has no attribute {name!r}"
        raise AttributeError(text, name=name, obj=self.module)

    def remove(self) -> None:
        """Leave the module as it was."""
        if self.module.__dict__.get("__getattr__") is self:
            if self.before is None:
                del self.module.__dict__["__getattr__"]
            else:
                self.module.__dict__["__getattr__"] = self.before


class MethodHook:
    """A method that a class has lost."""

    def __init__(self, era: Era, row: Removed) -> None:
        self.era, self.row = era, row

    def __get__(self, instance: Any, owner: type) -> Any:
        frame, row = sys._getframe(1), self.row
        lookup = getattr(owner, "__getattr__", None)
        if instance is not None and lookup is not None:
            try:
                return lookup(instance, row.name)  # a column of that name, in pandas
            except AttributeError:
                pass
        if not (instance is None and self._lists(frame)):
            if not frames.needs(frame, row.module, row.name):
                text = f"{owner.__name__!r} object has no attribute {row.name!r}"
                raise AttributeError(text, name=row.name, obj=instance)
            self.era.announce(row, row.full_name, frame)
        if not row.source.startswith("+"):
            return getattr(owner if instance is None else instance, row.source)
        function = getattr(stand_ins, row.source.strip("+()"))
        if row.source.endswith("()"):
            return function(instance)
        return function if instance is None else MethodType(function, instance)

    def _lists(self, frame: FrameType) -> bool:
        """Whether the class's own library asks, which has the name from dir() alone."""
        asking = str(frame.f_globals.get("__name__", ""))
        return asking.partition(".")[0] == self.row.module.partition(".")[0]


def find(source: str, row: Removed) -> Any:
    """The object that a row's source names."""
    if source.startswith("+"):
        found = getattr(stand_ins, source.strip("+()"))
        return found() if source.endswith("()") else found
    parts = source.split(".")
    try:
        found = importlib.import_module(parts[0])
        for count, part in enumerate(parts[1:], 2):
            if not hasattr(found, part):
                importlib.import_module(".".join(parts[:count]))
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise AttributeError(
            f"{row.full_name} was removed in {row.since}; {source} takes its place, but: {error}"
        ) from error
    return found


class AttachingFinder(AfterImport):
    """First in line: hooks modules of the table as they are imported."""

    mxtorch_era = True

    def __init__(self, era: Era) -> None:
        super().__init__(dict.fromkeys(era.owners, era.attach))
        self.era = era


class MissingFinder:
    """Last in line: modules that nobody else finds."""

    mxtorch_era = True

    def __init__(self, era: Era) -> None:
        self.era = era

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a removed module, if the program imports it."""
        row = self.era.modules.get(fullname)
        if row is None:
            return None
        frame = frames.importing(sys._getframe(1))
        if frame is None or not frames.needs(frame, fullname, fullname):
            return None
        self.era.announce(row, f"module {fullname}", frame)
        if row.source.startswith("+"):
            file = os.path.join(_REVIVED, f"{row.source[1:]}.py")
            return importlib.util.spec_from_file_location(fullname, file)
        loader: Any = _StandInLoader(row)
        return ModuleSpec(fullname, loader)


class _StandInLoader(SameModuleLoader):
    def __init__(self, row: Removed) -> None:
        super().__init__(row.source)
        self.row = row

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        try:
            return super().create_module(spec)
        except ImportError as error:
            raise ModuleNotFoundError(
                f"{spec.name} was removed in {self.row.since}; {self.real} takes its place, "
                f"but: {error}",
                name=spec.name,
            ) from error


def install(quiet: bool = False) -> None:
    """Put removed names back in this process, from now on; a second call changes nothing."""
    if installed() is not None:
        return
    era = Era(quiet)
    sys.meta_path.insert(0, AttachingFinder(era))
    sys.meta_path.append(MissingFinder(era))
    for name in era.owners:
        module = sys.modules.get(name)
        if module is not None:
            era.attach(module, name)


def installed() -> Any:
    """The finder of an `install` before, if any; perhaps of another copy of this module."""
    for finder in sys.meta_path:
        if getattr(finder, "mxtorch_era", False):
            return finder
    return None


def uninstall() -> None:
    """Take them away again; what programs hold already stays theirs."""
    finder = installed()
    if finder is not None:
        for undo in reversed(finder.era.undo):
            undo()
        sys.meta_path[:] = [f for f in sys.meta_path if not getattr(f, "mxtorch_era", False)]
