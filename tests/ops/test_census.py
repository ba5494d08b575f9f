"""Every operator name of MXNet is registered with MXNet's parameters, or listed with a reason."""

import ast

import numpy as onp
import pytest
import torch

import mxtorch
from mxtorch._core.op import lookup
from tools import census

# Of all uses of mx.nd and mx.sym names in real programs, how many must be served. Only ever raise.
FLOOR = 0.99

RECORDED = {name: record for record in census.operators() for name in record.names}
REGISTERED = [name for name in RECORDED if lookup(name) is not None]


def test_every_name_is_accounted_for():
    listed = census.missing()
    unknown = sorted(set(listed) - set(RECORDED))
    assert not unknown, "listed, but not MXNet's"
    done = sorted(set(listed) & set(REGISTERED))
    assert not done, "listed, but registered: tools/census.py --update"
    lost = sorted(set(RECORDED) - set(REGISTERED) - set(listed))
    assert not lost, "neither registered nor listed in tests/ops/census_missing.txt"
    assert set(listed.values()) <= set(census.REASONS)


@pytest.mark.parametrize("name", REGISTERED)
def test_one_operator_per_group_of_aliases(name):
    assert lookup(name) is lookup(RECORDED[name].name)


def canonical(kind, text):
    """The value that a default in the registry's text stands for."""
    if kind.startswith("boolean") and text in ("0", "1"):
        return text == "1"
    text = text.strip("'")
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return tuple(value) if isinstance(value, list) else value


def is_attribute(parameter):
    return not parameter[1].startswith(("NDArray", "Symbol"))


def ours(value):
    """Our default, as the registry would have it."""
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    return tuple(value) if isinstance(value, list) else value


def same(a, b):
    """Equal; floats as MXNet holds them, in single precision."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return onp.float32(a) == onp.float32(b)
    return a == b


# The registry's text is another operator's, or lacks what its symbols have: _linspace shows those
# of _arange, and takes num; _npi_concatenate those of Concat, and takes axis; _npi_norm has none.
# Of BatchNorm_v1 and the next it leaves the auxiliary states out, of the last four `lower` and
# `deterministic`, which MXNet names when it is given an unknown argument.
MISDOCUMENTED = {
    "_linspace", "_npi_concatenate", "_npi_norm", "BatchNorm_v1", "IdentityAttachKLSparseReg",
    "_linalg_potrf", "_linalg_potri", "_npi_cholesky", "_contrib_SparseEmbedding",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [n for n in REGISTERED if RECORDED[n].name == n and n not in MISDOCUMENTED]
)
def test_parameters(name):
    """Names and order of inputs and attributes, and the attributes' defaults."""
    op, record = lookup(name), RECORDED[name]
    counts = {record.counted_by, op.count} - set(op.attrs)
    theirs = [p for p in record.params if p[0] not in counts]
    arrays = {i.name for i in op.inputs}
    # not those for a graph inside the node
    theirs = [p for p in theirs if p[1] != "Symbol" or p[0] in arrays]
    theirs.sort(key=is_attribute)  # as callers see them: arrays first
    if op.variadic:  # which have one name in the function, that of the last
        theirs = theirs[max(sum(not is_attribute(p) for p in theirs) - 1, 0) :]
    assert [i.name for i in op.inputs] + list(op.attrs) == [p[0] for p in theirs]
    for attr in op.attrs.values():
        kind, *default = next(p[1:] for p in theirs if p[0] == attr.name)
        assert attr.required == (not default), f"{attr.name}: required"
        if default and default != [""]:  # the registry does not say all of them
            want = canonical(kind, default[0])
            assert same(ours(attr.default), want), f"{attr.name}: {attr.default!r}, MXNet {want!r}"


def test_share_of_use(capsys):
    weighted, _ = census.share(mxtorch)
    with capsys.disabled():
        print(f"\n{len(REGISTERED)} of {len(RECORDED)} operator names, {weighted:.1%} of their use")
    assert weighted >= FLOOR
