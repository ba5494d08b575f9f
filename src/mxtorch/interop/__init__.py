"""Gluon and torch in one program: a block as an nn.Module, an nn.Module as a block."""

from mxtorch.interop.block import ModuleBlock, as_block
from mxtorch.interop.module import BlockModule, as_module
