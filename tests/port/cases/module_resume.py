"""A symbol is trained, kept in checkpoints, loaded again by every way there is, and trained on."""

import logging
import os
import tempfile

import mxnet as mx
import numpy as np

logging.basicConfig(level=logging.WARNING)
rng = np.random.RandomState(7)
prefix = os.path.join(tempfile.mkdtemp(), "mlp")
BATCH = 20


def build():
    data = mx.sym.Variable("data")
    fc1 = mx.sym.FullyConnected(data, num_hidden=16, name="fc1")
    bn1 = mx.sym.BatchNorm(fc1, fix_gamma=False, name="bn1")
    act1 = mx.sym.Activation(bn1, act_type="relu", name="relu1")
    fc2 = mx.sym.FullyConnected(act1, num_hidden=4, name="fc2")
    return mx.sym.SoftmaxOutput(fc2, name="softmax")


def first_weights(shapes):
    w = np.random.RandomState(1)
    return {name: mx.nd.array(w.uniform(-0.3, 0.3, size=shape)) for name, shape in shapes.items()}


x = rng.normal(size=(100, 8)).astype("float32")
y = (x[:, 0] > 0) * 2 + (x[:, 1] > 0)
train = mx.io.NDArrayIter(x[:80], y[:80], BATCH, shuffle=False)
valid = mx.io.NDArrayIter(x[80:], y[80:], BATCH)

softmax = build()
# what the graph needs
arg_names = softmax.list_arguments()
print("arguments", arg_names)
print("auxiliary", softmax.list_auxiliary_states())
model = mx.mod.Module(symbol=softmax, context=mx.cpu())
model.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
shapes = {"fc1_weight": (16, 8), "fc2_weight": (4, 16)}
model.init_params(mx.init.Zero())
model.set_params(first_weights(shapes), {}, allow_missing=True)
model.fit(
    train,
    eval_data=valid,
    optimizer="sgd",
    optimizer_params={"learning_rate": 0.2, "momentum": 0.9},
    eval_metric="acc",
    num_epoch=3,
    epoch_end_callback=mx.callback.do_checkpoint(prefix),
)
print("after 3: %.4f" % model.score(valid, "acc")[0][1])

# the whole of a checkpoint
sym, arg_params, aux_params = mx.model.load_checkpoint(prefix, 3)
print(sorted(arg_params), sorted(aux_params))
print("fc1_weight %.4f" % np.abs(arg_params["fc1_weight"].asnumpy()).mean())
again = mx.mod.Module(symbol=sym, context=mx.cpu(), label_names=None)
again.bind(for_training=False, data_shapes=[("data", (BATCH, 8))])
again.set_params(arg_params, aux_params, allow_missing=True)
prob = again.predict(valid)
print("predicted", prob.shape, [int(i) for i in prob.argmax(axis=1).asnumpy()[:8]])

# training taken up where it stopped
resumed = mx.mod.Module.load(prefix, 2, context=mx.cpu())
resumed.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
print("epoch 2: %.4f" % resumed.score(valid, mx.metric.Accuracy())[0][1])
finetune = mx.mod.Module(symbol=softmax, context=mx.cpu())
finetune.fit(
    train,
    optimizer="sgd",
    optimizer_params={"learning_rate": 0.05},
    arg_params=arg_params,
    aux_params=aux_params,
    begin_epoch=3,
    num_epoch=5,
)
print("after 5: %.4f" % finetune.score(valid, mx.metric.Accuracy())[0][1])
mx.model.save_checkpoint(prefix, 5, softmax, *finetune.get_params())
finetune.save_checkpoint(prefix, 6)
print([e for e in range(9) if os.path.exists("%s-%04d.params" % (prefix, e))])
save_dict = mx.nd.load("%s-%04d.params" % (prefix, 5))
for k, v in sorted(save_dict.items()):
    tp, name = k.split(":", 1)
    print(tp, name, v.shape)
