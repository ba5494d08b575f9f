"""MXNet source to idiomatic PyTorch."""

from mxtorch.port.file import Ported, port_text
