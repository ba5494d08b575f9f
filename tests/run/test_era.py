"""Removed names: given to code that fails without them, and to nobody else."""

import importlib
import importlib.metadata
import importlib.util
import pathlib
import re
import runpy
import sys
import tempfile
import types
import unittest

import numpy as np
import pytest

import mxtorch as mx
from mxtorch._core import one_element
from mxtorch.run.era import frames, hooks, stand_ins
from mxtorch.run.era.revived import assignment, umath_tests
from mxtorch.run.era.table import CLASSES, ROWS
from mxtorch.run.hints import hint
from tests.child import python

RUN = ("-m", "mxtorch", "run")

# Modules that warn, on the way to being removed, where they are still there.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture
def era(capsys):
    """The hooks, for one test; gives the text on stderr so far."""
    assert hooks.installed() is None
    hooks.install()
    yield lambda: capsys.readouterr().err
    hooks.uninstall()


@pytest.fixture
def old(tmp_path, monkeypatch, era):
    """Imports a program's text as a module."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(text, name="old_program"):
        (tmp_path / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield load
    sys.modules.pop("old_program", None)


def test_table_has_each_name_once():
    names = [(row.module, row.name) for row in ROWS]
    assert [name for name in names if names.count(name) > 1] == []
    assert len(names) > 300


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.full_name)
def test_row_leads_somewhere(row):
    """Its source exists, wherever its package is installed; since names package and version."""
    assert re.fullmatch(r"[A-Z]?[\w-]+( [A-Z]\w+)? \d+(\.\d+)*", row.since), row.since
    assert row.advice
    package = row.module.partition(".")[0]
    if row.source.startswith("+"):
        name = row.source.strip("+()")
        revived = importlib.util.find_spec(f"mxtorch.run.era.revived.{name}")
        assert hasattr(stand_ins, name) or (revived and not row.name)
        return
    target = row.source.partition(".")[0]
    if importlib.util.find_spec(target) is None or (
        importlib.util.find_spec(package) is None and row.name
    ):
        pytest.skip(f"{target} or {package} is not installed")
    if row.module in CLASSES:
        module, _, owner = row.module.rpartition(".")
        assert hasattr(getattr(importlib.import_module(module), owner), row.source)
    elif not row.name:
        assert importlib.util.find_spec(row.source) is not None
    elif row.name != "*" and not hasattr(importlib.import_module(row.module), row.name):
        hooks.find(row.source, row)


class TestModuleNames:
    def test_given_with_one_notice(self, old, era):
        module = old("import numpy as np\nx = [np.float, np.float]\ny = np.Inf\n")
        assert module.x == [float, float]
        first, *rest = era().splitlines()
        assert re.match(
            r"mxtorch: .*old_program.py:2: numpy.float was removed in NumPy 1.24; write float "
            r"\(--quiet-era hides these lines, --no-era takes the names away\)",
            first,
        )
        assert not [line for line in rest if "numpy.float " in line]

    def test_from_import(self, old):
        module = old("from collections import Mapping, OrderedDict\nfrom fractions import gcd\n")
        assert module.Mapping is importlib.import_module("collections.abc").Mapping
        assert module.gcd(12, 18) == 6

    @pytest.mark.parametrize(
        "text",
        [
            "try:\n    from collections import Mapping\nexcept ImportError:\n    Mapping = 1\n",
            "import numpy as np\nMapping = 1 if not hasattr(np, 'float') else 2\n",
            "import numpy as np\nMapping = getattr(np, 'float', 1)\n",
            "import numpy\ntry:\n  Mapping = numpy.float\nexcept (AttributeError,):\n  Mapping = 1",
        ],
    )
    def test_code_that_copes_is_left_alone(self, text, old, era):
        assert old(text).Mapping == 1
        assert era() == ""

    @pytest.mark.parametrize("body", ["pass", "raise", "print('pip install scipy==1.2')"])
    def test_catching_without_a_substitute_is_not_coping(self, body, old):
        text = f"try:\n    from time import clock\nexcept ImportError:\n    {body}\n"
        assert old(text).clock is stand_ins.clock

    def test_names_that_never_were_are_missing_as_ever(self, era):
        time = importlib.import_module("time")
        with pytest.raises(AttributeError, match=r"^module 'time' has no attribute 'clocc'$"):
            time.clocc  # noqa: B018 - it raises

    def test_standard_library_does_not_see_them(self, era):
        numpy = importlib.import_module("numpy")
        getter = compile("value = np.float", importlib.__file__, "exec")
        frame = types.SimpleNamespace(f_code=getter, f_globals={"__name__": "copy"}, f_lineno=1)
        assert not frames.needs(frame, "numpy", "float")
        frame.f_globals = {"__name__": "numpy.core"}
        frame.f_code = compile("1", "numpy/core.py", "exec")
        assert not frames.needs(frame, "numpy", "float")
        assert "float" not in dir(numpy)

    def test_uninstall_takes_them_away(self, old):
        hooks.uninstall()
        with pytest.raises(ImportError):
            old("from collections import Mapping\n")
        assert "__getattr__" not in vars(importlib.import_module("collections"))

    def test_second_install_changes_nothing(self, era):
        before = list(sys.meta_path)
        hooks.install()
        assert sys.meta_path == before

    def test_reload_keeps_the_hook(self, era, old):
        module = importlib.reload(importlib.import_module("fractions"))
        assert module.__spec__.loader.get_source("fractions")
        assert old("from fractions import gcd\n").gcd(4, 6) == 2

    def test_module_imported_later(self, old, monkeypatch):
        monkeypatch.delitem(sys.modules, "configparser", raising=False)
        module = old("import configparser\nx = configparser.SafeConfigParser().sections()\n")
        assert module.x == []
        spec = module.configparser.__spec__
        assert type(spec.loader).__name__ == "SourceFileLoader"

    def test_scipy_had_numpys_names(self, old):
        pytest.importorskip("scipy")
        assert old("import scipy\nx = scipy.sqrt(4.0)\n").x == 2


class TestModules:
    def test_python_2_name(self, old, era):
        module = old("import cPickle as pickle\nimport Queue\nimport urllib2\n")
        assert module.pickle is importlib.import_module("pickle")
        assert module.pickle.__spec__.name == "pickle"
        assert "module cPickle was removed in Python 3.0; write pickle" in era()

    def test_coping_import(self, old, era):
        text = "try:\n    import cPickle as p\nexcept ImportError:\n    import pickle as p\n"
        assert old(text).p.__name__ == "pickle"
        assert era() == ""

    def test_missing_stand_in_names_both(self, old, monkeypatch):
        importlib.import_module("sklearn")  # which needs joblib itself
        monkeypatch.setitem(sys.modules, "joblib", None)
        with pytest.raises(ModuleNotFoundError, match=r"removed in scikit-learn 0\.23; joblib"):
            old("import sklearn.externals.joblib\n")

    def test_imp(self, tmp_path):
        imp = importlib.import_module("mxtorch.run.era.revived.imp")
        (tmp_path / "part.py").write_text("x = 1\n")
        file, path, details = imp.find_module("part", [str(tmp_path)])
        with file:
            part = imp.load_module("part", file, path, details)
        assert part.x == 1
        assert sys.modules.pop("part") is part
        assert imp.load_source("part", path).x == 1
        sys.modules.pop("part")
        with pytest.raises(ImportError, match="No module named 'nothing'"):
            imp.find_module("nothing", [str(tmp_path)])

    def test_pkg_resources(self):
        resources = importlib.import_module("mxtorch.run.era.revived.pkg_resources")
        numpy = importlib.metadata.version("numpy")
        assert resources.get_distribution("numpy").version == numpy
        assert "numpy" in {found.key for found in resources.require("numpy>=1.0")}
        with pytest.raises(resources.VersionConflict, match="is installed but numpy>=99 is"):
            resources.require("numpy>=99")
        with pytest.raises(resources.DistributionNotFound, match="'nothing' distribution"):
            resources.get_distribution("nothing")
        assert resources.parse_version("1.9.1") < resources.parse_version("1.10")
        path = resources.resource_filename("mxtorch", "run/entry.py")
        assert resources.resource_exists("mxtorch", "run/entry.py") and path.endswith("entry.py")
        assert next(resources.parse_requirements("a>=1 # x\n\nb\n")).specs == [(">=", "1")]


class TestMethods:
    def test_given_to_the_program_only(self, old, era):
        text = (
            "import unittest\nclass T(unittest.TestCase):\n    def runTest(self):\n"
            "        self.assertItemsEqual([1, 2], [2, 1])\nT().debug()\n"
            "copes = hasattr(unittest.TestCase, 'assertItemsEqual')\n"
        )
        assert old(text).copes is False
        notice = "unittest.TestCase.assertItemsEqual was removed in Python 3.0"
        assert f"{notice}; write assertCountEqual" in era()

    def test_libraries_list_their_own_classes(self, old):
        old("import unittest\nunittest.TestCase.assertItemsEqual\n")
        asked = {"__name__": "unittest.case", "case": unittest.TestCase}

        def listed():
            return [getattr(case, name) for name in dir(case)]  # noqa: F821 - asked

        assert types.FunctionType(listed.__code__, asked)()


class TestStandIns:
    def test_getargspec(self):
        assert tuple(stand_ins.getargspec(lambda a, b=2, *c, **d: 0)) == (
            (["a", "b"], "c", "d", (2,))
        )
        with pytest.raises(ValueError, match="keyword-only"):
            stand_ins.getargspec(keyword_only)
        # MXNet's functions were written without annotations; these values are its own.
        assert tuple(stand_ins.getargspec(mx.callback.do_checkpoint)) == (
            (["prefix", "period"], None, None, (1,))
        )
        assert tuple(stand_ins.getargspec(mx.nd.concat)) == ([], "data", "kwargs", None)
        assert stand_ins.formatargspec(["a", "b"], "c", "d", (2,)) == "(a, b=2, *c, **d)"

    def test_python_2(self, tmp_path):
        with stand_ins.nested(open(tmp_path / "a", "w"), open(tmp_path / "b", "w")) as (a, b):
            a.write("x")
        assert a.closed and b.closed
        assert stand_ins.isSequenceType([]) and stand_ins.isMappingType({})
        assert stand_ins.isNumberType(1) and not stand_ins.isNumberType("1")
        assert stand_ins.is_string_like("") and stand_ins.StringTypes == (str,)
        assert stand_ins.unescape(None, "&lt;a&amp;") == "<a&"
        assert stand_ins.nanstd([1, np.nan, 3]) == pytest.approx(2**0.5)

    def test_umath_tests(self):
        assert umath_tests.inner1d([[1, 2], [3, 4]], [5, 6]).tolist() == [17, 39]
        assert umath_tests.matrix_multiply([[1, 2]], [[3], [4]]).tolist() == [[11]]

    def test_linear_assignment(self):
        pytest.importorskip("scipy")
        assert assignment.linear_assignment([[4, 1], [2, 3]]).tolist() == [[0, 1], [1, 0]]
        sparse = pytest.importorskip("scipy.sparse")
        assert stand_ins.dense(sparse.csr_matrix([[0, 2]])).tolist() == [[0, 2]]

    def test_figure_as_bytes(self):
        pytest.importorskip("matplotlib")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        canvas = FigureCanvasAgg(Figure((0.1, 0.1), dpi=20, facecolor=(1, 0, 0)))
        canvas.draw()
        assert stand_ins.tostring_rgb(canvas) == b"\xff\0\0" * 4
        assert stand_ins.set_window_title(canvas, "x") is None

    def test_numpy(self):
        np = importlib.import_module("numpy")
        assert stand_ins.cast["int32"]([1.5]).dtype == np.int32
        assert stand_ins.nbytes["float64"] == 8
        assert stand_ins.find_common_type([np.float32], [np.int64]) == np.float32
        assert stand_ins.find_common_type([np.int32], [np.float64]) == np.float64
        assert stand_ins.find_common_type([], [np.int64, np.float32]) == np.float64
        assert stand_ins.issubsctype(np.ones(1, "f4"), np.floating)
        assert stand_ins.obj2sctype("nonsense", 7) == 7
        assert stand_ins.maximum_sctype(np.int8) is np.int64
        assert stand_ins.issctype(np.int8) and not stand_ins.issctype("f4")
        assert stand_ins.derivative(lambda x: x**3, 2.0, dx=1e-3) == pytest.approx(12, rel=1e-5)
        assert stand_ins.derivative(lambda x: x**3, 2.0, 1e-2, 2) == pytest.approx(12, rel=1e-5)

    def test_pandas(self):
        pd = pytest.importorskip("pandas")
        frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"])
        table = stand_ins.ix(frame)
        assert table["x", "b"] == 3 and table[1, "a"] == 2 and table[0, 1] == 3
        assert list(table[:1]["a"]) == [1]
        table[0, "a"] = 9
        assert frame.loc["x", "a"] == 9
        assert stand_ins.append(frame, {"a": 5, "b": 6}, ignore_index=True).shape == (3, 2)
        assert stand_ins.as_matrix(frame).shape == (2, 2)


def keyword_only(*, a):
    return a


class TestOptions:
    PROGRAM = "import numpy as np\nprint(np.float)\n"

    def test_quiet(self):
        done = python(*RUN, "--quiet-era", "-c", self.PROGRAM)
        assert (done.stdout, done.stderr) == ("<class 'float'>\n", "")

    @pytest.mark.parametrize(
        ("options", "changes"), [(["--no-era"], {}), ([], {"MXTORCH_ERA": "off"})]
    )
    def test_off(self, options, changes):
        done = python(*RUN, *options, "-c", self.PROGRAM, **changes)
        assert done.returncode == 1
        assert "AttributeError: module 'numpy' has no attribute 'float'" in done.stderr

    def test_numpy_2_is_reported_once(self):
        done = python(*RUN, "-c", self.PROGRAM + "print(np.int)\n")
        numpy_2 = importlib.metadata.version("numpy") >= "2"
        assert done.stderr.count("mxtorch: NumPy 2 prints scalars") == numpy_2

    def test_traceback_ends_in_the_program(self, tmp_path):
        (tmp_path / "p.py").write_text("import time\ntime.clocc\n")
        done = python(*RUN, "p.py", cwd=tmp_path)
        assert "hooks.py" not in done.stderr
        assert "module 'time' has no attribute 'clocc'" in done.stderr


HINTS = {
    "print 'x'": "this is Python 2",
    "try:\n    pass\nexcept ValueError, e:\n    pass": "this is Python 2",
    "exec 'x'": "this is Python 2",
    "x = 0777": "this is Python 2",
    "if 1 <> 2: pass": "this is Python 2",
    "for i in xrange(3): pass": "this is Python 2",
    "{}.iteritems()": "this is Python 2",
    "{}.keys()[0]": "in Python 2 this was a list",
    "range(3 / 1)": "in Python 2 `/` of two integers",
    "x = [1, 2]\nx[2 / 2]": "in Python 2 `/` of two integers",
    "import numpy as np\nnp.zeros(4)[4 / 2]": "in Python 2 `/` of two integers",
    "import numpy as np\nnp.zeros(4 / 2)": "in Python 2 `/` of two integers",
    "import mxtorch as mx\nmx.nd.zeros((4 / 2, 3))": "in Python 2 `/` of two integers",
    "import mxtorch as mx\nmx.nd.ones(4).reshape((4 / 2, -1))": "in Python 2 `/` of two integers",
    "import json\njson.loads('1', encoding='utf8')": "Python 3.9 removed encoding=",
    "import array\narray.array('B').tostring()": "Python 3.9 removed it",
    "def f((a, b), c): pass": "this is Python 2",
    "sorted([1], cmp=None)": "Python 3 sorts by keys",
    "range(3).append(1)": "in Python 2 this was a list",
    "{}.keys().sort()": "in Python 2 this was a list",
    "import random\nrandom.shuffle(range(9))": "in Python 2 this was a list",
    "b'a b'.split(' ')": "in Python 2 text and bytes were one",
    "with open('/dev/null', 'w') as f: f.write(b'')": "in Python 2 text and bytes were one",
    "import pickle\npickle.loads(b'U\\x01\\xff.')": "a pickle that Python 2 wrote",
    "def f():\n    yield 1\n    raise StopIteration\nlist(f())": "since Python 3.7 a generator",
}
if sys.version_info >= (3, 11):
    HINTS |= {
        "open('/dev/null', 'rU')": "Python 3.11 removed the mode U",
        "import re\nre.compile('a(?i)')": "Python 3.11 wants flags",
    }
if one_element.is_refused():  # NumPy 2.4
    HINTS |= {
        "import numpy as np\nnp.reshape([1, 2], newshape=(2, 1))": "NumPy 2.4 removed newshape=",
        "import numpy as np\nnp.quantile([1], 0.5, interpolation='lower')": "NumPy 2.4 removed",
        "import numpy as np\nnp.histogram([1], normed=True)": "NumPy 1.24 removed normed=",
        "import numpy as np\nnp.vstack(x for x in [[1]])": "NumPy before 1.24 took generators",
        "import numpy as np\nnp.fromstring(b'ab', dtype='uint8')": "write np.frombuffer",
    }


@pytest.mark.parametrize("text", HINTS)
def test_hint(text):
    with pytest.raises(Exception) as info:
        runpy_text(text)
    assert (hint(info.value) or "").startswith(HINTS[text])


@pytest.mark.parametrize("text", ["x = = 2", "undefined", "{}.nothing()", "1 / 0", "f(1, 2"])
def test_no_hint_for_other_errors(text):
    with pytest.raises(Exception) as info:
        runpy_text(text)
    assert hint(info.value) is None


def runpy_text(text):
    """Run a program's text."""
    name = pathlib.Path(tempfile.mkdtemp()) / "p.py"
    name.write_text(text + "\n")
    runpy.run_path(str(name))


def test_hint_stands_below_the_traceback(tmp_path):
    (tmp_path / "p.py").write_text("print 'x'\n")
    done = python(*RUN, "p.py", cwd=tmp_path)
    assert done.returncode == 1
    *rest, last = done.stderr.splitlines()
    assert last.startswith("mxtorch: this is Python 2, and mxtorch needs Python 3")
    assert python(*RUN, "--no-era", "p.py", cwd=tmp_path).stderr.splitlines() == rest
