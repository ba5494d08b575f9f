"""Notebooks: lines for the notebook itself, cells that do not parse, old formats."""

import json

import pytest

from mxtorch.port.scan import scan_tree
from mxtorch.port.tree import port_file

HEAD = "from mxnet import nd\n"


def book(cells, version=4):
    key = "source" if version > 3 else "input"
    found = [{"cell_type": "code", "metadata": {}, "outputs": [], key: text} for text in cells]
    if version > 3:
        return {"cells": found, "metadata": {}, "nbformat": version}
    return {"worksheets": [{"cells": found}], "metadata": {}, "nbformat": version}


def ported(tmp_path, cells, version=4):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(book(cells, version), indent=1))
    result = port_file(path, "a.ipynb")
    after = json.loads(result.after)
    sheet = after if version > 3 else after["worksheets"][0]
    key = "source" if version > 3 else "input"
    return [cell[key] for cell in sheet["cells"]], result, scan_tree(path)


LINES = {
    "help": ("net?\nx = {}\n?net\nx??\nx.shape?", True),
    "magic": ("%matplotlib inline\n!ls *.rec\nx = {}", True),
    "timed": ("%timeit -n 3 {}", True),
    "timed in a block": ("for i in range(2):\n    %time x = {}\n    !ls {{i}}\n", True),
    "assigned": ("files = !ls\nx = {}", True),
    "timed cell": ("%%time\nx = {}", True),
    "timed cell below": ("\n%%timeit -n 3\nx = {}", True),
    "captured cell": ("%%capture out\nx = {}", True),
    "per cent sign": ("x = (3\n% 2, {})", True),
    "text": ('"""\n%d\n!x?\n"""\nx = {}\n', True),
    "shell cell": ("%%bash\necho {}", False),
    "page cell": ("%%html\n<b>{}</b>", False),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_for_the_notebook(name, tmp_path):
    text, is_python = LINES[name]
    cells = [HEAD, text.format("nd.ones((2,))")]
    after, result, scan = ported(tmp_path, cells)
    expected = text.format("torch.ones((2,))") if is_python else cells[1]
    assert after == ["import torch\n" if is_python else "", expected]
    assert (result.findings, scan.clean, len(scan.uses)) == ((), True, int(is_python))


@pytest.mark.parametrize("version", [3, 4])
def test_a_broken_cell_costs_itself_alone(version, tmp_path):
    cells = [HEAD, "y = 1\nprint 'two'", "x = nd.ones((2,))"]
    after, result, scan = ported(tmp_path, cells, version)
    assert after == ["import torch\n", cells[1], "x = torch.ones((2,))"]
    (finding,) = result.findings
    assert (finding.line, finding.code, finding.act) == (2, "MXT010", True)
    assert finding.message.startswith("cell 2 does not parse: ")
    assert scan.unread["a.ipynb"].startswith("cell 2, line 2: ")
    assert [use.where for use in scan.uses] == ["a.ipynb:cell 3:1"]
    assert not scan.clean


def test_places_are_in_cells(tmp_path):
    cells = ["import mxnet as mx\n", "\nstore = mx.kv.create('dist_async')"]
    _, result, scan = ported(tmp_path, cells)
    (finding,) = result.findings
    assert (finding.line, finding.message.partition(":")[0]) == (2, "cell 2")
    assert [use.where for use in scan.uses if use.status == "by hand"] == ["a.ipynb:cell 2:2"]


@pytest.mark.parametrize("cell", ["%%writefile a.py\nimport mxnet\n", "!python -c 'import mxnet'"])
def test_imports_elsewhere_are_said(cell, tmp_path):
    after, result, scan = ported(tmp_path, [HEAD, cell])
    assert after[1] == cell
    assert [finding.code for finding in result.findings] == ["MXT014"]
    assert [use.status for use in scan.uses] == ["unclear"]
