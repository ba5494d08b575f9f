"""Word vectors from files: GloVe, fastText, a program's own, several together."""

from __future__ import annotations

import logging
import os
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mxtorch import ndarray
from mxtorch._core import env
from mxtorch._core.errors import (
    MXNetAssertionError,
    MXNetError,
    MXNetKeyError,
    MXNetValueError,
)
from mxtorch._core.warn import warn
from mxtorch.contrib.text import _fasttext, _glove, vocab
from mxtorch.gluon.utils import _get_repo_file_url, check_sha1, download
from mxtorch.ndarray import NDArray
from mxtorch.registry import get_alias_func, get_create_func, get_register_func, get_registry

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "create",
    "get_pretrained_file_names",
    "register",
]

nd: Any = ndarray
_ROOT = os.path.join(env.HOME.get(), "embeddings")
Initializer = Callable[..., NDArray]


class _TokenEmbedding(vocab.Vocabulary):
    """A vocabulary with a vector for each token; the unknown token's comes first."""

    pretrained_file_name_sha1: dict[str, str]
    pretrained_archive_name_sha1: dict[str, str]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._vec_len = 0
        self._idx_to_vec: Any = None

    # files ---------------------------------------------------------------------------------

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        return pretrained_file_name

    @classmethod
    def _get_pretrained_file_url(cls, pretrained_file_name: str) -> str:
        name = cls._get_download_file_name(pretrained_file_name)
        return _get_repo_file_url(f"gluon/embeddings/{cls.__name__.lower()}", name)

    @classmethod
    def _get_pretrained_file(cls, embedding_root: str, pretrained_file_name: str) -> str:
        """The path of a file of vectors, fetched and unpacked if it is not there."""
        folder = os.path.join(os.path.expanduser(embedding_root), cls.__name__.lower())
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, pretrained_file_name)
        expected = cls.pretrained_file_name_sha1[pretrained_file_name]
        if os.path.exists(path) and check_sha1(path, expected):
            return path
        url = cls._get_pretrained_file_url(pretrained_file_name)
        packed = os.path.basename(url)
        if packed == pretrained_file_name:
            return download(url, folder, sha1_hash=expected)
        checksum = cls.pretrained_archive_name_sha1[packed]
        archive = download(url, folder, sha1_hash=checksum)
        try:
            with zipfile.ZipFile(archive) as content:
                content.extract(pretrained_file_name, folder)
        except (zipfile.BadZipFile, KeyError) as error:
            raise MXNetError(
                f"{archive} is not an archive with {pretrained_file_name} in it: {error}"
            ) from error
        return path

    @classmethod
    def _check_pretrained_file_names(cls, pretrained_file_name: str) -> None:
        name = cls.__name__.lower()
        if pretrained_file_name not in cls.pretrained_file_name_sha1:
            valid = ", ".join(cls.pretrained_file_name_sha1)
            raise MXNetKeyError(
                f"Cannot find pretrained file {pretrained_file_name} for token embedding {name}. "
                f"Valid pretrained files for embedding {name}: {valid}"
            )

    def _load_embedding(
        self,
        pretrained_file_path: str,
        elem_delim: str,
        init_unknown_vec: Initializer,
        encoding: str = "utf8",
    ) -> None:
        """Read a file: on each line a token and the numbers of its vector."""
        path = os.path.expanduser(pretrained_file_path)
        if not os.path.isfile(path):
            raise MXNetValueError(
                "`pretrained_file_path` must be a valid path to the pre-trained token embedding "
                "file."
            )
        logging.info("Loading pre-trained token embedding vectors from %s", path)
        reader = _Reader(path, elem_delim, encoding)
        tokens = {self.unknown_token}
        rows: list[list[float]] = []
        unknown: list[float] | None = None
        for number, token, values in reader.lines():
            if token == self.unknown_token and unknown is None:
                unknown = values
            elif token in tokens:
                warn(
                    f"At line {number} of the pre-trained token embedding file: the embedding "
                    f"vector for token {token} has been loaded and a duplicate embedding for the "
                    " same token is seen and skipped.",
                    UserWarning,
                )
            else:
                tokens.add(token)
                rows.append(values)
                self._idx_to_token.append(token)
                self._token_to_idx[token] = len(self._idx_to_token) - 1
        self._vec_len = reader.width
        vectors = np.zeros((len(rows) + 1, self._vec_len), np.float32)
        if rows:
            vectors[1:] = rows
        self._idx_to_vec = nd.array(vectors)
        if unknown is None:
            self._idx_to_vec[vocab.UNKNOWN_IDX] = init_unknown_vec(shape=self.vec_len)
        else:
            self._idx_to_vec[vocab.UNKNOWN_IDX] = nd.array(unknown)

    # vectors for a vocabulary --------------------------------------------------------------

    def _index_tokens_from_vocabulary(self, vocabulary: vocab.Vocabulary) -> None:
        self._token_to_idx = vocabulary.token_to_idx.copy()
        self._idx_to_token = vocabulary.idx_to_token[:]
        self._unknown_token = vocabulary.unknown_token
        reserved = vocabulary.reserved_tokens
        self._reserved_tokens = None if reserved is None else reserved[:]

    def _set_idx_to_vec_by_embeddings(
        self,
        token_embeddings: Sequence[_TokenEmbedding],
        vocab_len: int,
        vocab_idx_to_token: Sequence[Any],
    ) -> None:
        """Vectors of the vocabulary's tokens: those of all embeddings, one after the other."""
        parts = []
        for embedding in token_embeddings:
            unknown = embedding.idx_to_vec[vocab.UNKNOWN_IDX]
            known = embedding.get_vecs_by_tokens(list(vocab_idx_to_token[1:]))
            part = nd.zeros((vocab_len, embedding.vec_len))
            part[0] = unknown
            if vocab_len > 1:
                part[1:] = known
            parts.append(part)
        self._idx_to_vec = nd.concat(*parts, dim=1)
        self._vec_len = sum(embedding.vec_len for embedding in token_embeddings)

    def _build_embedding_for_vocabulary(self, vocabulary: vocab.Vocabulary | None) -> None:
        if vocabulary is None:
            return
        _check_vocabulary(vocabulary)
        self._set_idx_to_vec_by_embeddings([self], len(vocabulary), vocabulary.idx_to_token)
        self._index_tokens_from_vocabulary(vocabulary)

    @property
    def vec_len(self) -> int:
        """The length of a vector."""
        return self._vec_len

    @property
    def idx_to_vec(self) -> Any:
        """The vectors, a row each, by the number of the token."""
        return self._idx_to_vec

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> NDArray:
        """The vector of a token, or a row for each token of a list.

        With `lower_case_backup` a token that is missing is tried in lower case.
        """
        single = not isinstance(tokens, list)
        wanted = [tokens] if single else tokens
        if lower_case_backup:
            wanted = [t if t in self.token_to_idx else t.lower() for t in wanted]
        numbers = [self.token_to_idx.get(token, vocab.UNKNOWN_IDX) for token in wanted]
        vectors = nd.Embedding(
            nd.array(numbers), self.idx_to_vec, self.idx_to_vec.shape[0], self.idx_to_vec.shape[1]
        )
        return vectors[0] if single else vectors

    def update_token_vectors(self, tokens: Any, new_vectors: NDArray) -> None:
        """Put new vectors in the place of those of known tokens; ValueError for others."""
        if self.idx_to_vec is None:
            raise MXNetAssertionError("The property `idx_to_vec` has not been properly set.")
        if not isinstance(tokens, list) or len(tokens) == 1:
            if not isinstance(new_vectors, NDArray) or len(new_vectors.shape) not in (1, 2):
                raise MXNetAssertionError(
                    "`new_vectors` must be a 1-D or 2-D NDArray if `tokens` is a singleton."
                )
            tokens = tokens if isinstance(tokens, list) else [tokens]
            if len(new_vectors.shape) == 1:
                new_vectors = new_vectors.expand_dims(0)
        elif not isinstance(new_vectors, NDArray) or len(new_vectors.shape) != 2:
            raise MXNetAssertionError(
                "`new_vectors` must be a 2-D NDArray if `tokens` is a list of multiple strings."
            )
        if new_vectors.shape != (len(tokens), self.vec_len):
            raise MXNetAssertionError(
                "The length of new_vectors must be equal to the number of tokens and the width of "
                f"new_vectors to the dimension of the embedding: ({len(tokens)}, {self.vec_len}), "
                f"got {new_vectors.shape}."
            )
        for token in tokens:
            if token not in self.token_to_idx:
                raise MXNetValueError(
                    f"Token {token} is unknown. To update the embedding vector for an unknown "
                    "token, please specify it explicitly as the `unknown_token` "
                    f"{self.idx_to_token[vocab.UNKNOWN_IDX]} in `tokens`. This is to avoid "
                    "unintended updates."
                )
        numbers = [self.token_to_idx[token] for token in tokens]
        self._idx_to_vec[nd.array(numbers)] = new_vectors


class _Reader:
    """The lines of a file of vectors."""

    def __init__(self, path: str, delimiter: str, encoding: str) -> None:
        self.path, self.delimiter, self.encoding = path, delimiter, encoding
        self.width = 0

    def lines(self) -> Any:
        """(line number, token, vector) of each line; headers are left out with a warning."""
        with open(self.path, encoding=self.encoding) as file:
            for number, line in enumerate(file, 1):
                token, *texts = line.rstrip().split(self.delimiter)
                where = f"At line {number} of the pre-trained text embedding file"
                if not texts:
                    raise MXNetAssertionError(
                        f"{where}: the data format of the pre-trained token embedding file "
                        f"{self.path} is unexpected."
                    )
                values = [float(text) for text in texts]
                if len(values) == 1:
                    warn(
                        f"{where}: token {token} with 1-dimensional vector {values} is likely a "
                        "header and is skipped.",
                        UserWarning,
                    )
                    continue
                self.width = self.width or len(values)
                if len(values) != self.width:
                    raise MXNetAssertionError(
                        f"{where}: the dimension of token {token} is {len(values)} but the "
                        f"dimension of previous tokens is {self.width}. Dimensions of all the "
                        "tokens must be the same."
                    )
                yield number, token, values


def _check_vocabulary(vocabulary: Any) -> None:
    if not isinstance(vocabulary, vocab.Vocabulary):
        raise MXNetAssertionError(
            "The argument `vocabulary` must be an instance of mx.contrib.text.vocab.Vocabulary, "
            f"got {type(vocabulary).__name__}."
        )


register = get_register_func(_TokenEmbedding, "token embedding")
_create = get_create_func(_TokenEmbedding, "token embedding")
alias = get_alias_func(_TokenEmbedding, "token embedding")


def create(embedding_name: str, **kwargs: Any) -> Any:
    """An embedding by the name of its class: 'glove', 'fasttext', or a registered one."""
    return _create(embedding_name, **kwargs)


def get_pretrained_file_names(embedding_name: str | None = None) -> Any:
    """The names of the files of an embedding, or a dict of them by embedding."""
    classes: dict[str, Any] = get_registry(_TokenEmbedding)
    if embedding_name is None:
        return {k: list(c.pretrained_file_name_sha1) for k, c in classes.items()}
    if embedding_name not in classes:
        raise MXNetKeyError(
            f"Cannot find `embedding_name` {embedding_name}. Use "
            "`get_pretrained_file_names(embedding_name=None).keys()` to get all the valid "
            "embedding names."
        )
    return list(classes[embedding_name].pretrained_file_name_sha1)


class _Pretrained(_TokenEmbedding):
    """Vectors in a file that is downloaded."""

    def _load(
        self,
        pretrained_file_name: str,
        embedding_root: str,
        init_unknown_vec: Initializer,
        vocabulary: vocab.Vocabulary | None,
    ) -> None:
        self._check_pretrained_file_names(pretrained_file_name)
        path = self._get_pretrained_file(embedding_root, pretrained_file_name)
        self._load_embedding(path, " ", init_unknown_vec)
        self._build_embedding_for_vocabulary(vocabulary)


@register
class GloVe(_Pretrained):
    """Stanford's GloVe vectors."""

    pretrained_archive_name_sha1 = _glove.ARCHIVES
    pretrained_file_name_sha1 = _glove.FILES

    def __init__(
        self,
        pretrained_file_name: str = "glove.840B.300d.txt",
        embedding_root: str = _ROOT,
        init_unknown_vec: Initializer = nd.zeros,
        vocabulary: vocab.Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        self._check_pretrained_file_names(pretrained_file_name)
        super().__init__(**kwargs)
        self._load(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        """One archive holds the vectors of several lengths."""
        archives = {f"{name.rsplit('.', 1)[0]}.": name for name in cls.pretrained_archive_name_sha1}
        return next(
            archive for stem, archive in archives.items() if pretrained_file_name.startswith(stem)
        )


@register
class FastText(_Pretrained):
    """Facebook's fastText vectors."""

    pretrained_archive_name_sha1 = _fasttext.ARCHIVES
    pretrained_file_name_sha1 = _fasttext.FILES

    def __init__(
        self,
        pretrained_file_name: str = "wiki.simple.vec",
        embedding_root: str = _ROOT,
        init_unknown_vec: Initializer = nd.zeros,
        vocabulary: vocab.Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        self._check_pretrained_file_names(pretrained_file_name)
        super().__init__(**kwargs)
        self._load(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary)

    @classmethod
    def _get_download_file_name(cls, pretrained_file_name: str) -> str:
        return pretrained_file_name.removesuffix(".vec") + ".zip"


class CustomEmbedding(_TokenEmbedding):
    """Vectors from a file of one's own: `token 0.1 0.2 …` on each line."""

    def __init__(
        self,
        pretrained_file_path: str,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Initializer = nd.zeros,
        vocabulary: vocab.Vocabulary | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        self._build_embedding_for_vocabulary(vocabulary)


class CompositeEmbedding(_TokenEmbedding):
    """For each token of a vocabulary its vectors in several embeddings, concatenated."""

    def __init__(
        self,
        vocabulary: vocab.Vocabulary,
        token_embeddings: _TokenEmbedding | Sequence[_TokenEmbedding],
    ) -> None:
        _check_vocabulary(vocabulary)
        parts: Any = token_embeddings if isinstance(token_embeddings, list) else [token_embeddings]
        for part in parts:
            if not isinstance(part, _TokenEmbedding):
                raise MXNetAssertionError(
                    "The argument `token_embeddings` must be an embedding or a list of "
                    f"embeddings, got a {type(part).__name__}."
                )
        super().__init__()
        self._index_tokens_from_vocabulary(vocabulary)
        self._set_idx_to_vec_by_embeddings(parts, len(self), self.idx_to_token)
