from . import nets, utils
from .data import Shapes, loaders
__version__ = '0.1'
