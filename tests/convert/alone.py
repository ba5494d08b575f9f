"""What files compute in a process in which neither mxtorch nor mxnet can be imported.

It is one process for all the files, since starting torch takes longer than running most of them.
"""

import atexit
import functools
import importlib.util
import json
import pathlib
import select
import shutil
import subprocess
import sys

import numpy as np

_CODE = """
import sys
sys.modules["mxnet"] = sys.modules["mxtorch"] = None
import json, numpy, runpy, torch, traceback

def results_of(path, data):
    if path.endswith(".onnx"):
        import onnxruntime
        session = onnxruntime.InferenceSession(path)
        names = [i.name for i in session.get_inputs()]
        return session.run(None, dict(zip(names, data)))
    if path.endswith(".pt2"):
        model = torch.export.load(path).module()
    else:
        model = runpy.run_path(path)["load"](path[:-3] + ".safetensors")
    with torch.no_grad():
        results = model(*map(torch.from_numpy, data))
    results = (results,) if isinstance(results, torch.Tensor) else results
    return [r.numpy() for r in results]

for line in sys.stdin:
    folder, paths = json.loads(line)
    failed = ""
    try:
        data = list(numpy.load(folder + "/data.npz").values())
        for number, path in enumerate(paths):
            numpy.savez(f"{folder}/out{number}.npz", *results_of(path, data))
    except Exception:
        failed = traceback.format_exc()
    print(json.dumps(failed), flush=True)
"""


def has_onnx():
    """Whether ONNX files can be written and run here."""
    return all(importlib.util.find_spec(n) for n in ("onnx", "onnxscript", "onnxruntime"))


class _Process:
    def __init__(self):
        self.child = subprocess.Popen(
            [sys.executable, "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.stop)

    def ask(self, folder, paths):
        self.child.stdin.write(json.dumps([folder, paths]) + "\n")
        self.child.stdin.flush()
        ready, _, _ = select.select([self.child.stdout], [], [], 300)
        answer = self.child.stdout.readline() if ready else ""
        if answer:
            return json.loads(answer)
        self.stop()
        _process.cache_clear()
        return "the process ended, or gave no answer in 300 s"

    def stop(self):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()


@functools.cache
def _process():
    return _Process()


def run(folder, paths, inputs):
    """The outputs of each file on the inputs."""
    np.savez(folder / "data.npz", *inputs)
    failed = _process().ask(str(folder), [str(path) for path in paths])
    assert not failed, failed
    return [list(np.load(folder / f"out{n}.npz").values()) for n in range(len(paths))]


def close(ours, theirs, tolerance=1e-5):
    """Outputs are alike, relative to the largest number of each; the largest in the same place."""
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= tolerance * np.abs(b).max()
        if a.ndim > 1:
            assert (a.argmax(-1) == b.argmax(-1)).all()


def ruff(path):
    """What ruff finds in files, by its default rules and the most common others: nothing."""
    program = shutil.which("ruff", path=pathlib.Path(sys.executable).parent)
    for select_ in ([], ["--select", "E,F,W,I"]) if program else ():
        command = [program, "check", "--isolated", "--line-length", "100", *select_, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
