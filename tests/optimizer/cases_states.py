"""The bytes of optimizer states: what MXNet pickles, mxtorch pickles."""

from tests.cases import C

STATES = """
opt = mx.optimizer.create({name!r}, {options})
updater = mx.optimizer.get_updater(opt)
weight = nd.array([[1, 2], [3, 4]], dtype={dtype!r})
for index in (0, 'fc_weight'):
    updater(index, nd.array([[1, -1], [0.5, 2]], dtype={dtype!r}), weight)
out.append(updater.get_states())
out.append(updater.get_states(dump_optimizer=True))
updater.set_states(out[0])
out.append(sorted(updater.states_synced.items(), key=str))
updater(0, nd.array([[1, -1], [0.5, 2]], dtype={dtype!r}), weight)
out.append(weight)
other = mx.optimizer.get_updater(mx.optimizer.create('test'))
other.set_states(out[1])
out.append(type(other.optimizer).__name__)
other(0, nd.array([[1, -1], [0.5, 2]], dtype={dtype!r}), weight)
out.append(weight)
"""
SETUPS = {
    "sgd": ("sgd", "", "float32"),
    "sgd-momentum": ("sgd", "momentum=0.9, learning_rate=0.1", "float32"),
    "sgd-mp": ("sgd", "momentum=0.9, multi_precision=True", "float16"),
    "adam": ("adam", "clip_gradient=0.5", "float32"),
    "rmsprop": ("rmsprop", "centered=True", "float32"),
    "names": ("nag", "momentum=0.5, param_idx2name={0: 'a_weight', 1: 'a_bias'}", "float32"),
    "scheduler": ("sgd", "lr_scheduler=mx.lr_scheduler.FactorScheduler(2, 0.5)", "float32"),
    "lamb": ("lamb", "bias_correction=False", "float32"),
    "lbsgd": ("lbsgd", "batch_scale=2", "float32"),
}
CASES = [
    C(label, STATES.format(name=name, options=options, dtype=dtype))
    for label, (name, options, dtype) in SETUPS.items()
]
