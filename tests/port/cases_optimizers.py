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

## optimizers/options-in-a-dict
options = {'learning_rate': 0.1, 'momentum': 0.5}
opt = mx.optimizer.create('sgd', **options)
trainer = gluon.Trainer(net.collect_params(), opt)
train(trainer, 3)
""",
    NET,
)
