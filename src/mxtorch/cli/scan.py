"""`mxtorch scan`: what a program uses of MXNet, and how ready each use is."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from mxtorch._core.atomic import atomic_write
from mxtorch.cli._options import facts_option
from mxtorch.port.facts import Facts
from mxtorch.port.scan import READY, STATUSES, Scan, Use, scan_tree
from mxtorch.port.traps import TRAPS, Step
from mxtorch.report.finding import Finding
from mxtorch.report.html import Page
from mxtorch.report.sarif import sarif
from mxtorch.report.text import show, table

_WORST = tuple(reversed(STATUSES))
# how many places of a trap are listed
_PLACES = 8


@click.command("scan", no_args_is_help=True, short_help="List what a program uses of MXNet.")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print all uses, or the error, as JSON.")
@click.option("--sarif", "as_sarif", is_flag=True, help="Print them as SARIF 2.1.0.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report.")
@click.option("--all", "everything", is_flag=True, help="List the uses that are ready too.")
@facts_option
def command(
    source: Path,
    as_json: bool,
    as_sarif: bool,
    html: Path | None,
    everything: bool,
    facts_file: Path | None,
) -> None:
    """List every name of MXNet that SOURCE uses (a file, a notebook or a folder).

    Each use is exact, equivalent, operator, by hand, unknown or unclear. Exit codes: 0 every use
    can be ported, 1 some cannot or a file could not be read, 2 wrong usage.

    \b
    Example: mxtorch scan train.py --html report.html
    """
    facts = Facts.read(facts_file) if facts_file is not None else None
    with tqdm(desc="scan", unit="file", leave=False, disable=None) as bar:
        scan = scan_tree(source, lambda _: bar.update() and None, facts)
    if html is not None:
        with atomic_write(html) as file:
            file.write(_page(source, scan).encode())
    if as_json:
        click.echo(json.dumps(_as_dict(scan), ensure_ascii=False))
    elif as_sarif:
        rules = {**STATUSES, **{f"trap-{name}": trap.text for name, trap in TRAPS.items()}}
        click.echo(json.dumps(sarif(_findings(scan), rules), ensure_ascii=False))
    else:
        _print(scan, everything)
    sys.exit(0 if scan.clean else 1)


def _as_dict(scan: Scan) -> dict[str, Any]:
    return {
        "files": scan.files,
        "unread": scan.unread,
        "totals": {status: scan.totals()[status] for status in STATUSES},
        "clean": scan.clean,
        "uses": [use.as_dict() for use in scan.uses],
        "traps": [step.as_dict() for step in scan.traps],
    }


def _findings(scan: Scan) -> list[Finding]:
    return [
        Finding(u.path, u.line, u.column, u.status, _sentence(u), u.status not in READY)
        for u in scan.uses
    ] + [
        Finding(s.path, s.line, s.column, f"trap-{s.trap}", f"{s.use}: {TRAPS[s.trap].text}", False)
        for s in scan.traps
    ]


def _trap_rows(scan: Scan) -> list[tuple[str, str, str]]:
    """Each trap that is stepped on: what it is, by which uses, where."""
    found: dict[str, list[Step]] = {}
    for step in scan.traps:
        found.setdefault(step.trap, []).append(step)
    rows = []
    for name, steps in sorted(found.items()):
        places = list(dict.fromkeys(s.where for s in steps))
        more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        uses = ", ".join(dict.fromkeys(s.use for s in steps))
        rows.append((f"{uses}: {TRAPS[name].text}", name, ", ".join(places[:_PLACES]) + more))
    return rows


def _sentence(use: Use) -> str:
    detail = use.detail or STATUSES[use.status]
    return f"{use.name}: {use.status}, {detail}"


def _print(scan: Scan, everything: bool) -> None:
    shown = [u for u in scan.uses if everything or u.status not in READY]
    if shown:
        rows = [(u.where, u.name, u.status, u.detail) for u in shown]
        show(
            table("Uses" if everything else "To look at", ("where", "name", "status", "what"), rows)
        )
    for path, reason in scan.unread.items():
        show(f"{path}: not read, {reason}")
    traps = _trap_rows(scan)
    if traps:
        show(table("Traps", ("what MXNet does otherwise", "trap", "where"), traps))
    show(table("Files", ("file", *(f"#{s}" for s in STATUSES)), _rows(scan)))
    total = len(scan.uses)
    ready = sum(scan.totals()[status] for status in READY)
    share = f"{ready / total:.1%}" if total else "none"
    show(f"{total} uses of MXNet in {len(scan.files)} files; can be ported: {share}")


def _rows(scan: Scan) -> list[list[object]]:
    found: list[list[object]] = []
    for path in scan.files:
        totals = scan.totals(path)
        if totals:
            found.append([path, *(totals[s] for s in STATUSES)])
    found.append(["all", *(scan.totals()[s] for s in STATUSES)])
    return found


def _page(source: Path, scan: Scan) -> str:
    page = Page(f"MXNet in {source.name}")
    totals: Counter[str] = scan.totals()
    page.paragraph(f"{len(scan.uses)} uses in {len(scan.files)} files.")
    page.table(("status", "#uses", "meaning"), [(s, totals[s], STATUSES[s]) for s in STATUSES])
    page.heading("Files")
    page.table(("file", *(f"#{s}" for s in STATUSES)), _rows(scan))
    if scan.unread:
        page.heading("Not read")
        page.table(("file", "reason"), list(scan.unread.items()))
    traps = _trap_rows(scan)
    if traps:
        page.heading("Traps")
        page.paragraph("What MXNet does otherwise than PyTorch; the port takes care of what it has "
                       "a rule for.")  # fmt: skip
        page.table(("what MXNet does otherwise", "trap", "where"), traps)
    page.heading("Uses")
    page.filters({s: totals[s] for s in STATUSES if totals[s]})
    ordered = sorted(scan.uses, key=lambda u: (_WORST.index(u.status), u.path, u.line))
    page.table(
        ("where", "name", "status", "what to know"),
        [(u.where, u.name, u.status, u.detail) for u in ordered],
        [u.status for u in ordered],
    )
    return page.render()
