"""What `pip install mxtorch` brings is all that its modules need to be imported."""

import ast
import pathlib
import sys

import pytest

import mxtorch

ROOT = pathlib.Path(mxtorch.__file__).parent
BASE = {"mxtorch", "torch", "numpy", "safetensors", "tqdm", "rich", "click"}
# Imported by pytest, and in place of Python's own modules that are gone.
OTHERS = {"pytest_plugin.py": {"pytest"}}


def imported(tree):
    """The packages that a module needs when it is imported."""
    for node in tree:
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.ClassDef):
            yield from imported(node.body)


@pytest.mark.parametrize("room", sorted({p.relative_to(ROOT).parts[0] for p in ROOT.rglob("*.py")}))
def test_modules_import_no_extras(room):
    found = set()
    for path in [ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"):
        names = set(imported(ast.parse(path.read_text(encoding="utf-8")).body))
        extra = names - BASE - OTHERS.get(room, set()) - set(sys.stdlib_module_names)
        found |= {(str(path.relative_to(ROOT)), name) for name in extra}
    assert found == set()
