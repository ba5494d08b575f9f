"""What toolkits built on MXNet need beside MXNet itself."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from mxtorch.run.loading import AfterImport


def _leave_torch_alone(module: ModuleType, name: str) -> None:
    """GluonCV has a half for MXNet and one for torch < 2, and stops where it finds a newer torch.

    mxtorch needs one; so it is told that there is none, and uses its half for MXNet.
    """
    check = module._require_pytorch_version

    @functools.wraps(check)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            check(*args, **kwargs)
        except RuntimeError as error:
            raise ImportError(f"GluonCV's half for torch is left out: {error}") from error

    module._require_pytorch_version = wrapped  # type: ignore[attr-defined]


class ToolkitFinder(AfterImport):
    """Lets toolkits be found as ever, and sees to them afterwards."""

    mxtorch_toolkits = True

    def __init__(self) -> None:
        super().__init__({"gluoncv.check": _leave_torch_alone})


def install() -> None:
    """From now on, in this process; a second call changes nothing."""
    if not any(getattr(f, "mxtorch_toolkits", False) for f in sys.meta_path):
        sys.meta_path.insert(0, ToolkitFinder())


def uninstall() -> None:
    """Take the finder away again."""
    sys.meta_path[:] = [f for f in sys.meta_path if not getattr(f, "mxtorch_toolkits", False)]
