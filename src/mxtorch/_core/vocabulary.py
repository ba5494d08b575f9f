"""Tokens with numbers: by frequency, the unknown token first."""

from __future__ import annotations

import collections
import numbers
from collections.abc import Sequence
from typing import Any

from mxtorch._core.errors import MXNetAssertionError, MXNetTypeError, MXNetValueError

UNKNOWN_IDX = 0


class Vocabulary:
    """Numbers for tokens: the unknown token is 0, then reserved tokens, then by frequency.

    Of tokens that are equally frequent the smaller text comes first. `most_freq_count` limits
    how many tokens of `counter` are kept, `min_freq` how rare they may be.
    """

    def __init__(
        self,
        counter: collections.Counter[str] | None = None,
        most_freq_count: int | None = None,
        min_freq: int = 1,
        unknown_token: Any = "<unk>",
        reserved_tokens: Sequence[Any] | None = None,
    ) -> None:
        if min_freq <= 0:
            raise MXNetAssertionError("`min_freq` must be set to a positive value.")
        if reserved_tokens is not None:
            if unknown_token in reserved_tokens:
                raise MXNetAssertionError("`reserved_token` cannot contain `unknown_token`.")
            if len(set(reserved_tokens)) != len(reserved_tokens):
                raise MXNetAssertionError(
                    "`reserved_tokens` cannot contain duplicate reserved tokens."
                )
        self._unknown_token = unknown_token
        self._idx_to_token = [unknown_token, *(reserved_tokens or ())]
        self._reserved_tokens = None if reserved_tokens is None else list(reserved_tokens)
        self._token_to_idx = {token: i for i, token in enumerate(self._idx_to_token)}
        if counter is not None:
            self._index(counter, most_freq_count, min_freq)

    def _index(
        self, counter: collections.Counter[str], most_freq_count: int | None, min_freq: int
    ) -> None:
        if not isinstance(counter, collections.Counter):
            raise MXNetAssertionError("`counter` must be an instance of collections.Counter.")
        by_frequency = sorted(sorted(counter.items()), key=lambda pair: pair[1], reverse=True)
        room = len(counter) if most_freq_count is None else most_freq_count
        limit = len(self._idx_to_token) + room
        known = set(self._idx_to_token)
        for token, frequency in by_frequency:
            if frequency < min_freq or len(self._idx_to_token) == limit:
                break
            if token not in known:
                self._idx_to_token.append(token)
                self._token_to_idx[token] = len(self._idx_to_token) - 1

    def __len__(self) -> int:
        return len(self._idx_to_token)

    @property
    def token_to_idx(self) -> dict[Any, int]:
        """The number of each token."""
        return self._token_to_idx

    @property
    def idx_to_token(self) -> list[Any]:
        """The tokens by number."""
        return self._idx_to_token

    @property
    def unknown_token(self) -> Any:
        """What stands for tokens that are not in the vocabulary."""
        return self._unknown_token

    @property
    def reserved_tokens(self) -> list[Any] | None:
        """Tokens that are in the vocabulary however rare they are."""
        return self._reserved_tokens

    def to_indices(self, tokens: Any) -> Any:
        """The number of a token, or of each token of a list."""
        if isinstance(tokens, list):
            return [self._token_to_idx.get(token, UNKNOWN_IDX) for token in tokens]
        return self._token_to_idx.get(tokens, UNKNOWN_IDX)

    def to_tokens(self, indices: Any) -> Any:
        """The token of a number, or of each number of a list; ValueError for a number too high."""
        single = not isinstance(indices, list)
        found = []
        for index in [indices] if single else indices:
            if not isinstance(index, numbers.Number):
                raise MXNetTypeError(f"to_tokens: a number is required, not {index!r}")
            if not isinstance(index, int) or index >= len(self._idx_to_token):
                raise MXNetValueError(f"Token index {index} in the provided `indices` is invalid.")
            found.append(self._idx_to_token[index])
        return found[0] if single else found
