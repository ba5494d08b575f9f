"""Normalization layers."""

from __future__ import annotations

from typing import Any

import torch

from mxtorch._core.device import num_gpus
from mxtorch._core.dtypes import dtype_to_torch
from mxtorch._core.modes import modes
from mxtorch._core.warn import warn
from mxtorch.gluon.block import HybridBlock
from mxtorch.gluon.parameter import Parameter, ParameterDict


def _text(block: HybridBlock, facts: dict[str, Any], channels: Any) -> str:
    shown = ", ".join(f"{key}={value!r}" for key, value in facts.items())
    return f"{type(block).__name__}({shown}, in_channels={channels})"


class BatchNorm(HybridBlock):
    """Normalizes each channel over the batch and keeps moving statistics for prediction.

    running = momentum * running + (1 - momentum) * batch, with the biased variance. Its parameters
    stay float32 when a net is cast to float16.
    """

    fuse_relu = False

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        self.gamma = self._vector("gamma", gamma_initializer, in_channels, scale)
        self.beta = self._vector("beta", beta_initializer, in_channels, center)
        self.running_mean = self._vector(
            "running_mean", running_mean_initializer, in_channels, False
        )
        self.running_var = self._vector(
            "running_var", running_variance_initializer, in_channels, False
        )

    def _vector(self, name: str, init: Any, channels: int, trained: bool) -> Parameter:
        return self.params.get(
            name,
            grad_req="write" if trained else "null",
            shape=(channels,),
            init=init,
            allow_deferred_init=True,
            differentiable=trained,
        )

    def cast(self, dtype: Any) -> None:
        """Change the element type; float32 instead of float16."""
        super().cast("float32" if dtype_to_torch(dtype) is torch.float16 else dtype)

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """The normalized `x`."""
        return F.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        return _text(self, self._kwargs, self.gamma.shape[0] or None)


class BatchNormReLU(BatchNorm):
    """BatchNorm followed by ReLU."""

    fuse_relu = True

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """The positive part of the normalized `x`."""
        normal = F.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)
        return F.Activation(normal, act_type="relu")


class SyncBatchNorm(BatchNorm):
    """BatchNorm over the batches of `num_devices` devices (default: all GPUs) together.

    In training each device's call gives its result when the others have made theirs. Where several
    processes train together, `num_devices` counts the devices of one, and the statistics are those
    of all processes; MXNet's end at the process.
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: int | None = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1,
            momentum,
            epsilon,
            center,
            scale,
            use_global_stats,
            beta_initializer,
            gamma_initializer,
            running_mean_initializer,
            running_variance_initializer,
            in_channels,
            **kwargs,
        )
        if num_devices is None:
            warn(
                "Caution using SyncBatchNorm: if not using all the GPUs, please mannually set "
                "num_devices",
                UserWarning,
            )
            num_devices = num_gpus() or 1
        facts = {k: v for k, v in self._kwargs.items() if k != "axis"}
        self._kwargs = {**facts, "ndev": num_devices, "key": self.prefix}
        order = ("eps", "momentum", "fix_gamma", "use_global_stats", "ndev", "key")
        self._kwargs = {name: self._kwargs[name] for name in order}

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """The normalized `x`."""
        return F.contrib.SyncBatchNorm(
            x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs
        )


class _Normalization(HybridBlock):
    """A layer with gamma and beta."""

    _kwargs: dict[str, Any]

    def _make_gamma_beta(
        self, length: int, scale: bool, center: bool, gamma_init: Any, beta_init: Any
    ) -> None:
        self.gamma = self.params.get(
            "gamma",
            grad_req="write" if scale else "null",
            shape=(length,),
            init=gamma_init,
            allow_deferred_init=True,
        )
        self.beta = self.params.get(
            "beta",
            grad_req="write" if center else "null",
            shape=(length,),
            init=beta_init,
            allow_deferred_init=True,
        )

    def __repr__(self) -> str:
        return _text(self, self._kwargs, self.gamma.shape[0])


class InstanceNorm(_Normalization):
    """Normalizes each channel of each sample; gamma is not trained unless `scale`."""

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._make_gamma_beta(in_channels, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Any:
        """The normalized `x`."""
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        moved = x.swapaxes(1, self._axis)
        result = F.InstanceNorm(moved, gamma, beta, name="fwd", eps=self._epsilon)
        return result.swapaxes(1, self._axis)


class LayerNorm(_Normalization):
    """Normalizes over one axis."""

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make_gamma_beta(in_channels, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """The normalized `data`."""
        layer_norm = F.npx.layer_norm if modes.np_array else F.LayerNorm
        return layer_norm(data, gamma=gamma, beta=beta, axis=self._axis, eps=self._epsilon)


class GroupNorm(_Normalization):
    """Normalizes groups of channels; gamma and beta have one value a group."""

    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {
            "eps": epsilon,
            "num_groups": num_groups,
            "center": center,
            "scale": scale,
        }
        self._num_groups = num_groups
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make_gamma_beta(num_groups, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """The normalized `data`."""
        return F.GroupNorm(
            data, gamma=gamma, beta=beta, num_groups=self._num_groups, eps=self._epsilon
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value!r}" for key, value in self._kwargs.items())
        return f"{type(self).__name__}({shown})"
