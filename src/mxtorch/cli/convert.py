"""`mxtorch convert`: MXNet's weights in torch's files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from tqdm import tqdm

from mxtorch.convert.params import Summary, params_to_safetensors

_LARGE = 64 * 2**20


@click.command(
    "convert", no_args_is_help=True, short_help="Write a .params file's weights as safetensors."
)
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE.safetensors",
    help="The file to write; an existing one is replaced once the new one is complete.",
)
@click.option("--strip-prefix", is_flag=True, help="Take arg: and aux: off the names.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(source: Path, output: Path, strip_prefix: bool, as_json: bool) -> None:
    """Write the weights of SOURCE, a .params file, as safetensors.

    Names and values stay MXNet's own; sparse arrays are written dense. The file's metadata says
    under 'auxiliary' which names were auxiliary states (aux:). Exit codes: 0 written, 1 SOURCE is
    damaged or cannot be converted, 2 wrong usage.

    \b
    Example: mxtorch convert resnet-0000.params -o resnet.safetensors --strip-prefix
    """
    if output.suffix != ".safetensors":
        raise click.UsageError(f"-o {output}: the name must end in .safetensors")
    large = source.stat().st_size >= _LARGE
    with tqdm(desc=output.name, unit="B", unit_scale=True, disable=None if large else True) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        summary = params_to_safetensors(
            source, output, strip_prefix=strip_prefix, progress=progress
        )
    _report(summary, output, as_json)


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
