"""Initializers that a program writes itself."""

from __future__ import annotations

import torch


class Initializer:
    """Fills a weight by the method that a class derived from this has."""

    def __init__(self, **options):
        self._kwargs = options

    @torch.no_grad()
    def __call__(self, weight):
        self._init_weight("weight", weight)
