"""`mx.nd.contrib`: the operators of this namespace, each a function of NDArrays."""

from mxtorch.ndarray import _contrib, _control
from mxtorch.ndarray._namespace import fill

isfinite = _contrib.isfinite
isinf = _contrib.isinf
isnan = _contrib.isnan
cond = _control.cond
foreach = _control.foreach
while_loop = _control.while_loop
rand_zipfian = _contrib.rand_zipfian
adamw_update = _contrib.updates.adamw_update
mp_adamw_update = _contrib.updates.mp_adamw_update
multi_adamw_update = _contrib.updates.multi_adamw_update
multi_mp_adamw_update = _contrib.updates.multi_mp_adamw_update
multi_lamb_update = _contrib.updates.multi_lamb_update
multi_mp_lamb_update = _contrib.updates.multi_mp_lamb_update

fill(globals(), "contrib")
