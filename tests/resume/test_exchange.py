"""One file for several processes: what it holds for each, and errors that all of them see.

The processes are threads here, their collectives a table and a barrier; tests/dist has real ones.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from mxtorch._core.errors import MXNetError
from mxtorch._resume import exchange
from mxtorch._resume.exchange import Copy, read_copies, write_copies
from mxtorch._resume.file import load

SIZE = 3


class Table:
    """Where the threads put what they gather."""

    def __init__(self):
        self.barrier = threading.Barrier(SIZE, timeout=30)
        self.rows = [None] * SIZE

    def gather(self, rank, value):
        self.rows[rank] = value
        self.barrier.wait()
        found = list(self.rows)
        self.barrier.wait()
        return found


class ThreadGroup:
    size = SIZE

    def __init__(self, rank, table):
        self.rank, self.table = rank, table

    def gather_text(self, text):
        return self.table.gather(self.rank, text)


def broadcast(group, tensors, root=0):
    for tensor in tensors:
        tensor.copy_(group.table.gather(group.rank, tensor.clone())[root])


def all_gather(group, tensor):
    return group.table.gather(group.rank, tensor)


@pytest.fixture
def together(monkeypatch):
    """A function that calls another on each rank, and gives the results or errors by rank."""
    table, local = Table(), threading.local()
    monkeypatch.setattr(exchange, "join", lambda: local.group)
    monkeypatch.setattr(exchange, "broadcast", broadcast)
    monkeypatch.setattr(exchange, "all_gather", all_gather)

    def on_rank(work, rank):
        local.group = ThreadGroup(rank, table)
        try:
            return work(rank)
        except MXNetError as error:
            return error

    def run(work):
        with ThreadPoolExecutor(SIZE) as pool:
            return [f.result() for f in [pool.submit(on_rank, work, r) for r in range(SIZE)]]

    return run


def own_copy(rank):
    content = {"place": [1, 4], "data": rank, "extra": {"is": "dict", "of": {}}}
    return Copy(content, {"net/w": torch.arange(1000.0), "randoms/r": torch.full((2,), rank)})


def test_each_rank_gets_its_own_back(together, tmp_path):
    path = str(tmp_path / "x")
    together(lambda rank: write_copies(path, own_copy(rank)))
    _, tensors = load((tmp_path / "x").read_bytes(), "")
    assert sorted(tensors) == ["net/w", "randoms/r", "rank1:randoms/r", "rank2:randoms/r"]
    for rank, copy in enumerate(together(lambda rank: read_copies(path))):
        assert copy.content == own_copy(rank).content
        assert copy.tensors.keys() == own_copy(rank).tensors.keys()
        for name, tensor in own_copy(rank).tensors.items():
            assert torch.equal(copy.tensors[name], tensor)


def test_no_file(together, tmp_path):
    assert together(lambda rank: read_copies(str(tmp_path / "x"))) == [None] * SIZE


def test_a_file_that_one_host_has(together, tmp_path):
    """Each rank looks into a folder of its own; rank 0 has lost its file, rank 1 has an old one."""
    paths = [tmp_path / str(rank) for rank in range(SIZE)]

    def write(rank, place):
        copy = own_copy(rank)
        copy.content["place"] = place
        write_copies(str(tmp_path / "written"), copy)

    for rank, place in ((2, [2, 0]), (1, [1, 9])):
        together(lambda r, place=place: write(r, place))
        (tmp_path / "written").rename(paths[rank])
    found = together(lambda rank: read_copies(str(paths[rank])))
    assert [copy.content["place"] for copy in found] == [[2, 0]] * SIZE
    assert [copy.content["data"] for copy in found] == [0, 1, 2]


def test_a_damaged_file_is_seen_by_all(together, tmp_path):
    path = tmp_path / "x"
    together(lambda rank: write_copies(str(path), own_copy(rank)))
    data = path.read_bytes()
    for broken in (data[:50], data[:-9], b"", data[:-1] + bytes([data[-1] ^ 1])):
        path.write_bytes(broken)
        for error in together(lambda rank: read_copies(str(path))):
            assert isinstance(error, MXNetError) and "damaged" in str(error)


def test_a_disk_that_is_full_is_seen_by_all(together, tmp_path, monkeypatch):
    def write(path, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exchange, "write", write)
    for error in together(lambda rank: write_copies(str(tmp_path / "x"), own_copy(rank))):
        assert isinstance(error, MXNetError)
        assert "rank 0 could not write it" in str(error) and "No space left" in str(error)


def test_another_number_of_processes(together, tmp_path, monkeypatch):
    path = str(tmp_path / "x")
    together(lambda rank: write_copies(path, own_copy(rank)))
    monkeypatch.undo()  # one process from here on
    with pytest.raises(MXNetError, match="written by 3 processes, and there are 1 now"):
        read_copies(path)


def test_copies_for_another_number_of_processes(together, tmp_path):
    """Refused, with what can be done; or each has its own copy, or the first one's."""
    path = str(tmp_path / "x")
    together(lambda rank: write_copies(path, own_copy(rank)))
    content, tensors = load((tmp_path / "x").read_bytes(), "")
    content["copies"] = content["copies"][:2]
    exchange.write(path, exchange.dump(content, tensors))
    for error in together(lambda rank: read_copies(path)):
        assert "was written by 2 processes, and there are 3 now" in str(error)
        assert "resize=True" in str(error)
    copies = together(lambda rank: read_copies(path, resize=True))
    assert [copy.content["data"] for copy in copies] == [0, 1, 0]
    assert [copy.tensors["randoms/r"].tolist() for copy in copies] == [[0, 0], [1, 1], [0, 0]]
    assert [copy.written_by for copy in copies] == [2] * 3
    assert [copy.is_new for copy in copies] == [False, False, True]
