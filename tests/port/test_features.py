"""Snippets that MXNet has run, ported: torch alone gives what MXNet gave."""

import runpy

import numpy as np
import pytest
import torch

from mxtorch.port import port_text
from tests import cases, golden_store

HEAD = """\
import random as pyrandom

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

out = []
"""
FAMILIES = ("port/recurrent", "port/metrics")


def ported(case):
    return port_text(HEAD + case.code, f"{case.id}.py")


def found():
    for family in FAMILIES:
        lines = golden_store.Family.read(cases.golden_path(family)).records
        for case in cases.load(family):
            yield pytest.param(case, lines[case.id]["out"], id=case.id)


def flat(value):
    """Arrays, numbers and texts, one after another, of a result or of a recorded one."""
    if isinstance(value, dict) and "k" in value:
        return [golden_store.unpack(value, value["s"])]
    if isinstance(value, dict) and "tuple" in value:
        return flat(value["tuple"])
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    if isinstance(value, dict):
        return [x for k, v in value.items() for x in (k, *flat(v))]
    if isinstance(value, torch.Tensor):
        return [value.detach().numpy()]
    return [value]


@pytest.mark.parametrize(("case", "line"), list(found()))
def test_feature(case, line, tmp_path):
    result = ported(case)
    assert "mxtorch" not in result.text, result.text
    assert not [f for f in result.findings if f.act], result.text
    assert result.counts.left == result.counts.operators == 0, result.findings
    path = tmp_path / "ported.py"
    path.write_text(result.text)
    ours, theirs = flat(runpy.run_path(str(path))["out"]), flat(line)
    assert len(ours) == len(theirs), result.text
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(other, str) or other is None:
            assert one == other
        else:
            a, b = np.asarray(one, "float64"), np.asarray(other, "float64")
            assert np.squeeze(a).shape == np.squeeze(b).shape, result.text
            assert np.allclose(
                np.squeeze(a), np.squeeze(b), rtol=1e-4, atol=1e-5, equal_nan=True
            ), (a, b)
