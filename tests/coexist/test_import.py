"""`import mxtorch` changes nothing outside itself."""

from __future__ import annotations

import json
from ast import literal_eval

from tests.child import python

PROGRAM = """
import asyncio, collections, fractions, gc, inspect, itertools, json, os, signal, string, sys
import threading, time, types, unittest, urllib, warnings
import numpy, torch, click, rich, tqdm, safetensors

HOOKED = ["asyncio", "collections", "fractions", "inspect", "itertools", "os", "string", "sys"]
HOOKED += ["time", "types", "unittest", "urllib"]

def names(module):
    # a submodule that is imported for the first time appears as an attribute; that is Python's
    return sorted(n for n, v in vars(module).items() if type(v).__name__ != "module")

def state():
    return {
        "meta_path": [type(f).__name__ if not isinstance(f, type) else f.__name__
                      for f in sys.meta_path],
        "path_hooks": len(sys.path_hooks),
        "path": list(sys.path),
        "aliased": [m for m in sys.modules if m == "mxnet" or m.startswith("mxnet.")],
        "numpy": names(numpy),
        "torch": names(torch),
        "tensor": sorted(vars(torch.Tensor)),
        "dtype": str(torch.get_default_dtype()),
        "grad": torch.is_grad_enabled(),
        "threads": torch.get_num_threads(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "cuda": torch.cuda.is_initialized(),
        "seed": torch.initial_seed() and torch.get_rng_state().sum().item(),
        "numpy_random": int(numpy.random.get_state()[1].sum()),
        "errstate": numpy.geterr(),
        "printoptions": str(numpy.get_printoptions()),
        "warnings": [str(f) for f in warnings.filters],
        "signals": [str(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM)],
        "environment": dict(os.environ),
        "excepthook": sys.excepthook is sys.__excepthook__,
        "running": threading.active_count(),
        "threadhook": threading.excepthook is threading.__excepthook__,
        "displayhook": sys.displayhook is sys.__displayhook__,
        "stdlib": {m: names(sys.modules[m]) for m in HOOKED if m in sys.modules},
        "classes": {c.__name__: sorted(vars(c)) for c in (threading.Thread, unittest.TestCase)},
        "removed": [m for m in ("imp", "cPickle", "pkg_resources") if m in sys.modules],
        "recursion": sys.getrecursionlimit(),
        "interop": torch.get_num_interop_threads(),
        "collector": [gc.isenabled(), gc.get_freeze_count(), *gc.get_threshold()],
        "mkldnn": torch.backends.mkldnn.enabled,
        "tf32": [torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.benchmark],
    }

torch.manual_seed(0)
before = state()
modules = set(sys.modules)
import mxtorch
after = state()
print(json.dumps({k: [before[k], after[k]] for k in before if before[k] != after[k]}))
loaded = {m.split(".")[0] for m in set(sys.modules) - modules}
known = set(sys.stdlib_module_names)
print(sorted(m for m in loaded - known if not m.startswith("_sysconfigdata")))
"""
# What mxtorch declares as dependencies, and theirs; it may import more of them.
DEPENDENCIES = {"mxtorch", "torch", "numpy", "safetensors", "tqdm", "rich", "click"}


def test_import_leaves_everything_else_as_it_was() -> None:
    result = python("-c", PROGRAM)
    assert result.returncode == 0, result.stderr
    changed, loaded = result.stdout.splitlines()
    assert json.loads(changed) == {}
    assert set(literal_eval(loaded)) <= DEPENDENCIES
