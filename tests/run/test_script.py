"""`mxtorch run` against `python`: the same programs, the same outputs and exit codes."""

import io
import os
import py_compile
import re
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from mxtorch.run.script import Program
from tests.child import environment, python

RUN = ("-m", "mxtorch", "run")
PROBE = """
import re, sys
for name, value in sorted(vars(sys.modules["__main__"]).items()):
    if name.startswith("__"):
        print(name, re.sub(" at 0x[0-9a-f]+", "", repr(value)))
print(sys.argv, repr(sys.path[0]), sys.modules["__main__"].__dict__ is globals())
"""
ARGUMENTS = ["--help", "-m", "x", "-c", "--", "", "-"]

# Programs and their exit codes.
PROGRAMS = {
    "exit number": ("import sys; print(1); sys.exit(3)", 3),
    "exit text": ("import sys; sys.exit('no data')", 1),
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
    "main": (
        """import pickle, sys, warnings
class Point:
    x = 1
print(pickle.loads(pickle.dumps(Point())).x, Point.__module__, sys.flags)
warnings.warn('shown in __main__ alone', DeprecationWarning)
raise SystemExit""",
        0,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_ends_as_under_python(name, tmp_path):
    source, status = PROGRAMS[name]
    (tmp_path / "program.py").write_text(source)
    expected = python("program.py", cwd=tmp_path)
    result = python(*RUN, "program.py", cwd=tmp_path)
    assert expected.returncode == status
    assert result.returncode == status
    assert result.stdout == expected.stdout
    assert result.stderr == expected.stderr


@pytest.fixture
def start(monkeypatch, tmp_path, capfd):
    """Runs a program in this process, in `tmp_path`; gives (exit code, stdout, stderr)."""

    def run(kind, target, arguments=(), stdin=""):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["pytest"])
        monkeypatch.setattr(sys, "path", ["folder of the command", *sys.path])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
        status = 0
        try:
            Program(kind, target, arguments).run()
        except SystemExit as error:
            status = error.code
        sys.stdout.flush()
        return status, *capfd.readouterr()

    return run


def starts(folder):
    """Every way to name a program: kind, target and stdin."""
    (folder / "probe.py").write_text(PROBE)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("")
    (folder / "package" / "__main__.py").write_text(PROBE)
    (folder / "package" / "module.py").write_text(PROBE)
    (folder / "link.py").symlink_to(folder / "package" / "module.py")
    py_compile.compile(folder / "probe.py", folder / "compiled.pyc")
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", PROBE)
    for target in ("probe.py", "package/module.py", "link.py", "compiled.pyc"):
        yield "script", target, ""
    for target in ("./probe.py", str(folder / "probe.py"), "package", "archive.zip"):
        yield "script", target, ""
    yield "script", "-", PROBE
    yield "module", "package", ""
    yield "module", "package.module", ""
    yield "code", PROBE, ""


def test_main_module_arguments_and_path_are_those_of_python(start, tmp_path):
    options = {"script": [], "module": ["-m"], "code": ["-c"]}
    for kind, target, stdin in starts(tmp_path):
        expected = python(*options[kind], target, *ARGUMENTS, cwd=tmp_path, stdin=stdin)
        assert (expected.returncode, expected.stderr) == (0, ""), target
        assert start(kind, target, ARGUMENTS, stdin) == (0, expected.stdout, ""), target


@pytest.mark.parametrize("options", [[], ["-m"], ["-c"]])
def test_arguments_pass_through_the_command_line(options, tmp_path):
    (tmp_path / "probe.py").write_text(PROBE)
    target = {"": "probe.py", "-m": "probe", "-c": PROBE}["".join(options)]
    expected = python(*options, target, *ARGUMENTS, cwd=tmp_path, PYTHONSAFEPATH="1")
    result = python(*RUN, *options, target, *ARGUMENTS, cwd=tmp_path, PYTHONSAFEPATH="1")
    assert result.stdout == expected.stdout
    assert result.stderr == expected.stderr.replace(f"{sys.executable}: ", "mxtorch: ")
    assert result.returncode == expected.returncode


MISSING = {
    "file": ("script", "nothing.py"),
    "folder without main": ("script", "empty"),
    "module": ("module", "nothing"),
    "submodule": ("module", "json.nothing"),
    "package without main": ("module", "json"),
    "submodule of a module": ("module", "program.py"),
}


@pytest.mark.parametrize("case", MISSING)
def test_what_does_not_exist_is_reported_as_python_does(case, start, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "program.py").write_text("")
    kind, target = MISSING[case]
    expected = python(*(["-m"] if kind == "module" else []), target, cwd=tmp_path)
    status, output, error = start(kind, target)
    assert (status, output) == (expected.returncode, "")
    assert error == expected.stderr.replace(f"{sys.executable}: ", "mxtorch: ")


def test_traceback_of_a_module_has_only_its_own_frames(tmp_path):
    (tmp_path / "module.py").write_text("def f():\n    raise ValueError(1)\n\n\nf()\n")
    expected = python("-m", "module", cwd=tmp_path)
    result = python(*RUN, "-m", "module", cwd=tmp_path)
    assert result.returncode == expected.returncode == 1
    runner = r'  File "(?:<frozen runpy>|.*/runpy.py)", line .*\n(    .*\n)*'
    assert result.stderr == re.sub(runner, "", expected.stderr)


def test_error_of_a_parent_package_is_shown(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("import missing_thing\n")
    (tmp_path / "package" / "module.py").write_text("")
    result = python(*RUN, "-m", "package.module", cwd=tmp_path)
    lines = result.stderr.splitlines()
    assert result.returncode == 1
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1] == f'  File "{tmp_path}/package/__init__.py", line 1, in <module>'
    assert lines[-1] == "ModuleNotFoundError: No module named 'missing_thing'"


@pytest.mark.skipif(os.name == "nt", reason="POSIX shells")
@pytest.mark.parametrize(
    ("target", "status"), [("program.py 2>&-", 0), ("nothing.py 2>&-", 2), ("- <&-", 0)]
)
def test_streams_that_are_closed(target, status, tmp_path):
    """As under `python`: what cannot be said is not said, and stdin is empty."""
    (tmp_path / "program.py").write_text("import numpy\nnumpy.float\nprint(1)\n")
    shell = " ".join([sys.executable, *RUN, target])
    options = {"cwd": tmp_path, "env": environment(), "text": True, "capture_output": True}
    done = subprocess.run(["sh", "-c", shell], check=False, stdin=subprocess.DEVNULL, **options)
    assert done.returncode == status, done.stderr
    assert done.stdout == ("1\n" if target.startswith("program") else "")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_interrupt_from_outside_ends_the_process_by_the_signal(tmp_path):
    (tmp_path / "program.py").write_text(
        "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, *RUN, "program.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        error = process.stderr.read().splitlines()
    assert process.returncode == -signal.SIGINT
    assert error[0] == "Traceback (most recent call last):"
    assert error[1].endswith('program.py", line 3, in <module>')
    assert error[-1] == "KeyboardInterrupt"
