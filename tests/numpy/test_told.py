"""What the switches of NumPy semantics log: recorded from MXNet 1.9.1, a process for each line."""

import logging

import pytest

from mxtorch import npx, util

SHAPE, ARRAY = "NumPy-shape semantics has been", "NumPy array semantics has been"


def _scope():
    with util.np_shape():
        pass


def _decorated():
    util.use_np(lambda: None)()


def _twice():
    npx.set_np()
    npx.set_np()


@pytest.mark.parametrize(
    ("switch", "said"),
    [
        (_scope, [SHAPE]),
        (_decorated, [SHAPE]),
        (_twice, [ARRAY, SHAPE]),
        (lambda: util.set_np(array=False), [SHAPE]),
        (lambda: util.set_np_shape(False), []),
    ],
)
def test_first_switch_is_logged(switch, said, caplog, monkeypatch):
    monkeypatch.setattr(util, "_told", set())
    with caplog.at_level(logging.INFO):
        try:
            switch()
        finally:
            npx.reset_np()
    assert [r.getMessage()[: len(SHAPE)] for r in caplog.records] == [t[: len(SHAPE)] for t in said]
    assert all(r.levelno == logging.INFO and r.name == "root" for r in caplog.records)
