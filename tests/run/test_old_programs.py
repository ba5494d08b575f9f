"""Programs in the style of 2016 to 2021 print what real MXNet printed for them.

Each uses names that have been removed since, or starts in a way of its own. In its docstring,
`run:` are options of `mxtorch run`, `needs:` packages. X.expected is recorded by
tools/record_old_programs.py.
"""

import importlib.util
import pathlib
import re
import shutil
import zipfile

import pytest

from tests.child import python
from tests.e2e import lines

PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs").glob("*.py"))
# How they are started; the others as `mxtorch run program.py`.
MODULES = {"fit_batches", "lstm_text", "spawn_pool"}
FOLDERS = {"save_restore"}
ARCHIVES = {"metrics_log"}
STDIN = {"old_types"}
NOTEBOOKS = {"linear_regression", "vae_sampling"}
TESTS = {"custom_init", "voc_boxes"}
INSTALLED = {"deep_imports", "numpy_style_data"}


def said(program, word):
    """What the docstring says after `word:`."""
    text = program.read_text(encoding="utf-8").split('"""')[1]
    found = re.search(rf"\b{word}: ([^.]*)$", text)
    return found[1].split() if found else []


def in_notebook(folder, name):
    """The cells of a notebook: the extension, then the program."""
    (folder / "cells.py").write_text(
        "import IPython.core.interactiveshell as shell\n"
        "ip = shell.InteractiveShell.instance()\n"
        "ip.run_line_magic('load_ext', 'mxtorch')\n"
        f"result = ip.run_cell(open({name!r}).read())\n"
        "raise SystemExit(0 if result.success else 1)\n"
    )
    return ["cells.py"]


def under_pytest(folder, name):
    """A test module whose one test imports the program."""
    (folder / "conftest.py").write_text("import mxnet\nimport collections\ncollections.Mapping\n")
    (folder / "test_it.py").write_text(
        f"import importlib\n\ndef test_it():\n    importlib.import_module({name[:-3]!r})\n"
    )
    options = ["-p", "mxtorch.pytest_plugin", "-p", "no:cacheprovider", "-W", "ignore"]
    return ["-m", "pytest", "-q", "-s", "--no-header", *options, "--rootdir", ".", "test_it.py"]


def start(program, folder):
    """The arguments of Python that start it in `folder`."""
    name, run = program.name, ["-m", "mxtorch", "run", *said(program, "run")]
    shutil.copy(program, folder / name)
    if program.stem in MODULES:
        return [*run, "-m", program.stem]
    if program.stem in FOLDERS:
        (folder / "app").mkdir()
        shutil.move(folder / name, folder / "app" / "__main__.py")
        return [*run, "app"]
    if program.stem in ARCHIVES:
        with zipfile.ZipFile(folder / "app.zip", "w") as archive:
            archive.write(program, "__main__.py")
        return [*run, "app.zip"]
    if program.stem in STDIN:
        return [*run, "-"]
    if program.stem in NOTEBOOKS:
        return in_notebook(folder, name)
    if program.stem in TESTS:
        return under_pytest(folder, name)
    if program.stem in INSTALLED:
        code = (
            f"import mxtorch, runpy; mxtorch.install(); runpy.run_path({name!r}, {{}}, '__main__')"
        )
        return ["-c", code]
    return [*run, name]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_program(program, tmp_path):
    needed = said(program, "needs") + ["IPython"] * (program.stem in NOTEBOOKS)
    for module in needed:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    stdin = program.read_text(encoding="utf-8") if program.stem in STDIN else ""
    arguments = start(program, tmp_path)
    done = python(*arguments, cwd=tmp_path, stdin=stdin, timeout=300)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    printed = done.stdout
    if program.stem in TESTS:
        summary = r"\.?\n?(=+ warnings|mxtorch: put back|\d+ passed).*"
        printed = re.sub(summary, "", printed, flags=re.DOTALL)
    expected = program.with_suffix(".expected").read_text(encoding="utf-8")
    found = lines.differences(printed, expected)
    assert not found, "\n".join(found)
