"""Numbers in text files, read as MXNet reads them: to the last bit, which strtod would not be."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from mxtorch._core.errors import MXNetError

_FLOAT = re.compile(r"\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\s*\Z", re.ASCII)
_ZERO = ("", "0", "", "")
_SPECIAL = re.compile(r"\s*[+-]?(?:nan|inf(?:inity)?)\s*\Z", re.ASCII | re.IGNORECASE)
_INT = re.compile(r"\s*([+-]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]+)|(\d+))(?:\.\d*)?\s*\Z", re.ASCII)
_LINE_END = re.compile(r"\r\n|[\r\n]")
_REST_OF_LINE = re.compile(rb"[^\r\n]*[\r\n]*")
_WORD = 0xFFFFFFFFFFFFFFFF  # what MXNet's counter of digits holds
_DIGITS = 19  # digits behind the point that count
_TOP = 38  # the largest exponent
_LEAST = np.float32(1.17549435)  # smaller ones are lifted to it at the smallest exponent


def files_at(path: str) -> list[str]:
    """The files that a path names: itself, those of a folder, several separated by `;`."""
    found: list[str] = []
    for part in path.split(";"):
        if os.path.isdir(part):
            inside = (os.path.join(part, name) for name in os.listdir(part))
            found += [file for file in inside if os.path.isfile(file)]
        elif os.path.exists(part):
            found.append(part)
        else:
            raise MXNetError(f"{part}: there is no such file")
    found = [file for file in found if os.path.getsize(file)]
    if not found:
        raise MXNetError(f"{path}: there are no files with content")
    return found


def lines_of(path: str, num_parts: int = 1, part_index: int = 0) -> list[tuple[str, str]]:
    """(where, text) of every line that is not empty, in all files that the path names.

    With `num_parts` those of one part: the files' bytes are divided evenly, and each border is
    moved behind the line in which it lies.
    """
    if not 0 <= part_index < num_parts:
        raise MXNetError(f"part_index={part_index} is none of {num_parts} parts")
    files = files_at(path)
    sizes = [os.path.getsize(file) for file in files]
    step = -(-sum(sizes) // num_parts)
    begin, end = step * part_index, step * (part_index + 1)
    found = []
    for file, size in zip(files, sizes, strict=True):
        if begin < size and end > 0:
            found += _lines(file, begin, end)
        begin, end = begin - size, end - size
    return found


def _lines(file: str, begin: int, end: int) -> list[tuple[str, str]]:
    """The lines between two places of a file."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
        start, stop = _behind_line(data, begin), _behind_line(data, end)
        text = data[start:stop].decode()
    except (OSError, UnicodeDecodeError) as error:
        raise MXNetError(f"{file}: cannot be read as text: {error}") from error
    first = len(_LINE_END.findall(data[:start].decode())) + 1
    lines = enumerate(_LINE_END.split(text), first)
    return [(f"{file}, line {number}", line) for number, line in lines if line]


def _behind_line(data: bytes, place: int) -> int:
    """The start of the line after the one in which `place` lies; a file's start stays."""
    if place <= 0 or place >= len(data):
        return max(0, min(place, len(data)))
    rest = _REST_OF_LINE.match(data, place)
    return rest.end() if rest else len(data)


def floats(cells: list[str], place: Callable[[int], str]) -> np.ndarray:
    """The cells as float32; `place(i)` says where cell i stands, for an error."""
    signs, wholes, behinds, digits, powers = [], [], [], [], []
    special: dict[int, float] = {}
    for at, cell in enumerate(cells):
        found = _FLOAT.match(cell)
        if not found:
            special[at] = _special(cell, place(at))
        sign, whole, behind, power = found.groups() if found else _ZERO
        behind = behind[:_DIGITS] if behind else ""
        if not (whole or behind):
            raise MXNetError(f"{place(at)}: {cell.strip()!r} is not a number")
        signs.append(-1 if sign == "-" else 1)
        wholes.append(int(whole or 0) & _WORD)
        behinds.append(int(behind or 0))
        digits.append(len(behind))
        powers.append(int(power) if power else 0)
    value = np.array(wholes, np.uint64).astype(np.float32)
    scale = np.array([10**n for n in range(_DIGITS + 1)], np.float64)[digits]
    value += (np.array(behinds, np.uint64).astype(np.float64) / scale).astype(np.float32)
    value = _scaled(value, np.array([max(-_TOP, min(_TOP, power)) for power in powers], np.int64))
    value *= np.array(signs, np.float32)
    for at, number in special.items():
        value[at] = number
    return value


def _special(cell: str, place: str) -> float:
    """NaN or infinity."""
    if not _SPECIAL.match(cell):
        raise MXNetError(f"{place}: {cell.strip()!r} is not a number")
    return float(cell)


def _scaled(value: np.ndarray, power: np.ndarray) -> np.ndarray:
    """`value` times 10 to the `power`, with the roundings of MXNet's float arithmetic."""
    if not power.any():
        return value
    value = np.where((power == -_TOP) & (value < _LEAST), _LEAST, value)
    table = [np.float32(1)]
    for exponent in range(1, _TOP + 1):
        rest, start = exponent % 8, np.float32(1)
        for _ in range(exponent // 8):
            start *= np.float32(1e8)
        for _ in range(rest):
            start *= np.float32(10)
        table.append(start)
    scale = np.array(table, np.float32)[np.abs(power)]
    with np.errstate(over="ignore", under="ignore"):
        return np.where(power < 0, value / scale, value * scale).astype(np.float32)


def integers(cells: list[str], place: Callable[[int], str], dtype: Any) -> np.ndarray:
    """The cells as int64 (too large ones become its limits), then cut to `dtype`."""
    limits = np.iinfo(np.int64)
    found = []
    for at, cell in enumerate(cells):
        parts = _INT.match(cell)
        if not parts:
            raise MXNetError(f"{place(at)}: {cell.strip()!r} is not a whole number")
        sixteen, eight, ten = parts[2], parts[3], parts[4]
        value = int(sixteen, 16) if sixteen else int(eight, 8) if eight else int(ten)
        found.append(max(limits.min, min(limits.max, -value if parts[1] == "-" else value)))
    return np.array(found, np.int64).astype(dtype)
