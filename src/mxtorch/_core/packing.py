"""What inference may do with an operator whose weights stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor

from mxtorch._core.op import Attrs, find_op

Constants = Sequence[Tensor | None]
Scaling = tuple[Tensor, Tensor]
Packed = Callable[[Tensor], Tensor]


@dataclass(frozen=True, kw_only=True)
class Role:
    """The parts an operator can play. `constants` are its inputs after the first, `attrs` all its
    attributes."""

    # the scale and the shift of each channel that it comes to: BatchNorm with moving statistics
    affine: Callable[[Constants, Attrs], Scaling | None] | None = None
    # constants with which the result is scaled and shifted too
    absorb: Callable[[Constants, Attrs, Scaling], Constants | None] | None = None
    # (constants, attrs, shape of the data, what follows: 'none', 'relu', …) → it as a function of
    # the data; None if this one cannot be packed
    pack: Callable[[Constants, Attrs, tuple[int, ...], str], Packed | None] | None = None
    # what it is called where it follows a packed operator
    ending: Callable[[Attrs], str | None] | None = None
    # whether its body takes images whose channels lie last in memory, and leaves them so
    any_layout: bool = False


_roles: dict[str, Role] = {}


def enter(role: Role, *names: str) -> None:
    """Give operators their role; a name that is not an operator's raises MXNetError."""
    for name in names:
        _roles[find_op(name).name] = role


def find_role(name: str) -> Role | None:
    """The role of the operator of that (first) name."""
    return _roles.get(name)
