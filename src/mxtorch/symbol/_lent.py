"""MXNet's file `symbol.py` holds all functions that are not operators."""

from mxtorch._front.names import lend
from mxtorch.symbol import _create, _functions, symbol

lend(symbol, _create, _functions)
