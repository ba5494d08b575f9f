"""Printed lines of a program held against recorded ones: words exactly, numbers closely."""

from __future__ import annotations

import re

# Of a number in a training curve, relative; MXNet's own runs stay within a quarter of it
# (tools/record_programs.py refuses to record others).
TOLERANCE = 1e-4
NEAR_ZERO = 1e-5  # of the largest number on the line, as for recorded arrays

EXACT = "draw"  # lines that start so must be equal letter by letter
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w.])")


def split(line: str) -> tuple[str, list[str]]:
    """The line with its numbers blanked, and the numbers."""
    return NUMBER.sub("#", line), NUMBER.findall(line)


def number_gap(got: str, want: str, largest: float) -> float:
    """How far `got` is from `want`, in units of what is allowed; integers must be equal."""
    if got == want:
        return 0.0
    a, b = float(got), float(want)
    if a == b:  # -0 and 0
        return 0.0
    if re.fullmatch(r"-?\d+", got) and re.fullmatch(r"-?\d+", want) and abs(b) < 1000:
        return float("inf")
    if not abs(a - b) < float("inf"):
        return float("inf")
    allowed = max(TOLERANCE * abs(b), NEAR_ZERO * largest)
    return abs(a - b) / allowed if allowed else float("inf")


def line_gap(got: str, want: str) -> float:
    """The worst number of a line, in units of what is allowed; infinite if words differ."""
    if got == want:
        return 0.0
    words, numbers = split(got)
    want_words, want_numbers = split(want)
    if words != want_words or want.lstrip().startswith(EXACT):
        return float("inf")
    finite = [abs(float(x)) for x in want_numbers if x not in ("inf", "-inf", "nan")]
    largest = max(finite, default=0.0)
    gaps = (number_gap(a, b, largest) for a, b in zip(numbers, want_numbers, strict=True))
    return max(gaps, default=0.0)


def differences(got: str, want: str) -> list[str]:
    """A line of text for every printed line that is not the recorded one."""
    ours, theirs = got.splitlines(), want.splitlines()
    found = [
        f"line {i}: {a}\n  MXNet: {b}"
        for i, (a, b) in enumerate(zip(ours, theirs, strict=False), 1)
        if line_gap(a, b) > 1
    ]
    if len(ours) != len(theirs):
        found.append(f"{len(ours)} lines, MXNet {len(theirs)}")
    return found
