"""Callbacks and checkpoints: what they log and write."""

from tests.cases import C

SETUP = """
import logging, os, re, tempfile

class Keep(logging.Handler):
    def emit(self, record):
        lines.append(re.sub(r'Speed: [0-9.]+', 'Speed: N', record.getMessage().replace(folder, '')))

lines, folder = [], tempfile.mkdtemp()
keep = Keep()
root = logging.getLogger()
level = root.level
root.addHandler(keep)
root.setLevel(logging.INFO)

def batch(number, metric, epoch=0):
    if metric is not None:
        scores = nd.array([[0.75, 0.25], [0.25, 0.75]])
        metric.update([nd.array([0, number % 2])], [scores])
    return mx.model.BatchEndParam(epoch, number, metric, None)
"""
END = """
root.removeHandler(keep)
root.setLevel(level)
out.append(lines)
"""
STEPS = {
    "speedometer": """
metric = mx.metric.create(['acc', 'mae'])
metric = mx.metric.create(['acc'])
call = mx.callback.Speedometer(4, 2)
for epoch in range(2):
    for i in range(6):
        call(batch(i, metric, epoch))
        out.append(metric.get())
""",
    "speedometer-keep": """
metric = mx.metric.create('acc')
call = mx.callback.Speedometer(4, 2, False)
for i in range(6):
    call(batch(i, metric))
    out.append(metric.get())
""",
    "speedometer-none": """
call = mx.callback.Speedometer(4, 1)
for i in range(3):
    call(batch(i, None))
""",
    "log-train": """
metric = mx.metric.create(['acc'])
call = mx.callback.log_train_metric(2, True)
for i in range(4):
    call(batch(i, metric))
    out.append(metric.get())
call = mx.callback.log_train_metric(2)
call(batch(0, metric))
call(batch(0, None))
""",
    "validation": """
metric = mx.metric.create(['acc'])
mx.callback.LogValidationMetricsCallback()(batch(3, metric, 2))
mx.callback.LogValidationMetricsCallback()(batch(3, None))
""",
    "progress": """
call = mx.callback.ProgressBar(3, 7)
for i in range(4):
    call(batch(i, None))
""",
    "checkpoint": """
net = sym.FullyConnected(sym.var('data'), num_hidden=2, name='fc')
call = mx.callback.do_checkpoint(os.path.join(folder, 'm'), 2)
for epoch in range(4):
    call(epoch, net, {'fc_weight': nd.ones((2, 2)) * epoch}, {'bn_moving_mean': nd.ones(2)})
out.append(sorted(os.listdir(folder)))
loaded, arguments, states = mx.model.load_checkpoint(os.path.join(folder, 'm'), 4)
out += [loaded.tojson(), arguments, states]
out.append(mx.model.load_params(os.path.join(folder, 'm'), 2))
""",
    "checkpoint-no-symbol": """
mx.model.save_checkpoint(os.path.join(folder, 'm'), 12, None, {'a': nd.ones(1)}, {})
out.append(sorted(os.listdir(folder)))
""",
    "module-checkpoint": """
class Module:
    def save_checkpoint(self, *args):
        out.append(args)
call = mx.callback.module_checkpoint(Module(), 'p', 2, True)
for epoch in range(5):
    call(epoch)
""",
}
CASES = [C(label, SETUP + code + END) for label, code in STEPS.items()]
CASES += [
    C(
        "load-unnamed",
        """
        import os, tempfile
        prefix = os.path.join(tempfile.mkdtemp(), 'm')
        nd.save(prefix + '-0001.params', {'x': nd.ones(1)})
        mx.model.load_params(prefix, 1)
        """,
        raises="ValueError",
    ),
    C("load-missing", "mx.model.load_params('no such file', 1)", raises="MXNetError"),
]
