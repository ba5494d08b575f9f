"""Names of blocks: each scope counts its own, the outermost is the current NameManager."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from mxtorch._core.of_thread import OfThread
from mxtorch.gluon.parameter import ParameterDict
from mxtorch.name import NameManager, Prefix


class _Current(threading.local):
    scope: BlockScope | None = None


_current = _Current()


class BlockScope:
    """`with block.name_scope():` blocks made inside get names that begin with the block's."""

    _current = OfThread(_current, "scope")

    def __init__(self, block: Any) -> None:
        self._block = block
        self._counter: Counter[str] = Counter()
        self._outer: list[tuple[BlockScope | None, Prefix]] = []

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what a pickle says, MXNet's too."""
        self._block = state["_block"]
        self._counter = Counter(state["_counter"])
        self._outer = []

    @staticmethod
    def create(
        prefix: str | None, params: ParameterDict | None, hint: str
    ) -> tuple[str, ParameterDict]:
        """The whole prefix of a new block and its dict of parameters."""
        scope = _current.scope
        if prefix is None:
            prefix = (
                f"{NameManager.current.get(None, hint) if scope is None else scope._next(hint)}_"
            )
        if params is not None:
            own = ParameterDict(params.prefix, params)
        elif scope is None:
            own = ParameterDict(prefix)
        else:
            outer = scope._block.params
            own = ParameterDict(outer.prefix + prefix, outer._shared)
        return (prefix if scope is None else scope._block.prefix + prefix), own

    def _next(self, hint: str) -> str:
        number = self._counter[hint]
        self._counter[hint] += 1
        return f"{hint}{number}"

    def __enter__(self) -> BlockScope:
        # a block without a prefix leaves its children to the scope around it
        if not self._block._empty_prefix:
            names = Prefix(self._block.prefix)
            self._outer.append((_current.scope, names))
            _current.scope = self
            names.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        if not self._block._empty_prefix:
            _current.scope, names = self._outer.pop()
            names.__exit__(*exc)
