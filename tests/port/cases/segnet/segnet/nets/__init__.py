from .blocks import ConvBlock
from .fcn import FCN, get_fcn
