"""What a recorded run knows of a program: types, shapes and sizes by place (`--facts FILE`).

The file is JSON; docs/guide/port-facts.md describes it. A place is `(line, column, end line, end
column)` of an expression as `ast` counts: lines from 1, columns from 0 in bytes of UTF-8.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetValueError

FORMAT = "mxtorch-facts"
VERSION = 1
# What a value may be; `instance` goes with the name of its class.
KINDS = (
    "array", "numpy", "scalar", "text", "none", "shape", "dtype", "device",
    "list", "tuple", "dict", "instance", "other",
)  # fmt: skip
# What a layer learns from its first input.
SIZES = ("in_units", "in_channels", "input_size")

Place = tuple[int, int, int, int]
Shape = tuple["int | None", ...]


@dataclass(frozen=True)
class Seen:
    """The values that a run saw at one place, taken together.

    `shape` has None where lengths differed, and is None where the numbers of axes did; `of` is
    `value` (of the expression at the place) or `receiver` (of the call at the place).
    """

    kinds: tuple[str, ...]
    shape: Shape | None = None
    dtype: str = ""
    cls: str = ""

    def merged(self, other: Seen) -> Seen:
        """This and another value of the same place."""
        return Seen(
            tuple(sorted({*self.kinds, *other.kinds})),
            merged_shape(self.shape, other.shape),
            self.dtype if self.dtype == other.dtype else "",
            self.cls if self.cls == other.cls else "",
        )

    @property
    def kind(self) -> str:
        """The one kind; `other` if there were several, None aside."""
        kinds = [k for k in self.kinds if k != "none"] or list(self.kinds)
        return kinds[0] if len(kinds) == 1 else "other"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {"kinds": list(self.kinds)}
        if self.shape is not None:
            found["shape"] = list(self.shape)
        if self.dtype:
            found["dtype"] = self.dtype
        if self.cls:
            found["class"] = self.cls
        return found


@dataclass(frozen=True)
class Layer:
    """The layers that one call made: sizes they learned (None: several), and their input's shape.

    `flattens`: a Dense that got more than two axes and joined all but the first.
    """

    sizes: tuple[tuple[str, int | None], ...] = ()
    input_shape: Shape | None = None
    flattens: bool = False

    def merged(self, other: Layer) -> Layer:
        """This and another layer made by the same call."""
        theirs = dict(other.sizes)
        sizes = {n: s if theirs.get(n, s) == s else None for n, s in self.sizes}
        return Layer(
            tuple({**theirs, **sizes}.items()),
            merged_shape(self.input_shape, other.input_shape),
            self.flattens or other.flattens,
        )

    def size(self, name: str) -> int | None:
        """A size by its name in `SIZES`."""
        return dict(self.sizes).get(name)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = dict(self.sizes)
        if self.input_shape is not None:
            found["input_shape"] = list(self.input_shape)
        if self.flattens:
            found["flattens"] = True
        return found


@dataclass
class FileFacts:
    """The facts of one program's text; `digest` says of which."""

    digest: str
    values: dict[Place, Seen] = field(default_factory=dict)
    receivers: dict[Place, Seen] = field(default_factory=dict)
    layers: dict[Place, Layer] = field(default_factory=dict)

    def see(self, place: Place, seen: Seen, of: str = "value") -> None:
        """Enter a value; several of one place are taken together."""
        table = self.receivers if of == "receiver" else self.values
        table[place] = table[place].merged(seen) if place in table else seen

    def learn(self, place: Place, layer: Layer) -> None:
        """Enter what a layer learned, by the call that made it."""
        known = self.layers.get(place)
        self.layers[place] = layer if known is None else known.merged(layer)

    def value(self, node: ast.AST) -> Seen | None:
        """What was seen of an expression."""
        return self.values.get(place_of(node))

    def receiver(self, call: ast.Call) -> Seen | None:
        """What was seen of the object whose method is called."""
        found = self.receivers.get(place_of(call))
        if found is None and isinstance(call.func, ast.Attribute):
            return self.value(call.func.value)
        return found

    def moved(self, lines: Mapping[int, tuple[int, int]]) -> FileFacts:
        """The facts of a text whose lines have moved: the line now and the columns added.

        What lies on other lines is left out; so are symbols, which are arrays now.
        """

        def moved(table: Mapping[Place, Any]) -> dict[Place, Any]:
            found = {}
            for (line, column, end, last), fact in table.items():
                is_symbol = getattr(fact, "cls", "").startswith("mx.sym")
                if line in lines and end in lines and not is_symbol:
                    (a, by), (b, more) = lines[line], lines[end]
                    found[a, column + by, b, last + more] = fact
            return found

        tables = moved(self.values), moved(self.receivers), moved(self.layers)
        return FileFacts(self.digest, *tables)

    def layer(self, call: ast.AST) -> Layer | None:
        """What the layers made by a call learned."""
        return self.layers.get(place_of(call))


@dataclass
class Facts:
    """The facts of a run, by file: paths below the source, `/` between folders."""

    files: dict[str, FileFacts] = field(default_factory=dict)

    def of(self, path: str, text: str) -> FileFacts | None:
        """The facts of a file, if they are of this text (line ends aside)."""
        found = self.files.get(path)
        return found if found is not None and found.digest == digest(text) else None

    def are_stale(self, path: str, text: str) -> bool:
        """Whether there are facts of the file, but of another text."""
        return path in self.files and self.of(path, text) is None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "files": {path: _file_dict(file) for path, file in sorted(self.files.items())},
        }

    def write(self, path: Path) -> None:
        """Write the file."""
        with atomic_write(path) as file:
            file.write((json.dumps(self.as_dict(), indent=1) + "\n").encode())

    @classmethod
    def read(cls, path: Path) -> Facts:
        """Read such a file; raises MXNetValueError if it is not one."""
        try:
            found = json.loads(path.read_bytes())
        except (ValueError, RecursionError) as error:
            raise MXNetValueError(f"{path}: not JSON: {error}") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise MXNetValueError(f"{path}: not a facts file; it has no format {FORMAT!r}")
        if found.get("version") != VERSION:
            raise MXNetValueError(
                f"{path}: version {found.get('version')!r} of the facts format; "
                f"version {VERSION} is known. Record the facts again."
            )
        files = _mapping(found.get("files", {}), f"{path}: files")
        return cls({name: _read_file(value, f"{path}: {name}") for name, value in files.items()})


def digest(text: str) -> str:
    """The SHA-256 of a program's text, its lines ending in a line feed.

    Of a notebook it is the digest of its code cells as `notebook.notebook_program` joins them.
    """
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def place_of(node: ast.AST) -> Place:
    """Where an expression lies."""
    return (
        getattr(node, "lineno", 0),
        getattr(node, "col_offset", 0),
        getattr(node, "end_lineno", 0),
        getattr(node, "end_col_offset", 0),
    )


def merged_shape(one: Shape | None, other: Shape | None) -> Shape | None:
    """Two shapes as one: None where lengths differ; None altogether if the axes do."""
    if one is None or other is None or len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def _file_dict(file: FileFacts) -> dict[str, Any]:
    values = [{"at": list(at), **seen.as_dict()} for at, seen in sorted(file.values.items())]
    values += [
        {"at": list(at), "of": "receiver", **seen.as_dict()}
        for at, seen in sorted(file.receivers.items())
    ]
    layers = [{"at": list(at), **layer.as_dict()} for at, layer in sorted(file.layers.items())]
    return {"sha256": file.digest, "values": values, "layers": layers}


def _read_file(value: object, where: str) -> FileFacts:
    given = _mapping(value, where)
    found = FileFacts(str(given.get("sha256", "")))
    for i, entry in enumerate(_list(given.get("values", []), f"{where}: values")):
        label = f"{where}: values[{i}]"
        row = _mapping(entry, label)
        of = row.get("of", "value")
        if of not in ("value", "receiver"):
            raise MXNetValueError(f"{label}: of is {of!r}; it is 'value' or 'receiver'")
        found.see(_place(row.get("at"), label), _seen(row, label), of)
    for i, entry in enumerate(_list(given.get("layers", []), f"{where}: layers")):
        label = f"{where}: layers[{i}]"
        row = _mapping(entry, label)
        sizes = tuple((n, _size(row[n], label)) for n in SIZES if n in row)
        shape = _shape(row.get("input_shape"), label)
        layer = Layer(sizes, shape, row.get("flattens") is True)
        found.learn(_place(row.get("at"), label), layer)
    return found


def _seen(row: dict[str, Any], where: str) -> Seen:
    kinds = _list(row.get("kinds"), f"{where}: kinds")
    unknown = [k for k in kinds if k not in KINDS]
    if unknown or not kinds:
        raise MXNetValueError(f"{where}: kinds is {kinds!r}; it is some of {', '.join(KINDS)}")
    shape = _shape(row.get("shape"), where)
    return Seen(tuple(kinds), shape, str(row.get("dtype", "")), str(row.get("class", "")))


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MXNetValueError(f"{where} is {type(value).__name__}; an object was expected")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise MXNetValueError(f"{where} is {type(value).__name__}; a list was expected")
    return value


def _place(value: object, where: str) -> Place:
    if not isinstance(value, list) or len(value) != 4 or not _are_lengths(value):
        raise MXNetValueError(f"{where}: at is {value!r}; 4 numbers were expected")
    return (value[0], value[1], value[2], value[3])


def _shape(value: object, where: str) -> Shape | None:
    if value is None:
        return None
    entries = _list(value, f"{where}: shape")
    if not _are_lengths(x for x in entries if x is not None):
        raise MXNetValueError(f"{where}: shape is {value!r}; numbers and nulls were expected")
    return tuple(entries)


def _size(value: object, where: str) -> int | None:
    if value is not None and not _are_lengths([value]):
        raise MXNetValueError(f"{where}: a size is {value!r}; a number or null was expected")
    return value  # type: ignore[return-value]


def _are_lengths(values: Iterable[object]) -> bool:
    return all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in values)
