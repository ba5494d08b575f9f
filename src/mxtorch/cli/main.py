"""The command `mxtorch`; each subcommand lies in the file of its name, imported when used."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from mxtorch._core.errors import MXNetError
from mxtorch.run.script import Program
from mxtorch.version import __version__

COMMANDS = ("convert", "doctor", "inspect", "launch", "port", "run", "scan", "verify")
_INTERRUPTED = 130
# What follows these is a program's own.
_WITH_PROGRAMS = ("launch", "run")


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"mxtorch.cli.{cmd_name}").command
        return command


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="mxtorch %(version)s (Apache MXNet 1.9.1's API)")
def mxtorch() -> None:
    """Run Apache MXNet 1.x programs on PyTorch; inspect and convert their weights.

    \b
    Example: mxtorch run train.py --epochs 3
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 done, 1 the input is damaged or the work failed, 2 wrong usage; of `run`, the
    program's own. With --json what failed is {"error": ...} on stdout, beside the text on stderr.
    """
    program = _dispatch(arguments)
    if isinstance(program, Program):  # outside click, which would catch the program's exceptions
        program.run()
    sys.exit(0)


def _dispatch(arguments: Sequence[str] | None) -> object:
    try:
        return mxtorch.main(arguments, prog_name="mxtorch", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _complain(_with_help(error), arguments)
        sys.exit(error.exit_code)
    except MXNetError as error:
        _complain(str(error), arguments)
        sys.exit(1)
    except click.Abort:
        sys.exit(_INTERRUPTED)


def _with_help(error: click.ClickException) -> str:
    """The error and the help of the command that was used wrongly, if not only a value was."""
    text = error.format_message()
    wrong_value = isinstance(error, click.BadParameter)
    wrong_value &= not isinstance(error, click.MissingParameter)
    if wrong_value or not isinstance(error, click.UsageError) or error.ctx is None:
        return text
    return f"{text.rstrip('.')}. See {error.ctx.command_path} --help"


def _complain(message: str, arguments: Sequence[str] | None) -> None:
    given = list(sys.argv[1:] if arguments is None else arguments)
    own = given[: given.index("--")] if "--" in given else given
    if "--json" in own and own[0] not in _WITH_PROGRAMS:
        click.echo(json.dumps({"error": message}, ensure_ascii=False))
    click.echo(f"mxtorch: error: {message}", err=True)
