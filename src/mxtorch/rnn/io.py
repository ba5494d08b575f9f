"""Sentences as batches: words as numbers, sentences of like length in buckets."""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray
from mxtorch._core.errors import MXNetAssertionError, MXNetError, MXNetValueError
from mxtorch.io import DataBatch, DataDesc, DataIter

__all__ = ["BucketSentenceIter", "encode_sentences"]


def encode_sentences(
    sentences: Iterable[Iterable[Any]],
    vocab: dict[Any, int] | None = None,
    invalid_label: int = -1,
    invalid_key: Any = "\n",
    start_label: int = 0,
    unknown_token: Any = None,
) -> tuple[list[list[int]], dict[Any, int]]:
    """(sentences as lists of numbers, numbers by word).

    Words get numbers from `start_label` on, without `invalid_label`. With a `vocab` a word that it
    lacks raises AssertionError, or counts as `unknown_token`, which is numbered anew, as in MXNet.
    """
    is_new = vocab is None
    if vocab is None:
        vocab = {invalid_key: invalid_label}
    number = start_label
    coded = []
    for sentence in sentences:
        numbers = []
        for word in sentence:
            if word not in vocab:
                if not is_new and not unknown_token:
                    raise MXNetAssertionError(f"Unknown token {word}")
                if number == invalid_label:
                    number += 1
                if unknown_token:
                    word = unknown_token
                vocab[word] = number
                number += 1
            numbers.append(vocab[word])
        coded.append(numbers)
    return coded, vocab


class BucketSentenceIter(DataIter):
    """Batches of sentences of like length; the label of a word is the next one.

    `buckets` are lengths: a sentence goes into the smallest that holds it, filled up with
    `invalid_label`; longer ones are left out. By default, lengths with a batch of sentences.
    `layout`: 'NT' or 'TN'.
    """

    __slots__ = ("_orders",)  # where the sentences of each bucket stood at first

    def __init__(
        self,
        sentences: Sequence[Sequence[int]],
        batch_size: int,
        buckets: list[int] | None = None,
        invalid_label: int = -1,
        data_name: str = "data",
        label_name: str = "softmax_label",
        dtype: str = "float32",
        layout: str = "NT",
    ) -> None:
        super().__init__()
        if not buckets:
            counts = np.bincount([len(s) for s in sentences])
            buckets = [length for length, n in enumerate(counts) if n >= batch_size]
        buckets.sort()
        self.data = _by_bucket(sentences, buckets, invalid_label, dtype)
        self.batch_size = batch_size
        self.buckets = buckets
        self.data_name = data_name
        self.label_name = label_name
        self.dtype = dtype
        self.invalid_label = invalid_label
        self.nddata: list[Any] = []
        self.ndlabel: list[Any] = []
        self.major_axis = layout.find("N")
        self.layout = layout
        self.default_bucket_key = max(buckets)
        if self.major_axis not in (0, 1):
            raise MXNetValueError(
                f"Invalid layout {layout}: Must by NT (batch major) or TN (time major)"
            )
        self.provide_data = [self._describe(data_name, self.default_bucket_key)]
        self.provide_label = [self._describe(label_name, self.default_bucket_key)]
        self.idx = [
            (i, j)
            for i, rows in enumerate(self.data)
            for j in range(0, len(rows) - batch_size + 1, batch_size)
        ]
        self.curr_idx = 0
        self._orders = [np.arange(len(rows)) for rows in self.data]
        self.reset()

    def _describe(self, name: str, length: int) -> DataDesc:
        shape = (self.batch_size, length) if self.major_axis == 0 else (length, self.batch_size)
        return DataDesc(name=name, shape=shape, layout=self.layout)

    def reset(self) -> None:
        """Shuffle: the batches (with Python's numbers), the sentences (with NumPy's)."""
        self.curr_idx = 0
        random.shuffle(self.idx)
        for place, rows in enumerate(self.data):
            order = np.arange(len(rows))
            np.random.shuffle(order)  # as it would shuffle the rows
            rows[:] = rows[order]
            self._orders[place] = self._orders[place][order]
        self._make_arrays()

    def _state_dict(self) -> dict[str, Any]:
        """The place and the order of the sentences, for `mxtorch.checkpoint`."""
        return {
            "curr_idx": self.curr_idx,
            "idx": np.array(self.idx, np.int64),
            "orders": list(self._orders),
        }

    def _load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `_state_dict` gave, with the same sentences; MXNetError for others."""
        counts = [len(rows) for rows in self.data]
        saved = [len(order) for order in state["orders"]]
        if saved != counts:
            raise MXNetError(
                f"BucketSentenceIter: the saved order is of {saved} sentences by bucket, here are "
                f"{counts}"
            )
        for place, order in enumerate(state["orders"]):
            rows = self.data[place]
            rows[:] = rows[np.argsort(self._orders[place])[order]]
            self._orders[place] = order
        self.curr_idx = state["curr_idx"]
        self.idx = [(int(i), int(j)) for i, j in state["idx"]]
        self._make_arrays()

    def _make_arrays(self) -> None:
        self.nddata, self.ndlabel = [], []
        for rows in self.data:
            labels = np.full_like(rows, self.invalid_label)
            labels[:, :-1] = rows[:, 1:]
            self.nddata.append(ndarray.array(rows, dtype=self.dtype))
            self.ndlabel.append(ndarray.array(labels, dtype=self.dtype))

    def next(self) -> DataBatch:
        """The next batch; its `bucket_key` is the length."""
        if self.curr_idx == len(self.idx):
            raise StopIteration
        i, j = self.idx[self.curr_idx]
        self.curr_idx += 1
        data = self.nddata[i][j : j + self.batch_size]
        label = self.ndlabel[i][j : j + self.batch_size]
        if self.major_axis == 1:
            data, label = data.T, label.T
        return DataBatch(
            [data],
            [label],
            pad=0,
            bucket_key=self.buckets[i],
            provide_data=[DataDesc(self.data_name, data.shape, layout=self.layout)],
            provide_label=[DataDesc(self.label_name, label.shape, layout=self.layout)],
        )


def _by_bucket(
    sentences: Sequence[Sequence[int]], buckets: Sequence[int], filler: int, dtype: str
) -> list[np.ndarray]:
    """The sentences of each bucket as rows, filled up."""
    rows: list[list[np.ndarray]] = [[] for _ in buckets]
    discarded = 0
    for sentence in sentences:
        place = bisect.bisect_left(buckets, len(sentence))
        if place == len(buckets):
            discarded += 1
            continue
        row = np.full((buckets[place],), filler, dtype=dtype)
        row[: len(sentence)] = sentence
        rows[place].append(row)
    print(f"WARNING: discarded {discarded} sentences longer than the largest bucket.")
    return [np.asarray(part, dtype=dtype) for part in rows]
