"""Every operator's body as a plain function: tensors in, tensors out.

`mxtorch.ops.FullyConnected(x, weight, bias, num_hidden=10)`; names are those of symbol files.
What depends on a scope in MXNet is a keyword here: `mxtorch.ops.Dropout(x, p=0.5, training=True)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxtorch._core.errors import MXNetAttributeError
from mxtorch._core.op import all_names, lookup
from mxtorch._ops import table

FAMILIES = table.FAMILIES


def __getattr__(name: str) -> Callable[..., Any]:
    found = lookup(name)
    if found is None:
        raise MXNetAttributeError(f"module 'mxtorch.ops' has no operator {name!r}")
    return found.body


def __dir__() -> list[str]:
    return sorted(all_names())
