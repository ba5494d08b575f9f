"""`mxtorch run`: an MXNet program on PyTorch."""

from __future__ import annotations

import click

from mxtorch.run import entry
from mxtorch.run.script import Program


class RunCommand(click.Command):
    """A command whose options end where the program begins; the rest is the program's own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what follows the script, `-m module` or `-c code` away from click."""
        ours, theirs = self._split(args)
        rest = super().parse_args(ctx, ours)
        ctx.params["arguments"] = tuple(theirs)
        return rest

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """What follows the command in the usage line."""
        return ["(SCRIPT | -m MODULE | -c CODE)", "[ARGUMENTS]..."]

    def _split(self, args: list[str]) -> tuple[list[str], list[str]]:
        """Our options, with what is to run, and the program's arguments."""
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        for position, text in enumerate(args):
            if position and args[position - 1] in valued - {"-m", "-c"}:
                continue
            if text in ("-m", "-c"):
                end = position + 2
            elif text == "-" or not text.startswith("-") or text[:2] in ("-m", "-c"):
                end = position + 1
            else:
                continue
            return args[:end], args[end:]
        return args, []


@click.command(
    "run",
    cls=RunCommand,
    no_args_is_help=True,
    short_help="Run an MXNet program, unchanged, on PyTorch.",
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("-c", "code", metavar="CODE", help="Run a piece of code, as `python -c` does.")
@click.option(
    "--map",
    "device_map",
    metavar="GPU=DEVICE",
    help="Let another device take a GPU's place: gpu=cpu, or gpu(1)=gpu(0),gpu(2)=cpu.",
)
@click.option("--quiet-era", is_flag=True, help="Put removed names back without a notice.")
@click.option("--no-era", is_flag=True, help="Do not put removed names back.")
@click.argument("script", required=False)
def command(
    module: str | None,
    code: str | None,
    script: str | None,
    device_map: str | None,
    quiet_era: bool,
    no_era: bool,
    arguments: tuple[str, ...] = (),
) -> Program:
    """Run an MXNet 1.x program, unchanged: `import mxnet` gives mxtorch, here and in the Python
    processes that the program starts.

    Names that NumPy, Python and other packages have removed (np.float, collections.Mapping,
    scipy.misc.imresize) are put back for the code that fails without them, each with a notice.

    SCRIPT is a file, a folder or zip with a __main__.py, or - for stdin. ARGUMENTS go to the
    program. The exit code is the program's.

    \b
    Example: mxtorch run train.py --epochs 3
             mxtorch run -m package.train --epochs 3
             mxtorch run --map gpu=cpu train.py
    """
    if module is not None:
        program = Program("module", module, arguments)
    elif code is not None:
        program = Program("code", code, arguments)
    elif script is not None:
        program = Program("script", script, arguments)
    else:
        raise click.UsageError("nothing to run: give a script, -m MODULE or -c CODE")
    if quiet_era and no_era:
        raise click.UsageError("--quiet-era and --no-era exclude each other")
    era = "off" if no_era else "quiet" if quiet_era else None
    entry.install(era, device_map)
    return program
