"""Environment variables: read at the call, wrong values named."""

import os

import pytest

from mxtorch._core import env
from mxtorch._core.errors import MXNetError


@pytest.mark.parametrize("name", env.VARIABLES)
def test_absent_and_empty_give_the_default(name, monkeypatch):
    variable = env.VARIABLES[name]
    monkeypatch.delenv(name, raising=False)
    assert variable.get() == variable.default
    monkeypatch.setenv(name, " ")
    assert variable.get() == variable.default


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        (env.RNG, "torch", "torch"),
        (env.ALIAS, "1", True),
        (env.USE_MKLDNN_RNN, "0", False),
        (env.USE_MKLDNN_RNN, "false", False),
        (env.HOME, "~", os.path.expanduser("~")),
    ],
)
def test_value_is_read_when_asked_for(variable, text, value, monkeypatch):
    monkeypatch.setenv(variable.name, text)
    assert variable.get() == value


@pytest.mark.parametrize(("variable", "text"), [(env.RNG, "numpy"), (env.ALIAS, "yes")])
def test_wrong_value_is_named(variable, text, monkeypatch):
    monkeypatch.setenv(variable.name, text)
    with pytest.raises(MXNetError, match=f"{variable.name}='{text}': expected"):
        variable.get()


def test_python_path_is_extended_once(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["a", "b"]))
    env.prepend_folder("PYTHONPATH", "c")
    env.prepend_folder("PYTHONPATH", "c")
    assert os.environ["PYTHONPATH"] == os.pathsep.join(["c", "a", "b"])
