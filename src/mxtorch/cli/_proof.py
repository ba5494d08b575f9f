"""`mxtorch port --trace`: the run before the port and the one after it, and what they say."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from mxtorch.port.facts import Facts
from mxtorch.report.html import Page
from mxtorch.report.text import show, table
from mxtorch.verify.launch import Command, Recording, Run, read_command, record_mxnet
from mxtorch.verify.lines import Difference
from mxtorch.verify.prove import Port, Proof, prove

_SHOWN = 40


@dataclass(frozen=True)
class Traced:
    """A program that has run, before it is ported."""

    port: Port
    command: Command
    run: Run
    trace: Path
    recording: Recording
    facts: Facts

    def prove(self) -> Proof:
        """Run the port under the replay of the run, and compare."""
        click.echo("mxtorch: the port runs with the recorded draws and weights", err=True)
        return prove(self.port, self.command, self.run, self.trace, self.recording, echo=sys.stderr)


def start(source: Path, output: Path | None, program: tuple[str, ...], steps: int | None) -> Traced:
    """Run the program under mxtorch, recorded; the records lie beside `output`."""
    if output is None:
        raise click.UsageError("--trace and --prove go with -o OUTPUT")
    if not program:
        raise click.UsageError("give the program after --, as in `-- python train.py --epochs 1`")
    command = read_command(program)
    trace, facts = (output.with_name(f"{output.stem}.{kind}.json") for kind in ("trace", "facts"))
    recording = Recording(steps=steps)
    root = source if source.is_dir() else source.parent
    click.echo("mxtorch: the program runs, recorded (hybridize() has no effect here)", err=True)
    run = record_mxnet(command, root, trace, recording, facts, echo=sys.stderr)
    if run.record.failure:
        raise click.ClickException(f"the program itself ends with {run.record.failure}")
    return Traced(Port(source, output), command, run, trace, recording, Facts.read(facts))


def _stamps(proof: Proof, paths: list[str]) -> list[tuple[str, str]]:
    return [(path, proof.stamp(path)) for path in paths]


_LINES = ("#line", "the program prints", "the port prints", "kind")


def _lines(differences: list[Difference]) -> list[tuple[object, ...]]:
    return [(d.line, d.ours, d.theirs, d.kind) for d in differences[:_SHOWN]]


def print_proof(proof: Proof, paths: list[str]) -> None:
    """The stamps of the files and the lines that differ."""
    show(table("Proof", ("file", "stamp"), _stamps(proof, paths)))
    for note in proof.notes:
        show(f"note: {note}")
    if proof.lines:
        show(table("Lines that differ", _LINES, _lines(proof.lines)))


def show_proof(page: Page, proof: Proof, paths: list[str]) -> None:
    """The same in a report, with both curves."""
    page.heading("Proof")
    page.table(("file", "stamp"), _stamps(proof, paths))
    for note in proof.notes:
        page.paragraph(note)
    if proof.comparison.losses:
        first, second = zip(*proof.comparison.losses, strict=True)
        page.curves("Loss by step", {"the program": first, "the port": second})
    if proof.lines:
        page.heading("Lines that differ", 3)
        page.table(_LINES, _lines(proof.lines))
