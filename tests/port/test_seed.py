"""The seed document: its MXNet column becomes its PyTorch column, or something better.

That both sides compute the same is tested in test_features.py, on the same fragments.
"""

import pytest

from mxtorch.port import port_text
from tests.port.seed_fragments import FRAGMENTS

HEAD = """\
import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

out = []
"""


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda f: f.topic)
def test_side_by_side(fragment):
    text = "\n".join([HEAD, fragment.before, fragment.mxnet, fragment.after, ""])
    ported = port_text(text)
    assert f"\n{fragment.torch}\n" in ported.text, ported.text
    assert not [f for f in ported.findings if f.act]
    assert ported.counts.left == ported.counts.operators == 0


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda f: f.topic)
def test_what_differs_has_a_reason(fragment):
    assert bool(fragment.counterpart) == bool(fragment.reason)


def test_the_transformer_is_in_test_gluonnlp():
    assert not any(f.topic.startswith("3.4") for f in FRAGMENTS)
