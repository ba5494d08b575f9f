"""What became of the uses of MXNet, and who copies operators' bodies into a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from mxtorch._core.op import Op


class Carrier(Protocol):
    """Copies operators' bodies into a file that does without mxtorch."""

    def function(self, op: Op) -> str:
        """What a body is called in the file; raises NotSupportedError if it cannot be copied."""

    def texts(self) -> list[str]:
        """The definitions."""

    def imports(self) -> list[str]:
        """The lines that they need."""


# Makes the carrier of a file, in which these names are taken.
MakeCarrier = Callable[[set[str]], Carrier]


@dataclass(frozen=True)
class Wishes:
    """What the user wants of a port.

    carrier: copies operators' bodies into the files; without it they call mxtorch's.
    parallel: 'ddp' makes of a program that splits batches one that torchrun starts as several
    processes, 'dp' one process that computes each part on its device.
    """

    carrier: MakeCarrier | None = None
    parallel: Literal["ddp", "dp"] = "ddp"


NO_WISHES = Wishes()


@dataclass
class Counts:
    """How the uses of MXNet came out."""

    idiomatic: int = 0
    operators: int = 0
    left: int = 0


@dataclass(frozen=True)
class Outcome:
    """What became of a use of MXNet: `exact`, `equivalent`, `operator`, `by hand` or `unknown`."""

    status: str
    detail: str = ""
