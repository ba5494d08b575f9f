"""Functions that a ported file gets in its own text, where torch has no one-line counterpart.

They use torch alone and nothing of this module, since their source is copied.
"""

from __future__ import annotations

import re

import torch
from torch import nn


def initialize(net, weight_init):
    """Fill weights by `weight_init` and biases with 0; lazy layers when they know their shape."""

    def fill(module, inputs=None):
        if isinstance(module, (nn.modules.batchnorm._NormBase, nn.LayerNorm, nn.GroupNorm)):
            return
        own = not type(module).__module__.startswith("torch.nn")
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, nn.PReLU) or (own and not name.endswith(("weight", "bias"))):
                continue
            own_init = getattr(module, f"{name}_init", None)
            if own_init is not None:
                own_init(parameter)
            elif "bias" in name:
                nn.init.zeros_(parameter)
            else:
                weight_init(parameter)
        if inputs is not None:
            hooks.pop(module).remove()

    hooks = {}
    for module in net.modules():
        if (
            isinstance(module, nn.modules.lazy.LazyModuleMixin)
            and module.has_uninitialized_params()
        ):
            hooks[module] = module.register_forward_pre_hook(fill)
        else:
            fill(module)


def initialized(layer, weight=None, bias=None):
    """A layer whose weight or bias `initialize` fills in a way of its own."""
    layer.weight_init, layer.bias_init = weight, bias
    return layer


def sharing(layer, other):
    """A layer that has the weight of another, and its bias if both have one."""
    layer.weight = other.weight
    if getattr(other, "bias", None) is not None and layer.bias is not None:
        layer.bias = other.bias
    return layer


def other_axes(x, axes):
    """Every axis of `x` but these."""
    kept = {axis % x.dim() for axis in (axes if isinstance(axes, (tuple, list)) else [axes])}
    return [axis for axis in range(x.dim()) if axis not in kept]


def storage_type(x):
    """MXNet's name of how an array is stored."""
    return {torch.sparse_coo: "row_sparse", torch.sparse_csr: "csr"}.get(x.layout, "default")


def fixed(layer, name):
    """A layer one of whose parameters is not trained."""
    if isinstance(getattr(layer, name), nn.UninitializedParameter):
        setattr(layer, name, nn.UninitializedParameter(requires_grad=False))
    getattr(layer, name).requires_grad = False
    return layer


def stretch(x, axis, size):
    """`x` repeated along axes of length 1."""
    axes = axis if isinstance(axis, (tuple, list)) else [axis]
    sizes = size if isinstance(size, (tuple, list)) else [size]
    shape = list(x.shape)
    for one, length in zip(axes, sizes, strict=True):
        shape[one] = length
    return x.expand(shape)


def sequence_mask(x, lengths, value=0.0, axis=0):
    """`x` with `value` from each sequence's end on; its axes are time and batch, or the reverse."""
    steps = torch.arange(x.shape[axis], device=x.device)
    kept = steps < lengths.unsqueeze(1)
    kept = kept if axis == 1 else kept.t()
    return torch.where(kept.reshape(kept.shape + (1,) * (x.dim() - 2)), x, value)


def parameters_by_name(net, pattern=""):
    """Parameters by names that end as Gluon's do; those whose name begins with the pattern."""
    norms = nn.modules.batchnorm._NormBase, nn.LayerNorm, nn.GroupNorm
    found = {}
    for path, module in net.named_modules():
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, norms):
                name = {"weight": "gamma", "bias": "beta"}.get(name, name)
            elif isinstance(module, nn.PReLU):
                name = "alpha"
            elif isinstance(module, nn.RNNBase):
                kind, side, layer = name.removesuffix("_reverse").split("_")
                way = "r" if name.endswith("_reverse") else "l"
                name = f"{way}{layer[1:]}_{side[0]}2h_{kind}"
            elif isinstance(module, nn.RNNCellBase):
                kind, _, side = name.partition("_")
                name = f"{side[0]}2h_{kind}"
            prefix = getattr(module, "prefix", f"{path.replace('.', '_')}_")
            found[f"{prefix}{name}".lstrip("_")] = parameter
    return {name: parameter for name, parameter in found.items() if re.match(pattern, name)}


def running_statistics(net):
    """Means and variances of batch normalizations, by MXNet's names of them."""
    found = {}
    for path, buffer in net.named_buffers():
        if "running_" in path:
            path = path.replace("running_", "moving_").replace(".", "_")
            found[path] = buffer
    return found


def scaled_init(weight, rnd_type="uniform", factor_type="avg", magnitude=3):
    """Fill a weight with numbers of variance `magnitude` (a third, if uniform) by its fans."""
    fans = nn.init._calculate_fan_in_and_fan_out(weight)
    factor = {"in": fans[0], "out": fans[1], "avg": sum(fans) / 2}[factor_type]
    scale = (magnitude / factor) ** 0.5
    if rnd_type == "gaussian":
        return nn.init.normal_(weight, 0, scale)
    return nn.init.uniform_(weight, -scale, scale)


def clip_global_norm(arrays, max_norm):
    """Scale arrays down to a norm over all of them; what it was."""
    norm = torch.stack([a.detach().norm() for a in arrays]).norm().item()
    if norm > max_norm:
        for a in arrays:
            a.mul_(max_norm / (norm + 1e-8))
    return norm
