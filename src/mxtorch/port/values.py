"""What an expression of the user's program is, as far as reading the program tells."""

from __future__ import annotations

from dataclasses import dataclass

from mxtorch.port import names


@dataclass(frozen=True)
class Value:
    """One abstract value.

    `kind` is one of

    - `unknown` (`name`: why, where MXNet is behind it); `none`; `scalar`; `text`; `shape`;
      `dtype`; `device`
    - `array` (an NDArray, a tensor after the port), `numpy` (a NumPy array); `name` may say how
      many axes it has, `flat` (two) or `deep` (more), `samples` (a loss's) , `scalar`, `element`
      (of another array); or that it is a `mask`, what a comparison gives
    - `namespace`, `member`: a module of MXNet, or something in one; `name` is its dotted name
    - `python`: another module or something in one; `name` is its dotted name
    - `class`, `function`: defined in the file; `instance`: of a class, `name` is the class; of a
      layer or a data set of Gluon's `items` may say what it gives and, as an `origin`, which call
      made it
    - `method`: bound; `name` is the method's name, `items[0]` the receiver
    - `list` (`items[0]`: each element), `tuple` (`items`: each), `dict` (`items[0]`: each value)
    """

    kind: str
    name: str = ""
    items: tuple[Value, ...] = ()

    @property
    def item(self) -> Value:
        """What an element is."""
        if self.kind in ("list", "dict") and self.items:
            return self.items[0]
        if self.kind == "tuple" and self.items:
            return join(*self.items)
        return self if self.kind in ("array", "numpy") else UNKNOWN

    def is_mxnet(self) -> bool:
        """Whether it is a module of MXNet or something in one."""
        return self.kind in ("namespace", "member")


UNKNOWN = Value("unknown")
NONE = Value("none")
ARRAY = Value("array")
NUMPY = Value("numpy")
SCALAR = Value("scalar")
TEXT = Value("text")
SHAPE = Value("shape")
DTYPE = Value("dtype")
DEVICE = Value("device")
EITHER = Value("unknown", "what may be an array of MXNet's or of NumPy's")
ANOTHER = Value("unknown", "what may be a module of MXNet's or another")
# Arrays of two axes, and of more.
FLAT = Value("array", "flat")
DEEP = Value("array", "deep")
# An element of an array, and the names of what has no axes in torch, one in MXNet.
ELEMENT = Value("array", "element")
NUMBERS = ("scalar", "element")
# What a comparison gives: booleans in `mx.np`, numbers otherwise.
MASK = Value("array", "mask")


def list_of(item: Value) -> Value:
    """A list of such elements."""
    return Value("list", items=(item,))


def tuple_of(*items: Value) -> Value:
    """A tuple of these elements."""
    return Value("tuple", items=items)


def instance(name: str) -> Value:
    """An object of that class."""
    return Value("instance", name)


def join(*values: Value) -> Value:
    """What is known of a value that is one of these; None counts for nothing."""
    known = [v for v in dict.fromkeys(values) if v.kind != "none"]
    if not known:
        return NONE if values else UNKNOWN
    if len(known) == 1:
        return known[0]
    first = known[0]
    doubtful = [v for v in known if v.kind == "unknown"]
    if doubtful:
        return doubtful[0]
    if first.kind in ("list", "dict") and all(v.kind == first.kind for v in known):
        known = [v for v in known if v.items] or known[:1]  # an empty one says nothing
        if len(known) == 1:
            return known[0]
        first = known[0]
    if all(v.kind == first.kind and len(v.items) == len(first.items) for v in known):
        if first.kind in ("list", "tuple", "dict"):
            parts = zip(*(v.items for v in known), strict=True)
            return Value(first.kind, items=tuple(join(*part) for part in parts))
        if first.kind == "array":
            return ARRAY
    if all(v.kind == first.kind and v.name == first.name for v in known):
        return Value(first.kind, first.name)
    if all(v.kind == "instance" and v.name.startswith("mx.") for v in known):
        base = names.common_base(tuple(v.name for v in known))
        return Value("instance", base) if base else UNKNOWN
    if all(v.kind == "numpy" for v in known):
        return NUMPY
    kinds = {v.kind for v in known}
    if kinds == {"array", "numpy"}:
        return EITHER
    if "python" in kinds and kinds <= {"python", "namespace", "member"}:
        return ANOTHER
    return UNKNOWN
