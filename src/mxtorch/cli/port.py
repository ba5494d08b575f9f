"""`mxtorch port`: MXNet source to idiomatic PyTorch."""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Any, Literal

import click
from tqdm import tqdm

from mxtorch._core.atomic import atomic_write
from mxtorch._core.errors import MXNetValueError
from mxtorch.cli import _proof as proof
from mxtorch.cli._options import facts_option
from mxtorch.cli._standalone import CopiedBodies
from mxtorch.port.facts import Facts
from mxtorch.port.outcome import Wishes
from mxtorch.port.tree import FileResult, port_tree, write_in_place, write_tree
from mxtorch.report.html import Link, Page
from mxtorch.report.text import show, table
from mxtorch.verify.prove import Proof


@click.command("port", no_args_is_help=True, short_help="Rewrite MXNet source in PyTorch.")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file or folder to write."
)
@click.option("--in-place", is_flag=True, help="Write over SOURCE itself.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if anything would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@click.option("--json", "as_json", is_flag=True, help="Print the result, or the error, as JSON.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report.")
@facts_option
@click.option(
    "--standalone",
    is_flag=True,
    help="Write the bodies of operators without a PyTorch counterpart into the files.",
)
@click.option(
    "--parallel",
    type=click.Choice(["ddp", "dp"]),
    default="ddp",
    show_default=True,
    help="What becomes of a program that splits batches over devices: processes that torchrun "
    "starts (ddp), or one process with each part and its loss on its device (dp).",
)
@click.option("--trace", is_flag=True, help="Run PROGRAM first and port with what it showed.")
@click.option(
    "--prove/--no-prove",
    default=None,
    help="Run the port with the draws and initial weights of the traced run, and compare; "
    "done with --trace.",
)
@click.option("--steps", type=click.IntRange(1), help="End both runs after so many updates.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(
    source: Path,
    output: Path | None,
    in_place: bool,
    check: bool,
    diff: bool,
    as_json: bool,
    html: Path | None,
    facts_file: Path | None,
    standalone: bool,
    parallel: Literal["ddp", "dp"],
    trace: bool,
    prove: bool | None,
    steps: int | None,
    program: tuple[str, ...],
) -> None:
    """Rewrite the MXNet program SOURCE (a file, a notebook or a folder) in PyTorch.

    What does not concern MXNet stays byte for byte. What has no rule becomes a call of
    mxtorch.ops, or stays and is listed.

    With --trace the command after -- runs first, under mxtorch, and guides the port, which then
    runs with the same random numbers and initial weights; what both computed is compared.

    Exit codes: 0 done (and proven), 1 something is left to do by hand (or, with --check, something
    would change), 2 wrong usage, 3 the port computes something else, 4 it could not be proven.

    \b
    Example: mxtorch port train.py -o train_torch.py --html report.html
             mxtorch port train.py -o train_torch.py --trace -- python train.py --epochs 1
    """
    if sum((output is not None, in_place, check, diff)) != 1:
        raise click.UsageError("give one of -o OUTPUT, --in-place, --check, --diff")
    traced = _trace(trace or bool(prove), source, output, program, steps)
    facts = None if traced is None else traced.facts
    facts = Facts.read(facts_file) if facts_file is not None else facts
    with tqdm(desc="port", unit="file", leave=False, disable=None) as bar:
        wishes = Wishes(CopiedBodies if standalone else None, parallel)
        results = list(port_tree(source, lambda _: bar.update() and None, facts, wishes))
    if output is not None:
        _write(source, output, results)
    elif in_place:
        write_in_place(source, results)
    proven = traced.prove() if traced is not None and prove is not False else None
    if html is not None:
        with atomic_write(html) as file:
            file.write(_page(source, results, proven).encode())
    if as_json:
        click.echo(json.dumps(_as_dict(results, proven), ensure_ascii=False))
    elif diff:
        for result in results:
            click.echo("".join(_diff(result)), nl=False)
    else:
        _print(results)
        if proven is not None:
            proof.print_proof(proven, [r.path for r in results if r.changed])
    if proven is not None and proven.exit_code:
        sys.exit(proven.exit_code)
    changed = any(r.changed for r in results)
    sys.exit(1 if (check and changed) or (not check and _to_do(results)) else 0)


def _write(source: Path, output: Path, results: list[FileResult]) -> None:
    try:
        write_tree(source, output, results)
    except MXNetValueError as error:
        raise click.BadParameter(str(error)) from error


def _trace(
    wanted: bool, source: Path, output: Path | None, program: tuple[str, ...], steps: int | None
) -> proof.Traced | None:
    if wanted:
        return proof.start(source, output, program, steps)
    if program:
        raise click.UsageError("a program after -- goes with --trace or --prove")
    return None


def _to_do(results: list[FileResult]) -> int:
    return sum(finding.act for r in results for finding in r.findings)


def _diff(result: FileResult) -> list[str]:
    before, after = (t.splitlines(keepends=True) for t in (result.before, result.after))
    return list(difflib.unified_diff(before, after, result.path, result.path))


def _as_dict(results: list[FileResult], proven: Proof | None) -> dict[str, Any]:
    whole = {} if proven is None else {"proof": proven.as_dict()}
    return {
        **whole,
        "files": [
            {
                "path": r.path,
                **({} if proven is None or not r.changed else {"stamp": proven.stamp(r.path)}),
                "changed": r.changed,
                "refused": r.refused,
                "idiomatic": r.counts.idiomatic,
                "operators": r.counts.operators,
                "left": r.counts.left,
                "findings": [finding.as_dict() for finding in r.findings],
            }
            for r in results
        ],
    }


def _rows(results: list[FileResult]) -> list[tuple[object, ...]]:
    return [
        (r.path, r.counts.idiomatic, r.counts.operators, r.counts.left, r.refused)
        for r in results
        if r.changed or r.refused
    ]


_COLUMNS = ("file", "#idiomatic", "#operators", "#left", "not ported because")


def _print(results: list[FileResult]) -> None:
    findings = [finding for r in results for finding in r.findings]
    for finding in findings:
        show(str(finding))
    show(table("Files", _COLUMNS, _rows(results)))


def _page(source: Path, results: list[FileResult], proven: Proof | None) -> str:
    page = Page(f"{source.name} in PyTorch")
    changed = [r for r in results if r.changed]
    anchors = {result.path: f"file-{number}" for number, result in enumerate(changed, 1)}
    page.table(_COLUMNS, [(_link(anchors, str(row[0])), *row[1:]) for row in _rows(results)])
    if proven is not None:
        proof.show_proof(page, proven, [r.path for r in changed])
    findings = [finding for r in results for finding in r.findings]
    if findings:
        page.heading("Notes")
        kinds = ["to do" if finding.act else "to know" for finding in findings]
        page.filters({kind: kinds.count(kind) for kind in ("to do", "to know")})
        page.table(
            ("where", "code", "what", "note"),
            [
                (_link(anchors, x.path, x.line), x.code, kind, x.message)
                for x, kind in zip(findings, kinds, strict=True)
            ],
            kinds,
        )
    page.heading("Changes")
    for result in changed:
        page.diff(
            result.path,
            result.before,
            result.after,
            len(changed) < 4,
            _notes(result),
            anchors[result.path],
        )
    return page.render()


def _link(anchors: dict[str, str], path: str, line: int | None = None) -> Link | str:
    """Where a file, or a line of it, stands on the page."""
    text = path if line is None else f"{path}:{line}"
    if path not in anchors:
        return text
    if path.endswith(".ipynb"):  # its lines are a cell's
        return Link(text, anchors[path])
    return Link(text, anchors[path] if line is None else f"{anchors[path]}-L{line}")


def _notes(result: FileResult) -> dict[int, str]:
    found: dict[int, list[str]] = {}
    if result.path.endswith(".ipynb"):
        return {}
    for finding in result.findings:
        found.setdefault(finding.line, []).append(f"{finding.code} {finding.message}")
    return {line: "\n".join(texts) for line, texts in found.items()}
