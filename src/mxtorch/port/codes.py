"""The numbered notes: what each says, with an example and what to do (docs/guide/port-codes.md)."""

from __future__ import annotations

import enum


class Code(enum.Enum):
    """Number and text of a note."""

    DIFFERS = ("MXT001", "PyTorch's counterpart differs")
    OPERATOR = ("MXT002", "no PyTorch counterpart; kept as an operator of mxtorch")
    BY_HAND = ("MXT003", "no rule; to be ported by hand")
    UNKNOWN = ("MXT004", "not a name of MXNet that mxtorch knows")
    SIZE = ("MXT006", "the size of an input is not known, so the layer is lazy")
    STEP = ("MXT007", "no backward() found for this step")
    DEVICES = ("MXT008", "computed on the first device; DistributedDataParallel uses all")
    STAR = ("MXT009", "names come from an import of everything")
    STALE = ("MXT012", "the facts are of another text of the file, and not used")
    SYNTAX = ("MXT010", "the file does not parse")
    GRADIENT = ("MXT011", "torch adds to .grad; set it to None before this backward()")

    def __init__(self, number: str, text: str) -> None:
        self.number = number
        self.text = text
