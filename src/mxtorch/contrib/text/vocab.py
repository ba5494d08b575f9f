"""`mx.contrib.text.vocab`: tokens with numbers."""

from mxtorch._core.vocabulary import UNKNOWN_IDX, Vocabulary

__all__ = ["UNKNOWN_IDX", "Vocabulary"]
