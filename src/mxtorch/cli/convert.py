"""`mxtorch convert`: MXNet's weights and models in torch's files."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from mxtorch.convert.api import SUFFIXES, Report, convert_symbol, find_params
from mxtorch.convert.params import Summary, params_to_safetensors

_LARGE = 64 * 2**20
_CLOSE = 1e-5


def _shape(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    shapes = {}
    for text in given:
        name, _, lengths = text.partition("=")
        try:
            shapes[name] = tuple(int(n) for n in lengths.split(","))
        except ValueError:
            raise click.BadParameter(f"{text!r} is not NAME=1,3,224,224") from None
    return shapes


@click.command(
    "convert", no_args_is_help=True, short_help="Write weights and models as torch's files."
)
@click.argument(
    "sources", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file to write: .safetensors, .py, .pt2 or .onnx; may be given several times. An "
    "existing file is replaced once the new one is complete.",
)
@click.option(
    "--shape", "shapes", multiple=True, callback=_shape, metavar="NAME=1,3,224,224",
    help="An input's shape, with a batch size.",
)  # fmt: skip
@click.option("--node", "nodes", multiple=True, metavar="NAME", help="End the graph at this node.")
@click.option("--check", is_flag=True, help="Run what was written on random inputs, and compare.")
@click.option(
    "--strip-prefix", is_flag=True, help="Of a .params: take arg: and aux: off the names."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    sources: Sequence[Path],
    outputs: Sequence[Path],
    shapes: dict[str, Any],
    nodes: Sequence[str],
    check: bool,
    strip_prefix: bool,
    as_json: bool,
) -> None:
    """Write SOURCES as files of torch's.

    SOURCES is a .params file, whose weights become safetensors, or a model: NAME-symbol.json and
    its .params (the newest NAME-NNNN.params beside it if not given). A model becomes weights
    (.safetensors), PyTorch source with its weights beside it (.py), a torch.export program (.pt2),
    or ONNX. Loss operators at its end become what they give without labels. Exit codes: 0 written,
    1 something is damaged, cannot be converted or fails --check, 2 wrong usage.

    \b
    Example: mxtorch convert resnet-0000.params -o resnet.safetensors --strip-prefix
             mxtorch convert resnet-symbol.json -o resnet.py -o resnet.pt2 --shape data=1,3,224,224
    """
    for output in outputs:
        if output.suffix not in SUFFIXES:
            raise click.UsageError(f"-o {output}: the name must end in {', '.join(SUFFIXES)}")
    symbols = [path for path in sources if path.suffix == ".json"]
    others = [path for path in sources if path.suffix != ".json"]
    if len(symbols) > 1 or len(others) > 1:
        raise click.UsageError("SOURCES is one .params file, one -symbol.json file, or one of each")
    if not symbols:
        _weights(others[0], outputs, strip_prefix, as_json)
        return
    params = others[0] if others else find_params(symbols[0])
    report = convert_symbol(symbols[0], params, outputs, shapes=shapes, outputs=nodes, check=check)
    _say(report, as_json)
    close = (d.relative <= _CLOSE for found in report.differences.values() for d in found)
    sys.exit(0 if all(close) else 1)


def _say(report: Report, as_json: bool) -> None:
    for note in report.notes:
        sys.stderr.write(f"mxtorch: note: {note}\n")
    if as_json:
        checked = {
            path: [{"output": d.output, "relative": d.relative, "argmax": d.argmax} for d in found]
            for path, found in report.differences.items()
        }
        result: dict[str, Any] = {"inputs": report.inputs, "outputs": report.outputs}
        result |= {"written": report.written, "notes": report.notes, "check": checked}
        click.echo(json.dumps(result, ensure_ascii=False))
        return
    for path in report.written:
        click.echo(path)
    for path, found in report.differences.items():
        for d in found:
            same = "same" if d.argmax else "other"
            click.echo(
                f"{path}: {d.output} differs by {d.relative:.1e} of its largest, {same} argmax"
            )


def _weights(source: Path, outputs: Sequence[Path], strip_prefix: bool, as_json: bool) -> None:
    if len(outputs) != 1 or outputs[0].suffix != ".safetensors":
        raise click.UsageError(
            f"-o {outputs[0]}: the name must end in .safetensors; for another form give "
            "the model's -symbol.json file too"
        )
    large = source.stat().st_size >= _LARGE
    name = outputs[0].name
    with tqdm(desc=name, unit="B", unit_scale=True, disable=None if large else True) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        summary = params_to_safetensors(
            source, outputs[0], strip_prefix=strip_prefix, progress=progress
        )
    _report(summary, outputs[0], as_json)


def _report(summary: Summary, output: Path, as_json: bool) -> None:
    for name, stype in summary.densified.items():
        sys.stderr.write(f"mxtorch: note: {name!r} is {stype}; it is written dense\n")
    if summary.unnamed:
        sys.stderr.write("mxtorch: note: the arrays have no names; they are called 0, 1, ...\n")
    if as_json:
        result = {
            "output": str(output),
            "tensors": len(summary.names),
            "bytes": summary.nbytes,
            "names": summary.names,
            "auxiliary": summary.auxiliary,
            "densified": summary.densified,
        }
        click.echo(json.dumps(result, ensure_ascii=False))
    else:
        click.echo(f"{output}: {len(summary.names)} tensors, {summary.nbytes:,} bytes")
