"""A file, a notebook or a tree of them, ported into a place of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetValueError
from mxtorch.port.codes import Code
from mxtorch.port.facts import Facts
from mxtorch.port.file import Ported, Unportable, port_text
from mxtorch.port.names import PACKAGES
from mxtorch.port.notebook import Notebook
from mxtorch.port.outcome import NO_WISHES, Counts, Wishes
from mxtorch.port.outside import Outside
from mxtorch.port.project import Project
from mxtorch.report.finding import Finding

_SUFFIXES = (".py", ".ipynb")
_SKIPPED = frozenset([".git", "__pycache__", ".ipynb_checkpoints", ".venv"])


@dataclass(frozen=True)
class FileResult:
    """One file: its path below the source, its text before and after, and what there is to say."""

    path: str
    before: str
    after: str
    findings: tuple[Finding, ...] = ()
    counts: Counts = field(default_factory=Counts)
    # why it was left as it is, if it was
    refused: str = ""

    @property
    def changed(self) -> bool:
        """Whether the port differs from the source."""
        return self.before != self.after


def sources(root: Path) -> Iterator[Path]:
    """The files that may hold programs, in order; links to folders are not followed."""
    if root.is_file():
        yield root
        return
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if n not in _SKIPPED)
        yield from (Path(folder, f) for f in sorted(files) if f.endswith(_SUFFIXES))


def read(path: Path) -> tuple[str, str, str]:
    """A file's text, its encoding and its line ends; raises UnicodeDecodeError or SyntaxError."""
    raw = path.read_bytes()
    encoding = "utf-8"
    if path.suffix == ".py":
        encoding, _ = tokenize.detect_encoding(iter(raw.splitlines(keepends=True)).__next__)
    text = raw.decode(encoding)
    for ends in ("\r\n", "\r"):
        if ends in text and not {"\r", "\n"}.intersection(text.replace(ends, "")):
            return text.replace(ends, "\n"), encoding, ends
    return text, encoding, "\n"  # lines that end in two ways stay as they are


def port_file(
    path: Path,
    name: str,
    facts: Facts | None = None,
    wishes: Wishes = NO_WISHES,
    outside: Outside | None = None,
) -> FileResult:
    """Port one file; what cannot be read or parsed comes back unchanged, with the reason."""
    try:
        text, _, _ = read(path)
    except (OSError, UnicodeDecodeError, SyntaxError, LookupError) as error:
        return FileResult(
            name, "", "", _syntax(name, 1, f"unreadable: {error}"), refused=str(error)
        )
    try:
        port = _port_notebook if path.suffix == ".ipynb" else _port_program
        ported = port(text, name, facts or Facts(), wishes, outside)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        hint = ""
        if "print" in reason:
            hint = "; it looks like Python 2: convert it first, e.g. with `futurize` or `2to3`"
        found = _syntax(name, line, f"{reason}{hint}")
        if isinstance(error, Unportable):
            found = (replace(found[0], message=f"the file is not ported: {reason}"),)
        return FileResult(name, text, text, found, refused=reason)
    return FileResult(name, text, ported.text, tuple(ported.findings), ported.counts)


def _syntax(name: str, line: int, detail: str) -> tuple[Finding, ...]:
    code = Code.SYNTAX
    return (Finding(name, line, 1, code.number, f"{code.text}: {detail}", code.act),)


def _port_program(
    text: str,
    name: str,
    facts: Facts,
    wishes: Wishes,
    outside: Outside | None = None,
) -> Ported:
    ported = port_text(text, name, facts.of(name, text), wishes, outside)
    if facts.are_stale(name, text):
        ported.findings.append(Finding(name, 1, 1, Code.STALE.number, Code.STALE.text))
    return ported


def _port_notebook(
    text: str,
    name: str,
    facts: Facts,
    wishes: Wishes,
    outside: Outside | None = None,
) -> Ported:
    """The cells of a notebook as one program; those that do not parse stay, and are named."""
    if not any(package in text for package in PACKAGES):
        json.loads(text)
        return Ported(text, [], Counts())
    book = Notebook(text)
    ported = _port_program(book.program, name, facts, wishes, outside)
    findings = []
    for finding in ported.findings:
        cell, line = book.where(finding.line)
        message = f"cell {cell}: {finding.message}"
        findings.append(replace(finding, line=line, message=message))
    for part in book.cells:
        if part.broken is not None:
            line, reason = part.broken
            code, detail = Code.SYNTAX, f"cell {part.number} does not parse: {reason}"
        elif part.hidden:
            line, code = part.hidden, Code.UNCLEAR
            detail = f"cell {part.number}: {code.text}: an import in what is not the notebook's"
        else:
            continue
        findings.append(Finding(name, line, 1, code.number, detail, code.act))
    after = text if ported.text == book.program else book.written(ported.text)
    return Ported(after, findings, ported.counts)


def port_tree(
    source: Path,
    progress: Callable[[Path], None] = lambda path: None,
    facts: Facts | None = None,
    wishes: Wishes = NO_WISHES,
) -> Iterator[FileResult]:
    """Port every program below `source` (or that file); nothing is written."""
    project = project_of(source)
    for path in sources(source):
        progress(path)
        name = path.name if source.is_file() else path.relative_to(source).as_posix()
        outside = project.of(name) if project is not None else None
        yield port_file(path, name, facts, wishes, outside)


def project_of(source: Path) -> Project | None:
    """The programs below a folder, read together; None for a file or where there are not two."""
    if not source.is_dir():
        return None
    texts: dict[str, str] = {}
    for path in sources(source):
        if path.suffix == ".py" and not path.is_symlink():
            with contextlib.suppress(OSError, UnicodeDecodeError, SyntaxError, LookupError):
                texts[path.relative_to(source).as_posix()] = read(path)[0]
    several = len(texts) > 1 and any(p in text for text in texts.values() for p in PACKAGES)
    return Project(texts) if several else None


def write_tree(source: Path, output: Path, results: list[FileResult]) -> None:
    """Copy `source` to `output` with the ported texts in it.

    Raises MXNetValueError if `output` lies in `source`, or is a folder that is not empty.
    """
    if source.is_file():
        target = output / source.name if output.is_dir() else output
        if target.exists() and target.samefile(source):
            raise MXNetValueError(f"-o {output} is {source} itself; use --in-place")
        _write(source, target, results[0])
        return
    if source.resolve() in (output.resolve(), *output.resolve().parents):
        raise MXNetValueError(f"-o {output} lies in {source}; choose a folder outside of it")
    if output.exists() and any(output.iterdir()):
        raise MXNetValueError(f"-o {output} exists and is not empty; choose another folder")
    shutil.copytree(
        source, output, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git")
    )
    for result in results:
        if result.changed:
            target = output / result.path
            _make_writable(target.parent)
            if target.is_symlink():  # it may lead back into the source
                target.unlink()
            _write(source / result.path, target, result)


def _make_writable(folder: Path) -> None:
    """A copy of a read-only folder is read-only too."""
    mode = folder.stat().st_mode
    if not mode & stat.S_IWUSR:
        folder.chmod(mode | stat.S_IWUSR)


def write_in_place(source: Path, results: list[FileResult]) -> None:
    """Write the ported texts over the sources; what links lead to is another file's matter."""
    for result in results:
        path = source if source.is_file() else source / result.path
        if result.changed and (path == source or not path.is_symlink()):
            _write(path, path, result)


def _write(source: Path, target: Path, result: FileResult) -> None:
    if result.refused:
        if source != target:
            shutil.copy2(source, target)
        return
    _, encoding, ends = read(source)
    with atomic_write(target) as file:
        file.write(result.after.replace("\n", ends).encode(encoding))
