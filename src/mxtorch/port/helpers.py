"""Functions that a ported file gets in its own text, where torch has no one-line counterpart.

They use torch alone and nothing of this module, since their source is copied.
"""

from __future__ import annotations

from torch import nn


class L2Loss(nn.Module):
    """Half the squared error, one value a sample."""

    def forward(self, pred, label):
        return 0.5 * (pred - label.reshape(pred.shape)).square().flatten(1).mean(1)


class L1Loss(nn.Module):
    """The absolute error, one value a sample."""

    def forward(self, pred, label):
        return (pred - label.reshape(pred.shape)).abs().flatten(1).mean(1)


class SoftmaxLoss(nn.Module):
    """Cross entropy of class scores and class numbers, one value a sample."""

    def forward(self, pred, label):
        scores = nn.functional.log_softmax(pred, dim=-1)
        chosen = scores.gather(-1, label.long().reshape(*pred.shape[:-1], 1))
        return -chosen.flatten(1).mean(1)


class SigmoidBCELoss(nn.Module):
    """Binary cross entropy of scores, one value a sample."""

    def forward(self, pred, label):
        label = label.reshape(pred.shape).to(pred.dtype)
        loss = nn.functional.binary_cross_entropy_with_logits(pred, label, reduction="none")
        return loss.flatten(1).mean(1)


def initialize(net, weight_init):
    """Fill weights by `weight_init` and biases with 0; lazy layers when they know their shape."""

    def fill(module, inputs=None):
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)):
            return
        for name, parameter in module.named_parameters(recurse=False):
            if "bias" in name:
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
