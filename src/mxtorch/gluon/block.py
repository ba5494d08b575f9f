"""Blocks: `mx.gluon.Block`, `HybridBlock`, `SymbolBlock`."""

from mxtorch.gluon._block import Block
from mxtorch.gluon._hybrid import HybridBlock
from mxtorch.gluon._scope import BlockScope as _BlockScope  # noqa: F401 - pickles name it
from mxtorch.gluon._symbol_block import SymbolBlock
from mxtorch.gluon.parameter import DeferredInitializationError

__all__ = ["Block", "DeferredInitializationError", "HybridBlock", "SymbolBlock"]
