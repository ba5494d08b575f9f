"""Runs a Python program as `python` does: a script, folder, zip or stdin, -m, -c."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import os
import pkgutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import BuiltinImporter, ModuleSpec, SourceFileLoader, SourcelessFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import Any, NoReturn

from mxtorch._core import env
from mxtorch._core.warn import say
from mxtorch.run.era import hooks
from mxtorch.run.hints import hint


@dataclass(frozen=True)
class Program:
    """A program and its arguments.

    kind: 'script' (a file, a folder or zip with a __main__.py, '-' for stdin), 'module', 'code'.
    """

    kind: str
    target: str
    arguments: Sequence[str] = ()

    def run(self) -> None:
        """Run the program as `__main__` of this process.

        Its exceptions pass through, SystemExit and KeyboardInterrupt too, and end the process as
        they always do; the traceback that is then printed begins at the program's own frames.
        """
        main = ModuleType("__main__")
        main.__dict__.update(__builtins__=builtins)
        if sys.version_info < (3, 14):
            main.__dict__.update(__annotations__={})
        sys.modules["__main__"] = main
        try:
            _execute(self._load(main), main)
        except SystemExit:
            raise
        except BaseException as error:
            sys.excepthook = _Hook(error, sys.excepthook)
            raise

    def _load(self, main: ModuleType) -> CodeType:
        """Set `sys.argv`, `sys.path[0]` and the names of `main`; the program's code."""
        if self.kind == "module":
            return _load_module(self.target, self.arguments, main)
        if self.kind == "code":
            _set_up(main, "", "-c", self.arguments)
            dedented = textwrap.dedent(self.target)
            source = dedented if sys.version_info >= (3, 14) else self.target
            return compile(source, "<string>", "exec", dont_inherit=True)
        if self.target == "-":
            _set_up(main, "", "-", self.arguments)
            main.__file__ = "<stdin>"
            main.__dict__["__cached__"] = None
            read = b"" if sys.stdin is None else sys.stdin.buffer.read()
            return compile(read, "<stdin>", "exec", dont_inherit=True)
        return _load_script(self.target, self.arguments, main)


class _Hook:
    """The `sys.excepthook` in force, without our frames above the program's."""

    def __init__(self, error: BaseException, hook: Any) -> None:
        self.error, self.hook = error, hook

    def __call__(
        self, kind: type[BaseException], value: BaseException, trace: TracebackType | None
    ) -> None:
        if value is self.error:
            trace = _own_frames(trace)
            value.__traceback__ = trace
        self.hook(kind, value, trace)
        advice = hint(value) if env.ERA.get() == "on" else None
        if advice is not None:
            say(advice)


def _own_frames(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code is not Program.run.__code__:
        trace = trace.tb_next
    while trace is not None and _is_ours(trace):
        trace = trace.tb_next
    _cut_hooks(trace)
    return trace


def _is_ours(trace: TracebackType) -> bool:
    name = trace.tb_frame.f_globals.get("__name__", "")
    return name == __name__ or name.split(".")[0] in ("importlib", "zipimport")


def _cut_hooks(trace: TracebackType | None) -> None:
    """End the traceback where the program asked for a name that a module does not have."""
    while trace is not None and trace.tb_next is not None:
        after: TracebackType | None = trace.tb_next
        if after is not None and after.tb_frame.f_globals.get("__name__") == hooks.__name__:
            while after is not None and after.tb_frame.f_globals.get("__name__") == hooks.__name__:
                after = after.tb_next
            trace.tb_next = after
            return
        trace = after


def _execute(code: CodeType, main: ModuleType) -> None:
    exec(code, main.__dict__)


def _set_up(main: ModuleType, folder: str, name: str, arguments: Sequence[str]) -> None:
    sys.argv[:] = [name, *arguments]
    main.__loader__ = BuiltinImporter
    _set_path(folder)


def _set_path(folder: str) -> None:
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _full_path(path: str) -> str:
    """The absolute path as Python makes it: only Windows normalizes."""
    return os.path.abspath(path) if os.name == "nt" else os.path.join(os.getcwd(), path)


def _load_script(path: str, arguments: Sequence[str], main: ModuleType) -> CodeType:
    full = _full_path(path)
    if pkgutil.get_importer(full) is not None:
        return _load_folder(full, path, arguments, main)
    try:
        with open(full, "rb") as file:
            source = file.read()
    except OSError as error:
        _stop(2, f"can't open file {full!r}: [Errno {error.errno}] {error.strerror}")
    _set_up(main, os.path.dirname(os.path.realpath(full)), path, arguments)
    main.__file__ = full
    main.__dict__["__cached__"] = None
    if full.endswith(".pyc"):
        main.__loader__ = compiled = SourcelessFileLoader("__main__", full)
        code = compiled.get_code("__main__")
        assert code is not None
        return code
    main.__loader__ = SourceFileLoader("__main__", full)
    return compile(source, full, "exec", dont_inherit=True)


def _load_folder(full: str, path: str, arguments: Sequence[str], main: ModuleType) -> CodeType:
    """The code of the __main__.py in a folder or zip."""
    importer: Any = pkgutil.get_importer(full)
    spec = importer.find_spec("__main__")
    if spec is None:
        _stop(1, f"can't find '__main__' module in {full!r}")
    sys.argv[:] = [path, *arguments]
    if getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, full)
    _set_path(full)
    return _code_of(spec, main)


def _load_module(name: str, arguments: Sequence[str], main: ModuleType) -> CodeType:
    _set_up(main, os.getcwd(), "-m", arguments)
    try:
        spec = _find_module(name)
        code = _code_of(spec, main)
    except _CannotRun as error:
        _stop(1, str(error))
    sys.argv[0] = spec.origin or name
    return code


class _CannotRun(Exception):
    """There is no such module to run."""


def _find_module(name: str) -> ModuleSpec:
    """The spec of a module, or of a package's __main__."""
    parent = name.rpartition(".")[0]
    if parent:
        _import_parent(parent)
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        hint = ""
        if name.endswith(".py"):
            hint = f". Try using {name[:-3]!r} instead of {name!r} as the module name."
        raise _CannotRun(
            f"Error while finding module specification for {name!r} "
            f"({type(error).__name__}: {error}){hint}"
        ) from error
    if spec is None:
        raise _CannotRun(f"No module named {name}")
    if spec.submodule_search_locations is None:
        return spec
    try:
        return _find_module(f"{name}.__main__")
    except _CannotRun as error:
        raise _CannotRun(
            f"{error}; {name!r} is a package and cannot be directly executed"
        ) from error


def _import_parent(name: str) -> None:
    """Import a package; that it is missing shows later, but its own errors now."""
    try:
        importlib.import_module(name)
    except ImportError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise


def _code_of(spec: ModuleSpec, main: ModuleType) -> CodeType:
    loader: Any = spec.loader
    code: CodeType | None = loader.get_code(spec.name) if hasattr(loader, "get_code") else None
    if code is None:
        raise _CannotRun(f"No code object available for {spec.name}")
    main.__dict__.update(
        __file__=spec.origin,
        __cached__=spec.cached,
        __loader__=loader,
        __package__=spec.parent,
        __spec__=spec,
    )
    return code


def _stop(status: int, message: str) -> NoReturn:
    say(message)
    raise SystemExit(status)
