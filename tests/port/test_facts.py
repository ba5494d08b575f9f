"""Facts of a run: their file, and what the port makes of them."""

import ast
import json

import pytest

from mxtorch.cli.main import main
from mxtorch.port import port_text
from mxtorch.port.facts import Facts as AllFacts
from mxtorch.port.facts import FileFacts, Layer, Seen, digest, place_of

HEAD = "import mxnet as mx\nfrom mxnet import nd\nfrom mxnet.gluon import nn\n"


def facts_of(text, values=(), layers=(), of="value"):
    """Facts of a text; places are named by the source of the expression."""
    found, values, layers = FileFacts(digest(text)), dict(values), dict(layers)
    for node in ast.walk(ast.parse(text)):
        source = ast.get_source_segment(text, node) if isinstance(node, ast.expr) else None
        if source in values:
            found.see(place_of(node), values[source], of)
        if source in layers:
            found.learn(place_of(node), layers[source])
    return found


PROGRAM = HEAD + "def f(a, b):\n    return a.reshape((-1, 0)), b.sum(axis=1)\n"


@pytest.mark.parametrize("of", ["value", "receiver"])
def test_types_of_receivers(of):
    array, numpy = Seen(("array",), (2, 3)), Seen(("numpy",))
    where = ("a", "b") if of == "value" else ("a.reshape((-1, 0))", "b.sum(axis=1)")
    facts = facts_of(PROGRAM, zip(where, (array, numpy), strict=True), of=of)
    text = port_text(PROGRAM, "a.py", facts).text
    assert "b.sum(axis=1)" in text
    assert "a.reshape((-1, 0))" not in text


def test_what_was_several_things_is_not_known():
    both = Seen(("array",)).merged(Seen(("numpy",)))
    facts = facts_of(PROGRAM, [("a", both), ("b", both)])
    assert "a.reshape((-1, 0)), b.sum(axis=1)" in port_text(PROGRAM, "a.py", facts).text


@pytest.mark.parametrize(
    ("before", "layer", "after"),
    [
        ("nn.Dense(10)", Layer((("in_units", 784),)), "nn.Linear(784, 10)"),
        ("nn.Dense(10)", Layer((("in_units", None),)), "nn.LazyLinear(10)"),
        ("nn.Conv2D(8, 3)", Layer((("in_channels", 3),)), "nn.Conv2d(3, 8, kernel_size=3)"),
        (
            "nn.BatchNorm()",
            Layer((("in_channels", 6),), (None, 6, 10)),
            "nn.BatchNorm1d(6, momentum=0.1)",
        ),
    ],
)
def test_sizes_of_layers(before, layer, after):
    text = f"{HEAD}layer = {before}\n"
    facts = facts_of(text, layers=[(before, layer)])
    ported = port_text(text, "a.py", facts)
    assert f"layer = {after}" in ported.text, ported.text
    assert ("Lazy" in after) == any(f.code == "MXT006" for f in ported.findings)


def test_the_axes_of_arrays():
    text = HEAD + "def f(a):\n    return a.T\n"
    for shape, wanted in (
        ((2, 3), "a.t()"),
        ((None, 3, 4), "a.permute(*reversed(range(a.dim())))"),
    ):
        facts = facts_of(text, [("a", Seen(("array",), shape))])
        assert f"return {wanted}" in port_text(text, "a.py", facts).text


def test_the_file(tmp_path):
    facts = AllFacts({"a.py": facts_of(PROGRAM, [("a", Seen(("array",), (None, 3), "float32"))])})
    facts.files["a.py"].learn((1, 2, 3, 4), Layer((("in_units", 7),), (2, 7), True))
    facts.files["a.py"].see((5, 0, 5, 9), Seen(("instance",), cls="Net"), "receiver")
    path = tmp_path / "facts.json"
    facts.write(path)
    assert AllFacts.read(path) == facts
    first = json.loads(path.read_text())["files"]["a.py"]["values"][0]
    assert first == {"at": [5, 11, 5, 12], "kinds": ["array"], "shape": [None, 3],
                     "dtype": "float32"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a facts file"),
        ('{"format": "mxtorch-facts", "version": 9}', "version 9"),
        ('{"format": "mxtorch-facts", "version": 1, "files": []}', "an object was expected"),
        ({"values": [{"at": [1, 2]}]}, "4 numbers"),
        ({"values": [{"at": [1, 2, 3, 4], "kinds": ["array"], "of": "x"}]}, "'receiver'"),
        ({"values": [{"at": [1, 2, 3, 4], "kinds": ["tensor"]}]}, "some of array"),
        ({"values": [{"at": [1, 2, 3, 4], "kinds": ["array"], "shape": [-1]}]}, "nulls were"),
        ({"layers": [{"at": [1, 2, 3, 4], "in_units": "7"}]}, "a size is '7'"),
    ],
)
def test_a_file_that_is_not_one(tmp_path, text, message, capsys):
    path = tmp_path / "facts.json"
    if isinstance(text, dict):
        text = json.dumps({"format": "mxtorch-facts", "version": 1, "files": {"a.py": text}})
    path.write_text(text)
    source = tmp_path / "a.py"
    source.write_text(PROGRAM)
    with pytest.raises(SystemExit) as stop:
        main(["port", str(source), "--diff", "--facts", str(path)])
    assert stop.value.code == 1
    assert message in capsys.readouterr().err


def test_facts_of_another_text_are_not_used(tmp_path, capsys):
    path, source = tmp_path / "facts.json", tmp_path / "a.py"
    AllFacts({"a.py": facts_of(PROGRAM, [("b", Seen(("array",)))])}).write(path)
    source.write_text(PROGRAM + "\n")
    with pytest.raises(SystemExit):
        main(["port", str(source), "--diff", "--facts", str(path)])
    assert "b.sum(dim=1)" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["port", str(source), "-o", str(tmp_path / "b.py"), "--facts", str(path)])
    assert "MXT012" in capsys.readouterr().out
