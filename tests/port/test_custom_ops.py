"""Custom operators as functions: what the port does not follow stays, and is said."""

import textwrap

import pytest
import torch

from mxtorch.port import port_text
from mxtorch.port.scan import scan_text
from tests.port.test_symbols import run

TEXT = textwrap.dedent("""
    import mxnet as mx
    from mxnet import nd

    class Twice(mx.operator.CustomOp):
        def __init__(self, by):
            self.by = by

        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], in_data[0] * self.by + in_data[1])
            out_data[1][:] = in_data[1]

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * self.by)  # nothing for the other

    @mx.operator.register("twice")
    class TwiceProp(mx.operator.CustomOpProp):
        def __init__(self, by="2", fast='False'):
            super().__init__()
            self.by = float(by)
            self.fast = fast == 'True'

        def list_arguments(self):
            return ["x", "y"]

        def list_outputs(self):
            return ["sum", "same"]

        def create_operator(self, ctx, shapes, dtypes):
            return Twice(self.by)

    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with mx.autograd.record():
        a, b = nd.Custom(x, y=nd.ones(2), by=3, op_type="twice", name="t")
        z = (a + b).sum()
    z.backward()
""")


def test_what_it_becomes(tmp_path):
    ported = port_text(TEXT)
    assert ported.counts.left == 0
    assert "fast = str(fast) == 'True'" in ported.text
    assert "a, b = twice(x, y=torch.ones((2,)), by=3)" in ported.text
    assert "# nothing for the other" in ported.text
    scope = run(ported.text, tmp_path)
    assert scope["a"].tolist() == [4.0, 7.0]
    assert scope["b"].tolist() == [1.0, 1.0]
    assert scope["x"].grad.tolist() == [3.0, 3.0]
    assert port_text(ported.text).text == ported.text
    assert {u.status for u in scan_text(TEXT)} <= {"exact", "equivalent"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('op_type="twice"', "op_type=kind", "only at run time"),
        ("Twice(self.by)", "make(self.by)", "only at run time"),
        ("in_data[0] * self.by", "in_data[0] * len(in_data)", "in_data in Twice"),
        ("self.by + in_data[1])", "self.by + (in_data[1] if is_train else 0))", "is_train"),
        ("y=nd.ones(2), by=3, ", "by=3, ", "without all of its inputs"),
    ],
)
def test_what_the_port_does_not_follow_is_said_and_left(old, new, says):
    assert old in TEXT
    ported = port_text(TEXT.replace(old, new))
    assert any("does not follow" in f.message and says in f.message for f in ported.findings)
    assert "mxtorch" in ported.text
    assert any(u.status == "by hand" for u in scan_text(TEXT.replace(old, new)))


def test_a_loss_of_its_own_is_divided_like_others(tmp_path):
    text = TEXT.replace("super().__init__()", "super().__init__(need_top_grad=False)").replace(
        "out_grad[0] * self.by", "in_data[0] * 0 + 5"
    ).replace("z.backward()", "(z / 4).backward()")  # fmt: skip
    grad = run(port_text(text).text, tmp_path)["x"].grad
    torch.testing.assert_close(grad, torch.tensor([1.25, 1.25]))
