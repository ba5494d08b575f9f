"""Libraries of operators in C++."""

from __future__ import annotations

from mxtorch._core.errors import NotSupportedError

__all__ = ["load"]


def load(path: str, verbose: bool = True) -> None:
    """Refused: such a library is written for MXNet's C interface."""
    raise NotSupportedError(
        f"mx.library.load({path!r}): libraries for MXNet's C interface cannot be loaded. Write "
        "the operator in Python (mx.operator.CustomOp), or for torch (torch.ops.load_library)."
    )
