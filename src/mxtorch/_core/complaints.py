"""What torch and Python say about a call that fails, in the words of the operator.

A body checks little: torch finds out what does not fit, and speaks of its own tensors and of steps
on the way. At the edge, where operator, arrays and attributes are known, this is said again with
their names. What is not known here is said in general: torch's own text is the error's cause.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mxtorch._core.attrs import attr_text
from mxtorch._core.errors import (
    MXNetError,
    MXNetIndexError,
    MXNetShapeError,
    MXNetTypeError,
    MXNetValueError,
)
from mxtorch._core.op import Op

Dims = tuple[int, ...]
Said = tuple[type[MXNetError], str]
_LONGEST = 80
_NO_MEMORY = (
    r"(?i)can't allocate|not enough memory|out of memory|MemoryError|integer (multiplication )?"
    r"overflow|calculation overflowed|exceed\w* .*maximum"
)
_TYPES = "Bool|Byte|Char|Short|Int|Long|Half|BFloat16|Float|Double"


@dataclass(frozen=True)
class Given:
    """One array that came: what the operator calls it."""

    name: str
    shape: Dims
    dtype: str

    @property
    def axes(self) -> str:
        """'data (2, 3) has 2 axes'"""
        count = len(self.shape)
        return f"{self.name} {self.shape} has {count} {'axis' if count == 1 else 'axes'}"

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} {self.shape}"


@dataclass(frozen=True)
class Call:
    """A call that failed: the operator, its arrays, its attributes as given."""

    op: Op
    arrays: tuple[Given, ...]
    attrs: Mapping[str, Any]

    def __str__(self) -> str:
        """What came in, for the end of a message."""
        attrs = ", ".join(f"{name}={_short(value)}" for name, value in self.attrs.items())
        arrays = ", ".join(map(str, self.arrays)) or "none"
        return f"(inputs: {arrays}{'; ' + attrs if attrs else ''})"

    def shapes(self) -> str:
        """The arrays' names and shapes."""
        return ", ".join(f"{a.name} {a.shape}" for a in self.arrays) or "no arrays"

    def numbers(self) -> Iterator[tuple[str, Any, float]]:
        """Each number in each attribute, with the attribute's name and its whole value."""
        for name, value in self.attrs.items():
            for number in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(number, (int, float)) and not isinstance(number, bool):
                    yield name, value, number

    def attr_with(self, fits: Callable[[float], bool]) -> str | None:
        """The first attribute that holds such a number, as 'axis=5'."""
        found = (f"{n}={_short(v)}" for n, v, number in self.numbers() if fits(number))
        return next(found, None)

    def array_with(self, fits: Callable[[Given], bool]) -> Given | None:
        """The first array of that kind."""
        return next((a for a in self.arrays if fits(a)), None)


def _short(value: Any) -> str:
    text = attr_text(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def call_of(op: Op, tensors: Sequence[Any], attrs: Mapping[str, Any]) -> Call:
    """The call as it came to a body, or to the function above it."""
    names = [f"arg{i}" for i in range(len(tensors))]
    if not op.variadic:
        names[: len(op.inputs)] = [i.name for i in op.inputs[: len(tensors)]]
    arrays = [
        Given(name if part is tensor else f"{name}[{k}]", tuple(part.shape), _dtype(part))
        for name, tensor in zip(names, tensors, strict=True)
        for k, part in enumerate(tensor if isinstance(tensor, (list, tuple)) else [tensor])
        if hasattr(part, "shape")
    ]
    return Call(op, tuple(arrays), {k: v for k, v in attrs.items() if k in op.attrs})


def _dtype(array: Any) -> str:
    """Its type; a handle's is NumPy's."""
    return str(getattr(array.dtype, "__name__", array.dtype)).removeprefix("torch.")


def plain(op: Op, text: str) -> str:
    """Text of a body, torch's ways of writing shapes and types in it written as NumPy's.

    It may begin with the operator's name, which is told anyway.
    """
    text = re.sub(r"torch\.Size\(\[([^]]*)\]\)", r"(\1)", text)
    text = re.sub(r"\btorch\.(?=[a-z]+\d|bool)", "", text)
    known = next((f"{name}: " for name in op.names if text.startswith(f"{name}: ")), "")
    return text.removeprefix(known)


def reword(call: Call, error: Exception) -> Said:
    """The class and the text for an error that is not ours."""
    lines = str(error).strip().splitlines()
    text = f"{lines[0] if lines else ''} {type(error).__name__}"
    by_rule = _against_rule(call)
    if by_rule is not None:
        return by_rule
    for pattern, words in _SAYINGS:
        match = re.search(pattern, text)
        said = words(call, match) if match else None
        if said is not None:
            return said
    return MXNetError, (
        "these arrays and attributes do not go together; look at numbers of axes, shapes and types"
    )


def _against_rule(call: Call) -> Said | None:
    """An input whose shape is not the one that follows from the first: a weight, a bias."""
    op, arrays = call.op, call.arrays
    if op.fill is None or op.variadic or not arrays or arrays[0].name != op.inputs[0].name:
        return None
    first = arrays[0]
    try:
        filled = op.fill([first.shape, *[None] * (len(op.inputs) - 1)], op.complete(call.attrs))
    except MXNetError as error:
        return type(error), str(error)
    except (IndexError, TypeError, ValueError, KeyError, ArithmeticError):
        return None
    wanted = dict(zip((i.name for i in op.inputs), filled, strict=False))
    for array in arrays[1:]:
        shape = wanted.get(array.name)
        if shape is not None and tuple(shape) != array.shape:
            return MXNetShapeError, (
                f"{array.name} has shape {array.shape}; {first.name} {first.shape} and these "
                f"attributes need {tuple(shape)}"
            )
    return None


def _shapes_differ(call: Call, match: re.Match[str]) -> Said:
    """Two arrays that do not broadcast, or shapes that do not fit in another way."""
    sizes = {int(n) for n in match.groups()}
    for one, other in itertools.combinations(call.arrays, 2):
        pairs = list(zip(reversed(one.shape), reversed(other.shape), strict=False))
        for back, (a, b) in enumerate(pairs):
            if sizes <= {a, b} and a != b and 1 not in (a, b):
                axis = max(len(one.shape), len(other.shape)) - 1 - back
                return MXNetShapeError, (
                    f"{one.name} {one.shape} and {other.name} {other.shape} do not fit: {a} and "
                    f"{b} along axis {axis}; lengths must be equal, or one of them 1"
                )
    return _shapes_unfit(call, match)


def _shapes_unfit(call: Call, match: re.Match[str]) -> Said:
    return MXNetShapeError, (
        f"the shapes do not fit: {call.shapes()}"
        if len(call.arrays) > 1
        else f"the shape does not fit the attributes: {call.shapes()}"
    )


def _axis_missing(call: Call, match: re.Match[str]) -> Said:
    """An axis beyond those that there are."""
    low, high, axis = (int(n) for n in match.groups())
    attr = call.attr_with(lambda n: n == axis)
    array = call.array_with(lambda a: len(a.shape) in (high + 1, 0)) or call.array_with(bool)
    if attr is not None:
        of = f"; {array.axes}" if array else ""
        return MXNetIndexError, f"{attr} is no axis here: expected {low} to {high}{of}"
    return _too_few(array, axis + 1 if axis >= 0 else -axis) or _axes_unfit(call, match)


def _too_few(array: Given | None, least: int) -> Said | None:
    if array is None or len(array.shape) >= least:
        return None
    return MXNetShapeError, f"{array.axes}; at least {least} are expected"


def _axes_unfit(call: Call, match: re.Match[str]) -> Said:
    if len(call.arrays) == 1:
        return MXNetShapeError, f"{call.arrays[0].axes}, and that number does not fit"
    return MXNetShapeError, f"the number of axes does not fit: {call.shapes()}"


def _lacks_axes(call: Call, match: re.Match[str]) -> Said:
    """An axis that is not there; an attribute may have asked for it."""
    if len(call.arrays) == 1:
        count = len(call.arrays[0].shape)
        for name, value, axis in call.numbers():
            if name.startswith(("axis", "axes", "dim")) and not -count <= axis < count:
                return MXNetIndexError, (
                    f"{name}={_short(value)} is no axis here: expected {-count} to {count - 1}; "
                    f"{call.arrays[0].axes}"
                )
        return MXNetShapeError, f"{call.arrays[0].axes}; more are expected"
    return _axes_unfit(call, match)


def _permuted(call: Call, match: re.Match[str]) -> Said:
    """Axes in another order: too many, too few, one of them twice."""
    found = (n for n, value in call.attrs.items() if isinstance(value, tuple))
    name = next(found, None)
    if name is None or not call.arrays:
        return _axes_unfit(call, match)
    attr = f"{name}={_short(call.attrs[name])}"
    return MXNetShapeError, f"{attr} must name each axis once; {call.arrays[0].axes}"


def _joined(call: Call, match: re.Match[str]) -> Said:
    """Arrays that are to be put together."""
    return MXNetShapeError, f"shapes must be equal, but along the axis of joining: {call.shapes()}"


def _small_images(call: Call, match: re.Match[str]) -> Said:
    kernel = f"kernel={_short(call.attrs['kernel'])}" if "kernel" in call.attrs else "the kernel"
    return MXNetShapeError, f"{kernel} is larger than the padded images: {call.shapes()}"


def _beyond(call: Call, match: re.Match[str]) -> Said:
    """More elements than an axis has."""
    wanted, size = int(match[1]), int(match[2])
    attr = call.attr_with(lambda n: n == wanted)
    return MXNetShapeError, f"{attr or f'{wanted} elements'}: the axis has {size}"


def _unpacked(call: Call, match: re.Match[str]) -> Said:
    """Python took a shape apart: '(expected 3, got 2)', '(expected 4)'."""
    expected = int(match["expected"])
    came = match["got"]
    array = call.array_with(
        lambda a: len(a.shape) == int(came) if came else len(a.shape) > expected
    )
    if array is None:
        return _axes_unfit(call, match)
    return MXNetShapeError, f"{array.axes}; {expected} are expected"


def _least(call: Call, match: re.Match[str]) -> Said:
    least = int(match[1] or match[2])
    found = call.array_with(lambda a: len(a.shape) < least)
    return _too_few(found, least) or _axes_unfit(call, match)


def _not_square(call: Call, match: re.Match[str]) -> Said:
    sizes = int(match[1]), int(match[2])
    array = call.array_with(lambda a: a.shape[-2:] == sizes)
    name = f"{array.name} {array.shape}" if array else "an input"
    return (
        MXNetShapeError,
        f"{name} holds matrices of {sizes[0]} x {sizes[1]}; expected square ones",
    )


def _not_positive(call: Call, match: re.Match[str]) -> Said:
    minor = f" (its leading minor of order {match[1]} is not)" if match[1] else ""
    return MXNetValueError, f"a matrix is not positive-definite{minor}"


def _products(call: Call, match: re.Match[str]) -> Said:
    return MXNetShapeError, f"the matrices cannot be multiplied: {call.shapes()}"


def _dtype_unfit(call: Call, match: re.Match[str]) -> Said:
    """A type that there is no computation for."""
    kinds = {a.dtype for a in call.arrays}
    if len(kinds) > 1:
        came = ", ".join(f"{a.name} {a.dtype}" for a in call.arrays)
        return MXNetTypeError, f"the arrays' types do not fit: {came}; convert one with astype()"
    name = kinds.pop() if kinds else _short(call.attrs.get("dtype", "this type"))
    hint = "" if name == "float32" else "; convert with astype('float32')"
    return MXNetTypeError, f"cannot compute with {name}{hint}"


def _empty(call: Call, match: re.Match[str]) -> Said:
    array = call.array_with(lambda a: 0 in a.shape)
    what = f"{array.name} {array.shape}" if array else "what it works on"
    return MXNetShapeError, f"{what} has no elements; at least one is needed"


def _negative(call: Call, match: re.Match[str]) -> Said | None:
    attr = call.attr_with(lambda n: n < 0)
    if attr is not None:
        return MXNetValueError, f"{attr} must not be negative"
    attr = call.attr_with(lambda n: n == 0)
    return None if attr is None else (MXNetValueError, f"{attr} must be larger than 0")


def _no_number(call: Call, match: re.Match[str]) -> Said | None:
    attr = call.attr_with(lambda n: not abs(n) < 2**31)
    return None if attr is None else (MXNetValueError, f"{attr} is out of the range it may have")


def _zero(call: Call, match: re.Match[str]) -> Said | None:
    if call.array_with(lambda a: 0 in a.shape):
        return _empty(call, match)
    attr = call.attr_with(lambda n: n == 0)
    if attr is not None:
        return MXNetValueError, f"{attr}: it divides by that; expected another number"
    return MXNetValueError, "it divides by 0"


def _outside(call: Call, match: re.Match[str]) -> Said:
    index, size = match.groups()
    return MXNetIndexError, f"index {index}".strip() + f" is outside an axis of length {size}"


def is_memory(error: Exception) -> bool:
    """Whether it says that memory does not hold an array."""
    return re.search(_NO_MEMORY, f"{error} {type(error).__name__}") is not None


def _memory(call: Call, match: re.Match[str]) -> Said:
    size = re.search(r"allocate ([\d.]+ \w+)", match.string)
    needed = f": it needs {size[1]} at once" if size else ""
    return MXNetError, f"this does not fit into memory{needed} ({call.shapes()})"


def _says(cls: type[MXNetError], text: str) -> Callable[[Call, re.Match[str]], Said]:
    return lambda call, match: (cls, text)


def _device(call: Call, match: re.Match[str]) -> Said:
    """What a device has to say is passed on: it is not about the arguments."""
    return MXNetError, match.string.rpartition(" ")[0]


_N = r"[\[(]?(-?\d+)[\])]?"
# (what torch or Python says, how to say it): the first that matches and has something to say
_SAYINGS: tuple[tuple[str, Callable[[Call, re.Match[str]], Said | None]], ...] = (
    (_NO_MEMORY, _memory),
    (r"^(CUDA|cuDNN|CUBLAS|NCCL|MPS|HIP)\b", _device),
    (rf"tensor a {_N} must match the size of tensor b {_N}", _shapes_differ),
    (rf"expanded size of the tensor {_N} must match the existing size {_N}", _shapes_differ),
    (r"broadcast a dimension of length (\d+)", _shapes_differ),
    (rf"expected to be in range of \[(-?\d+), (-?\d+)\], but got {_N}", _axis_missing),
    (r"values to unpack \(expected (?P<expected>\d+)(?:, got (?P<got>\d+))?\)", _unpacked),
    (r"at least (\d+)[- ]dim|total dims >= (\d+)", _least),
    (r"square matrices, but they are (\d+) by (\d+)", _not_square),
    (r"cannot be multiplied|first two dimensions of batch2|contracted dimensions", _products),
    (r"Incompatible shapes of A and B|inconsistent tensor size|size mismatch", _products),
    (r"singular", _says(MXNetValueError, "a matrix is singular: it has no inverse")),
    (r"not positive-definite(?:.*of order (\d+))?", _not_positive),
    (r"index (\d+) is out of bounds for dimension \d+ with size (\d+)", _outside),
    (r"index ()is out of bounds for dimension with size (\d+)", _outside),
    (r"not implemented for '|does not support \w+ input|bool tensors? is|same dtype", _dtype_unfit),
    (rf"Got ({_TYPES})\b|expected scalar type|({_TYPES}) did not match", _dtype_unfit),
    (r"can't be cast|boolean tensors?|floating|Low precision", _dtype_unfit),
    (r"non-zero size|numel\(\) == 0|[nN]on-empty|(is|be) empty|empty sequence|empty range", _empty),
    (r"division by zero|modulo by zero|ZeroDivisionError", _zero),
    (r"negative|greater than|must be positive|invalid shape dimension|step sign", _negative),
    (r"convert float|without overflow|too large|OverflowError|out of range of", _no_number),
    (r"Kernel size can't be greater|smaller than kernel", _small_images),
    (r"repeated dim in permute|duplicate dims|len\(dims\) =", _permuted),
    (r"index out of range|too many indices|0-dim", _lacks_axes),
    (r"Sizes of tensors must match|same number of dimensions|stack expects each", _joined),
    (r"length \((\d+)\) exceeds dimension size \((\d+)\)", _beyond),
    (r"zip\(\) argument|number of sizes", _axes_unfit),
    (r"[dD]imension|\d-?[dD]\b|matrices|axis", _axes_unfit),
    (r"[sS]izes?\b|[sS]hapes?\b|[lL]ength|reshape|broadcast|inferred|vector", _shapes_unfit),
)
