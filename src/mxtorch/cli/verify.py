"""`mxtorch verify`: two programs or nets that should compute the same, layer by layer."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch.report.html import Page
from mxtorch.report.text import show, table
from mxtorch.verify.launch import Recording
from mxtorch.verify.verify import UnknownNames, Verdict, read_inputs, read_side, verify

_COLUMNS = ("first", "second", "#gradient apart", "#weight apart")


@click.command("verify", no_args_is_help=True, short_help="Find where two programs part.")
@click.argument("a")
@click.argument("b")
@click.option("--args", "arguments", default="", help="Arguments for both programs, in one text.")
@click.option("--args-a", default="", help="Arguments for A.")
@click.option("--args-b", default="", help="Arguments for B.")
@click.option("--mxnet", "python", metavar="PYTHON", help="Run A under the real MXNet of PYTHON.")
@click.option(
    "--shape", "shapes", multiple=True, metavar="NAME=2,3", help="The input of a net; `:9` after "
    "it for whole numbers below 9. Once for each input."
)  # fmt: skip
@click.option("--steps", type=click.IntRange(1), help="Compare so many updates.")
@click.option(
    "--names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="JSON: the path in A of parameters of B, where they are not found.",
)
@click.option("--dump", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Keep both records there, to be compared later or elsewhere.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result, or the error, as JSON.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report.")
def command(
    a: str,
    b: str,
    arguments: str,
    args_a: str,
    args_b: str,
    python: str | None,
    shapes: tuple[str, ...],
    steps: int | None,
    names: Path | None,
    dump: Path | None,
    as_json: bool,
    html: Path | None,
) -> None:
    """Run A and B with the same initial weights, batches and dropout masks, and name the first
    step, layer and phase (forward, loss, gradient, update, statistics) where they part, and why.

    A and B are each a program (.py) of MXNet or PyTorch, a net (package.module:name), a model of
    MXNet (NAME-symbol.json), or a record that --dump has kept. An MXNet program runs under
    mxtorch; with --mxnet A runs under real MXNet.

    Exit codes: 0 no difference, 1 something failed, 2 wrong usage, 3 they differ.

    \b
    Example: mxtorch verify train_mxnet.py train_torch.py --args "--epochs 1" --steps 5
             mxtorch verify train.py train.py --mxnet .oracle/bin/python
             mxtorch verify old.nets:make_lenet new.nets:LeNet --shape 2,1,28,28
    """
    try:
        inputs = read_inputs(shapes)
        first = read_side(a, f"{arguments} {args_a}", inputs, python)
        second = read_side(b, f"{arguments} {args_b}", inputs, None)
        recording = Recording(steps=steps, detail=steps or 20, full=True, names=_names(names))
    except MXNetError as error:
        raise click.BadParameter(str(error)) from error
    with tempfile.TemporaryDirectory() as scratch:
        folder = dump or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            verdict = verify(first, second, folder, recording, python, echo=sys.stderr)
        except UnknownNames as error:
            raise click.BadParameter(str(error)) from error
    if html is not None:
        with atomic_write(html) as file:
            file.write(_page(a, b, verdict).encode())
    if as_json:
        click.echo(json.dumps(verdict.as_dict(), ensure_ascii=False))
    else:
        _print(verdict)
    sys.exit(0 if verdict.is_same else 3)


def _names(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise MXNetValueError(f"{path}: not JSON: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise MXNetValueError(f"{path}: expected an object of paths in B and A")
    return found


def _rows(verdict: Verdict) -> list[tuple[object, ...]]:
    def said(value: float | None) -> str:
        return "" if value is None else f"{value:.1e}"

    return [(r.ours, r.theirs, said(r.gradient), said(r.weight)) for r in verdict.rows]


def _print(verdict: Verdict) -> None:
    if verdict.rows:
        show(table("Parameters", _COLUMNS, _rows(verdict)))
    for name in verdict.unmatched:
        show(f"without a counterpart: {name}")
    for text in (*verdict.notes, *verdict.problems):
        show(f"note: {text}")
    show(str(verdict))


def _page(a: str, b: str, verdict: Verdict) -> str:
    page = Page(f"{a} and {b}")
    page.paragraph(str(verdict))
    for text in (*verdict.notes, *verdict.problems):
        page.paragraph(text)
    if verdict.comparison.losses:
        first, second = zip(*verdict.comparison.losses, strict=True)
        page.curves("Loss by step", {a: first, b if b != a else f"{b} (second)": second})
    if verdict.rows:
        page.heading("Parameters")
        page.table(_COLUMNS, _rows(verdict))
    if verdict.unmatched:
        page.heading("Without a counterpart")
        page.table(("parameter",), [(name,) for name in verdict.unmatched])
    return page.render()
