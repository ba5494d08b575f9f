"""The seed document's MXNet column, fragment by fragment, beside what the port makes of it.

The document is a user's notebook: MXNet on the left, PyTorch on the right, topic by topic. Its
full-width colon and its missing bracket (3.2, 3.5) are mended here. `counterpart` is what its right
column says where the port writes something else; `reason` says why. `before` and `after` make a
program of the fragment; devices are the CPU when it runs. Python 3.8 too: real MXNet runs it.
"""

from __future__ import annotations


class Fragment:
    """One fragment: MXNet, the port, and what the document has if that differs."""

    def __init__(self, topic, mxnet, torch, reason="", counterpart="", before="", after=""):
        self.topic, self.mxnet, self.torch = topic, mxnet.strip("\n"), torch.strip("\n")
        self.reason, self.counterpart = reason, counterpart
        self.before, self.after = before.strip("\n"), after.strip("\n")

    def program(self):
        """The fragment with what it stands on, on the CPU."""
        parts = (self.before, self.mxnet, self.after)
        return "\n".join(part for part in parts if part).replace("mx.gpu(", "mx.cpu(") + "\n"


_NET = """
net = nn.Dense(1, in_units=3)
net.initialize(mx.init.One())
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.1})
batch_size, num_epochs = 4, 3
X = nd.array(onp.cos(onp.arange(8 * 3)).reshape((8, 3)))
y = nd.array(onp.arange(8) / 4)
data_iter = gluon.data.DataLoader(gluon.data.ArrayDataset(X, y), batch_size)
from mxnet.gluon.loss import L2Loss
"""
_RNN = """
def fill(net):
    for p in net.collect_params().values():
        n = p.data().size
        p.set_data(nd.array(onp.sin(onp.arange(n)).reshape(p.shape) * 0.4))

X = nd.array(onp.cos(onp.arange(4 * 2 * 3)).reshape((4, 2, 3)))
"""

FRAGMENTS = [
    Fragment(
        "1.1 one GPU",
        """
os.environ["CUDA_VISIBLE_DEVICES"] = "3"
ctx = mx.gpu(0)
x = nd.array(data,ctx)
x = x.as_in_context(ctx)
""",
        """
os.environ["CUDA_VISIBLE_DEVICES"] = "3"
ctx = torch.device("cuda:0")
x = torch.tensor(data, dtype=torch.float32, device=ctx)
x = x.to(ctx)
""",
        "MXNet raises where there is no GPU; a silent CPU would be another program",
        'device = torch.device("cuda:0") if torch.cuda.is_available() else torch.device("cpu")',
        before="import os\ndata = [[1, 2], [3, 4]]",
        after="out += [x]",
    ),
    Fragment(
        "1.2 several GPUs",
        """
ctx_id = '1,2,3,4'
os.environ["CUDA_VISIBLE_DEVICES"] = ctx_id
num_gpus = len(ctx_id.split(','))
ctx = [mx.gpu(i) for i in range(num_gpus)]
""",
        """
ctx_id = '1,2,3,4'
os.environ["CUDA_VISIBLE_DEVICES"] = ctx_id
num_gpus = len(ctx_id.split(','))
ctx = [torch.device("cuda", i) for i in range(num_gpus)]
""",
        before="import os",
        after="out += [len(ctx)]",
    ),
    Fragment(
        "3.1.1 from and to NumPy",
        """
D = nd.array(a)
b = D.asnumpy()
""",
        """
D = torch.tensor(a, dtype=torch.float32)
b = D.detach().cpu().numpy().copy()
""",
        "nd.array copies and makes float32, torch.from_numpy shares memory and keeps the type; "
        "asnumpy() is a copy from any device, numpy() a view on the CPU alone",
        "D = torch.from_numpy(a); a = D.numpy()",
        before="a = onp.arange(6).reshape((2, 3))",
        after="a[0] = 7\nD[1] = 9\nout += [D, b, str(b.dtype)]",
    ),
    Fragment(
        "3.1.2 to a number",
        "s = X.sum().asscalar()",
        "s = X.sum().item()",
        before="X = nd.array([1.5, 2.5])",
        after="out += [float(s)]",
    ),
    Fragment(
        "3.1.3 shapes",
        """
X = x.reshape((3, 4))
X = x.reshape((-1, 4))
""",
        """
X = x.reshape(3, 4)
X = x.reshape(-1, 4)
""",
        "view() raises on a tensor that is not contiguous, reshape() does not",
        "y = x.view(15); z = x.view(-1, 5)",
        before="x = nd.array(onp.arange(12)).reshape((2, 6))",
        after="out += [X]",
    ),
    Fragment(
        "3.1.4 to a GPU",
        """
B = nd.random.uniform(shape=(2, 3), ctx=mx.gpu(1))
z = x.as_in_context(mx.gpu())
""",
        """
B = torch.rand((2, 3), device=torch.device("cuda:1"))
z = x.to(torch.device("cuda:0"))
""",
        before="x = nd.ones((2,))",
        after="out += [B.shape, z]",
    ),
    Fragment(
        "3.2 loss and step",
        """
loss = L2Loss()
for epoch in range(1,num_epochs + 1):
    for X,y in data_iter:
        with autograd.record():
            #l维度(batch_size,)
            l = loss(net(X),y)
        #等价于l.sum().backward()
        l.backward()
        #step对参数的梯度进行更新,传入batch_size
        trainer.step(batch_size)
""",
        """
loss = L2Loss()
for epoch in range(1,num_epochs + 1):
    for X,y in data_iter:
        #l维度(batch_size,)
        l = loss(net(X),y)
        #等价于l.sum().backward()
        trainer.zero_grad()
        (l.sum() / batch_size).backward()
        #step对参数的梯度进行更新,传入batch_size
        trainer.step()
""",
        "MSELoss is twice MXNet's L2Loss, each step would be twice as long; and its mean is over "
        "the samples there are, where MXNet divides a short last batch by batch_size too",
        "loss = MSELoss(); optimizer.zero_grad(); l.backward(); trainer.step()",
        before=_NET,
        after="out += [net(X), l]",
    ),
    Fragment(
        "3.3 RNN, no states",
        "output = gru(X)",
        "output = gru(X)[0]",
        before=_RNN + "gru = gluon.rnn.GRU(4, input_size=3)\ngru.initialize()\nfill(gru)",
        after="out += [output]",
    ),
    Fragment(
        "3.3 RNN, states and layout",
        """
lstm = rnn.LSTM(4, num_layers=2, layout='NTC', input_size=3)
state = lstm.begin_state(batch_size=4)
""",
        """
lstm = nn.LSTM(3, 4, num_layers=2, batch_first=True)
state = begin_state(lstm, batch_size=4)
""",
        before=_RNN + "rnn = gluon.rnn",
        after="lstm.initialize()\nfill(lstm)\noutput, out_state = lstm(X, state)\n"
        "out += [output, out_state[0], out_state[1]]",
    ),
    Fragment(
        "3.5 several GPUs at once",
        """
for epoch in range(100):
    for X,y in train_iter:
        gpu_Xs = gutils.split_and_load(X,ctx)
        gpu_ys = gutils.split_and_load(y,ctx)

        with autograd.record():
            #ls是list,里面有n个NDArray
            ls = [loss(net(gpu_X),gpu_y) for gpu_X,gpu_y in zip(gpu_Xs,gpu_ys)]
        for l in ls:
            l.backward()

        train.step(batch_size)
""",
        """
for epoch in range(100):
    for X,y in train_iter:
        gpu_Xs = split_and_load(X, ctx)
        gpu_ys = split_and_load(y, ctx)

        #ls是list,里面有n个NDArray
        ls = [loss(net(gpu_X),gpu_y) for gpu_X,gpu_y in zip(gpu_Xs,gpu_ys)]
        train.zero_grad()
        for l in ls:
            (l.sum() / batch_size).backward()

        train.step()
""",
        "PyTorch itself advises against DataParallel; on one device the numbers are the same, and "
        "note MXT008 names DistributedDataParallel",
        "model = nn.DataParallel(model)",
        before=_NET.replace("trainer", "train")
        .replace("data_iter", "train_iter")
        .replace("mx.init.One()", "mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)]")
        + "from mxnet.gluon import utils as gutils\nloss = L2Loss()\n"
        "ctx = [mx.cpu(0), mx.cpu(1)]",
        after="out += [net(X.as_in_context(ctx[0]))]",
    ),
    Fragment(
        "3.6 blocks in a list",
        """
class Model(nn.Block):
    def __init__(self, num_for_prediction, all_backbones, **kwargs):
        super(Model, self).__init__(**kwargs)
        self.submodules = []
        with self.name_scope():
            for backbones in all_backbones:
                self.submodules.append(
                    ASTGCN_submodule(num_for_prediction, backbones))
                self.register_child(self.submodules[-1])
""",
        """
class Model(nn.Module):
    def __init__(self, num_for_prediction, all_backbones):
        super().__init__()
        self.submodules = nn.ModuleList()
        for backbones in all_backbones:
            self.submodules.append(
                ASTGCN_submodule(num_for_prediction, backbones))
""",
        before="""
class ASTGCN_submodule(nn.Block):
    def __init__(self, units, width, **kwargs):
        super(ASTGCN_submodule, self).__init__(**kwargs)
        self.out = nn.Dense(units, in_units=width)

    def forward(self, x):
        return self.out(x)
""",
        after="""
    def forward(self, x):
        outputs = [self.submodules[i](x) for i in range(len(self.submodules))]
        return outputs[0] + outputs[1]

model = Model(2, [3, 3])
model.initialize(mx.init.One())
out += [model(nd.ones((4, 3))), len(list(model.collect_params().items()))]
""",
    ),
    Fragment(
        "3.7 seeds",
        """
seed = 2020
mx.random.seed(seed)
np.random.seed(seed)
random.seed(seed)
""",
        """
seed = 2020
torch.manual_seed(seed)
torch.backends.cudnn.deterministic = True
np.random.seed(seed)
random.seed(seed)
""",
        "torch.manual_seed seeds every device's generator, CUDA's too",
        "torch.manual_seed(seed); torch.cuda.manual_seed(seed)",
        before="import random\nimport numpy as np",
        after="out += [np.random.rand(), random.random()]",
    ),
    Fragment(
        "3.8 parameters",
        """
for name,param in gru.collect_params().items():
    print(name,':',param.shape)
""",
        """
for name,param in gru.named_parameters():
    print(name,':',tuple(param.shape))
""",
        "without tuple() torch prints torch.Size([12, 3])",
        "for name,parameters in net.named_parameters(): print(name,':',parameters.size())",
        before="gru = gluon.rnn.GRU(4, input_size=3)\ngru.initialize()",
        after="out += [sum(int(onp.prod(p.shape)) for p in gru.collect_params().values())]",
    ),
]
