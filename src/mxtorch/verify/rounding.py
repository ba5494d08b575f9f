"""What rounding makes of a run: how far it is from itself if its weights are rounded otherwise.

Training amplifies rounding, in nets with kinks without bound: a comparison that knows how much
allows as much, and not more.
"""

from __future__ import annotations

# how much further two programs may be apart than one program is from itself
_FACTOR = 4.0
# the relative size of the change of the weights after each update: enough for what rounding does
# rarely, like turning a ReLU, to happen in most runs
SHAKE = 2.0**-18


class Rounding:
    """Differences by step and phase, in units of what is allowed there.

    `measuring`: nothing is a fault, differences are noted; otherwise they widen what is allowed
    from the second step on, each for its own phase and the steps after it.
    """

    def __init__(self, measuring: bool = False) -> None:
        self.measuring = measuring
        self._largest: dict[str, list[tuple[int, float]]] = {}
        # the first step at which more was allowed than usual, and was needed
        self.since: int | None = None

    def exceeds(self, step: int, phase: str, apart: float, room: float) -> bool:
        """Whether a difference is larger than what is allowed."""
        if self.measuring:
            self._note(step, phase, apart / room)
            return False
        if apart <= room:
            return False
        if apart > room * _FACTOR * self._units(step, phase):
            return True
        self.since = step if self.since is None else min(step, self.since)
        return False

    def measured(self) -> Rounding:
        """The same differences, to be allowed."""
        found = Rounding()
        found._largest = self._largest
        return found

    def _note(self, step: int, phase: str, units: float) -> None:
        known = self._largest.setdefault(phase, [])
        if not known or units > known[-1][1]:
            known.append((step, units))

    def _units(self, step: int, phase: str) -> float:
        """The largest difference so far; in the first step rounding has not grown yet."""
        if step <= 1:
            return 0.0
        return max((u for s, u in self._largest.get(phase, ()) if s <= step), default=0.0)
