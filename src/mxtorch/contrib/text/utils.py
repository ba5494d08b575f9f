"""Counting tokens."""

from __future__ import annotations

import collections
import re

__all__ = ["count_tokens_from_str"]


def count_tokens_from_str(
    source_str: str,
    token_delim: str = " ",
    seq_delim: str = "\n",
    to_lower: bool = False,
    counter_to_update: collections.Counter[str] | None = None,
) -> collections.Counter[str]:
    """How often each token occurs; the delimiters are regular expressions.

    The counts are added to `counter_to_update`, which is then what is returned.
    """
    text = source_str.lower() if to_lower else source_str
    tokens = [token for token in re.split(f"{token_delim}|{seq_delim}", text) if token]
    if counter_to_update is None:
        return collections.Counter(tokens)
    counter_to_update.update(tokens)
    return counter_to_update
