"""What layers and optimizers were made with, MXNet's in torch's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Settings = Mapping[str, Any]

# MXNet's name, torch's name
_NAMES = {
    "kernel": "kernel_size",
    "stride": "stride",
    "pad": "padding",
    "dilate": "dilation",
    "num_group": "groups",
    "rate": "p",
    "eps": "eps",
    "epsilon": "eps",
    "alpha": "negative_slope",
    "slope": "negative_slope",
    "wd": "weight_decay",
    "lr": "lr",
    "count_include_pad": "count_include_pad",
    "dropout": "dropout",
}
# What the classes of MXNet's activations and poolings are in torch.
_CLASSES = {
    "relu": {"ReLU"},
    "tanh": {"Tanh"},
    "sigmoid": {"Sigmoid"},
    "softrelu": {"Softplus"},
    "softsign": {"Softsign"},
    "LeakyReLU": {"LeakyReLU"},
    "PReLU": {"PReLU"},
    "ELU": {"ELU"},
    "SELU": {"SELU"},
    "GELU": {"GELU"},
    "Swish": {"SiLU"},
    "Dropout": {"Dropout", "Dropout1d", "Dropout2d", "Dropout3d"},
    "Flatten": {"Flatten"},
    "MaxPool": {"MaxPool1d", "MaxPool2d", "MaxPool3d"},
    "AvgPool": {"AvgPool1d", "AvgPool2d", "AvgPool3d"},
    "GlobalAvgPool": {"AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"},
    "GlobalMaxPool": {"AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d"},
}


def class_of(call: Settings) -> str:
    """The kind of an MXNet layer: the activation's name, the pooling without its axes."""
    settings = call["settings"]
    if "act_type" in settings and call["cls"] == "Activation":
        return str(settings["act_type"])
    name = str(call["cls"])
    return name[:-2] if name.endswith(("1D", "2D", "3D")) else name


def is_class(ours: Settings, theirs: Settings) -> bool:
    """Whether an MXNet layer and another, or a torch module, are the same kind, if known."""
    known = _CLASSES.get(class_of(ours))
    return known is None or theirs["cls"] in known or class_of(ours) == class_of(theirs)


def said_of(call: Settings) -> str:
    """The class of a layer, or what it does where its class does not say that."""
    return class_of(call) if call["cls"] == "Activation" else str(call["cls"])


def is_known(ours: Settings) -> bool:
    """Whether the torch class of an MXNet layer is known here."""
    return class_of(ours) in _CLASSES


def in_torch(settings: Settings, cls: str) -> dict[str, Any]:
    """MXNet's settings of a layer by torch's names."""
    found = {_NAMES[k]: v for k, v in settings.items() if k in _NAMES}
    if "BatchNorm" in cls and "momentum" in settings:
        found["momentum"] = 1 - settings["momentum"]
    if "Pool" in cls and "Global" not in cls:
        found["ceil_mode"] = settings.get("pooling_convention") == "full"
    return found


def optimizer_in_torch(settings: Settings) -> dict[str, Any]:
    """MXNet's settings of an optimizer by torch's names."""
    found = {_NAMES[k]: v for k, v in settings.items() if k in ("wd", "lr", "epsilon")}
    if "momentum" in settings:
        found["momentum"] = settings["momentum"]
        found["nesterov"] = settings.get("class") == "NAG"
    if "beta1" in settings and "beta2" in settings:
        found["betas"] = (settings["beta1"], settings["beta2"])
    return found


def differing(ours: Settings, theirs: Settings) -> list[str]:
    """The names whose values differ, of those that both have."""
    return [k for k, v in ours.items() if k in theirs and not _equal(v, theirs[k])]


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        first, second = _listed(a), _listed(b)
        length = max(len(first), len(second))
        first, second = (x * length if len(x) == 1 else x for x in (first, second))
        return len(first) == len(second) and all(map(_equal, first, second))
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return abs(float(a) - float(b)) <= 1e-9 + 1e-6 * abs(float(a))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
