"""The states of all generators that a program of MXNet draws from, in the calling thread.

MXNet's streams (its two generators, and the custom operators' own), torch's generators of ours for
accelerators, the global ones of NumPy, Python and torch.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from mxtorch._core import rng, torch_rng
from mxtorch._core.device import get_accelerator_rng, set_accelerator_rng


def get_state() -> dict[str, Any]:
    """All states; arrays in them are copies."""
    return {
        "mxnet": rng.current().get_state(),
        "custom": rng.worker().get_state(),
        "torch_streams": torch_rng.get_state(),
        "numpy": np.random.get_state(legacy=False),
        "python": random.getstate(),
        "torch": torch.get_rng_state(),
        "accelerators": get_accelerator_rng(),
    }


def set_state(state: dict[str, Any]) -> None:
    """Go on from what `get_state` gave, here or in another process."""
    rng.current().set_state(state["mxnet"])
    rng.worker().set_state(state["custom"])
    torch_rng.set_state(state["torch_streams"])
    np.random.set_state(state["numpy"])
    random.setstate(state["python"])
    torch.set_rng_state(state["torch"])
    set_accelerator_rng(state["accelerators"])
