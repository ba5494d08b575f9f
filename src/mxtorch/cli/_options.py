"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

facts_option = click.option(
    "--facts",
    "facts_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What a run saw of the program (docs/guide/port-facts.md).",
)
