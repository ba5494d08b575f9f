"""The seed document's fragments as programs, for real MXNet."""

from __future__ import annotations

from tests.cases import C
from tests.port.seed_fragments import FRAGMENTS

CASES = [C("seed/" + f.topic.replace(" ", "-"), f.program()) for f in FRAGMENTS]
