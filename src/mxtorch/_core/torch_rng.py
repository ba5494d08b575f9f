"""torch generators of our own: for accelerators, and for the CPU under MXTORCH_RNG=torch.

torch's default generators belong to the program's own torch code and are never touched.
"""

from __future__ import annotations

import threading
from typing import Any

import torch

from mxtorch._core import env


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.seed = 0
        self.generators: dict[torch.device, torch.Generator] = {}


_thread = _PerThread()


def uses_torch(device: torch.device) -> bool:
    """Whether draws on a device come from torch instead of MXNet's CPU streams."""
    return device.type != "cpu" or env.RNG.get() == "torch"


def generator(device: torch.device) -> torch.Generator:
    """This thread's generator for a device; one that was never seeded has seed 0."""
    found = _thread.generators.get(device)
    if found is None:
        found = _thread.generators[device] = torch.Generator(device)
        found.manual_seed(_thread.seed)
    return found


def seed_all(seed: int) -> None:
    """Seed this thread's generators, also those of devices not used yet."""
    _thread.seed = int(seed) % 2**63
    _thread.generators.clear()


def seed_device(device: torch.device, seed: int) -> None:
    """Seed this thread's generator of one device."""
    generator(device).manual_seed(int(seed) % 2**63)


def get_state() -> dict[str, Any]:
    """This thread's generators, to go on from later."""
    states = {str(device): made.get_state() for device, made in _thread.generators.items()}
    return {"seed": _thread.seed, "states": states}


def set_state(state: dict[str, Any]) -> None:
    """Go on from what `get_state` gave, in this thread or another process."""
    seed_all(state["seed"])
    for device, values in state["states"].items():
        generator(torch.device(device)).set_state(values)
