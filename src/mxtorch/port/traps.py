"""Differences that change results, by the names of MXNet that they come with: traps for a port."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

_ND = ("mx.nd.", "mx.nd.NDArray.")


@dataclass(frozen=True)
class Trap:
    """One difference: a name for it, and what MXNet does where PyTorch does something else."""

    name: str
    text: str
    uses: frozenset[str]
    # a word without which no program steps on it
    word: str = ""


@dataclass(frozen=True)
class Step:
    """A place where a program steps on a trap."""

    path: str
    line: int
    column: int
    use: str
    trap: str
    # of a notebook, the code cell
    cell: int = 0

    @property
    def where(self) -> str:
        """The place as it is shown."""
        cell = f"cell {self.cell}:" if self.cell else ""
        return f"{self.path}:{cell}{self.line}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON, with what the trap is."""
        return {**asdict(self), "text": TRAPS[self.trap].text}


def _arrays(*names: str) -> list[str]:
    return [prefix + name for name in names for prefix in _ND]


def _trap(name: str, text: str, *uses: str, word: str = "") -> Trap:
    return Trap(name, text, frozenset(uses), word)


TRAPS: dict[str, Trap] = {
    trap.name: trap
    for trap in (
        _trap(
            "float32-arrays",
            "arrays are float32 whatever they are made of; torch keeps NumPy's dtype, and integers",
            *("mx.nd.array", "mx.nd.arange", "mx.nd.full", "mx.nd.one_hot"),
        ),
        _trap(
            "reshape-codes",
            "0, -2, -3 and -4 in a shape are codes; torch knows -1 alone",
            *_arrays("reshape"),
        ),
        _trap(
            "rounding",
            "halves are rounded away from zero, by rint down; torch rounds them to even",
            *_arrays("round", "rint"),
        ),
        _trap(
            "float-indices",
            "indices come as float32, and float arrays are taken for indices; torch's are int64",
            *_arrays("argmax", "argmin", "argsort", "topk"),
        ),
        _trap(
            "clipped-indices",
            "indices out of range, negative ones too, are clipped; torch raises",
            *_arrays("take", "pick", "Embedding"),
            *("mx.gluon.nn.Embedding", "mx.sym.Embedding"),
        ),
        _trap(
            "concat-axis", "the axis is 1 by default, torch's is 0", *_arrays("concat", "Concat")
        ),
        _trap(
            "batch-sum",
            "backward starts at the sum of the losses, and step(n) divides by n; torch's losses "
            "are means",
            *("mx.gluon.Trainer.step", "mx.gluon.Trainer.update"),
        ),
        _trap(
            "written-gradients",
            "backward writes gradients, torch's adds to them; of an array it starts at ones",
            *("mx.nd.NDArray.backward", "mx.autograd.backward"),
        ),
        _trap(
            "half-loss",
            "half of the squared error; torch's has no half",
            "mx.gluon.loss.L2Loss",
            "mx.sym.LinearRegressionOutput",
        ),
        _trap(
            "loss-of-samples",
            "a loss a sample, a mean over the other axes (KLDivLoss: a sum); torch's is one mean",
            *(f"mx.gluon.loss.{n}" for n in (
                "SoftmaxCrossEntropyLoss", "SigmoidBinaryCrossEntropyLoss", "L1Loss", "HuberLoss",
                "HingeLoss", "KLDivLoss", "TripletLoss", "LogisticLoss",
            )),
        ),
        _trap(
            "ctc",
            "Gluon's layout is NTC, its blank is the last class, and softmax is applied inside",
            "mx.gluon.loss.CTCLoss",
        ),
        _trap(
            "batch-norm",
            "momentum is what stays (0.9 is torch's 0.1), the running variance is the biased one, "
            "and both move in backward",
            *("mx.gluon.nn.BatchNorm", "mx.sym.BatchNorm"),
        ),
        _trap(
            "symbol-batch-norm",
            "the operator's eps is 1e-3 and its gamma stays 1, unless they are given",
            "mx.sym.BatchNorm",
            "mx.nd.BatchNorm",
        ),
        _trap(
            "dropout-scope",
            "drops inside record() alone; torch's by the module's own mode",
            *("mx.gluon.nn.Dropout", "mx.nd.Dropout", "mx.sym.Dropout"),
        ),
        _trap(
            "leaky-slope",
            "the operator's slope is 0.25 by default, also ELU's alpha; torch's are 0.01 and 1",
            *("mx.nd.LeakyReLU", "mx.sym.LeakyReLU"),
        ),
        _trap(
            "no-bias",
            "the operator has no bias by default",
            *("mx.sym.Deconvolution", "mx.nd.Deconvolution"),
        ),
        _trap(
            "initial-weights",
            "weights are uniform in [-0.07, 0.07] by default, by Module in [-0.01, 0.01]",
            *("mx.gluon.Block.initialize", "mx.gluon.nn.Sequential.initialize",
              "mx.gluon.nn.HybridSequential.initialize", "mx.mod.Module.init_params",
              "mx.mod.Module.fit"),
        ),
        _trap(
            "decay",
            "weights decay and so do biases; in Module weights and gammas alone",
            *("mx.gluon.Trainer", "mx.mod.Module.init_optimizer", "mx.mod.Module.fit"),
            word="wd",
        ),
        _trap(
            "clipped-sums",
            "gradients are sums over the batch where they are clipped",
            "mx.gluon.utils.clip_global_norm",
        ),
        _trap(
            "several-seeds",
            "mx.random, NumPy's and Python's generators each draw a part; torch's draws all",
            "mx.random.seed",
        ),
        _trap(
            "padded-batch",
            "the last batch is filled up from the first samples; pad says how many",
            "mx.io.NDArrayIter",
        ),
        _trap(
            "states",
            "states are returned only if they were given, in a list",
            *("mx.gluon.rnn.LSTM", "mx.gluon.rnn.GRU", "mx.gluon.rnn.RNN"),
        ),
        _trap(
            "copied-to-numpy",
            "a copy; torch's numpy() shares memory",
            "mx.nd.NDArray.asnumpy",
        ),
    )
}  # fmt: skip
_BY_USE: dict[str, list[str]] = {}
for _one in TRAPS.values():
    for _use in _one.uses:
        _BY_USE.setdefault(_use, []).append(_one.name)


def traps_of(name: str, text: str) -> Iterable[str]:
    """The names of the traps that a use of MXNet may be, in a program of that text."""
    return (trap for trap in _BY_USE.get(name, ()) if TRAPS[trap].word in text)
