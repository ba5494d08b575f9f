"""Optimizers with odd settings: three updates each, on one weight, from one state."""

from __future__ import annotations

from tests.cases import C
from tests.snippets import snippets

_SETTINGS = """
SGD()
SGD(learning_rate=0.1)
SGD(learning_rate=0.1, momentum=0.9)
SGD(learning_rate=0.1, momentum=0.9, wd=0.1)
SGD(learning_rate=0.1, wd=0.1, clip_gradient=0.3)
SGD(learning_rate=0.1, momentum=0.5, clip_gradient=0.3, rescale_grad=0.5, wd=0.01)
SGD(learning_rate=0.1, lazy_update=False)
NAG(learning_rate=0.1)
NAG(learning_rate=0.1, momentum=0.9)
NAG(learning_rate=0.1, momentum=0.9, wd=0.1)
NAG(learning_rate=0.1, momentum=0.9, clip_gradient=0.3)
Adam()
Adam(learning_rate=0.1)
Adam(learning_rate=0.1, wd=0.1)
Adam(learning_rate=0.1, beta1=0.5, beta2=0.6, epsilon=0.1)
Adam(learning_rate=0.1, clip_gradient=0.3, rescale_grad=0.5, wd=0.1)
AdaGrad(learning_rate=0.1)
AdaGrad(learning_rate=0.1, eps=0.01, wd=0.1)
AdaGrad(learning_rate=0.1, clip_gradient=0.3)
RMSProp()
RMSProp(learning_rate=0.1, wd=0.1)
RMSProp(learning_rate=0.1, gamma1=0.5, epsilon=0.01)
RMSProp(learning_rate=0.1, centered=True)
RMSProp(learning_rate=0.1, centered=True, gamma1=0.8, gamma2=0.5, wd=0.1)
RMSProp(learning_rate=0.1, clip_gradient=0.3, clip_weights=0.8)
AdaDelta()
AdaDelta(rho=0.5, epsilon=0.01, wd=0.1)
AdaDelta(clip_gradient=0.3)
Ftrl()
Ftrl(lamda1=0.1, learning_rate=0.5, beta=2, wd=0.1)
Adamax()
Adamax(learning_rate=0.1, beta1=0.5, beta2=0.6, wd=0.1)
Nadam()
Nadam(learning_rate=0.1, schedule_decay=0.01, wd=0.1)
Signum()
Signum(learning_rate=0.1, momentum=0, wd=0.1)
Signum(learning_rate=0.1, momentum=0.5, wd=0.1, wd_lh=0.05)
FTML()
FTML(learning_rate=0.1, beta1=0.5, beta2=0.9, epsilon=0.01, wd=0.1)
LAMB()
LAMB(learning_rate=0.1, wd=0.1)
LAMB(learning_rate=0.1, bias_correction=False, lower_bound=0.1, upper_bound=0.5)
LARS(learning_rate=0.1, momentum=0.9, wd=0.1)
LBSGD(learning_rate=0.1, momentum=0.9)
DCASGD(learning_rate=0.1)
Test()
"""

_STEPS = """
w = nd.array([0.5, -1, 2, 0])
o = mx.optimizer.{}
s = o.create_state_multi_precision(0, w)
for g in ([0.1, -0.4, 1.5, 0], [0.2, 0.3, -1, 0.7], [-0.1, 0, 0.5, 0.2]):
    o.update_multi_precision(0, w, nd.array(g), s)
    out.append(w.copy())
"""

_FILE = """
## create/names
for n in (
    'sgd',
    'nag',
    'adam',
    'adagrad',
    'rmsprop',
    'adadelta',
    'ftrl',
    'adamax',
    'nadam',
    'signum',
    'ftml',
    'lamb',
):
    o = mx.optimizer.create(n)
    out.append((n, type(o).__name__, float(o.lr), float(o.wd)))

## create/options
o = mx.optimizer.create('sgd', learning_rate=0.3, momentum=0.2)
out += [o.lr, o.momentum, o.rescale_grad, o.clip_gradient is None, o.num_update, o.begin_num_update]

## create/passes-to-class
out += [
    mx.optimizer.Optimizer.create_optimizer('adam').lr,
    mx.optimizer.SGD is mx.optimizer.optimizer.SGD,
]

## create/unknown-option
mx.optimizer.create('sgd', no_such=1)

## counts/num_update
o = mx.optimizer.SGD()
w, g = nd.ones((1,)), nd.ones((1,))
for i in (0, 0, 1, 0):
    o.update(i, w, g, None)
    out.append(o.num_update)

## counts/begin
o = mx.optimizer.Adam(learning_rate=0.1, begin_num_update=5)
w = nd.ones((1,))
s = o.create_state(0, w)
o.update(0, w, nd.ones((1,)), s)
out += [w, o.num_update]

## counts/per-index
o = mx.optimizer.Adam(learning_rate=0.1)
w, v = nd.ones((1,)), nd.ones((1,))
s, t = o.create_state(0, w), o.create_state(1, v)
o.update(0, w, nd.ones((1,)), s)
o.update(0, w, nd.ones((1,)), s)
o.update(1, v, nd.ones((1,)), t)
out += [w, v]

## scheduler/used
o = mx.optimizer.SGD(learning_rate=1.0, lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5))
w = nd.zeros((1,))
for _ in range(4):
    o.update(0, w, nd.ones((1,)), None)
    out.append(w.copy())
out.append(o.learning_rate)

## scheduler/set-refused
o = mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.FactorScheduler(1, 0.5))
o.set_learning_rate(0.1)

## mult/set_lr_mult
o = mx.optimizer.SGD(learning_rate=0.1, param_idx2name={0: 'a_weight', 1: 'a_bias'})
o.set_lr_mult({'a_weight': 3})
w, b = nd.zeros((1,)), nd.zeros((1,))
o.update(0, w, nd.ones((1,)), None)
o.update(1, b, nd.ones((1,)), None)
out += [w, b]

## mult/set_wd_mult
o = mx.optimizer.SGD(learning_rate=0.1, wd=1.0, param_idx2name={0: 'a_weight', 1: 'a_bias'})
w, b = nd.ones((1,)), nd.ones((1,))
o.update(0, w, nd.zeros((1,)), None)
o.update(1, b, nd.zeros((1,)), None)
out += [w, b]
o.set_wd_mult({'a_bias': 2})
o.update(1, b, nd.zeros((1,)), None)
out.append(b)

## state/sgd
out += [mx.optimizer.SGD().create_state(0, nd.ones((2,))) is None,
        mx.optimizer.SGD(momentum=0.9).create_state(0, nd.ones((2,)))]

## state/adam
m, v = mx.optimizer.Adam().create_state(0, nd.ones((2,), dtype='float64'))
out += [m, v]

## multi-precision/sgd
o = mx.optimizer.SGD(learning_rate=0.1, momentum=0.9, multi_precision=True)
w = nd.array([1, 2], dtype='float16')
s = o.create_state_multi_precision(0, w)
for _ in range(3):
    o.update_multi_precision(0, w, nd.array([0.001, 0.3], dtype='float16'), s)
out += [w, len(s), s[1]]

## multi-precision/off
import warnings
o = mx.optimizer.SGD(learning_rate=0.1)
w = nd.array([1, 2], dtype='float16')
with warnings.catch_warnings():
    warnings.simplefilter('ignore')
    s = o.create_state_multi_precision(0, w)
    o.update_multi_precision(0, w, nd.array([0.001, 0.3], dtype='float16'), s)
out.append(w)

## updater/get_updater
u = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))
w = nd.ones((2,))
for _ in range(2):
    u(0, nd.ones((2,)), w)
out += [w, type(u.states[0]).__name__]

## updater/states-round-trip
u = mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.1))
w = nd.ones((2,))
u(0, nd.ones((2,)), w)
v = mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.1))
v.set_states(u.get_states())
out += [type(u.get_states()).__name__, v.states[0][0], v.states[0][1]]

## updater/list-update
o = mx.optimizer.SGD(learning_rate=0.1, momentum=0.9)
ws = [nd.ones((2,)), nd.ones((3,)) * 2]
gs = [nd.ones((2,)), nd.ones((3,))]
ss = [o.create_state_multi_precision(i, w) for i, w in enumerate(ws)]
for _ in range(2):
    o.update_multi_precision([0, 1], ws, gs, ss)
out += ws

## own/registered
@mx.optimizer.register
class Plain(mx.optimizer.Optimizer):
    def create_state(self, index, weight):
        return None
    def update(self, index, weight, grad, state):
        self._update_count(index)
        weight[:] -= self._get_lr(index) * (grad * self.rescale_grad + self._get_wd(index) * weight)
net = nn.Dense(1, in_units=2, weight_initializer='ones')
net.initialize()
t = gluon.Trainer(net.collect_params(), 'plain', {'learning_rate': 0.1, 'wd': 0.5})
with autograd.record():
    y = net(nd.ones((2, 2)))
y.backward()
t.step(2)
out += [net.weight.data(), net.bias.data()]

## functions/sgd_update
w = nd.array([1, 2])
nd.sgd_update(w, nd.array([0.5, 1]), out=w, lr=0.1, wd=0.01)
out.append(w)

## functions/sgd_mom_update
w, m = nd.array([1, 2]), nd.array([0.1, 0.1])
nd.sgd_mom_update(w, nd.array([0.5, 1]), m, out=w, lr=0.1, momentum=0.9)
out += [w, m]

## functions/adam_update
w, m, v = nd.array([1, 2]), nd.zeros((2,)), nd.zeros((2,))
nd.adam_update(w, nd.array([0.5, 1]), m, v, out=w, lr=0.1)
out += [w, m, v]

## functions/clip
w = nd.array([1, 2])
nd.sgd_update(w, nd.array([0.5, 100]), out=w, lr=0.1, clip_gradient=1, rescale_grad=0.5)
out.append(w)
"""

_SCHEDULES = """
FactorScheduler(step=2)
FactorScheduler(step=2, factor=0.5, base_lr=1)
FactorScheduler(step=1, factor=0.1, stop_factor_lr=0.05, base_lr=1)
FactorScheduler(step=2, factor=0.5, base_lr=1, warmup_steps=3)
MultiFactorScheduler(step=[2, 4], factor=0.1, base_lr=1)
MultiFactorScheduler(step=[2, 4], factor=0.1, base_lr=1, warmup_steps=1, warmup_begin_lr=0.5)
PolyScheduler(max_update=5)
PolyScheduler(max_update=5, base_lr=1, pwr=1, final_lr=0.2)
CosineScheduler(max_update=5)
CosineScheduler(max_update=5, base_lr=1, final_lr=0.2, warmup_steps=2)
CosineScheduler(5, base_lr=1, warmup_steps=2, warmup_begin_lr=0.5, warmup_mode="constant")
"""


def _schedule(line: str) -> C:
    code = f"s = mx.lr_scheduler.{line}\nout.append(tuple(float(s(i)) for i in range(9)))"
    return C("schedule/" + line, code)


CASES = (
    [C("steps/" + line, _STEPS.format(line)) for line in _SETTINGS.splitlines() if line]
    + snippets(_FILE)
    + [_schedule(line) for line in _SCHEDULES.splitlines() if line]
)
