"""The numbered notes: each is documented, its example makes it, and comments stand where to act."""

import pathlib
import re

import pytest

from mxtorch.port import port_text
from mxtorch.port.codes import Code
from mxtorch.port.tree import port_tree
from tools import port_codes_page

PORT = pathlib.Path(port_codes_page.ROOT, "src", "mxtorch", "port")


def test_the_page_is_the_tables():
    text = port_codes_page.PAGE.read_text(encoding="utf-8")
    assert text == port_codes_page.page(), "run tools/port_codes_page.py"


def test_numbers_are_unique_and_used():
    numbers = [code.number for code in Code]
    assert len(set(numbers)) == len(numbers)
    source = "".join(path.read_text() for path in PORT.rglob("*.py"))
    assert [c.name for c in Code if f"Code.{c.name}" not in source] == []


@pytest.mark.parametrize("code", [c for c in Code if c.example], ids=lambda c: c.number)
def test_the_example_makes_the_note(code, tmp_path):
    (tmp_path / "a.py").write_text(code.example)
    (result,) = port_tree(tmp_path)
    found = {finding.code: finding.act for finding in result.findings}
    assert found.get(code.number) == code.act, (found, result.after)
    marks = re.findall(r"# mxtorch\[(\w+)\]: ", result.after)
    if code.act and not result.refused:
        assert code.number in marks, result.after
    else:
        assert code.number not in marks


PLACES = """
import mxnet as mx
from mxnet import autograd, nd

@decorated
def f(x):
    if x: y = mx.kv.create('dist_async'); z = mx.kv.create('dist_async')
    return y

with autograd.record():
    a = mx.kv.create(
        'dist_async')
    b = nd.ones((2,)).tostype('csr')
"""


def test_where_comments_stand():
    text = port_text(PLACES).text
    comments = [line for line in text.splitlines() if "# mxtorch[" in line]
    what = "# mxtorch[MXT003]: no rule; to be ported by hand"
    assert comments == [
        f"        {what}: mx.kv.create"[4:],
        f"    {what}: mx.kv.create"[4:],
        f"{what}: mx.nd.NDArray.tostype",
    ] or comments == [f"    {what}: mx.kv.create", f"{what}: mx.kv.create",
                      f"{what}: mx.nd.NDArray.tostype"], text  # fmt: skip
    assert port_text(text).text == text
