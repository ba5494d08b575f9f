"""`mx.onnx` and `mx.contrib.onnx`: what is written runs on onnxruntime, what is read runs here."""

import inspect

import numpy as np
import pytest

import mxtorch as mx
from mxtorch._core.errors import MXNetError, NotSupportedError
from mxtorch._deploy import onnx_file


def test_signatures():
    parameters = inspect.signature(mx.onnx.export_model).parameters
    assert list(parameters) == [
        "sym", "params", "in_shapes", "in_types", "onnx_file_path", "verbose", "dynamic",
        "dynamic_input_shapes", "run_shape_inference", "input_type", "input_shape",
    ]  # fmt: skip
    assert parameters["in_types"].default is np.float32
    assert parameters["onnx_file_path"].default == "model.onnx"
    assert mx.contrib.onnx.export_model is mx.onnx.export_model
    for name in ("import_model", "import_to_gluon", "get_model_metadata"):
        assert "model_file" in inspect.signature(getattr(mx.contrib.onnx, name)).parameters
    assert {"Convolution", "FullyConnected", "RNN"} <= set(mx.onnx.get_operator_support())


def net():
    x = mx.sym.Convolution(mx.sym.Variable("data"), num_filter=4, kernel=(3, 3), name="c")
    x = mx.sym.BatchNorm(x, name="bn", fix_gamma=False)
    x = mx.sym.Activation(x, act_type="relu", name="r")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="p")
    x = mx.sym.FullyConnected(x, num_hidden=3, name="fc")
    x = mx.sym.SoftmaxOutput(x, name="softmax")
    shapes, _, states = x.infer_shape(data=(1, 3, 8, 8))
    pairs = zip(x.list_arguments(), shapes, strict=True)
    known = {n: s for n, s in pairs if n not in ("data", "softmax_label")}
    args = {n: mx.nd.random.uniform(-1, 1, shape=s) for n, s in known.items()}
    moving = zip(x.list_auxiliary_states(), states, strict=True)
    return x, args, {n: mx.nd.random.uniform(0.5, 1.5, shape=s) for n, s in moving}


def compute(graph, args, aux, image):
    inputs = {name for name in graph.list_arguments() if name not in args}
    labels = mx.nd.zeros((len(image),))
    given = {n: mx.nd.array(image) if n in ("data", "x") else labels for n in inputs}
    return graph.bind(mx.cpu(), {**args, **given}, aux_states=aux).forward()[0].asnumpy()


def shapes_of(values):
    return [
        (v.name, [d.dim_value or d.dim_param for d in v.type.tensor_type.shape.dim]) for v in values
    ]


def test_out_and_in_again(tmp_path):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    graph, args, aux = net()
    image = np.random.RandomState(0).rand(1, 3, 8, 8).astype("float32")
    expected = compute(graph, args, aux, image)
    path = str(tmp_path / "a.onnx")
    assert mx.onnx.export_model(graph, [args, aux], [(1, 3, 8, 8)], np.float32, path) == path
    model = onnx.load(path)
    assert shapes_of(model.graph.input) == [("data", [1, 3, 8, 8])]
    assert shapes_of(model.graph.output) == [("softmax", [1, 3])]
    (result,) = onnxruntime.InferenceSession(path).run(None, {"data": image})
    assert np.abs(result - expected).max() <= 1e-5
    assert mx.contrib.onnx.get_model_metadata(path) == {
        "input_tensor_data": [("data", (1, 3, 8, 8), 1)],
        "output_tensor_data": [("softmax", (1, 3))],
    }
    again, args2, aux2 = mx.contrib.onnx.import_model(path)
    assert "fc_weight" in args2
    assert np.abs(compute(again, args2, aux2, image) - expected).max() <= 1e-5
    block = mx.contrib.onnx.import_to_gluon(path, ctx=mx.cpu())
    assert isinstance(block, mx.gluon.SymbolBlock)
    assert np.abs(block(mx.nd.array(image)).asnumpy() - expected).max() <= 1e-5


def test_dynamic_shapes_and_files(tmp_path):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    graph, args, aux = net()
    mx.model.save_checkpoint(str(tmp_path / "net"), 0, graph, args, aux)
    files = str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params")
    path = str(tmp_path / "a.onnx")
    given = {"dynamic": True, "dynamic_input_shapes": [(None, 3, 8, 8)]}
    mx.contrib.onnx.export_model(*files, [(1, 3, 8, 8)], np.float32, path, **given)
    ((name, shape),) = shapes_of(onnx.load(path).graph.input)
    assert name == "data" and isinstance(shape[0], str) and shape[1:] == [3, 8, 8]
    images = np.random.RandomState(1).rand(5, 3, 8, 8).astype("float32")
    (result,) = onnxruntime.InferenceSession(path).run(None, {"data": images})
    for image, row in zip(images, result, strict=True):
        assert np.abs(compute(graph, args, aux, image[None])[0] - row).max() <= 1e-5


def test_a_batch_of_any_size_comes_back(tmp_path):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    graph, args, aux = net()
    path = str(tmp_path / "a.onnx")
    given = {"dynamic": True, "dynamic_input_shapes": [(None, 3, 8, 8)]}
    mx.onnx.export_model(graph, [args, aux], [(1, 3, 8, 8)], np.float32, path, **given)
    kinds = [node.op_type for node in onnx.load(path).graph.node]
    assert "BatchNormalization" in kinds and "Shape" not in kinds
    images = np.random.RandomState(2).rand(4, 3, 8, 8).astype("float32")
    again, args2, aux2 = mx.contrib.onnx.import_model(path)
    assert {"c_weight", "bn_gamma"} <= set(args2)
    result = compute(again, args2, aux2, images)
    assert np.abs(result - compute(graph, args, aux, images)).max() <= 1e-5


def test_weights_of_two_gigabytes_lie_beside(tmp_path, monkeypatch):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    monkeypatch.setattr(onnx_file, "LARGEST", 1000)
    monkeypatch.setattr(onnx_file, "_SMALL", 100)
    graph, args, aux = net()
    image = np.random.RandomState(0).rand(1, 3, 8, 8).astype("float32")
    path = str(tmp_path / "a.onnx")
    mx.onnx.export_model(graph, [args, aux], [(1, 3, 8, 8)], np.float32, path)
    assert {p.name for p in tmp_path.iterdir()} == {"a.onnx", "a.onnx.data"}
    model = onnx.load(path, load_external_data=False)
    places = [w.external_data for w in model.graph.initializer if w.external_data]
    assert places and all(place[0].value == "a.onnx.data" for place in places)
    (result,) = onnxruntime.InferenceSession(path).run(None, {"data": image})
    assert np.abs(result - compute(graph, args, aux, image)).max() <= 1e-5


def test_a_file_of_another_framework(tmp_path):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    make, random = onnx.helper.make_node, np.random.RandomState(0)
    weights = {
        "W": random.rand(4, 3, 3, 3),
        "B": random.rand(4),
        "scale": random.rand(4),
        "mean": random.rand(4),
        "var": random.rand(4),
        "slope": random.rand(4, 1, 1),
        "M": random.rand(36, 5),
        "row": random.rand(1, 5),
    }
    weights = {name: value.astype("float32") for name, value in weights.items()}
    nodes = [
        make("Conv", ["x", "W", "B"], ["c"], pads=[0, 1, 1, 0], strides=[1, 1]),
        make("BatchNormalization", ["c", "scale", "B", "mean", "var"], ["n"], epsilon=1e-4),
        make("PRelu", ["n", "slope"], ["p"]),
        make("AveragePool", ["p"], ["a"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        make("ReduceMax", ["a"], ["m"], axes=[2], keepdims=0),
        make("Transpose", ["m"], ["t"], perm=[0, 2, 1]),
        make("Constant", [], ["shape"], value=onnx.numpy_helper.from_array(np.array([0, -1]))),
        make("GlobalMaxPool", ["a"], ["g"]),
        make("Add", ["a", "g"], ["s"]),
        make("Reshape", ["s", "shape"], ["f"]),
        make("Gemm", ["f", "M", "row"], ["h"], alpha=0.5),
        make("Split", ["h", "parts"], ["h1", "h2"], axis=1),
        make("Concat", ["h2", "h1"], ["j"], axis=1),
        make("Clip", ["j", "low"], ["k"]),
        make("Softmax", ["k"], ["y"], axis=-1),
    ]
    kept = [onnx.numpy_helper.from_array(v, n) for n, v in weights.items()]
    kept.append(onnx.numpy_helper.from_array(np.array([2, 3]), "parts"))
    kept.append(onnx.numpy_helper.from_array(np.array(0.1, "float32"), "low"))
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes, "g", [info("x", 1, [2, 3, 6, 6])], [info("y", 1, [2, 5])], kept
    )
    opset = [onnx.helper.make_opsetid("", 13)]
    path = str(tmp_path / "a.onnx")
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=8), path)
    image = random.rand(2, 3, 6, 6).astype("float32")
    (expected,) = onnxruntime.InferenceSession(path).run(None, {"x": image})
    found, args, aux = mx.contrib.onnx.import_model(path)
    assert {"W", "B"} <= set(args)
    assert set(aux) == {"mean", "var"}
    assert np.abs(compute(found, args, aux, image) - expected).max() <= 1e-5
    graph.node[-1].op_type = "NonZero"
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset), path)
    with pytest.raises(NotSupportedError, match="NonZero"):
        mx.contrib.onnx.import_model(path)


def test_functions_that_torchs_exporter_lacks(tmp_path):
    pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    a, b = mx.sym.var("a"), mx.sym.var("b")
    graph = mx.sym.Group(
        [mx.sym.gamma(a), mx.sym.gammaln(a), mx.sym.broadcast_hypot(a, b), mx.sym.erfinv(b)]
    )
    numbers = (
        [-4.3, -0.5, -0.01, 0.3, 1.5, 2.0, 7.25, 25.0],
        [-1, -0.99, -0.5, 0, 0.1, 0.7, 0.995, 1],
    )
    given = [np.array([row], "float32") for row in numbers]
    path = str(tmp_path / "a.onnx")
    mx.onnx.export_model(graph, [{}], [x.shape for x in given], np.float32, path)
    names = dict(zip("ab", given, strict=True))
    results = onnxruntime.InferenceSession(path).run(None, names)
    bound = graph.bind(mx.cpu(), {n: mx.nd.array(x) for n, x in names.items()})
    for result, expected in zip(results, bound.forward(), strict=True):
        np.testing.assert_allclose(result, expected.asnumpy(), rtol=3e-6, atol=1e-6)


def test_what_does_not_fit_is_refused(tmp_path):
    graph, args, aux = net()
    with pytest.raises(ValueError, match="both be files"):
        mx.onnx.export_model(3, [args, aux], [(1, 3, 8, 8)])
    with pytest.raises(ValueError, match=r"no file no\.json and no file no\.params"):
        mx.onnx.export_model("no.json", "no.params", [(1, 3, 8, 8)])
    pytest.importorskip("onnxruntime", reason="ONNX needs the extra onnx")
    target = str(tmp_path / "no folder" / "a.onnx")
    with pytest.raises(MXNetError, match=r"no folder/a\.onnx: cannot be written"):
        mx.onnx.export_model(graph, [args, aux], [(1, 3, 8, 8)], onnx_file_path=target)
    with pytest.raises(AssertionError, match="one length"):
        mx.onnx.export_model(graph, [args, aux], [(1, 3, 8, 8)], [np.float32, np.float32])
    with pytest.raises(MXNetError, match="c_weight"):
        mx.onnx.export_model(graph, [{}, aux], [(1, 3, 8, 8)])
    with pytest.raises(ValueError, match="in_shapes"):
        mx.onnx.export_model(graph, [args, aux])


def test_damaged_files_are_named(tmp_path):
    onnx = pytest.importorskip("onnx", reason="ONNX needs the extra onnx")
    node = onnx.helper.make_node("Add", ["a"], ["b"])
    values = [onnx.helper.make_tensor_value_info(n, 1, [2]) for n in "ab"]
    whole = onnx.helper.make_model(onnx.helper.make_graph([node], "g", values[:1], values[1:]))
    weight = onnx.TensorProto(name="w", data_type=1, dims=[3], raw_data=b"1234")
    short = onnx.helper.make_graph([node], "g", values[:1], values[1:], [weight])
    data = whole.SerializeToString()
    path = tmp_path / "a.onnx"
    for content in (b"", data[:-9], b"text", b"\xff" * 50):
        path.write_bytes(content)
        for read in (mx.contrib.onnx.import_model, mx.contrib.onnx.get_model_metadata):
            with pytest.raises(MXNetError, match=r"a\.onnx: this is no ONNX file"):
                read(str(path))
    for model in (whole, onnx.helper.make_model(short)):
        path.write_bytes(model.SerializeToString())
        with pytest.raises(MXNetError, match=r"a\.onnx: its graph makes no sense"):
            mx.contrib.onnx.import_model(str(path))
