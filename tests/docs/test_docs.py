"""The documents say what is so: links lead somewhere, examples print what the text shows.

What is run: ```console blocks (`$` and a command, below it what it prints), ```pycon blocks (as
doctest), ```python blocks of README.md and docs/guide. ```sh blocks are for the reader.
"""

import doctest
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import urllib.parse

import pytest

import mxtorch
from mxtorch._core import env
from mxtorch._core.mxnet_env import WITHOUT_EFFECT
from mxtorch.cli.main import main
from mxtorch.convert.params import params_to_safetensors
from mxtorch.run import entry
from tests import child
from tools import environment_page, operators_page

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK_START = ROOT / "examples" / "quickstart" / "train.py"
RUNNABLE = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(path for room in ("docs", "examples", "changelog.d") for path in (ROOT / room).rglob("*.md")),
]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\!)\[[^\]]+\]\(([^)\s]+)\)|<(?:img|a) [^>]*(?:src|href)=\"([^\"]+)\"")


def read(path):
    return path.read_text(encoding="utf-8")


def blocks(path, language):
    return [code for _, kind, code in FENCE.findall(read(path)) if kind == language]


def name(path):
    return str(path.relative_to(ROOT))


def anchors(path):
    """The fragments that a heading of the document answers to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", read(path)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_relative_links_lead_somewhere(path):
    for found in LINK.findall(FENCE.sub("", read(path))):
        target = urllib.parse.urlsplit(found[0] or found[1])
        if target.scheme:
            continue
        file = (path.parent / urllib.parse.unquote(target.path)) if target.path else path
        assert file.exists(), f"{name(path)} links to {target.path}, which does not exist"
        if target.fragment:
            assert target.fragment in anchors(file), f"{target.path} has no #{target.fragment}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the examples run, with what the README's commands leave there."""
    place = tmp_path_factory.mktemp("docs")
    shutil.copy(QUICK_START, place / "train.py")
    done = child.python("-m", "mxtorch", "run", "train.py", cwd=place)
    assert done.returncode == 0, done.stderr
    (place / "printed").write_text(done.stdout, encoding="utf-8")
    params_to_safetensors(place / "net.params", place / "net.safetensors")
    return place


def sessions(text):
    """The commands of a console block, each with the output that is shown."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def printed_by(command, folder, capfd):
    words = shlex.split(command)
    if command == "mxtorch run train.py":
        return read(folder / "printed")
    if words[:2] == ["mxtorch", "run"] and "|" not in words and "2>&1" not in words:
        done = child.python("-m", *words, cwd=folder)
        return done.stdout + done.stderr
    if words[0] == "mxtorch" and "2>&1" not in words:
        with pytest.raises(SystemExit):
            main(words[1:])
        return "".join(capfd.readouterr())
    command = re.sub(r"^mxtorch\b", f"{shlex.quote(sys.executable)} -m mxtorch", command)
    done = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, env=child.environment()
    )
    return done.stdout + done.stderr


def bare(output):
    """Without blanks at the ends of lines and empty lines around."""
    return [line.rstrip() for line in output.strip("\n ").splitlines()]


CONSOLE = [pytest.param(p, b, id=name(p)) for p in RUNNABLE for b in blocks(p, "console")]


@pytest.mark.skipif(os.name != "posix", reason="the sessions are of a POSIX shell")
@pytest.mark.parametrize(("path", "block"), CONSOLE)
def test_console_sessions(path, block, folder, capfd, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    for command, shown in sessions(block):
        assert bare(printed_by(command, folder, capfd)) == bare(shown), command


@pytest.mark.parametrize("path", [p for p in RUNNABLE if blocks(p, "pycon")], ids=name)
def test_interactive_examples(path):
    test = doctest.DocTestParser().get_doctest(
        "\n".join(blocks(path, "pycon")), {}, path.name, None, 0
    )
    report = []
    try:
        result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    finally:
        entry.uninstall()  # a page may show mxtorch.install()
    assert result.attempted and not result.failed, "".join(report)


def test_readme_shows_the_quick_start():
    assert blocks(ROOT / "README.md", "python") == [read(QUICK_START)]


def test_readme_shows_what_mxnet_prints():
    (first, *_) = blocks(ROOT / "README.md", "console")
    command, shown = next(sessions(first))
    assert command == "mxtorch run train.py"
    assert shown == read(QUICK_START.with_suffix(".expected"))


GUIDE = [pytest.param(p, b, id=name(p)) for p in RUNNABLE[1:] for b in blocks(p, "python")]


@pytest.mark.parametrize(("path", "block"), GUIDE)
def test_programs(path, block, folder):
    done = child.python("-c", block, cwd=folder)
    assert done.returncode == 0, done.stderr


def test_both_readmes_have_the_same_examples():
    english, chinese = (FENCE.findall(read(ROOT / f)) for f in ("README.md", "README.zh-CN.md"))
    assert [b[1] for b in english] == [b[1] for b in chinese]
    for ours, theirs in zip(english, chinese, strict=True):
        if ours[1] != "sh":  # its comments are translated
            assert ours == theirs


def test_page_of_variables_is_that_of_the_tables():
    assert read(environment_page.PAGE) == environment_page.page(), "run tools/environment_page.py"


def test_the_page_of_operators_is_what_the_tables_say():
    assert read(operators_page.PAGE) == operators_page.page(), "run tools/operators_page.py"
    assert not set(env.VARIABLES) & set(WITHOUT_EFFECT)


def exists(dotted):
    """Whether `mx.…` leads somewhere."""
    found = mxtorch
    for part in dotted.split(".")[1:]:
        found = getattr(found, part, None)
    return found is not None


@pytest.mark.parametrize("file", ["README.md", "README.zh-CN.md"])
def test_what_works_is_there_and_what_does_not_is_not(file):
    _, table, missing, _ = re.split("<!-- (?:there|missing|end) -->", read(ROOT / file))
    rooms, absent = (set(re.findall(r"`(mx\.[\w.]+)`", text)) for text in (table, missing))
    assert len(rooms) > 10 and absent
    assert not [name for name in sorted(rooms) if not exists(name)], "said to be there"
    assert not [name for name in sorted(absent) if exists(name)], "said to be missing"
