"""Custom operators as programs write them, and the older NumpyOp and NDArrayOp."""

from __future__ import annotations

from tests.snippets import snippets

_PROGRAMS = snippets("""
## program/softmax-loss
class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].asnumpy()
        y = onp.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
        self.assign(out_data[0], req[0], mx.nd.array(y))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        l = in_data[1].asnumpy().ravel().astype(int)
        y = out_data[0].asnumpy()
        y[onp.arange(l.shape[0]), l] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(y))

@mx.operator.register("case_softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        data_shape = in_shape[0]
        label_shape = (in_shape[0][0],)
        return [data_shape, label_shape], [data_shape], []

    def infer_type(self, in_type):
        return in_type, [in_type[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()

data = mx.sym.Variable("data")
net = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
net = mx.sym.Custom(data=net, name="softmax", op_type="case_softmax")
e = net.simple_bind(mx.cpu(), data=(4, 5))
e.arg_dict["fc_weight"][:] = nd.array(onp.linspace(-1, 1, 15).reshape(3, 5))
values, labels = onp.linspace(0, 1, 20).reshape(4, 5), onp.array([0, 1, 2, 1])
for _ in range(5):
    e.forward(is_train=True, data=nd.array(values), softmax_label=nd.array(labels))
    e.backward()
    e.arg_dict["fc_weight"][:] -= 0.5 * e.grad_dict["fc_weight"]
out += [net.list_arguments(), e.outputs, e.arg_dict["fc_weight"], e.grad_dict]

## program/focal-loss-in-gluon
class Focal(mx.operator.CustomOp):
    def __init__(self, gamma, alpha):
        super(Focal, self).__init__()
        self.gamma, self.alpha = gamma, alpha

    def forward(self, is_train, req, in_data, out_data, aux):
        p = mx.nd.sigmoid(in_data[0])
        self.assign(out_data[0], req[0], p)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        p, label = out_data[0], in_data[1]
        pt = mx.nd.where(label > 0, p, 1 - p)
        sign = mx.nd.where(label > 0, -mx.nd.ones_like(p), mx.nd.ones_like(p))
        inner = 1 - pt + self.gamma * pt * -mx.nd.log(pt)
        grad = sign * self.alpha * (1 - pt) ** self.gamma * inner
        self.assign(in_grad[0], req[0], grad)
        self.assign(in_grad[1], req[1], 0)

@mx.operator.register("case_focal")
class FocalProp(mx.operator.CustomOpProp):
    def __init__(self, gamma=2.0, alpha="0.25"):
        super(FocalProp, self).__init__(need_top_grad=False)
        self._gamma, self._alpha = float(gamma), float(alpha)

    def list_arguments(self):
        return ["data", "labels"]

    def infer_shape(self, in_shape):
        return [in_shape[0], in_shape[0]], [in_shape[0]]

    def create_operator(self, ctx, shapes, dtypes):
        return Focal(self._gamma, self._alpha)

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        return [in_data[0], in_data[1], out_data[0]]

class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__(prefix="net_")
        with self.name_scope():
            self.fc = nn.Dense(3, in_units=4)
    def hybrid_forward(self, F, x, y):
        return F.Custom(self.fc(x), y, op_type="case_focal", gamma=1.5)

net = Net()
net.initialize(mx.init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
x = nd.array(onp.linspace(-1, 1, 8).reshape(2, 4))
y = nd.array([[1, 0, 0], [0, 1, 1]])
for step in range(4):
    if step == 2:
        net.hybridize()
    with autograd.record():
        p = net(x, y)
    p.backward()
    trainer.step(2)
    out += [p]
out += [net.fc.weight.data()]

## program/proposal-target
class Target(mx.operator.CustomOp):
    def __init__(self, classes, rois):
        super().__init__()
        self.classes, self.rois = classes, rois

    def forward(self, is_train, req, in_data, out_data, aux):
        boxes, truth = in_data[0].asnumpy(), in_data[1].asnumpy()
        keep = onp.argsort(-boxes[:, 1])[: self.rois]
        label = (truth[0, keep % truth.shape[1], 0]).astype(int)
        weights = onp.zeros((self.rois, 4 * self.classes))
        for i, l in enumerate(label):
            weights[i, 4 * l : 4 * l + 4] = 1
        for i, value in enumerate([boxes[keep], label, weights]):
            self.assign(out_data[i], req[i], value)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 0)
        self.assign(in_grad[1], req[1], 0)

@mx.operator.register("case_target")
class TargetProp(mx.operator.CustomOpProp):
    def __init__(self, num_classes, batch_rois):
        super().__init__(need_top_grad=False)
        self.classes, self.rois = int(num_classes), int(batch_rois)
    def list_arguments(self):
        return ["rois", "gt_boxes"]
    def list_outputs(self):
        return ["rois_output", "label", "bbox_weight"]
    def infer_shape(self, in_shape):
        n = self.rois
        return in_shape, [(n, in_shape[0][1]), (n,), (n, 4 * self.classes)]
    def create_operator(self, ctx, shapes, dtypes):
        return Target(self.classes, self.rois)

rois, gt = mx.sym.var("rois"), mx.sym.var("gt_boxes")
more = dict(op_type="case_target", num_classes=3, batch_rois=4)
group = mx.sym.Custom(rois=rois, gt_boxes=gt, name="t", **more)
fc = mx.sym.FullyConnected(group[0], num_hidden=2, name="fc")
net = mx.sym.Group([fc, mx.sym.BlockGrad(group[1])])
out += [group.list_outputs(), net.infer_shape(rois=(6, 5), gt_boxes=(1, 2, 5))]
e = net.simple_bind(mx.cpu(), rois=(6, 5), gt_boxes=(1, 2, 5))
e.arg_dict["fc_weight"][:] = 0.5
r = nd.array(onp.arange(30).reshape(6, 5) % 7)
g = nd.array(onp.arange(10).reshape(1, 2, 5) % 3)
e.forward(is_train=True, rois=r, gt_boxes=g)
e.backward([nd.ones((4, 2)), nd.ones((4,))])
out += [e.outputs, e.grad_dict, nd.Custom(r, g, **more)]

## program/autograd-inside
class Cube(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        x = in_data[0].copy()
        x.attach_grad()
        with autograd.record():
            self.y = x * x * x
        self.x = x
        self.assign(out_data[0], req[0], self.y)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.y.backward(out_grad[0])
        self.assign(in_grad[0], req[0], self.x.grad)

@mx.operator.register("case_cube")
class CubeProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Cube()

x = nd.array([1, 2, 3])
x.attach_grad()
with autograd.record():
    y = nd.Custom(x * 2, op_type="case_cube") * 5
y.backward()
out += [y, x.grad]

## program/moving-average-in-state
class Average(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        if is_train:
            aux[0][:] = 0.9 * aux[0] + 0.1 * in_data[0].mean(axis=0)
            aux[0].wait_to_read()  # a view of what is being written is a race in MXNet
        self.assign(out_data[0], req[0], mx.nd.broadcast_sub(in_data[0], aux[0].reshape((1, -1))))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0])
        self.assign(aux[0], "add", 100)

@mx.operator.register("case_average")
class AverageProp(mx.operator.CustomOpProp):
    def list_auxiliary_states(self):
        return ["moving"]
    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [(in_shape[0][1],)]
    def create_operator(self, ctx, shapes, dtypes):
        return Average()

s = mx.sym.Custom(mx.sym.var("data"), op_type="case_average", name="a")
e = s.simple_bind(mx.cpu(), data=(2, 3))
for train in (True, False, True):
    e.forward(is_train=train, data=nd.array([[1, 2, 3], [3, 4, 5]]))
    nd.waitall()
    out += [e.outputs[0].copy(), e.aux_dict["a_moving"].copy()]
e.backward([nd.ones((2, 3))])
nd.waitall()
out += [e.aux_dict, e.grad_dict]

## program/other-dtype-out
class Rank(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.argsort(in_data[0], axis=0))
        self.assign(out_data[1], req[1], in_data[0].astype("float64"))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[1].astype("float32"))

@mx.operator.register("case_rank")
class RankProp(mx.operator.CustomOpProp):
    def list_outputs(self):
        return ["rank", "copy"]
    def infer_type(self, in_type):
        return in_type, [onp.int32, onp.float64], []
    def create_operator(self, ctx, shapes, dtypes):
        return Rank()

x = nd.array([3, 1, 2])
x.attach_grad()
with autograd.record():
    rank, copy = nd.Custom(x, op_type="case_rank")
copy.backward()
out += [rank, copy, x.grad]
s = mx.sym.Custom(mx.sym.var("data"), op_type="case_rank", name="r")
out += [str(s.infer_type(data="float32")), [o.dtype.__name__ for o in s.eval(data=x)]]

## program/no-inputs
class Const(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.arange(3))

@mx.operator.register("case_same")
class SameProp(mx.operator.CustomOpProp):
    def __init__(self, shape="(3,)"):
        super().__init__()
        self.shape = tuple(int(n) for n in shape.strip("()").split(",") if n)
    def infer_shape(self, in_shape):
        return in_shape, [self.shape], []
    def create_operator(self, ctx, shapes, dtypes):
        return Const()

out += [nd.Custom(nd.ones((7, 2)), op_type="case_same")]
out += [nd.Custom(nd.ones((1,)), op_type="case_same", shape=(1, 3))]

## program/assign
op = mx.operator.CustomOp()
x = nd.ones((2,))
for req in ("null", "write", "inplace", "add", "other"):
    op.assign(x, req, nd.array([2, 3]))
    out += [x.copy()]
op.assign(x, "write", 5)
out += [x.copy()]
op.assign(x, "write", onp.array([[1, 2]]))
out += [x.copy()]
op.assign(x, "add", 2)
out += [x.copy(), op.forward(1, 2, 3, 4, 5), op.backward(1, 2, 3, 4, 5, 6)]

## program/assign-adds-numpy
mx.operator.CustomOp().assign(nd.ones((2,)), "add", onp.array([1, 2]))

## program/prop-defaults
p = mx.operator.CustomOpProp()
f = onp.float32
out += [p.need_top_grad_, p.infer_shape([[2, 3], [4]]), p.list_arguments(), p.list_outputs()]
out += [p.list_auxiliary_states(), p.declare_backward_dependency([1], [2, 3], [4])]
out += [mx.operator.CustomOpProp(False).declare_backward_dependency([1], [2, 3], [4])]
out += [type(p.create_operator(None, None, None)).__name__, p.infer_storage_type(["default"])]
out += [p.infer_type([f, f])[1][0] is f, len(p.infer_type([f, f])[2])]
d = ["default"]
out += [p.infer_storage_type_backward(d, ["default", "csr"], d, d, [])]

## program/prop-sparse
mx.operator.CustomOpProp().infer_storage_type(["default", "csr"])

## program/operator-arguments
a = mx.operator.get_operator_arguments("Convolution")
out += [type(a).__name__, a.narg, a.names]
out += ["Convolution" in mx.operator.get_all_registered_operators()]

## program/operator-arguments-unknown
mx.operator.get_operator_arguments("NoSuchOperator")
""")

_OLDER = snippets("""
## older/numpy-op
import warnings
warnings.simplefilter("ignore")

class Softmax(mx.operator.NumpyOp):
    def __init__(self):
        super().__init__(False)
    def list_arguments(self):
        return ["data", "label"]
    def list_outputs(self):
        return ["output"]
    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]]
    def forward(self, in_data, out_data):
        x, y = in_data[0], out_data[0]
        y[:] = onp.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
        y /= y.sum(axis=1).reshape((x.shape[0], 1))
    def backward(self, out_grad, in_data, out_data, in_grad):
        l = in_data[1].astype(int)
        in_grad[0][:] = out_data[0]
        in_grad[0][onp.arange(l.shape[0]), l] -= 1.0

op = Softmax()
s = op(data=mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc"), name="softmax")
out += [s.list_arguments(), s.list_outputs(), op.need_top_grad()]
out += [s.infer_shape(data=(2, 4), softmax_label=(2,))]
e = s.simple_bind(mx.cpu(), data=(2, 4), softmax_label=(2,))
e.arg_dict["fc_weight"][:] = nd.array(onp.linspace(-1, 1, 12).reshape(3, 4))
x = nd.array(onp.arange(8).reshape(2, 4) / 8)
e.forward(is_train=True, data=x, softmax_label=nd.array([0, 2]))
e.backward()
out += [e.outputs, e.grad_dict["fc_weight"], type(op.info_).__name__ != "NoneType"]

## older/ndarray-op
import warnings
warnings.simplefilter("ignore")

class Double(mx.operator.NDArrayOp):
    def forward(self, in_data, out_data):
        out_data[0][:] = in_data[0] * 2
    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = out_grad[0] * 2 + in_data[0]

op = Double()
s = op.get_symbol(mx.sym.var("q"), name="z")
e = s.simple_bind(mx.cpu(), q=(2, 2))
e.forward(is_train=True, q=nd.array([[1, 2], [3, 4]]))
e.backward([nd.ones((2, 2)) * 10])
out += [s.list_arguments(), s.list_outputs(), e.outputs, e.grad_dict]
out += [Double()(mx.sym.var("q")).list_outputs(), Double()(name="n").list_arguments()]
out += [op.declare_backward_dependency([1], [2], [3]), op.list_outputs(), op.infer_shape([[1, 2]])]

## older/defaults
import warnings
warnings.simplefilter("ignore")
op = mx.operator.NumpyOp(True)
a, b = onp.ones(2), onp.zeros(2)
op.forward([a], [b])
out += [b, op.list_arguments(), op.list_outputs(), op.need_top_grad_, op.info_]
op.backward([a], [a], [a], [b])
out += [b, op.infer_shape([[3]])]

## older/base-has-no-symbol
import warnings
warnings.simplefilter("ignore")
mx.operator.PythonOp().get_symbol()
""")

CASES = _PROGRAMS + _OLDER
