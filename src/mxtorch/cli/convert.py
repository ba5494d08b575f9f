"""`mxtorch convert`: MXNet's weights and models in torch's files, and back."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import torch
from tqdm import tqdm

from mxtorch._deploy.model import Model, load_model
from mxtorch.convert.api import find_model
from mxtorch.convert.blocks import import_own, load_block
from mxtorch.convert.check import all_close
from mxtorch.convert.inputs import read_inputs
from mxtorch.convert.params import Summary, params_to_safetensors
from mxtorch.convert.state import state_to_params
from mxtorch.convert.targets import SUFFIXES
from mxtorch.convert.write import Report, write_model
from mxtorch.run.entry import install, uninstall

_LARGE = 64 * 2**20
_DTYPES = {"float16": torch.float16, "float32": torch.float32, "float64": torch.float64}
_INTEGERS = {"uint8": torch.uint8, "int8": torch.int8, "int32": torch.int32, "int64": torch.int64}


def _shape(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    shapes = {}
    for text in given:
        name, _, lengths = text.partition("=")
        try:
            shapes[name] = tuple(int(n) for n in lengths.split(","))
        except ValueError:
            raise click.BadParameter(f"{text!r} is not NAME=1,3,224,224") from None
    return shapes


def _types(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    known = {**_DTYPES, **_INTEGERS}
    types = {}
    for text in given:
        name, _, dtype = text.partition("=")
        if dtype not in known:
            raise click.BadParameter(f"{text!r} is not NAME=TYPE with one of {', '.join(known)}")
        types[name] = known[dtype]
    return types


def _numbers(ctx: click.Context, param: click.Parameter, given: str | None) -> list[float]:
    try:
        return [float(n) for n in (given or "").split(",") if n]
    except ValueError:
        raise click.BadParameter(f"{given!r} is not numbers like 123.68,116.78,103.94") from None


@click.command(
    "convert", no_args_is_help=True, short_help="Write weights and models as torch's files."
)
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o", "--output", "outputs", multiple=True, required=True, type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file to write: .safetensors, .py, .pt2, .onnx, or .params; may be given several times. "
    "An existing file is replaced once the new one is complete.",
)  # fmt: skip
@click.option(
    "--shape", "shapes", multiple=True, callback=_shape, metavar="NAME=1,3,224,224",
    help="An input's shape, with a batch size.",
)  # fmt: skip
@click.option(
    "--type", "types", multiple=True, callback=_types, metavar="NAME=uint8",
    help="An input's type, where it does not follow from the weights'.",
)  # fmt: skip
@click.option("--node", "nodes", multiple=True, metavar="NAME", help="End the graph at this node.")
@click.option(
    "--block", metavar="WHAT",
    help="The block of a Gluon .params: package.module:function(args), or a model-zoo name.",
)  # fmt: skip
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE",
    help="Import this module of yours first: it registers your own operators.",
)  # fmt: skip
@click.option("--dtype", type=click.Choice(list(_DTYPES)), help="Give the weights this type.")
@click.option("--check", is_flag=True, help="Run what was written beside the graph, and compare.")
@click.option(
    "--input", "inputs", multiple=True, metavar="[NAME=]FILE",
    help="Check on this .npy array or image too, not only on random inputs.",
)  # fmt: skip
@click.option("--mean", callback=_numbers, metavar="R,G,B", help="Taken off an image's channels.")
@click.option("--std", callback=_numbers, metavar="R,G,B", help="What they are divided by.")
@click.option("--bgr", is_flag=True, help="The model takes images as BGR.")
@click.option(
    "--like", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="For .params: the .safetensors written beside the module, which knows MXNet's names.",
)  # fmt: skip
@click.option(
    "--strip-prefix", is_flag=True, help="Of a .params: take arg: and aux: off the names."
)
@click.option(
    "--json", "as_json", is_flag=True,
    help="Print the result, with each node, as JSON; of what failed, the error.",
)  # fmt: skip
def command(sources: Sequence[Path], outputs: Sequence[Path], **options: Any) -> None:
    """Write SOURCES as files of torch's, or torch's weights as .params.

    SOURCES is a model: NAME-symbol.json and its .params (the newest NAME-NNNN.params beside it if
    not given), a Gluon .params (with --block, unless it is of the model zoo), or a folder with one
    of these. It becomes PyTorch source with its weights beside it (.py), a torch.export program
    (.pt2), ONNX, or weights alone (.safetensors). Loss operators become what they give without
    labels. A .safetensors of weights becomes .params again. Exit codes: 0 written, 1 something is
    damaged, cannot be converted or fails --check, 2 wrong usage.

    \b
    Example: mxtorch convert resnet-symbol.json -o resnet.py -o resnet.pt2 --shape data=1,3,224,224
             mxtorch convert resnet-0000.params -o resnet.safetensors --strip-prefix
             mxtorch convert trained.safetensors --like resnet.safetensors -o resnet-0001.params
    """
    back = [path for path in sources if path.suffix == ".safetensors"]
    allowed = (".params",) if back else SUFFIXES
    for output in outputs:
        if output.suffix not in allowed:
            raise click.UsageError(f"-o {output}: the name must end in {', '.join(allowed)}")
    _check_options(options, bool(back), any(path.suffix == ".json" for path in sources))
    if back:
        _back(sources, outputs, options["like"], options["as_json"])
    else:
        _forth(sources, outputs, options)


def _forth(sources: Sequence[Path], outputs: Sequence[Path], options: dict[str, Any]) -> None:
    symbols = [path for path in sources if path.suffix == ".json" or path.is_dir()]
    others = [path for path in sources if path not in symbols]
    if len(symbols) > 1 or len(others) > 1:
        raise click.UsageError("SOURCES is one .params file, one -symbol.json file, or one of each")
    symbol, params = find_model(symbols[0] if symbols else others[0], _first(symbols, others))
    weights = [path.suffix for path in outputs] == [".safetensors"]
    if symbol is None and options["block"] is None and weights and not options["check"]:
        _refuse(options, _OF_MODELS, "is for a model; weights alone take --strip-prefix")
        _weights(params, outputs[0], options["strip_prefix"], options["as_json"])
        return
    _refuse(options, ("strip_prefix",), "is for the weights of a .params alone")
    report = _model(symbol, params, outputs, options)
    _say(report, options["as_json"])
    sys.exit(0 if all(all_close(found) for found in report.differences.values()) else 1)


# Options by what they are for, as they are called in the program.
_OF_IMAGES = ("mean", "std", "bgr")
_OF_MODELS = ("shapes", "types", "nodes", "modules", "dtype", "inputs")


def _refuse(options: dict[str, Any], names: Sequence[str], why: str) -> None:
    """No option is accepted and ignored."""
    for parameter in click.get_current_context().command.params:
        if parameter.name in names and options[parameter.name]:
            raise click.UsageError(f"{parameter.opts[-1]} {why}")


def _check_options(options: dict[str, Any], back: bool, has_graph: bool) -> None:
    if back:
        more = ("block", "check", "strip_prefix", *_OF_IMAGES, *_OF_MODELS)
        _refuse(options, more, "is not for weights that become .params again")
    else:
        _refuse(options, ("like",), "is for weights that become .params again")
    if has_graph:
        _refuse(options, ("block",), "is for a Gluon .params; here is a graph")
    if not options["inputs"]:
        _refuse(options, _OF_IMAGES, "is for an image that --input names")


def _first(symbols: Sequence[Path], others: Sequence[Path]) -> Path | None:
    return others[0] if symbols and others else None


def _model(
    symbol: Path | None, params: Path, outputs: Sequence[Path], options: dict[str, Any]
) -> Report:
    shapes, dtype = options["shapes"], _DTYPES.get(options["dtype"])
    model: Model
    if symbol is None or options["modules"]:
        install(era="quiet")  # the program's own modules import mxnet
        click.get_current_context().call_on_close(uninstall)
    for name in options["modules"]:
        import_own(name, f"--import {name}")
    if symbol is None:
        model = load_block(params, options["block"], list(shapes), options["nodes"], dtype)
    else:
        model = load_model(symbol, params, options["nodes"], dtype)
    model.give_types(options["types"])
    given = []
    if options["inputs"]:
        colors = options["mean"], options["std"], options["bgr"]
        given.append(read_inputs(model, shapes, options["inputs"], *colors))
    with _bar(params) as progress:
        return write_model(
            model,
            outputs,
            shapes=shapes,
            check=options["check"] or bool(given),
            data=given,
            progress=progress,
            sources=[path for path in (symbol, params) if path is not None],
        )


@contextmanager
def _bar(source: Path) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar, if the file is large."""
    large = source.stat().st_size >= _LARGE
    with tqdm(unit="B", unit_scale=True, disable=None if large else True) as bar:

        def progress(name: str, done: int, total: int) -> None:
            bar.desc, bar.total = f"{name}: ", total
            bar.update(done - bar.n)

        yield progress


def _say(report: Report, as_json: bool) -> None:
    for note in report.notes:
        sys.stderr.write(f"mxtorch: note: {note}\n")
    if as_json:
        checked = {
            path: [dataclasses.asdict(difference) for difference in found]
            for path, found in report.differences.items()
        }
        result: dict[str, Any] = {"inputs": report.inputs, "outputs": report.outputs}
        result |= {"written": report.written, "notes": report.notes, "check": checked}
        result |= {"first_different": report.first_different, "nodes": report.nodes}
        click.echo(json.dumps(result, ensure_ascii=False))
        return
    for path in report.written:
        click.echo(path)
    for path, found in report.differences.items():
        for d in found:
            same = "same" if d.argmax else "other"
            nan = f"; {d.nan} of its elements are NaN on both sides" if d.nan else ""
            click.echo(
                f"{path}: {d.output} differs by {d.relative:.1e} of its largest, {same} argmax{nan}"
            )
        if path in report.first_different:
            click.echo(f"{path}: the first node that differs is {report.first_different[path]}")


def _back(
    sources: Sequence[Path], outputs: Sequence[Path], like: Path | None, as_json: bool
) -> None:
    if len(sources) != 1 or len(outputs) != 1:
        raise click.UsageError("a .safetensors file becomes one .params file")
    with _bar(sources[0]) as progress:
        names = state_to_params(
            sources[0],
            outputs[0],
            like,
            lambda done, total: progress(outputs[0].name, done, total),
        )
    if as_json:
        click.echo(json.dumps({"output": str(outputs[0]), "names": names}, ensure_ascii=False))
    else:
        click.echo(f"{outputs[0]}: {len(names)} arrays")


def _weights(source: Path, output: Path, strip_prefix: bool, as_json: bool) -> None:
    with _bar(source) as progress:
        summary = params_to_safetensors(
            source,
            output,
            strip_prefix=strip_prefix,
            progress=lambda done, total: progress(output.name, done, total),
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
