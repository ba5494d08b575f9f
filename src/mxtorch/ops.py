"""Every operator's body as a plain function: tensors in, tensors out.

`mxtorch.ops.FullyConnected(x, weight, bias, num_hidden=10)`; names are those of symbol files.
What depends on a scope in MXNet is a keyword here: `mxtorch.ops.Dropout(x, p=0.5, training=True)`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mxtorch._core.device import device_to_context
from mxtorch._core.errors import MXNetAttributeError
from mxtorch._core.op import Op, all_names, lookup
from mxtorch._ops import table

FAMILIES = table.FAMILIES


@functools.cache
def _public(op: Op) -> Callable[..., Any]:
    """The body, with attributes as MXNet takes them: `axis=1` for `(1,)`, `dtype="int32"`."""

    @functools.wraps(op.body)
    def call(*tensors: Any, **attrs: Any) -> Any:
        read = {k: op.attrs[k].read(v) if k in op.attrs else v for k, v in attrs.items()}
        for name, ambient in op.ambient.items():
            if ambient.name == "context" and name not in read:
                read[name] = device_to_context(tensors[0].device)
        return op.body(*tensors, **read)

    return call


def __getattr__(name: str) -> Callable[..., Any]:
    found = lookup(name)
    if found is None:
        raise MXNetAttributeError(f"module 'mxtorch.ops' has no operator {name!r}")
    return _public(found)


def __dir__() -> list[str]:
    return sorted(all_names())
