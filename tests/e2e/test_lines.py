"""The comparison itself: what it lets pass, what it reports."""

import pytest

from tests.e2e import lines


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ("epoch 1 0.123456", "epoch 1 0.123457"),
        ("loss 1e-05 2.5", "loss 1.00001e-05 2.5"),
        ("sum 1 -1e-06", "sum 1 3e-06"),
        ("nan inf -inf", "nan inf -inf"),
        ("gradient -0 1", "gradient 0 1"),
        ("(2, 3) ['cpu(0)'] 1.00001", "(2, 3) ['cpu(0)'] 1"),
    ],
)
def test_close_enough(got, want):
    assert lines.differences(got, want) == []


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ("epoch 1 0.1236", "epoch 1 0.1234"),
        ("epoch 2 0.5", "epoch 1 0.5"),
        ("loss 0.5", "lost 0.5"),
        ("loss 0.5 0.5", "loss 0.5"),
        ("(2, 3)", "(2, 4)"),
        ("draw 0.123456", "draw 0.123457"),
        ("loss nan", "loss 1.0"),
        ("loss 1e-9", "loss 0"),
        ("loss inf", "loss nan"),
        ("one\ntwo", "one"),
        ("", "one"),
    ],
)
def test_reported(got, want):
    assert len(lines.differences(got, want)) == 1
