"""Blocks: `mx.gluon.Block`, `HybridBlock`, `SymbolBlock`."""

from mxtorch.gluon._block import Block
from mxtorch.gluon._hybrid import HybridBlock
from mxtorch.gluon._scope import BlockScope as _BlockScope
from mxtorch.gluon._symbol_block import SymbolBlock
from mxtorch.gluon._text import brief_list as _brief_print_list
from mxtorch.gluon._text import indent as _indent
from mxtorch.gluon._trace import flatten as _flatten
from mxtorch.gluon._trace import regroup as _regroup
from mxtorch.gluon.parameter import DeferredInitializationError, Parameter, ParameterDict
from mxtorch.gluon.utils import HookHandle
from mxtorch.ndarray import NDArray
from mxtorch.symbol import Symbol

__all__ = ["Block", "DeferredInitializationError", "HybridBlock", "SymbolBlock"]
