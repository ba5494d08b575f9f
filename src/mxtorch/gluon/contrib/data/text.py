"""`mx.gluon.contrib.data.text`: WikiText, cut into sequences for language models."""

from __future__ import annotations

import collections
import os
import re
import zipfile
from typing import Any

import numpy as np

from mxtorch import ndarray as nd
from mxtorch._core import env
from mxtorch._core.atomic import atomic_write
from mxtorch._core.vocabulary import Vocabulary
from mxtorch.gluon.data import dataset
from mxtorch.gluon.utils import _get_repo_file_url, check_sha1, download

__all__ = ["WikiText2", "WikiText103"]

_END = "<eos>"  # of a sentence


def _folder(name: str) -> str:
    return os.path.join(env.HOME.get(), "datasets", name)


class _LanguageModelDataset(dataset._DownloadedDataset):
    """A text whose tokens are counted and numbered."""

    def __init__(self, root: str, namespace: str, vocabulary: Vocabulary | None) -> None:
        self._vocab = vocabulary
        self._counter: collections.Counter[str] | None = None
        self._namespace = namespace
        super().__init__(root, None)

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The tokens' numbers."""
        return self._vocab

    @property
    def frequencies(self) -> collections.Counter[str] | None:
        """How often each token occurs."""
        return self._counter

    def _build_vocab(self, content: str) -> None:
        if self._counter is None:
            words = re.split("[ \n]", content)
            self._counter = collections.Counter(word for word in words if word)
        if self._vocab is None:
            self._vocab = Vocabulary(counter=self._counter, reserved_tokens=[_END])


class _WikiText(_LanguageModelDataset):
    """Samples: `seq_len` tokens and the same moved on by one, both NDArrays of int32."""

    _archive_file: tuple[str, str]  # a file and its SHA-1
    _data_file: dict[str, tuple[str, str]]
    _segment: str
    _seq_len: int

    def _read_batch(self, filename: str) -> tuple[np.ndarray, np.ndarray]:
        with open(filename, encoding="utf-8") as file:
            content = file.read()
        self._build_vocab(content)
        assert self._vocab is not None
        tokens: list[str] = []
        for line in content.splitlines():
            if words := line.split():
                tokens += [*words, _END]
        numbers = np.array(self._vocab.to_indices(tokens), np.int32)
        return numbers[:-1], numbers[1:]

    def _get_data(self) -> None:
        name, checksum = self._data_file[self._segment]
        path = os.path.join(self._root, name)
        if not (os.path.exists(path) and check_sha1(path, checksum)):
            archive, archive_checksum = self._archive_file
            url = _get_repo_file_url(f"gluon/dataset/{self._namespace}", archive)
            wanted = {file for file, _ in self._data_file.values()}
            _unpack(download(url, path=self._root, sha1_hash=archive_checksum), self._root, wanted)
        data, label = self._read_batch(path)
        count = len(data) // self._seq_len
        shape = (count, self._seq_len)
        self._data, self._label = (
            nd.array(part[: count * self._seq_len].reshape(shape), dtype=part.dtype)
            for part in (data, label)
        )

    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx], self._label[idx]

    def __len__(self) -> int:
        return len(self._label)


def _unpack(archive: str, folder: str, names: set[str]) -> None:
    """Take the wanted files out of an archive, whatever folder they are in."""
    with zipfile.ZipFile(archive) as file:
        for member in file.infolist():
            name = os.path.basename(member.filename)
            if name in names:
                with atomic_write(os.path.join(folder, name)) as target:
                    target.write(file.read(member))


class WikiText2(_WikiText):
    """WikiText-2, words: 2 million tokens. `segment`: 'train', 'validation' or 'test'.

    `vocab` is the vocabulary to use; by default one of all tokens of the segment.
    """

    def __init__(
        self,
        root: str = _folder("wikitext-2"),
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        self._archive_file = ("wikitext-2-v1.zip", "3c914d17d80b1459be871a5039ac23e752a53cbe")
        self._data_file = {
            "train": ("wiki.train.tokens", "863f29c46ef9d167fff4940ec821195882fe29d1"),
            "validation": ("wiki.valid.tokens", "0418625c8b4da6e4b5c7a0b9e78d4ae8f7ee5422"),
            "test": ("wiki.test.tokens", "c7b8ce0aa086fb34dab808c5c49224211eb2b172"),
        }
        self._segment = segment
        self._seq_len = seq_len
        super().__init__(root, "wikitext-2", vocab)


class WikiText103(_WikiText):
    """WikiText-103, words: 103 million tokens. The arguments are those of `WikiText2`."""

    def __init__(
        self,
        root: str = _folder("wikitext-103"),
        segment: str = "train",
        vocab: Vocabulary | None = None,
        seq_len: int = 35,
    ) -> None:
        self._archive_file = ("wikitext-103-v1.zip", "0aec09a7537b58d4bb65362fee27650eeaba625a")
        self._data_file = {
            "train": ("wiki.train.tokens", "b7497e2dfe77e72cfef5e3dbc61b7b53712ac211"),
            "validation": ("wiki.valid.tokens", "c326ac59dc587676d58c422eb8a03e119582f92b"),
            "test": ("wiki.test.tokens", "8a5befc548865cec54ed4273cf87dbbad60d1e47"),
        }
        self._segment = segment
        self._seq_len = seq_len
        super().__init__(root, "wikitext-103", vocab)
