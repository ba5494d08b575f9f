"""Operators of a program's own in PyTorch source: a module that runs the program's class."""

from __future__ import annotations

from mxtorch._core.errors import NotSupportedError
from mxtorch._graph.node import Node
from mxtorch.convert.syntax import Layer, Made, call

IMPORTS = ("import importlib", "import mxtorch")
_MODULE = """
class OwnOperator(nn.Module):
    \"\"\"A program's own operator: its class works on MXNet's arrays, which mxtorch has.\"\"\"

    def __init__(self, home, op_type, attrs):
        super().__init__()
        self.op_type, self.attrs = op_type, attrs
        mxtorch.install(era="quiet")
        module, _, name = home.partition(":")
        found = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        mxtorch.operator.register(op_type)(found)

    def forward(self, *data):
        given = {"training_": self.training, **self.attrs}
        results = mxtorch.ops.Custom(*data, op_type=self.op_type, **given)
        return results[0] if len(results) == 1 else results
"""


def own_layer(node: Node) -> Layer:
    """The layer of a node that runs a class of the program's own.

    Raises NotSupportedError if a file cannot import the class.
    """
    op = node.operator()
    attrs = dict(node.parsed())
    assert op.keep is not None
    home = getattr(op.keep(attrs, False), "home", "")
    if not home:
        raise NotSupportedError(
            "its class is not in a module that a file can import: move it out of the program"
        )
    op_type = attrs.pop("op_type")
    module = Made("OwnOperator", {"home": home, "op_type": op_type, "attrs": attrs})
    layer = Layer(lambda own, inputs: call(own, *inputs), module)
    layer.unpacked = node.count_outputs() > 1
    layer.helpers = {"OwnOperator": _MODULE}
    return layer
