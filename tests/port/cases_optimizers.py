"""Optimizers that torch does not have, and trainers in ways of their own, for the port."""

from __future__ import annotations

from tests.snippets import snippets

NET = """
net = nn.Dense(2, in_units=3)
net.initialize()
net.weight.set_data(nd.array(onp.sin(onp.arange(6)).reshape((2, 3))))
net.bias.set_data(nd.array([0.3, -0.2]))
x = nd.array(onp.cos(onp.arange(12)).reshape((4, 3)))
loss_fn = gluon.loss.L2Loss()

def train(trainer, steps):
    for i in range(steps):
        with autograd.record():
            loss = loss_fn(net(x * (i + 1)), x[:, :2])
        loss.backward()
        trainer.step(4)
        out.append(net.weight.data())
"""


def _case(name, optimizer, options):
    return f"""
## optimizers/{name}
trainer = gluon.Trainer(net.collect_params(), '{optimizer}', {options})
train(trainer, 5)
out += [net.bias.data(), trainer.learning_rate]
"""


_ROWS = [
    ("ftrl", "ftrl", "{'learning_rate': 0.2, 'lamda1': 0.05, 'wd': 0.01}"),
    ("ftrl-of-defaults", "ftrl", "{}"),
    ("signum", "signum", "{'learning_rate': 0.1, 'momentum': 0.6, 'wd': 0.1, 'wd_lh': 0.05}"),
    ("lamb", "lamb", "{'learning_rate': 0.1, 'wd': 0.02}"),
    ("lamb-bounds", "lamb",
     "{'learning_rate': 0.1, 'lower_bound': 1.5, 'upper_bound': 2.0, 'bias_correction': False}"),
]  # fmt: skip
CASES = snippets(
    "".join(_case(*row) for row in _ROWS)
    + """
## optimizers/begun-anew
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1, 'momentum': 0.9})
train(trainer, 2)
rate = 0.1 * 0.25
trainer._init_optimizer('sgd', {'learning_rate': rate, 'momentum': 0.9, 'wd': 0.1})
train(trainer, 2)

## optimizers/multipliers-after-the-trainer
trainer = gluon.Trainer(net.collect_params(), 'sgd',
                        {'learning_rate': 0.1, 'wd': 1.0, 'momentum': 0.5})
net.bias.wd_mult = 0.0
train(trainer, 2)
net.weight.lr_mult = 0.5
trainer.set_learning_rate(0.2)
train(trainer, 2)
for p in net.collect_params('.*bias').values():
    p.lr_mult = 0.0
train(trainer, 1)
out.append(net.bias.data())

## optimizers/names-at-run-time
def start():
    net.weight.set_data(nd.array(onp.sin(onp.arange(6)).reshape((2, 3))))

schedule = dict(step=1, factor=0.5, base_lr=0.2, stop_factor_lr=1e-8)
for name in ('sgd', 'nag', 'adam', 'adamax', 'nadam', 'adagrad', 'rmsprop', 'adadelta'):
    for given in ({}, {'learning_rate': 0.05, 'wd': 0.1, 'clip_gradient': 0.2},
                  {'rescale_grad': 0.1, 'multi_precision': True, 'clip_gradient': None}):
        start()
        train(gluon.Trainer(net.collect_params(), name, given), 2)
    for given in ({}, {'learning_rate': 0.05}):
        start()
        options = dict(given, lr_scheduler=mx.lr_scheduler.FactorScheduler(**schedule))
        train(gluon.Trainer(net.collect_params(), name, options), 3)

## optimizers/options-in-a-dict
options = {'learning_rate': 0.1, 'momentum': 0.5}
opt = mx.optimizer.create('sgd', **options)
trainer = gluon.Trainer(net.collect_params(), opt)
train(trainer, 3)
""",
    NET,
)
