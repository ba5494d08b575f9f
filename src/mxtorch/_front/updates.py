"""AdamW and LAMB steps as `nd.contrib` and `sym.contrib` have them: over the operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

# An operator's name → its function in a namespace.
Find = Callable[[str], Callable[..., Any]]
# A number beside an array → an array of that one number.
Number = Callable[[Any, Any], Any]
Arrays = Sequence[Any]


class Updates:
    """The wrappers of one namespace."""

    def __init__(self, find: Find, number: Number) -> None:
        self._find, self._number = find, number

    def adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        rescale_grad: Any,
        lr: float,
        eta: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        wd: float = 0,
        clip_gradient: float = -1,
        out: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Adam with the decay apart; `rescale_grad` is a number or an array of one element.

        A scale that is 0 or not finite leaves everything as it is.
        """
        options = {"lr": lr, "eta": eta, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        return self._find("_adamw_update")(
            weight,
            grad,
            mean,
            var,
            self._number(rescale_grad, weight),
            wd=wd,
            clip_gradient=clip_gradient,
            out=out,
            name=name,
            **options,
            **kwargs,
        )

    def mp_adamw_update(
        self,
        weight: Any,
        grad: Any,
        mean: Any,
        var: Any,
        weight32: Any,
        rescale_grad: Any,
        lr: float,
        eta: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        wd: float = 0,
        clip_gradient: float = -1,
        out: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """`adamw_update` of a float16 weight through its float32 copy."""
        options = {"lr": lr, "eta": eta, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        return self._find("_mp_adamw_update")(
            weight,
            grad,
            mean,
            var,
            weight32,
            self._number(rescale_grad, weight),
            wd=wd,
            clip_gradient=clip_gradient,
            out=out,
            name=name,
            **options,
            **kwargs,
        )

    def _adamw_of_many(self, op: str, rows: Sequence[Arrays], scale: Any, **options: Any) -> Any:
        size = options.pop("size") or len(rows[0])
        arrays = chain.from_iterable(zip(*rows, strict=True))
        number = self._number(scale, rows[0][0])
        return self._find(op)(*arrays, number, num_weights=size, **options)

    def multi_adamw_update(
        self,
        weights: Arrays,
        grads: Arrays,
        mean: Arrays,
        var: Arrays,
        rescale_grad: Any,
        lrs: Any,
        wds: Any,
        etas: Any,
        out: Any = None,
        name: str | None = None,
        size: int = 0,
        **kwargs: Any,
    ) -> Any:
        """`adamw_update` of several weights, each with its own rates."""
        options = {"lrs": lrs, "wds": wds, "etas": etas, "out": out, "name": name, "size": size}
        rows = (weights, grads, mean, var)
        return self._adamw_of_many("_multi_adamw_update", rows, rescale_grad, **options, **kwargs)

    def multi_mp_adamw_update(
        self,
        weights: Arrays,
        grads: Arrays,
        mean: Arrays,
        var: Arrays,
        weights32: Arrays,
        rescale_grad: Any,
        lrs: Any,
        wds: Any,
        etas: Any,
        out: Any = None,
        name: str | None = None,
        size: int = 0,
        **kwargs: Any,
    ) -> Any:
        """`mp_adamw_update` of several weights, each with its own rates."""
        options = {"lrs": lrs, "wds": wds, "etas": etas, "out": out, "name": name, "size": size}
        rows = (weights, grads, mean, var, weights32)
        op = "_multi_mp_adamw_update"
        return self._adamw_of_many(op, rows, rescale_grad, **options, **kwargs)

    def _lamb_of_many(self, op: str, rows: Sequence[Arrays], **options: Any) -> Any:
        size = options.pop("num_tensors") or len(rows[0])
        arrays = chain.from_iterable(zip(*rows, strict=True))
        return self._find(op)(*arrays, num_tensors=size, **options)

    def multi_lamb_update(
        self,
        weights: Arrays,
        grads: Arrays,
        mean: Arrays,
        var: Arrays,
        step_count: Any,
        lrs: Any,
        wds: Any,
        out: Any = None,
        num_tensors: int = 0,
        **kwargs: Any,
    ) -> Any:
        """LAMB steps of several weights, each with its own rates and count of steps."""
        options = {"step_count": step_count, "learning_rates": lrs, "wds": wds, "out": out}
        rows = (weights, grads, mean, var)
        options["num_tensors"] = num_tensors
        return self._lamb_of_many("_multi_lamb_update", rows, **options, **kwargs)

    def multi_mp_lamb_update(
        self,
        weights: Arrays,
        grads: Arrays,
        mean: Arrays,
        var: Arrays,
        weights32: Arrays,
        step_count: Any,
        lrs: Any,
        wds: Any,
        out: Any = None,
        num_tensors: int = 0,
        **kwargs: Any,
    ) -> Any:
        """`multi_lamb_update` of float16 weights through their float32 copies."""
        options = {"step_count": step_count, "learning_rates": lrs, "wds": wds, "out": out}
        rows = (weights, grads, mean, var, weights32)
        options["num_tensors"] = num_tensors
        return self._lamb_of_many("_multi_mp_lamb_update", rows, **options, **kwargs)
