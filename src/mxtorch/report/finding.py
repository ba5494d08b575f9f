"""One thing that a tool has to say about a place in a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, order=True)
class Finding:
    """A place (line and column from 1), a code that the documentation explains, and the text.

    `act`: a person has something to do there; otherwise it is for information.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    act: bool = False

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.code} {self.message}"
