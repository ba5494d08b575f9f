"""Runs train_mxnet.py on mxtorch and holds its curves against those of real MXNet 1.9.1.

python examples/digits/compare.py [--plot digits.png]

Exit code 1 if a number is farther from MXNet's than allowed:
loss of the first epoch 1e-5 relative, of later ones 1e-3; accuracies by no more than MXNet's
own runs differ (mxnet-spread.json) and one image.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE / "train_mxnet.py"
LOG = HERE / "mxnet-1.9.1.log"
SPREAD = HERE / "mxnet-spread.json"

FIRST_LOSS, LATER_LOSS = 1e-5, 1e-3
IMAGES = {"train-acc": 1437, "test-acc": 360}

LINE = re.compile(r"\[Epoch +(\d+)\] loss=(\S+) train-acc=(\S+) test-acc=(\S+)")
RELOADED = re.compile(r"Reloaded test-acc=(\S+)")


class Curves:
    """What one run printed: a list a quantity, and the accuracy after reloading."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {"loss": [], "train-acc": [], "test-acc": []}
        self.reloaded: float | None = None

    def read(self, line: str) -> bool:
        """Takes up one printed line; True if it closes an epoch."""
        if match := RELOADED.match(line):
            self.reloaded = float(match[1])
        match = LINE.match(line)
        if match:
            for name, text in zip(self.values, match.groups()[1:], strict=True):
                self.values[name].append(float(text))
        return match is not None


def parse(text: str) -> Curves:
    curves = Curves()
    for line in text.splitlines():
        curves.read(line)
    return curves


def accuracy_room(spread: dict[str, dict[str, list[float]]], name: str, epoch: int) -> float:
    """How far an accuracy may be from the recorded one."""
    runs = [run[name][epoch] for run in spread.values()]
    return max(runs) - min(runs) + 1 / IMAGES[name] + 1e-6


def check_epoch(ours: Curves, theirs: Curves, spread: dict, epoch: int) -> list[str]:
    """What is out of bounds in one epoch."""
    bad = []
    loss, want = ours.values["loss"][epoch], theirs.values["loss"][epoch]
    room = LATER_LOSS if epoch else FIRST_LOSS
    if not abs(loss - want) <= room * abs(want):
        bad.append(f"epoch {epoch + 1}: loss {loss:.8f}, MXNet {want:.8f}, allowed {room:g}")
    for name in IMAGES:
        value, want = ours.values[name][epoch], theirs.values[name][epoch]
        room = accuracy_room(spread, name, epoch)
        if not abs(value - want) <= room:
            bad.append(f"epoch {epoch + 1}: {name} {value:.6f}, MXNet {want:.6f} ± {room:.6f}")
    return bad


def check_end(ours: Curves, theirs: Curves) -> list[str]:
    """Whether the run went to its end, and reloading gave back the net that was saved."""
    epochs, want = len(ours.values["loss"]), len(theirs.values["loss"])
    if epochs != want:
        return [f"{epochs} epochs, MXNet {want}"]
    if ours.reloaded != ours.values["test-acc"][-1]:
        return [f"reloaded accuracy {ours.reloaded}, before {ours.values['test-acc'][-1]}"]
    return []


def print_epoch(ours: Curves, theirs: Curves, epoch: int) -> None:
    a, b = ours.values, theirs.values
    loss, want = a["loss"][epoch], b["loss"][epoch]
    print(
        f"{epoch + 1:5d}  {loss:.8f}  {want:.8f}  {abs(loss - want) / abs(want):8.1e}"
        f"   {a['train-acc'][epoch]:.4f} {b['train-acc'][epoch]:.4f}"
        f"   {a['test-acc'][epoch]:.4f} {b['test-acc'][epoch]:.4f}",
        flush=True,
    )


def run_script(theirs: Curves, spread: dict, script_args: list[str]) -> tuple[Curves, list[str]]:
    """Runs the script on mxtorch; prints each epoch as it comes beside MXNet's."""
    ours, bad = Curves(), []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mxtorch", "run", str(SCRIPT)]
        command += ["--out", str(pathlib.Path(folder) / "digits.params"), *script_args]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1)
        assert child.stdout is not None
        for line in child.stdout:
            if not ours.read(line):
                print("       " + line.rstrip(), flush=True)
                continue
            epoch = len(ours.values["loss"]) - 1
            if epoch < len(theirs.values["loss"]):
                print_epoch(ours, theirs, epoch)
                bad += check_epoch(ours, theirs, spread, epoch)
        if code := child.wait():
            bad.append(f"the script ended with exit code {code}")
    return ours, bad + check_end(ours, theirs)


def draw(ours: Curves, theirs: Curves, path: pathlib.Path) -> None:
    try:
        import matplotlib
    except ModuleNotFoundError:
        sys.exit("the plot needs matplotlib: pip install 'mxtorch[plot]', or pass --no-plot")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for curves, label, style in ((theirs, "MXNet 1.9.1", "-"), (ours, "mxtorch", "--")):
        epochs = range(1, len(curves.values["loss"]) + 1)
        wide = {"lw": 5, "alpha": 0.35} if style == "-" else {"lw": 1.5, "marker": "o", "ms": 3}
        left.plot(epochs, curves.values["loss"], style, color="C0", label=label, **wide)
        right.plot(
            epochs, curves.values["train-acc"], style, color="C1", label=f"train, {label}", **wide
        )
        right.plot(
            epochs, curves.values["test-acc"], style, color="C2", label=f"test, {label}", **wide
        )
    left.set(xlabel="epoch", ylabel="training loss", title="train_mxnet.py, handwritten digits")
    right.set(xlabel="epoch", ylabel="accuracy", title="Same seed, same numbers")
    left.legend()
    right.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plot", type=pathlib.Path, default=pathlib.Path("digits.png"))
    parser.add_argument("--no-plot", action="store_true")
    args = parser.parse_args(argv)

    theirs = parse(LOG.read_text(encoding="utf-8"))
    spread = json.loads(SPREAD.read_text(encoding="utf-8"))["runs"]
    print("               loss                              train accuracy    test accuracy")
    print("epoch     mxtorch       MXNet  relative   mxtorch  MXNet  mxtorch  MXNet")
    ours, bad = run_script(theirs, spread, [])
    if not args.no_plot and ours.values["loss"]:
        draw(ours, theirs, args.plot)
        print(f"both curves: {args.plot}")
    for line in bad:
        print(f"NOT EQUAL  {line}")
    if not bad:
        print("the same curves as MXNet 1.9.1")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
