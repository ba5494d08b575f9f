"""The rest of the data after an interruption is what an undisturbed run would have read.

The net does nothing here; what is compared are the batches, for every place of an interruption.
"""

import random

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch._core.errors import MXNetError, MXNetTypeError
from mxtorch.gluon.data import ArrayDataset, BatchSampler, DataLoader, Dataset, RandomSampler
from mxtorch.io import DataBatch, DataIter, NDArrayIter

X = np.arange(22, dtype=np.float32).reshape(11, 2)
Y = np.arange(11, dtype=np.float32)


class Noisy(Dataset):
    """Samples that depend on three generators."""

    def __len__(self):
        return 11

    def __getitem__(self, index):
        noise = np.random.rand() + random.random() + mx.nd.random.uniform().asscalar()
        return X[index] + np.float32(noise), Y[index]


class Cumulative(DataIter):
    """Shuffled again and again, and cannot say how."""

    def __init__(self):
        super().__init__(3)
        self.order = list(range(9))
        self.at = 0

    def reset(self):
        random.shuffle(self.order)
        self.at = 0

    def next(self):
        if self.at == 9:
            raise StopIteration
        self.at += 3
        return DataBatch([mx.nd.array(self.order[self.at - 3 : self.at])], [])


class Plain(Cumulative):
    """Always in one order."""

    def reset(self):
        self.at = 0


class Once:
    """A random order a pass, from torch's generator."""

    def __iter__(self):
        for i in torch.randperm(5).tolist():
            yield i, torch.rand(2)


class OwnOrder(RandomSampler):
    """An order that no generator of the program's has."""

    generator = np.random.RandomState()

    def __iter__(self):
        return iter(self.generator.permutation(self._length))


def csv(folder):
    path = folder / "x.csv"
    if not path.exists():
        np.savetxt(path, X, delimiter=",")
    return path


def records(folder):
    path = folder / "x.rec"
    if not path.exists():
        writer = mx.recordio.MXIndexedRecordIO(str(folder / "x.idx"), str(path), "w")
        for i in range(11):
            image = np.full((8, 8, 3), i * 20, np.uint8)
            header = mx.recordio.IRHeader(0, float(i), i, 0)
            writer.write_idx(i, mx.recordio.pack_img(header, image, img_fmt=".png"))
        writer.close()
    return str(path)


SENTENCES = [[i] * (2 + i % 3) for i in range(1, 20)]


def array_iter(**options):
    return lambda folder: NDArrayIter(X, Y, 4, **options)


def image_record_iter(**options):
    return lambda folder: mx.io.ImageRecordIter(
        path_imgrec=records(folder), data_shape=(3, 6, 6), batch_size=4, **options
    )


def image_iter(**options):
    return lambda folder: mx.image.ImageIter(
        4,
        (3, 6, 6),
        path_imgrec=records(folder),
        path_imgidx=str(folder / "x.idx"),
        rand_crop=True,
        **options,
    )


def csv_iter(**options):
    return lambda folder: mx.io.CSVIter(
        data_csv=str(csv(folder)), data_shape=(2,), batch_size=4, **options
    )


def short_csv_iter(folder):
    """Fewer rows than a batch."""
    path = folder / "short.csv"
    np.savetxt(path, X[:3], delimiter=",")
    return mx.io.CSVIter(data_csv=str(path), data_shape=(2,), batch_size=4, round_batch=False)


def loader(dataset, **options):
    return lambda folder: DataLoader(dataset(), **{"batch_size": 4, **options})


KINDS = {
    "loader": loader(Noisy, shuffle=True),
    "loader rollover": loader(Noisy, shuffle=True, last_batch="rollover"),
    "loader threads": loader(
        lambda: ArrayDataset(X, Y), shuffle=True, num_workers=2, thread_pool=True
    ),
    "loader ahead": loader(
        lambda: ArrayDataset(X, Y),
        shuffle=True,
        num_workers=1,
        thread_pool=True,
        auto_reload=True,
        last_batch="rollover",
    ),
    "loader batch_sampler": lambda folder: DataLoader(
        ArrayDataset(X, Y), batch_sampler=BatchSampler(RandomSampler(11), 3, "discard")
    ),
    "array": array_iter(),
    "array shuffle": array_iter(shuffle=True),
    "array roll over": array_iter(shuffle=True, last_batch_handle="roll_over"),
    "array discard": array_iter(shuffle=True, last_batch_handle="discard"),
    "prefetching": lambda folder: mx.io.PrefetchingIter(NDArrayIter(X, Y, 4, shuffle=True)),
    "resize": lambda folder: mx.io.ResizeIter(NDArrayIter(X, Y, 4, shuffle=True), 5),
    "csv": csv_iter(),
    "csv short": csv_iter(round_batch=False),
    "image record": image_record_iter(shuffle=True, rand_crop=True),
    "image record short": image_record_iter(round_batch=False),
    "image record prefetch 0": image_record_iter(shuffle=True, prefetch_buffer=1),
    "image": image_iter(shuffle=True),
    "image roll over": image_iter(shuffle=True, last_batch_handle="roll_over"),
    "sentences": lambda folder: mx.rnn.BucketSentenceIter(SENTENCES, 2, buckets=[2, 3, 4]),
    "plain iterator": lambda folder: Plain(),
    "iterable": lambda folder: Once(),
    "list": lambda folder: [1, (mx.nd.ones(2), "x"), {"a": torch.ones(1)}],
}


def numbers(batch):
    """A batch as something to compare."""
    if isinstance(batch, DataBatch):
        return numbers([batch.data, batch.label, batch.pad, batch.bucket_key])
    if isinstance(batch, (list, tuple)):
        return [numbers(part) for part in batch]
    if isinstance(batch, dict):
        return {key: numbers(part) for key, part in batch.items()}
    return (
        batch.tolist() if hasattr(batch, "tolist") else getattr(batch, "asnumpy", lambda: batch)()
    )


def as_text(batch):
    return repr(numbers(batch))


def seed(number):
    mx.random.seed(number)
    np.random.seed(number)
    random.seed(number)
    torch.random.default_generator.manual_seed(number)


def read(make, folder, path, first_seed, stop=None, every=None, epochs=3):
    """The batches of a run that is interrupted after `stop` of them."""
    seed(first_seed)
    net = torch.nn.Linear(1, 1)
    run = mx.checkpoint(net, None, make(folder), path, every)
    found = []
    for _ in run.epochs(epochs):
        for batch in run:
            found.append(as_text(batch))
            if len(found) == stop:
                return found
            mx.nd.random.uniform()  # a step that draws
            np.random.rand()
        if hasattr(run.data, "reset"):
            run.reset()
    return found


@pytest.fixture(autouse=True)
def gentle():
    """Generators as they were, for the tests that come later."""
    before = torch.get_rng_state()
    yield
    torch.set_rng_state(before)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_rest_is_that_of_an_undisturbed_run(name, tmp_path, capsys):
    whole = read(KINDS[name], tmp_path, tmp_path / "whole", 1)
    assert len(whole) >= 6
    for stop in (1, 4, len(whole) - 1):
        for every in (1, 2, None) if stop == 4 else (1,):
            path = tmp_path / f"{stop}-{every}"
            first = read(KINDS[name], tmp_path, path, 1, stop, every)
            assert first == whole[:stop]
            if not path.exists():
                continue
            rest = read(KINDS[name], tmp_path, path, 99, None, every)
            assert rest == whole[-len(rest) :], (stop, every)
            assert len(rest) >= len(whole) - stop + (every == 1)


def test_an_unknown_order_is_refused(tmp_path):
    path = tmp_path / "x"
    read(lambda folder: Cumulative(), tmp_path, path, 1, 5, 1)
    with pytest.raises(MXNetError, match=r"Cumulative gives other batches.*state_dict"):
        read(lambda folder: Cumulative(), tmp_path, path, 99, 5, 1)


def test_an_order_with_a_generator_of_its_own_is_refused(tmp_path):
    def make(folder):
        return DataLoader(ArrayDataset(X, Y), 4, sampler=OwnOrder(11))

    path = tmp_path / "x"
    read(make, tmp_path, path, 1, 3, 1)
    with pytest.raises(MXNetError, match="sampler gives other batches"):
        read(make, tmp_path, path, 1)


@pytest.mark.parametrize("name", ["loader", "array shuffle", "csv", "sentences", "image", "list"])
def test_other_data_is_refused(name, tmp_path, monkeypatch, capsys):
    path = tmp_path / "x"
    read(KINDS[name], tmp_path, path, 1, 2, 1)
    others = {
        "loader": loader(lambda: ArrayDataset(X[:3], Y[:3]), shuffle=True),
        "array shuffle": lambda folder: NDArrayIter(X[:7], Y[:7], 4, shuffle=True),
        "csv": short_csv_iter,
        "sentences": lambda folder: mx.rnn.BucketSentenceIter(SENTENCES[:9], 2, buckets=[2, 3, 4]),
        "image": image_iter(shuffle=True, part_index=1, num_parts=2),
        "list": lambda folder: [2],
    }
    with pytest.raises(MXNetError, match=r"checkpoint|saved"):
        read(others[name], tmp_path, path, 1)


def test_data_that_is_none():
    with pytest.raises(MXNetTypeError, match="data is a int"):
        mx.checkpoint(torch.nn.Linear(1, 1), None, 3, "x")


def test_an_epoch_that_is_left_early(tmp_path):
    def read_some(make, first_seed, stop):
        seed(first_seed)
        run = mx.checkpoint(torch.nn.Linear(1, 1), None, make(tmp_path), tmp_path / "x", 1)
        found = []
        for epoch in run.epochs(3):
            for batch in run:
                found.append(as_text([epoch, numbers(batch)]))
                if len(found) == stop:
                    return found
                if run.batch == 2:
                    break
        return found

    whole = read_some(KINDS["loader"], 1, None)
    (tmp_path / "x").unlink()
    assert len(whole) == 6
    first = read_some(KINDS["loader"], 1, 4)
    assert first + read_some(KINDS["loader"], 99, None)[len(first) - 3 :] == whole[:4] + whole[4:]
