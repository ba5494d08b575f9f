"""Sentences as batches of like length."""

from __future__ import annotations

import random

import numpy as np
import torch

from mxtorch.port.carried.data import Batch


class SentenceIter:
    """Batches of sentences (words as numbers), each word's label the next word.

    A sentence goes into the smallest of `buckets` (lengths) that holds it, filled up with
    `invalid_label`; by default these are the lengths that a batch of sentences has.
    """

    def __init__(
        self,
        sentences,
        batch_size,
        buckets=None,
        invalid_label=-1,
        data_name="data",
        label_name="softmax_label",
        layout="NT",
    ):
        if not buckets:
            counts = np.bincount([len(s) for s in sentences])
            buckets = [length for length, count in enumerate(counts) if count >= batch_size]
        self.buckets, self.batch_size = sorted(buckets), batch_size
        self.default_bucket_key = self.buckets[-1]
        self.filler, self.time_first = invalid_label, layout == "TN"
        shape = (batch_size, self.default_bucket_key)
        shape = shape[::-1] if self.time_first else shape
        self.provide_data, self.provide_label = [(data_name, shape)], [(label_name, shape)]
        places = [sum(b < len(s) for b in self.buckets) for s in sentences]
        too_long = places.count(len(self.buckets))
        print(f"WARNING: discarded {too_long} sentences longer than the largest bucket.")
        self.rows = []
        for i, length in enumerate(self.buckets):
            own = [s for s, place in zip(sentences, places, strict=True) if place == i]
            rows = np.full((len(own), length), invalid_label, dtype="float32")
            for row, sentence in zip(rows, own, strict=True):
                row[: len(sentence)] = sentence
            self.rows.append(rows)
        self.order = [
            (i, start)
            for i, rows in enumerate(self.rows)
            for start in range(0, len(rows) - batch_size + 1, batch_size)
        ]
        self.reset()

    def reset(self):
        """Shuffle the batches, and the sentences within buckets."""
        self.position = 0
        random.shuffle(self.order)
        for rows in self.rows:
            np.random.shuffle(rows)

    def __iter__(self):
        return self

    def __next__(self):
        if self.position == len(self.order):
            raise StopIteration
        i, start = self.order[self.position]
        self.position += 1
        data = torch.tensor(self.rows[i][start : start + self.batch_size])
        label = torch.full_like(data, self.filler)
        label[:, :-1] = data[:, 1:]
        if self.time_first:
            data, label = data.t(), label.t()
        return Batch([data], [label], bucket_key=self.buckets[i])

    next = __next__


def encode_sentences(sentences, vocab=None, invalid_label=-1, invalid_key="\n", start_label=0):
    """Sentences as lists of numbers, and the number of each word."""
    is_new = vocab is None
    vocab = {invalid_key: invalid_label} if is_new else vocab
    number = start_label
    for sentence in sentences:
        for word in sentence:
            if word in vocab:
                continue
            if not is_new:
                raise ValueError(f"unknown word {word!r}")
            number += number == invalid_label
            vocab[word] = number
            number += 1
    return [[vocab[word] for word in sentence] for sentence in sentences], vocab
