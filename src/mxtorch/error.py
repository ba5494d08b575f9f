"""Classes of errors."""

from mxtorch._core.errors import MXNetError
from mxtorch.base import register_error

__all__ = ["InternalError", "MXNetError", "register", "register_error"]

register = register_error


@register_error
class InternalError(MXNetError):
    """An error within the library itself."""
