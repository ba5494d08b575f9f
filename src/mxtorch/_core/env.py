"""The environment variables: every one that is honoured, read when it is needed.

env.RNG.get()        'mxnet', or what MXTORCH_RNG says
env.VARIABLES        all of them, for documentation and `doctor`
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from mxtorch._core.errors import MXNetValueError

T = TypeVar("T")


@dataclass(frozen=True)
class Variable(Generic[T]):
    """A variable: its default, how its text is understood, what it does."""

    name: str
    default: T
    parse: Callable[[str], T]
    meaning: str

    def get(self) -> T:
        """The value now; the default where the variable is absent or empty."""
        text = os.environ.get(self.name, "").strip()
        if not text:
            return self.default
        try:
            return self.parse(text)
        except ValueError as error:
            raise MXNetValueError(f"{self.name}={text!r}: {error}") from None

    def set(self, text: str) -> None:
        """Set it for this process and the processes that it starts."""
        os.environ[self.name] = text


def _flag(text: str) -> bool:
    values = {"0": False, "false": False, "1": True, "true": True}
    if text.lower() not in values:
        raise ValueError("expected 0, 1, true or false")
    return values[text.lower()]


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected {' or '.join(choices)}")
        return text

    return parse


def _folder(text: str) -> str:
    return os.path.expanduser(text)


def _home() -> str:
    base = os.environ.get("APPDATA", "") if os.name == "nt" else os.path.expanduser("~")
    return os.path.join(base, "mxnet" if os.name == "nt" else ".mxnet")


RNG = Variable(
    "MXTORCH_RNG",
    "mxnet",
    _one_of("mxnet", "torch"),
    "random numbers on CPU contexts: MXNet's own stream, or torch's faster one",
)
ALIAS = Variable(
    "MXTORCH_ALIAS", False, _flag, "`mxtorch run` sets it, so that child processes find `mxnet`"
)
GLUON_REPO = Variable(
    "MXNET_GLUON_REPO",
    "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/",
    str,
    "address of the data sets and models that Gluon downloads",
)
HOME = Variable("MXNET_HOME", _home(), _folder, "folder of downloaded data sets and models")
USE_MKLDNN_RNN = Variable(
    "MXNET_USE_MKLDNN_RNN",
    True,
    _flag,
    "0: float32 RNN layers on CPU contexts apply dropout=, which MXNet's default kernel ignores",
)

UPDATE_ON_KVSTORE = Variable(
    "MXNET_UPDATE_ON_KVSTORE",
    True,
    _flag,
    "0: Module's key-value store only sums gradients, each context updates its own copy",
)

VARIABLES = {
    variable.name: variable
    for variable in (RNG, ALIAS, GLUON_REPO, HOME, USE_MKLDNN_RNN, UPDATE_ON_KVSTORE)
}


def read(name: str) -> str | None:
    """The text of any variable, or None if it is not set (`mx.util.getenv`)."""
    return os.environ.get(name)


def write(name: str, text: str) -> None:
    """Set any variable (`mx.util.setenv`)."""
    os.environ[name] = text


def prepend_python_path(folder: str) -> None:
    """Put a folder first on PYTHONPATH, once, for the processes that this one starts."""
    old = os.environ.get("PYTHONPATH", "")
    folders = [entry for entry in old.split(os.pathsep) if entry and entry != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *folders])
