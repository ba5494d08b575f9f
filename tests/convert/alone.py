"""What files compute in a process in which neither mxtorch nor mxnet can be imported."""

import importlib.util
import subprocess
import sys

import numpy as np

_CODE = """
import sys
sys.modules["mxnet"] = sys.modules["mxtorch"] = None
import numpy, runpy, torch
folder, *paths = sys.argv[1:]
data = list(numpy.load(folder + "/data.npz").values())
for number, path in enumerate(paths):
    if path.endswith(".onnx"):
        import onnxruntime
        session = onnxruntime.InferenceSession(path)
        names = [i.name for i in session.get_inputs()]
        results = session.run(None, dict(zip(names, data)))
    else:
        if path.endswith(".pt2"):
            model = torch.export.load(path).module()
        else:
            model = runpy.run_path(path)["load"](path[:-3] + ".safetensors")
        with torch.no_grad():
            results = model(*map(torch.from_numpy, data))
        results = (results,) if isinstance(results, torch.Tensor) else results
        results = [r.numpy() for r in results]
    numpy.savez(f"{folder}/out{number}.npz", *results)
"""


def has_onnx():
    """Whether ONNX files can be written and run here."""
    return all(importlib.util.find_spec(n) for n in ("onnx", "onnxscript", "onnxruntime"))


def run(folder, paths, inputs):
    """The outputs of each file on the inputs."""
    np.savez(folder / "data.npz", *inputs)
    done = subprocess.run(
        [sys.executable, "-c", _CODE, str(folder), *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return [list(np.load(folder / f"out{n}.npz").values()) for n in range(len(paths))]


def close(ours, theirs, tolerance=1e-5):
    """Outputs are alike, relative to the largest number of each; the largest in the same place."""
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a.shape == b.shape
        assert np.abs(a - b).max() <= tolerance * np.abs(b).max()
        if a.ndim > 1:
            assert (a.argmax(-1) == b.argmax(-1)).all()
