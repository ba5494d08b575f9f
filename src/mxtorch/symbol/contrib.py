"""`mx.sym.contrib`: the operators of this namespace, each a function of Symbols."""

from mxtorch.symbol import _contrib
from mxtorch.symbol._control import cond, foreach, while_loop
from mxtorch.symbol._namespace import fill

rand_zipfian = _contrib.rand_zipfian
adamw_update = _contrib.updates.adamw_update
mp_adamw_update = _contrib.updates.mp_adamw_update

fill(globals(), "contrib")
