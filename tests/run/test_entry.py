"""`mxtorch run`, install(), the notebook extension and the pytest plugin: what they set up."""

import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys

import pytest

from tests.child import environment, python

GOLDEN = pathlib.Path(__file__).parent.parent / "golden"
RUN = ("-m", "mxtorch", "run")

METADATA = """
import importlib.metadata as metadata, json, sys
found = [d for d in metadata.distributions() if d.metadata["Name"] == "mxnet"]
print(json.dumps([metadata.version("mxnet"), found[0].version, metadata.requires("mxnet"),
                  metadata.metadata("MXNet")["Name"], "torch" in sys.modules]))
"""


def test_metadata_here_and_in_a_child_that_has_no_torch_loaded():
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {METADATA!r}])"
    done = python(*RUN, "-c", METADATA + inner)
    assert done.returncode == 0, done.stderr
    here, there = map(json.loads, done.stdout.splitlines())
    assert here == ["1.9.1", "1.9.1", None, "mxnet", True]
    assert there == ["1.9.1", "1.9.1", None, "mxnet", False]


def test_metadata_is_not_there_without_run():
    done = python("-c", "import mxtorch, importlib.metadata as m\nm.version('mxnet')")
    assert "PackageNotFoundError" in done.stderr


FAKE_RESOURCES = """
class Distribution:
    def __init__(self, location, project_name, version):
        self.key, self.version = project_name, version
class working_set:
    added = []
    @classmethod
    def add(cls, found, replace):
        cls.added.append((found.key, found.version, replace))
"""


def test_real_pkg_resources_is_told(tmp_path):
    (tmp_path / "pkg_resources.py").write_text(FAKE_RESOURCES)
    code = "import pkg_resources as p; print(p.working_set.added, type(p.__loader__).__name__)"
    done = python(*RUN, "-c", code, paths=[tmp_path])
    assert done.stdout == "[('mxnet', '1.9.1', True)] SourceFileLoader\n"


CHILD = """
import collections, os, sys
try:
    import mxnet
    name = mxnet.__name__
except ImportError:
    name = "none"
print(sys.argv[1], name, hasattr(collections, "Mapping"), flush=True)
"""
PARENT = """
import os, subprocess, sys
def run(name, command, **changes):
    subprocess.check_call(command, env=dict(os.environ, **changes))
python = sys.executable
run("file", [python, "child.py", "file"])
run("module", [python, "-m", "child", "module"])
run("code", [python, "-c", "import sys; exec(open('child.py').read())", "code"])
run("shell", ["sh", "-c", "python child.py shell"])
run("own", [python, "child.py", "own"], MXTORCH_ALIAS="0")
"""


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_children_inherit_and_may_opt_out(tmp_path):
    (tmp_path / "child.py").write_text(CHILD)
    (tmp_path / "parent.py").write_text(PARENT)
    done = python(*RUN, "parent.py", cwd=tmp_path, PATH=os.pathsep.join(["/usr/bin", "/bin"]))
    assert done.stdout.splitlines() == [
        *(f"{name} mxtorch False" for name in ("file", "module", "code", "shell")),
        "own none False",
    ], done.stderr


def test_child_without_torch_finds_no_alias(tmp_path):
    """Another Python, or one without site-packages, is left as it is."""
    (tmp_path / "child.py").write_text(CHILD)
    code = "import subprocess, sys; subprocess.run([sys.executable, '-S', 'child.py', 'bare'])"
    done = python(*RUN, "-c", code, cwd=tmp_path)
    assert done.stdout == "bare none False\n"


def test_install_and_uninstall_leave_the_process_as_it_was():
    code = """
import json, os, sys, mxtorch, collections, numpy
from mxtorch.run import entry
def state():
    return [list(map(str, sys.meta_path)), dict(os.environ), "__getattr__" in vars(collections),
            type(vars(numpy).get("__getattr__")).__name__]
before = state()
mxtorch.install(era="quiet", device_map="gpu=cpu")
mxtorch.install()
import mxnet
assert collections.Mapping and state() != before
entry.uninstall()
assert state() == before, (state(), before)
try:
    import mxnet
except ImportError:
    print("gone")
"""
    done = python("-c", code)
    assert (done.stdout, done.stderr) == ("gone\n", "")


def test_notebook_extension():
    code = """
import sys, mxtorch
mxtorch.load_ipython_extension(None)
import mxnet
mxtorch.unload_ipython_extension(None)
print(mxnet.__version__, "mxnet" in sys.modules)
"""
    assert python("-c", code).stdout == "1.9.1 False\n"


PLUGIN_TESTS = {
    "conftest.py": "import mxnet\nfrom collections import Mapping\n",
    "test_it.py": """
import random, mxnet as mx, numpy as np
SEEN = []
def draw():
    SEEN.append((random.random(), np.random.rand(), mx.nd.random.uniform(shape=1).asscalar()))
def test_a():
    draw()
def test_b():
    draw()
    assert SEEN[0] == SEEN[1]
def test_gpu():
    assert mx.nd.ones(1, ctx=mx.gpu(1)).context == mx.gpu(1)
""",
}


def test_pytest_plugin(tmp_path):
    for name, text in PLUGIN_TESTS.items():
        (tmp_path / name).write_text(text)
    options = ["-p", "mxtorch.pytest_plugin", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    done = python("-m", "pytest", *options, "--map", "gpu=cpu", cwd=tmp_path, MXNET_TEST_SEED="3")
    assert "3 passed" in done.stdout, done.stdout + done.stderr
    assert "collections.Mapping (Python 3.10)" in done.stdout
    bare = python("-m", "pytest", *options, "--no-era", cwd=tmp_path)
    assert "cannot import name 'Mapping'" in bare.stdout + bare.stderr
    wrong = python("-m", "pytest", *options, "--map", "gpu=tpu", cwd=tmp_path)
    assert wrong.stderr.startswith("ERROR: device map 'gpu=tpu': 'gpu=tpu' is not like gpu=cpu, ")
    assert wrong.stderr.strip().count("\n") == 0


class TestDeviceMap:
    def test_says_so_once_and_keeps_the_name(self):
        code = """
import mxnet as mx
x = mx.nd.ones(2, ctx=mx.gpu(0)) + mx.nd.ones(2, ctx=mx.gpu(0))
print(x.context, (x * 2).context, x.as_torch().device, mx.context.num_gpus() in (0, 1, 2, 4, 8))
"""
        done = python(*RUN, "--map", "gpu=cpu", "-c", code)
        assert done.stdout == "gpu(0) gpu(0) cpu True\n"
        assert done.stderr == "mxtorch: gpu(0) is cpu here, for MXTORCH_MAP=gpu=cpu\n"

    def test_children_inherit_it(self):
        inner = "import mxnet as mx; print(mx.nd.ones(1, ctx=mx.gpu(1)).context)"
        code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
        assert python(*RUN, "--map=gpu(1)=cpu", "-c", code).stdout == "gpu(1)\n"

    def test_wrong_map_is_named(self):
        done = python(*RUN, "--map", "cpu=gpu", "-c", "pass")
        assert done.returncode == 1
        assert "device map 'cpu=gpu': 'cpu=gpu' is not like gpu=cpu" in done.stderr


SETTINGS = """
import torch, mxnet as mx
print(torch.are_deterministic_algorithms_enabled(), torch.get_num_interop_threads(),
      torch.get_num_threads(), torch.backends.mkldnn.enabled, torch.backends.cudnn.benchmark)
"""


def test_variables_set_torch():
    changes = {
        "MXNET_ENFORCE_DETERMINISM": "1",
        "MXNET_CPU_WORKER_NTHREADS": "3",
        "MXNET_OMP_MAX_THREADS": "1",
        "MXNET_MKLDNN_ENABLED": "0",
        "MXNET_CUDNN_AUTOTUNE_DEFAULT": "1",
        "MXNET_ENGINE_TYPE": "NaiveEngine",
    }
    code = SETTINGS + "import os; print(os.environ['CUDA_LAUNCH_BLOCKING'])\n"
    done = python(*RUN, "-c", code, **changes)
    assert done.stdout == "True 3 1 False True\n1\n", done.stderr


def test_profiler_starts_by_itself(tmp_path):
    code = "import mxnet as mx, os; mx.nd.dot(mx.nd.ones((2, 2)), mx.nd.ones((2, 2))); os.listdir()"
    done = python(*RUN, "-c", code, cwd=tmp_path, MXNET_PROFILER_AUTOSTART="1")
    assert done.returncode == 0, done.stderr
    trace = json.loads((tmp_path / "profile.json").read_text())
    assert "aten::mm" in {event["name"] for event in trace["traceEvents"]}


def test_path_that_is_not_set_keeps_pythons_own():
    code = "import os, shutil, sys; print(os.environ['PATH']); print(shutil.which('sh'))"
    changed = environment()
    del changed["PATH"]
    arguments = [sys.executable, *RUN, "-c", code]
    done = subprocess.run(arguments, check=True, env=changed, capture_output=True, text=True)
    folder = os.path.dirname(sys.executable)
    assert done.stdout.splitlines() == [
        f"{folder}:{os.defpath}",
        shutil.which("sh", path=os.defpath),
    ]


@pytest.mark.parametrize(
    ("name", "text"), [("MXNET_ENGINE_TYPE", "Foo"), ("MXNET_SUBGRAPH_BACKEND", "FOO")]
)
def test_wrong_variable_is_named(name, text):
    done = python(*RUN, "-c", "import mxnet", **{name: text})
    assert f"{name}='{text}': expected" in done.stderr


PICKLES = """
import pickle, sys
import mxnet as mx
P = {k: pickle.loads(v) for k, v in pickle.load(open(sys.argv[1], "rb")).items()}
print(P["array"].asnumpy().tolist(), P["integers"].dtype.__name__, P["context"])
a = mx.nd.zeros(2)
P["initializer"](mx.init.InitDesc("w_weight"), a)
print(a.asnumpy().tolist(), P["sgd"].momentum, P["adam"].beta1)
w = mx.nd.ones(2)
mx.optimizer.get_updater(P["sgd"])(0, mx.nd.ones(2), w)
print('%.4f' % w[0].asscalar(), [P["factor"](i) for i in (1, 12)], P["cosine"](20))
P["accuracy"].update([mx.nd.array([1, 0])], [mx.nd.array([[0, 1], [0, 1]])])
print(P["accuracy"].get(), P["dataset"][1], list(P["batches"]), P["symbol"].list_arguments())
P["parameter"].initialize(mx.init.One())
print(P["parameter"].data().asnumpy().tolist(), P["constant"].value.asnumpy().tolist())
net = P["block"]  # from here on real MXNet fails: it cannot train what it has unpickled
trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
net.hybridize()
with mx.autograd.record():
    loss = P["loss"](net(mx.nd.ones((1, 3))), mx.nd.ones((1, 2)))
loss.backward()
trainer.step(1)
print(loss.asnumpy().tolist(), net(mx.nd.ones((1, 3))).asnumpy().tolist(), net[0].weight.name)
with net.name_scope():
    print(mx.gluon.nn.Dense(1).name)
print(P["names"].get(None, "fc"), P["attributes"].get(None), P["class"] is mx.nd.NDArray)
"""
LOADED = """\
[[1.0, 2.0], [3.0, 4.0]] int32 cpu(1)
[0.25, 0.25] 0.9 0.9
0.9000 [0.01, 0.005] 0.01
('accuracy', 0.5) (1, 'b') [[0, 1], [2, 3], [4]] ['data', 'fc_weight', 'fc_bias']
[1.0, 1.0] [1.0, 1.0]
[0.125] [[1.0, 1.0]] net_dense0_weight
net_dense1
a_fc0 {'group': '1'} True
"""


def test_pickles_of_real_mxnet():
    done = python(*RUN, "-c", PICKLES, GOLDEN / "pickles" / "objects.pkl")
    assert done.stdout == LOADED, done.stderr


def test_pickles_name_mxnets_classes():
    texts = pickle.loads((GOLDEN / "pickles" / "objects.pkl").read_bytes())
    assert all(b"mxnet" in text for text in texts.values())


MODULES = """
import importlib, inspect, pydoc, sys
import mxnet as mx
from mxnet.ndarray.gen_op import Activation
from mxnet.symbol.gen_contrib import box_nms
assert Activation is mx.nd.Activation and mx.sym.gen_contrib is mx.sym.contrib
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    assert importlib.reload(module) is module is sys.modules[name]
assert mx.nd.ones(2).sum().asscalar() == 2
assert "class Dense" in inspect.getsource(mx.gluon.nn.Dense)
assert "HybridBlock" in pydoc.plain(pydoc.render_doc(mx.gluon.nn.Dense))
assert "act_type" in pydoc.plain(pydoc.render_doc("mxnet.ndarray.gen_op.Activation"))
"""


def test_deep_imports_reload_source_and_help():
    names = ["mxnet", "mxnet.gluon", "mxnet.gluon.data.dataloader", "mxnet.ndarray.ndarray"]
    names += ["mxnet.optimizer.optimizer", "mxnet.metric", "mxnet.initializer", "mxnet.symbol"]
    done = python(*RUN, "-c", MODULES, *names)
    assert done.returncode == 0, done.stderr


# Rooms that are there with every module of their own.
ROOMS = ["gluon.data", "gluon.rnn", "ndarray.ndarray", "optimizer", "metric", "kvstore.base"]


def test_rooms_have_mxnets_modules():
    listed = (GOLDEN / "api" / "modules.txt").read_text().split()
    wanted = [name for name in listed if name.removeprefix("mxnet.").startswith(tuple(ROOMS))] + [
        name for name in listed if ".gen_" in name
    ]
    assert len(wanted) > 25
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = python(*RUN, "-c", code, *wanted)
    assert done.returncode == 0, done.stderr


def test_pip_check_of_a_requirement(tmp_path):
    """A package that requires mxnet is content."""
    info = tmp_path / "toolkit-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: toolkit\nVersion: 1.0\nRequires-Dist: mxnet>=1.6\n"
    )
    code = """
import importlib.metadata as m
from packaging.requirements import Requirement
for text in m.requires("toolkit"):
    r = Requirement(text)
    print(r.name, r.specifier.contains(m.version(r.name)))
"""
    assert python(*RUN, "-c", code, paths=[tmp_path]).stdout == "mxnet True\n"
    if sys.version_info < (3, 11):
        return  # pip reads folders with a pkg_resources of its own there
    listed = python(*RUN, "-m", "pip", "--disable-pip-version-check", "list", paths=[tmp_path])
    packages = dict(line.split()[:2] for line in listed.stdout.splitlines())
    assert packages["mxnet"] == "1.9.1"
    assert packages["toolkit"] == "1.0"
