"""`import mxnet` gives mxtorch's own module objects."""

import importlib
import importlib.util
import sys
from multiprocessing import get_all_start_methods
from types import ModuleType

import pytest

import mxtorch
from mxtorch._core.errors import MXNetError
from mxtorch.run import alias
from tests.child import python

ROOM = {
    "room/__init__.py": "from mxtorch.room.part import VALUE\nLOADED = []\n",
    "room/part.py": "VALUE = object()\n",
    "room/_files/__init__.py": "",
    "room/_files/leaf.py": "from mxtorch import room\nroom.LOADED.append(1)\n",
    "broken.py": "import mxtorch_missing_dependency\n",
}


@pytest.fixture
def room(tmp_path, monkeypatch):
    """mxtorch with a package `room` in it, and the alias, for one test."""
    for name, text in ROOM.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(mxtorch, "__path__", [*mxtorch.__path__, str(tmp_path)])
    before = set(sys.modules)
    alias.install()
    yield
    alias.uninstall()
    for name in set(sys.modules) - before:
        if name.startswith(("mxtorch.room", "mxtorch.broken")):
            del sys.modules[name]
    for name in ("room", "broken"):
        vars(mxtorch).pop(name, None)


@pytest.mark.usefixtures("room")
class TestAlias:
    def test_modules_are_the_same_objects(self):
        import mxnet
        import mxnet.room.part
        from mxnet import room as by_attribute
        from mxnet.room import part

        assert mxnet is mxtorch
        assert mxnet.__version__ == "1.9.1"
        assert sys.modules["mxnet.room"] is sys.modules["mxtorch.room"] is by_attribute
        assert sys.modules["mxnet.room.part"] is sys.modules["mxtorch.room.part"] is part
        assert part.VALUE is by_attribute.VALUE

    def test_module_runs_once_whichever_name_comes_first(self):
        leaf = importlib.import_module("mxnet.room._files.leaf")
        assert importlib.import_module("mxtorch.room._files.leaf") is leaf
        assert sys.modules["mxtorch.room"].LOADED == [1]

    def test_specs_stay_those_of_mxtorch(self):
        part = importlib.import_module("mxnet.room.part")
        assert part.__name__ == part.__spec__.name == "mxtorch.room.part"
        assert part.__loader__ is part.__spec__.loader
        assert part.__spec__.loader.get_source("mxtorch.room.part") == "VALUE = object()\n"
        assert importlib.reload(part) is part

    def test_find_spec_before_the_import(self):
        spec = importlib.util.find_spec("mxnet.room")
        assert spec.name == "mxnet.room"
        assert spec.origin.endswith("__init__.py")
        assert spec.submodule_search_locations
        assert "mxtorch.room" not in sys.modules

    @pytest.mark.parametrize("name", ["mxnet.nothing", "mxnet.room.nothing", "mxnet.room.part.x"])
    def test_missing_module_is_reported_under_the_name_asked_for(self, name):
        with pytest.raises(ModuleNotFoundError, match=f"^No module named '{name}'") as info:
            importlib.import_module(name)
        assert info.value.name == name

    def test_error_inside_a_module_is_its_own(self):
        with pytest.raises(ModuleNotFoundError, match="'mxtorch_missing_dependency'"):
            importlib.import_module("mxnet.broken")

    @pytest.mark.parametrize("name", ["_core", "_core.errors", "cli", "run.alias", "version"])
    def test_private_rooms_are_not_mxnet(self, name):
        with pytest.raises(
            ModuleNotFoundError, match=f"^No module named 'mxnet.{name.split('.')[0]}'"
        ):
            importlib.import_module(f"mxnet.{name}")

    def test_module_made_by_code(self, monkeypatch):
        made = ModuleType("mxtorch.made")
        made.x = 1
        monkeypatch.setitem(sys.modules, "mxtorch.made", made)
        assert importlib.import_module("mxnet.made") is made
        assert made.__spec__ is None

    def test_install_twice_is_install_once(self):
        finders = list(sys.meta_path)
        alias.install()
        assert sys.meta_path == finders

    def test_uninstall_takes_the_name_away(self):
        importlib.import_module("mxnet.room.part")
        alias.uninstall()
        assert not [name for name in sys.modules if name.split(".")[0] == "mxnet"]
        assert "mxtorch.room.part" in sys.modules
        assert alias.installed_mxnet() is None


def test_install_after_another_mxnet_is_refused(monkeypatch):
    other = ModuleType("mxnet")
    other.__file__ = "elsewhere/mxnet/__init__.py"
    monkeypatch.setitem(sys.modules, "mxnet", other)
    with pytest.raises(MXNetError, match="imported already, from elsewhere"):
        alias.install()
    assert not any(isinstance(finder, alias.AliasFinder) for finder in sys.meta_path)


def test_mxtorch_alone_leaves_mxnet_alone():
    result = python("-c", "import mxtorch\nimport mxnet")
    assert result.returncode == 1
    assert "No module named 'mxnet'" in result.stderr


@pytest.fixture
def other_mxnet(tmp_path):
    """A folder with another package of the name mxnet."""
    (tmp_path / "site" / "mxnet").mkdir(parents=True)
    (tmp_path / "site" / "mxnet" / "__init__.py").write_text("__version__ = 'other'\n")
    return tmp_path / "site"


def test_alias_wins_over_an_installed_mxnet_and_says_so(other_mxnet):
    code = "import mxnet; print(mxnet.__version__, mxnet.__name__)"
    result = python("-m", "mxtorch", "run", "-c", code, paths=[other_mxnet])
    assert result.stdout == "1.9.1 mxtorch\n"
    assert result.stderr == (
        f"mxtorch: `import mxnet` gives mxtorch; the mxnet in {other_mxnet / 'mxnet'} is not used\n"
    )


def test_mxnet_in_the_programs_folder_is_not_used_and_that_is_said_once(other_mxnet):
    child = "import mxnet, os, sys\nos.system(f'{sys.executable} child.py')\n"
    (other_mxnet / "program.py").write_text(child)
    (other_mxnet / "child.py").write_text("import mxnet\nprint(mxnet.__version__)\n")
    result = python("-m", "mxtorch", "run", other_mxnet / "program.py", cwd=other_mxnet)
    assert result.stdout == "1.9.1\n"
    assert result.stderr == (
        f"mxtorch: `import mxnet` gives mxtorch; the mxnet in {other_mxnet / 'mxnet'} is not used\n"
    )


CHILDREN = """
import multiprocessing, subprocess, sys
import mxnet


class Work:
    version = mxnet.__version__


def put(queue, work):
    queue.put((work.version, mxnet.__name__, type(work).__module__ in ("__main__", "__mp_main__")))


if __name__ == "__main__":
    for method in sys.argv[1:]:
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        process = context.Process(target=put, args=(queue, Work()))
        process.start()
        print(method, *queue.get(timeout=100), flush=True)
        process.join()
"""
METHODS = [name for name in ("fork", "forkserver", "spawn") if name in get_all_start_methods()]


@pytest.mark.parametrize(("start", "methods"), [(["s.py"], METHODS), (["-m", "s"], ["spawn"])])
def test_child_processes_inherit_the_alias(start, methods, tmp_path):
    (tmp_path / "s.py").write_text(CHILDREN)
    result = python("-m", "mxtorch", "run", *start, *methods, cwd=tmp_path)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [f"{name} 1.9.1 mxtorch True" for name in methods]


def test_child_may_opt_out_and_keeps_its_own_sitecustomize(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("MARK = 1\n")
    inner = "import sitecustomize, sys; print(sitecustomize.MARK, 'mxtorch' in sys.modules)"
    code = f"""
import os, subprocess, sys
run = lambda code: subprocess.run([sys.executable, "-c", code]).returncode
run({inner!r})
run("import mxnet; print(mxnet.__name__)")
os.environ["MXTORCH_ALIAS"] = "0"
print(run("import mxnet"))
"""
    result = python("-m", "mxtorch", "run", "-c", code, paths=[tmp_path])
    assert result.stdout == "1 False\nmxtorch\n1\n"
    assert "No module named 'mxnet'" in result.stderr
