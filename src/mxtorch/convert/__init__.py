"""MXNet's files to PyTorch: weights, modules, source, exported programs.

The package itself can be called: `mxtorch.convert(model, params=None, *, block=None, outputs=(),
dtype=None)` gives a model as a torch module in eval mode. `model` is a symbol file, a Symbol, a
Gluon `.params` with its `block`, or a folder; `params` a file or a dictionary of arrays; `outputs`
names nodes to end at; `dtype` is given to the weights. See `mxtorch.convert.api.convert`.
"""

from mxtorch.convert import front
from mxtorch.convert.api import as_module, convert_symbol
from mxtorch.convert.params import params_to_safetensors
from mxtorch.convert.state import state_to_params
