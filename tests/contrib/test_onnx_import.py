"""`import_model` of single operators: what they give is what onnxruntime gives."""

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch._core.errors import NotSupportedError

onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")


def X(*shape, low=-2.0, high=2.0, kind="float32"):
    """Numbers; the same for the same shape."""
    random = np.random.RandomState(sum(shape) + len(shape))
    return (low + (high - low) * random.rand(*shape)).astype(kind)


def N(*values):
    """Whole numbers that the file has."""
    return Known(np.array(values, "int64"))


class Known:
    """An array in the file."""

    def __init__(self, array):
        self.array = np.asarray(array)


def K(*shape, **options):
    """Numbers that the file has."""
    return Known(X(*shape, **options))


def R(kind, *inputs, outputs=1, opset=18, **attrs):
    """An operator, its inputs and attributes."""
    return pytest.param(kind, inputs, outputs, opset, attrs, id=kind)


ROWS = []
BOTH = {"direction": "bidirectional"}
A, B = (2, 3, 4, 5), (2, 3, 6, 6)
for row in [
    *((kind, X(*A)) for kind in (
        "Abs", "Atan", "Sinh", "Cosh", "Asinh", "Ceil", "Cos", "Elu", "Erf", "Exp", "Floor",
        "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "Neg", "Relu", "Round", "Selu", "Sigmoid",
        "Sign", "Sin", "Softplus", "Softsign", "Tan", "Tanh", "Celu", "ThresholdedRelu",
        "LogSoftmax", "Softmax", "GlobalMaxPool", "GlobalAveragePool", "Flatten",
    )),
    *((kind, X(2, 3, low=0.1, high=0.9)) for kind in ("Acos", "Asin", "Atanh", "Log", "Sqrt")),
    ("Acosh", X(2, 3, low=1.1, high=3)), ("Reciprocal", X(2, 3, low=0.5)),
    *((kind, X(2, 3), X(2, 1)) for kind in ("Add", "Sub", "Mul", "Div", "Max", "Min", "Mean")),
]:  # fmt: skip
    ROWS.append(R(*row, opset=22))
for kind in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"):
    ROWS.append(R(f"Reduce{kind}", X(*A, low=0.5, high=90), N(1, -1), keepdims=0))
LSTM = (X(5, 2, 3), K(1, 16, 3), K(1, 16, 4))
GRU = (X(5, 2, 3), K(2, 12, 3), K(2, 12, 4), K(2, 24))
SOME = Known(np.array([5, 3], "int32"))
ROWS += [
    R("Softmax", X(*A), opset=11),  # all axes from the first on together
    R("Softmax", X(*A), opset=11, axis=2),
    R("Celu", X(2, 3), alpha=0.5),
    R("Gelu", X(2, 3), opset=20),
    R("Gelu", X(2, 3), opset=20, approximate="tanh"),
    R("Clip", X(2, 3), Known(np.float32(-0.5)), Known(np.float32(1))),
    R("PRelu", X(*A), K(3, 1, 1)),
    R("PRelu", X(*A), K(5)),
    R("PRelu", X(*A), K(1)),
    R("Pow", X(2, 3, low=0.1), X(2, 3)),
    R("Pow", X(2, 3), Known(np.float32(2))),
    R("Mod", np.array([5, -5, 7]), np.array([3, 3, -4])),
    R("MatMul", X(2, 3, 4), X(4, 2)),
    R("MatMul", X(2, 3), X(5, 3, 4)),
    R("MatMul", X(2, 1, 3, 4), X(5, 4, 2)),
    R("MatMul", K(2, 3), X(5, 3, 4)),
    R("MatMul", X(2, 3), K(3, 4)),
    R("Gemm", X(2, 3), K(4, 3), K(4), transB=1),
    R("Gemm", X(3, 2), X(4, 3), X(1, 4), transA=1, transB=1, alpha=0.5, beta=2.0),
    R("Einsum", X(2, 3, 4), X(2, 5, 4), equation="b i d, b j d -> b i j"),
    R("CumSum", X(3, 4), N(1), exclusive=1, reverse=1),
    R("CumSum", X(3, 4), N(0)),
    R("Trilu", X(4, 4)),
    R("Trilu", X(3, 4), N(1), upper=0),
    R("Where", X(2, 3) > 0, Known(np.full((1, 3), -np.inf, "float32")), X(2, 1)),
    R("IsNaN", np.array([1, np.nan, np.inf], "float32")),
    R("IsInf", np.array([1, np.nan, np.inf], "float32"), opset=20),
    R("Cast", X(2, 3), to=6),
    R("Cast", np.array([0, 2, -1], "float32"), to=9),
    R("Tile", X(2, 3), N(2, 1)),
    R("Expand", X(3, 1), N(2, 1, 4)),
    R("OneHot", np.array([0, -1, 2]), N(3), Known(np.array([0.5, 2], "float32"))),
    R("Gather", X(*A), Known(np.int64(0)), axis=1),
    R("Gather", X(*A), Known(np.int64(-1)), axis=-1),
    R("Gather", X(*A), N(0, -1, 2), axis=1),
    R("Gather", K(7, 3), np.array([[0, 6], [2, 2]])),
    R("GatherElements", X(3, 4), np.array([[0, 1, 2, -1]]), axis=0),
    R("GatherND", X(3, 4, 2), np.array([[0, 1], [2, 3]])),
    R("ScatterND", X(4, 3), np.array([[1], [3]]), X(2, 3)),
    R("TopK", X(2, 5), N(2), outputs=2),
    R("ArgMax", X(2, 5), axis=1, keepdims=0),
    R("Concat", X(2, 3), X(2, 1), axis=-1),
    R("Split", X(2, 7), outputs=2, opset=18, axis=1, num_outputs=2),
    R("Split", X(2, 6), N(1, 5), outputs=2, axis=1),
    R("Squeeze", X(2, 1, 3, 1), N(1, -1)),
    R("Unsqueeze", X(2, 3), N(-1, -2)),
    R("Unsqueeze", X(2, 3), N(0, -1)),
    R("Reshape", X(*A), N(0, -1)),
    R("Transpose", X(*A), perm=[0, 2, 3, 1]),
    R("Slice", X(*A), N(1, -3), N(3, 2**62), N(1, -1)),
    R("Slice", X(4, 7), N(-1, 1), N(-(2**62), 7), N(0, 1), N(-1, 2)),
    R("Slice", X(4, 7), N(5), N(1), N(1), N(-2)),
    R("Pad", X(*A), N(0, 0, 1, 2, 0, 0, 0, 1), Known(np.float32(0.5))),
    R("Pad", X(2, 3), N(1, 0, 0, 2)),
    R("Pad", X(*A), N(1, 1), None, N(2), mode="edge"),
    R("Pad", X(*A), N(0, 0, -1, 2, 0, 0, 1, -1)),
    R("Pad", X(2, 3, 5), N(0, 0, 1, 0, 0, 2), mode="reflect"),
    R("DepthToSpace", X(2, 8, 2, 3), blocksize=2),
    R("DepthToSpace", X(2, 8, 2, 3), blocksize=2, mode="CRD"),
    R("SpaceToDepth", X(2, 2, 4, 6), blocksize=2),
    R("Conv", X(*B), K(4, 3, 3, 3), K(4), auto_pad="SAME_UPPER", strides=[2, 2]),
    R("Conv", X(*B), K(4, 3, 2, 2), K(4), auto_pad="SAME_LOWER"),
    R("Conv", X(2, 4, 9), K(4, 2, 3), pads=[2, 0], group=2, dilations=[2]),
    R("Conv", X(1, 2, 4, 4, 4), K(3, 2, 2, 2, 2)),
    R("ConvTranspose", X(2, 3, 4, 4), K(3, 2, 3, 3), K(2), strides=[2, 2], pads=[1, 0, 0, 1]),
    R("ConvTranspose", X(2, 4, 4, 4), K(4, 2, 3, 3), strides=[2, 2], pads=[1, 1, 1, 1],
      output_padding=[1, 1], group=2),
    R("AveragePool", X(*B), kernel_shape=[3, 3], pads=[0, 1, 1, 0]),
    R("AveragePool", X(*B), kernel_shape=[3, 3], auto_pad="SAME_UPPER", strides=[2, 2]),
    R("MaxPool", X(*B), kernel_shape=[3, 3], pads=[0, 1, 1, 0], strides=[2, 2]),
    R("LpPool", X(*B), kernel_shape=[2, 2]),
    R("Resize", X(*B), None, Known(np.array([1, 1, 2, 3], "float32"))),
    R("Resize", X(*B), None, None, N(2, 3, 9, 11), mode="linear"),
    R("Resize", X(*B), None, Known(np.array([1, 1, 2, 2], "float32")), mode="linear",
      coordinate_transformation_mode="align_corners"),
    R("GridSample", X(*B), X(2, 4, 5, 2, low=-1.2, high=1.2), opset=20, align_corners=1),
    R("GridSample", X(*B), X(2, 4, 5, 2, low=-1.2, high=1.2), opset=20),
    R("RoiAlign", X(*B), Known(np.array([[0, 0, 4, 4], [1, 1, 5, 3]], "float32")), N(0, 1),
      output_height=2, output_width=2, sampling_ratio=2),
    R("LRN", X(*B), size=3),
    R("InstanceNormalization", X(*B), K(3), K(3)),
    R("LayerNormalization", X(2, 3, 4), K(4), K(4)),
    R("LayerNormalization", X(2, 3, 4), K(3, 4), K(3, 4), axis=1),
    R("GroupNormalization", X(2, 4, 5), K(4), K(4), opset=21, num_groups=2),
    R("LpNormalization", X(2, 3), axis=1),
    R("LSTM", *LSTM, outputs=3, hidden_size=4),
    R("LSTM", *LSTM, K(1, 32), SOME, K(1, 2, 4), K(1, 2, 4), outputs=3, hidden_size=4),
    R("LSTM", *LSTM, K(1, 32), outputs=3, hidden_size=4, direction="reverse"),
    R("GRU", *GRU, outputs=2, hidden_size=4, linear_before_reset=1, **BOTH),
    R("RNN", X(5, 2, 3), K(2, 4, 3), K(2, 4, 4), outputs=2, hidden_size=4, **BOTH),
    R("RNN", X(5, 2, 3), K(1, 4, 3), K(1, 4, 4), outputs=2, hidden_size=4, activations=["Relu"]),
]  # fmt: skip


def write(path, nodes, inputs, outputs, known, opset):
    info = onnx.helper.make_tensor_value_info
    kinds = onnx.helper.np_dtype_to_tensor_dtype
    graph = onnx.helper.make_graph(
        nodes,
        "g",
        [info(name, kinds(a.dtype), a.shape) for name, a in inputs.items()],
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
        [onnx.numpy_helper.from_array(a, name) for name, a in known.items()],
    )
    ids = [onnx.helper.make_opsetid("", opset)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=ids, ir_version=9), path)


def check(path, inputs, tolerance=1e-5):
    expected = onnxruntime.InferenceSession(path).run(None, inputs)
    graph, args, aux = mx.contrib.onnx.import_model(path)
    given = {name: mx.nd.array(a, dtype=a.dtype) for name, a in inputs.items()}
    found = graph.bind(mx.cpu(), {**args, **given}, aux_states=aux).forward()
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape
        a, b = a.asnumpy().astype("float64"), b.astype("float64")
        finite = np.isfinite(b)
        assert (np.isfinite(a) == finite).all()
        assert np.abs(a[finite] - b[finite]).max(initial=0) <= tolerance * max(
            np.abs(b[finite]).max(initial=0), 1
        )


@pytest.mark.parametrize(("kind", "given", "outputs", "opset", "attrs"), ROWS)
def test_operator(kind, given, outputs, opset, attrs, tmp_path):
    names = ["" if value is None else f"i{n}" for n, value in enumerate(given)]
    pairs = [(name, value) for name, value in zip(names, given, strict=True) if name]
    inputs = {name: value for name, value in pairs if not isinstance(value, Known)}
    known = {name: value.array for name, value in pairs if isinstance(value, Known)}
    if kind in ("OneHot", "CumSum", "Trilu", "ReduceSum"):  # numbers, not lists of one
        known = {n: a.reshape(()) if a.shape == (1,) else a for n, a in known.items()}
    results = [f"o{n}" for n in range(outputs)]
    node = onnx.helper.make_node(kind, names, results, **attrs)
    write(str(tmp_path / "a.onnx"), [node], inputs, results, known, opset)
    check(str(tmp_path / "a.onnx"), inputs)


def graph_of(nodes, inputs, outputs):
    info = onnx.helper.make_tensor_value_info
    return onnx.helper.make_graph(
        nodes,
        "inside",
        [info(name, kind, shape) for name, kind, shape in inputs],
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
    )


def test_a_loop_with_a_known_number_of_rounds(tmp_path):
    make = onnx.helper.make_node
    body = graph_of(
        [
            make("Identity", ["go"], ["go_on"]),
            make("Cast", ["i"], ["f"], to=1),
            make("Add", ["s", "f"], ["t"]),
            make("Mul", ["t", "x"], ["row"]),
        ],
        [("i", 7, []), ("go", 9, []), ("s", 1, [2, 3])],
        ["go_on", "t", "row"],
    )
    path, inputs = str(tmp_path / "a.onnx"), {"x": X(2, 3)}
    known = {"count": np.array(3), "yes": np.array(True)}
    node = make("Loop", ["count", "yes", "x"], ["last", "rows"], body=body)
    write(path, [node], inputs, ["last", "rows"], known, 18)
    check(path, inputs)
    write(path, [node], {**inputs, "count": np.array(3)}, ["last"], {"yes": np.array(True)}, 18)
    with pytest.raises(NotSupportedError, match="Loop 'last': the number of its rounds"):
        mx.contrib.onnx.import_model(path)


def test_branches_and_scans(tmp_path):
    make = onnx.helper.make_node
    branches = {
        f"{name}_branch": graph_of([make(kind, ["x"], [name])], [], [name])
        for name, kind in (("then", "Exp"), ("else", "Neg"))
    }
    body = graph_of(
        [make("Add", ["s", "row"], ["t"]), make("Mul", ["t", "scale"], ["y"])],
        [("s", 1, [3]), ("row", 1, [3])],
        ["t", "y"],
    )
    nodes = [
        make("ReduceSum", ["x"], ["total"], keepdims=0),
        make("Greater", ["total", "limit"], ["test"]),
        make("If", ["test"], ["chosen"], **branches),
        make("Scan", ["start", "chosen"], ["last", "rows"], body=body, num_scan_inputs=1),
    ]
    path = str(tmp_path / "a.onnx")
    inputs = {"x": X(4, 3), "scale": X(3)}
    for limit in (-100, 100):
        known = {"limit": np.float32(limit), "start": np.zeros(3, "float32")}
        write(path, nodes, inputs, ["last", "rows"], known, 18)
        check(path, inputs)


class Small(torch.nn.Module):
    """What torch's exporters make nodes of: shapes of a batch, states, masks, slices, sizes."""

    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(11, 8)
        self.rnn = torch.nn.LSTM(8, 4, batch_first=True, bidirectional=True)
        self.attend = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm = torch.nn.LayerNorm(8)
        self.conv = torch.nn.Conv1d(8, 8, 3, padding=1)
        self.groups = torch.nn.GroupNorm(2, 8)

    def forward(self, tokens):
        x = self.embed(tokens)
        x = x if self.rnn is None else self.rnn(x)[0]
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        x = self.norm(x + self.attend(x, x, x, attn_mask=mask, need_weights=False)[0])
        y = self.groups(self.conv(x.transpose(1, 2))).transpose(1, 2)
        z = torch.nn.functional.pad(y, (0, 0, 1, 0))[:, :-1] + y.flip(1)
        first = z[:, 0]
        return torch.einsum("bi,bti->bt", first, z.reshape(x.shape[0], -1, 8)), first.var(1)


@pytest.mark.filterwarnings("ignore")  # torch's own
@pytest.mark.parametrize("batch", ["fixed", "free"])
@pytest.mark.parametrize("exporter", ["old", pytest.param("new", marks=pytest.mark.full)])
def test_a_net_of_torchs_exporter(exporter, batch, tmp_path):
    pytest.importorskip("onnxscript", reason="ONNX needs the extra onnx")
    torch.manual_seed(0)
    net, tokens = Small().eval(), torch.randint(0, 11, (2, 5))
    path = str(tmp_path / "a.onnx")
    free = batch == "free"
    if exporter == "old":
        sizes = {"dynamic_axes": {"tokens": {0: "batch"}} if free else None, "dynamo": False}
    else:
        net.rnn = None  # the new one writes it out in loops
        sizes = {"dynamic_shapes": ({0: torch.export.Dim("batch")},) if free else None}
        sizes |= {"dynamo": True, "external_data": False}
    torch.onnx.export(net, (tokens,), path, input_names=["tokens"], verbose=False, **sizes)
    check(path, {"tokens": tokens.numpy()})
    if free:
        check(path, {"tokens": torch.randint(0, 11, (3, 5)).numpy()})
