"""Apache MXNet's API on PyTorch."""

from mxtorch.version import __version__ as __mxtorch_version__

__version__ = "1.9.1"
__all__ = ["__mxtorch_version__", "__version__"]
