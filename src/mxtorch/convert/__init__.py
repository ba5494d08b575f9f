"""MXNet's files to PyTorch: weights, modules, source, exported programs."""

from mxtorch.convert import front
from mxtorch.convert.api import as_module, convert_symbol
from mxtorch.convert.params import params_to_safetensors
from mxtorch.convert.state import state_to_params
