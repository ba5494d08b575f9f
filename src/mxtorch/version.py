"""The version of mxtorch itself (mx.__version__ is the MXNet that it stands in for)."""

__version__ = "0.1.0"
