"""What two runs printed, line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)(?!\w|\.[A-Za-z_])"
)
_SPECIAL = re.compile(r"\b(?:nan|inf)\b")
_CLOCK = re.compile(
    r"\btime|\bsec|\bsamples?/|/s\b|/sec|speed|elapsed|throughput|seconds|\d\d:\d\d:\d\d|took", re.I
)
_CONTEXT = re.compile(r"\b(?:cpu|gpu|cuda|cpu_pinned)(?:\(\d+\)|:\d+)?")
# what MXNet's schedulers, checkpoints and modules log of themselves
_LOG = re.compile(
    r"learning rate from ``lr_scheduler`` has been|Update\[\d+\]: "
    r"|Saved (checkpoint|optimizer state) to|Already bound, ignoring"
    r"|optimizer already initialized, ignoring|Auto-select kvstore type"
)
# MXNet's arrays of one number have a shape, torch's need none
_ONE = re.compile(r"\(1,?\)")
_RELATIVE = 2e-3
# how many characters from a number a word speaks of it
_NEAR = 12
# how much further off than a run is from itself a number may be
_SHAKEN = 4


@dataclass(frozen=True)
class Difference:
    """A line that the port prints otherwise, and what kind of difference it is.

    kind: `number` (a value differs), `count` (a line too many or too few), `clock`, `context`,
    `rounding` (a value differs, by no more than rounding makes of it), `text` (all numbers agree),
    `log` (MXNet itself says what it does, and the port does not).
    """

    line: int
    ours: str
    theirs: str
    kind: str

    @property
    def is_fault(self) -> bool:
        """Whether it speaks against the port."""
        return self.kind in ("number", "count")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def compare_lines(ours: Sequence[str], theirs: Sequence[str], cut: bool) -> list[Difference]:
    """The lines that differ; `cut`: both runs were ended early, so that lines may be missing.

    An array counts as one line; empty lines do not count.
    """
    first, second = _folded(ours), _folded(theirs)
    if len(first) == len(second) or cut:
        pairs = zip(first, second, strict=False)
        return [d for (i, a), (_, b) in pairs if (d := _differ(i, a, b)) is not None]
    found: list[Difference] = []
    nothing = (0, "")
    before, after = ([_mask(text) for _, text in part] for part in (first, second))
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for _, start, end, other, stop in matcher.get_opcodes():
        for left, right in zip_longest(first[start:end], second[other:stop]):
            if left is not None and right is not None:
                one = _differ(left[0], left[1], right[1])
                found += [one] if one is not None else []
            elif right is None and left is not None and _LOG.search(left[1]):
                found.append(Difference(left[0], left[1], "", "log"))
            else:
                number = (left or right or nothing)[0]
                found.append(
                    Difference(number, (left or nothing)[1], (right or nothing)[1], "count")
                )
    return found


# an array as MXNet prints it, after an empty line, and as torch does
_MX_ARRAY = re.compile(r"\n?^\[.*(?:\n+ .*)*\n(?=<NDArray [\dx]+ @\w+\(\d+\)>)", re.MULTILINE)
_TORCH_ARRAY = re.compile(r"tensor\(\[[^()]*\]")


def _folded(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines that are not empty, with their numbers; each array in one of them."""

    def fold(match: re.Match[str]) -> str:
        return re.sub(r"\n *", " \0", match.group())

    text = _TORCH_ARRAY.sub(fold, _MX_ARRAY.sub(fold, "\n".join(lines)))
    found, number = [], 1
    for line in text.split("\n"):
        if line.strip(" \0"):
            found.append((number, line.replace("\0", "").strip()))
        number += 1 + line.count("\0")
    return found


def forgiven(
    found: Sequence[Difference], run: Sequence[str], shaken: Sequence[str]
) -> list[Difference]:
    """The differences, numbers marked that are no further off than the run is from itself.

    `shaken` is what the second run prints if its weights are rounded otherwise.
    """
    texts = [[text for _, text in _folded(lines)] for lines in (run, shaken)]
    others: dict[str, list[str]] = {}
    if len(texts[0]) == len(texts[1]):
        for mine, other in zip(*texts, strict=True):
            others.setdefault(mine, []).append(other)
    marked = []
    for one in found:
        again = others.get(one.theirs, ())
        is_rounding = one.kind == "number" and any(_is_rounding(one, other) for other in again)
        marked.append(replace(one, kind="rounding") if is_rounding else one)
    return marked


def _is_rounding(found: Difference, shaken: str) -> bool:
    lines = found.ours, found.theirs, shaken
    if len({_mask(line) for line in lines}) > 1:
        return False
    for a, b, c in zip(*map(_NUMBER.findall, lines), strict=True):
        room = _SHAKEN * abs(float(b) - float(c))
        if not _agree(a, b) and abs(float(a) - float(b)) > room:
            return False
    return True


def _mask(line: str) -> str:
    return _NUMBER.sub("#", line)


def _differ(number: int, ours: str, theirs: str) -> Difference | None:
    if ours == theirs or _SPECIAL.findall(ours) != _SPECIAL.findall(theirs):
        return None if ours == theirs else Difference(number, ours, theirs, "number")
    kind = _kind(ours, theirs)
    return None if kind == "" else Difference(number, ours, theirs, kind)


def _kind(ours: str, theirs: str) -> str:
    if _mask(ours) == _mask(theirs):
        apart = [m for m, n in _matches(ours, theirs) if not _agree(m.group(), n.group())]
        if not apart:
            return ""
        return "clock" if all(_is_clock(ours, m) for m in apart) else "number"
    plain = _plain(ours), _plain(theirs)
    if not _numbers_agree(*plain):
        return "number"
    return "context" if _mask(plain[0]) == _mask(plain[1]) else "text"


def _matches(ours: str, theirs: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    return list(zip(_NUMBER.finditer(ours), _NUMBER.finditer(theirs), strict=False))


def _is_clock(line: str, number: re.Match[str]) -> bool:
    """Whether a number says how long something took: words beside it do."""
    around = line[max(0, number.start() - _NEAR) : number.end() + _NEAR]
    return _CLOCK.search(around) is not None


def _plain(line: str) -> str:
    """Without what names a context or the class of a shape."""
    line = re.sub(r"device\(type='(\w+)'(?:, index=(\d+))?\)", r"\1", line)
    line = (
        _CONTEXT.sub("@", line.replace("torch.Size([", "([")).replace("([", "(").replace("])", ")")
    )
    line = re.sub(r"tensor\((.*)\)", r"\1", line)
    line = re.sub(r"<NDArray [\dx]+ @>", "", line)
    return re.sub(r"(?:array|NDArray|dtype=[\w.]+|requires_grad=\w+|grad_fn=<[^>]*>)", "", line)


def _numbers_agree(ours: str, theirs: str) -> bool:
    a, b = (_NUMBER.findall(_ONE.sub("()", line)) for line in (ours, theirs))
    if _SPECIAL.findall(ours) != _SPECIAL.findall(theirs):
        return False
    return len(a) == len(b) and all(map(_agree, a, b))


def _agree(ours: str, theirs: str) -> bool:
    """Whether two printed numbers may be one, to rounding and to the digits of the longer."""
    a, b = float(ours), float(theirs)
    unit = min(filter(None, (_last_digit(ours), _last_digit(theirs))), default=0.0)
    whole = "." not in ours and "." not in theirs and "e" not in (ours + theirs).lower()
    if whole:
        return a == b
    return abs(a - b) <= _RELATIVE * max(abs(a), abs(b)) + 1.01 * unit + 1e-6


def _last_digit(text: str) -> float:
    """The weight of the last digit that is printed."""
    mantissa, _, exponent = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return float(10.0 ** (int(exponent or 0) - digits)) if digits else 0.0
