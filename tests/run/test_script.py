"""`mxtorch run` against `python`: the same programs, the same outputs and exit codes."""

import os
import py_compile
import re
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from tests.child import environment, python

PROBE = """
import re, sys
for name, value in sorted(vars(sys.modules["__main__"]).items()):
    if name.startswith("__"):
        print(name, re.sub(" at 0x[0-9a-f]+", "", repr(value)))
print(sys.argv, repr(sys.path[0]), sys.modules["__main__"].__dict__ is globals())
"""

# Programs and their exit codes.
PROGRAMS = {
    "quiet": ("x = 1", 0),
    "exit number": ("import sys; print(1); sys.exit(3)", 3),
    "exit text": ("import sys; sys.exit('no data')", 1),
    "exit none": ("raise SystemExit", 0),
    "error": ("def f(x):\n    return 1 / x\n\n\nf(0)", 1),
    "cause": ("try:\n    [].pop()\nexcept IndexError as e:\n    raise ValueError(2) from e", 1),
    "syntax": ("x = 1\nx = = 2", 1),
    "missing module": ("import mxnet_missing.part", 1),
    "interrupt": ("raise KeyboardInterrupt", -signal.SIGINT),
    "own hook": (
        """import sys
sys.excepthook = lambda kind, value, trace: print(kind, value, trace.tb_lineno)
raise OSError(5, 'x')""",
        1,
    ),
    "end": (
        """import atexit, threading, time
atexit.register(print, 'last')
threading.Thread(target=lambda: (time.sleep(0.1), print('thread'))).start()
raise RuntimeError('first')""",
        1,
    ),
    "pickle": (
        """import pickle
class Point:
    x = 1
print(pickle.loads(pickle.dumps(Point())).x, Point.__module__)""",
        0,
    ),
    "warning": ("import warnings; warnings.warn('old', DeprecationWarning)", 0),
}


def both(*arguments, cwd, stdin="", **env):
    """The result of Python and of `mxtorch run` on the same arguments."""
    return [
        python(*start, *arguments, cwd=cwd, stdin=stdin, **env)
        for start in ((), ("-m", "mxtorch", "run"))
    ]


def without_runpy(text):
    """A traceback of `python -m` without the frames of Python's own runner."""
    return re.sub(r'  File "<frozen runpy>", line .*\n(    .*\n)*', "", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_ends_as_under_python(name, tmp_path):
    source, status = PROGRAMS[name]
    (tmp_path / "program.py").write_text(source)
    expected, result = both("program.py", cwd=tmp_path)
    assert expected.returncode == status
    assert result.returncode == expected.returncode
    assert result.stdout == expected.stdout
    assert result.stderr == expected.stderr


def starts(folder):
    """Every way to name a program: the arguments, and its stdin."""
    (folder / "probe.py").write_text(PROBE)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("")
    (folder / "package" / "__main__.py").write_text(PROBE)
    (folder / "package" / "module.py").write_text(PROBE)
    (folder / "link.py").symlink_to(folder / "package" / "module.py")
    py_compile.compile(folder / "probe.py", folder / "compiled.pyc")
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", PROBE)
    yield ["probe.py"], ""
    yield ["./package/module.py"], ""
    yield ["link.py"], ""
    yield ["compiled.pyc"], ""
    yield ["package"], ""
    yield ["archive.zip"], ""
    yield ["-"], PROBE
    yield ["-m", "package"], ""
    yield ["-m", "package.module"], ""
    yield ["-c", PROBE], ""


def test_main_module_arguments_and_path_are_those_of_python(tmp_path):
    for arguments, stdin in starts(tmp_path):
        for extra in ([], ["--help", "-m", "x", "--", ""]):
            expected, result = both(*arguments, *extra, cwd=tmp_path, stdin=stdin)
            assert (expected.returncode, expected.stderr) == (0, ""), arguments
            assert (result.returncode, result.stderr) == (0, ""), arguments
            assert result.stdout == expected.stdout, arguments


def test_safe_path_is_respected(tmp_path):
    (tmp_path / "probe.py").write_text(PROBE)
    expected, result = both("probe.py", cwd=tmp_path, PYTHONSAFEPATH="1")
    assert result.stdout == expected.stdout


def test_traceback_of_a_module_has_only_its_own_frames(tmp_path):
    (tmp_path / "module.py").write_text("def f():\n    raise ValueError(1)\n\n\nf()\n")
    expected, result = both("-m", "module", cwd=tmp_path)
    assert result.returncode == expected.returncode == 1
    assert result.stderr == without_runpy(expected.stderr)
    assert "module.py" in result.stderr
    assert "mxtorch" not in result.stderr


def test_error_of_a_parent_package_is_shown(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("import missing_thing\n")
    (tmp_path / "package" / "module.py").write_text("")
    expected, result = both("-m", "package.module", cwd=tmp_path)
    assert result.returncode == expected.returncode == 1
    assert result.stderr.splitlines()[-1] == expected.stderr.splitlines()[-1]
    assert "mxtorch" not in result.stderr


MISSING = {
    "file": ["nothing.py"],
    "folder without main": ["empty"],
    "module": ["-m", "nothing"],
    "submodule": ["-m", "json.nothing"],
    "package without main": ["-m", "json"],
    "not a package": ["-m", "program.py"],
}


@pytest.mark.parametrize("case", MISSING)
def test_what_does_not_exist_is_reported_as_python_does(case, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "program.py").write_text("")
    expected, result = both(*MISSING[case], cwd=tmp_path)
    assert result.returncode == expected.returncode > 0
    assert result.stderr == expected.stderr.replace(f"{sys.executable}: ", "mxtorch: ")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_interrupt_from_outside_ends_the_process_by_the_signal(tmp_path):
    (tmp_path / "program.py").write_text(
        "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-m", "mxtorch", "run", "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        error = process.stderr.read()
    assert process.returncode == -signal.SIGINT
    assert error.splitlines()[0] == "Traceback (most recent call last):"
    assert 'program.py", line 3, in <module>' in error.splitlines()[1]
    assert error.splitlines()[-1] == "KeyboardInterrupt"
