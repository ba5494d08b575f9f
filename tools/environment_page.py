"""Writes docs/guide/environment.md from the tables of _core/env.py and _core/mxnet_env.py."""

from __future__ import annotations

import pathlib
import sys
from itertools import groupby

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from mxtorch._core import env  # noqa: E402 - the path is set above
from mxtorch._core.mxnet_env import WITHOUT_EFFECT  # noqa: E402 - the path is set above

PAGE = ROOT / "docs" / "guide" / "environment.md"
HEAD = """# Environment variables

`tools/environment_page.py` writes this page from the tables in the source. `mxtorch doctor` lists
those that are set, with what they do.

## Honoured

A value that cannot be read is an error that names the variable.

| variable | default | meaning |
|---|---|---|
"""
SHOWN_DEFAULTS = {"MXNET_HOME": "`~/.mxnet`", "MXNET_GLUON_REPO": "MXNet's own server"}
MIDDLE = """
"Under `mxtorch run`" also means `mxtorch.install()`, the notebook extension and the pytest plugin:
these variables change settings of torch itself, which `import mxtorch` alone never does.

## Without effect

MXNet 1.9.1 reads these; here they change nothing, and results do not depend on them.

| variables | why |
|---|---|
"""


def default(variable: env.Variable[object]) -> str:
    if variable.name in SHOWN_DEFAULTS:
        return SHOWN_DEFAULTS[variable.name]
    if isinstance(variable.default, bool):
        return str(int(variable.default))
    return f"`{variable.default}`" if variable.default else ""


def page() -> str:
    """The whole page."""
    rows = [f"| `{v.name}` | {default(v)} | {v.meaning} |\n" for v in env.VARIABLES.values()]
    by_reason = sorted(WITHOUT_EFFECT, key=WITHOUT_EFFECT.__getitem__)
    without = [
        f"| {', '.join(f'`{name}`' for name in sorted(names))} | {reason} |\n"
        for reason, names in groupby(by_reason, WITHOUT_EFFECT.__getitem__)
    ]
    return "".join([HEAD, *rows, MIDDLE, *without])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
