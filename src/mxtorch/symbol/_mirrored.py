"""MXNet's file `symbol.py` holds all functions that are not operators."""

from mxtorch._front.names import mirror
from mxtorch.symbol import _create, _functions, symbol

mirror(symbol, _create, _functions)
