"""`mx.sym.contrib`: the operators of this namespace, each a function of Symbols."""

from mxtorch.symbol import _contrib, _control
from mxtorch.symbol._namespace import fill

cond = _control.cond
foreach = _control.foreach
while_loop = _control.while_loop
rand_zipfian = _contrib.rand_zipfian
adamw_update = _contrib.updates.adamw_update
mp_adamw_update = _contrib.updates.mp_adamw_update

fill(globals(), "contrib")
