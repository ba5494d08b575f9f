"""Checkpoint: data to iterate over, from which a run is saved and found again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mxtorch._core import env
from mxtorch._core.errors import MXNetError, MXNetValueError
from mxtorch._core.position import Resumable
from mxtorch._core.warn import note
from mxtorch._dist.group import join
from mxtorch._resume import randoms
from mxtorch._resume.exchange import Copy, read_copies, write_copies
from mxtorch._resume.handlers import FitState
from mxtorch._resume.sources import find_source
from mxtorch._resume.subjects import find_subjects, in_order
from mxtorch._resume.tree import DamagedError, pack, unpack

Path = str | os.PathLike[str]


def checkpoint(
    net: Any,
    trainer: Any,
    data: Any,
    path: Path | None = None,
    every: int | None = None,
    resize: bool = False,
) -> Checkpoint:
    """A training run that goes on where it was interrupted: iterate over the result, not `data`.

        run = mxtorch.checkpoint(net, trainer, loader, "run.ckpt", every=100)
        for epoch in run.epochs(10):
            for x, y in run:
                ...
                trainer.step(len(x))

    The file holds parameters, optimizer, learning rate scheduler, the state of every random
    generator and the position in the data; if it is there, training goes on from it with the same
    numbers as a run that was never interrupted. It is written after every `every` batches, at the
    start of each epoch and at the end of the last; at once whole, by one of the processes.

    `net`: a Gluon block, a Module or BucketingModule (its optimizer included: trainer=None), an
    nn.Module, or a list. `trainer`: a Trainer, a torch optimizer, a list, or None.
    `data`: a DataLoader, a DataIter, or anything to iterate over again and again. `path`: by
    default what MXTORCH_CHECKPOINT says. With several processes each calls this, with its own data.
    `resize`: go on from a file of another number of processes, too: the epoch that was interrupted
    begins anew, since nobody's place in it is anybody's now.

    For `Module.fit`: `module.fit(run, begin_epoch=run.epoch, num_epoch=10)`; for an Estimator
    `estimator.fit(run, epochs=10)`, which also restores its metrics and handlers.
    MXNetError for a damaged file, another net, optimizer, data or number of processes.
    """
    return Checkpoint(net, trainer, data, path, every, resize)


class Checkpoint(Resumable):
    """What `checkpoint` gives. Other attributes (`provide_data`, …) are those of the data.

    epoch, batch: the place: so many epochs are over, and so many batches of this one.
    extra: a dict of the program's own, saved and restored too: numbers, text, arrays, lists.
    is_resumed: whether there was a file to go on from.
    """

    def __init__(
        self,
        net: Any,
        trainer: Any,
        data: Any,
        path: Path | None = None,
        every: int | None = None,
        resize: bool = False,
    ) -> None:
        if every is not None and (isinstance(every, bool) or every < 1):
            raise MXNetValueError(f"checkpoint: every={every!r} must be 1 or more batches, or None")
        self.path = os.fspath(path if path is not None else env.CHECKPOINT.get())
        self.every = every
        self.data = data
        self.epoch = self.batch = 0
        self.extra: dict[str, Any] = {}
        self._subjects = find_subjects(net, trainer)
        self._source = find_source(data)
        self._running: Iterator[Any] | None = None
        self._saved: tuple[int, int] = (0, 0)
        join().check_same(
            "mxtorch.checkpoint", {"every": every}, "Processes of one run save after the same steps"
        )
        self._found: Copy | None = read_copies(self.path, resize)
        self.is_resumed = self._found is not None
        if self._found is not None:
            self._find_place(self._found)

    def _find_place(self, found: Copy) -> None:
        """Where the run goes on."""
        self.epoch, self.batch = self._place()
        self.extra = self._read("extra")
        text = f"at batch {self.batch} of epoch {self.epoch} (both count from 0)"
        if found.written_by is not None:
            self.batch = 0
            text = (
                f"with {join().size} processes instead of {found.written_by}: epoch {self.epoch} "
                "(they count from 0) begins anew, from the parameters of the file"
            )
        if join().rank == 0:
            note(f"checkpoint: the run goes on from {self.path}, {text}")

    def __getattr__(self, name: str) -> Any:
        if name == "data":  # not set yet
            raise AttributeError(name)
        return getattr(self.data, name)

    def __len__(self) -> int:
        return len(self.data)

    # passes -------------------------------------------------------------------------------------

    def epochs(self, count: int) -> Iterator[int]:
        """The epochs up to `count` that are still to be run; at the end the run is saved."""
        while self.epoch < count:
            now = self.epoch
            yield now
            if self.epoch == now:  # the program has left before the last batch
                self._end()
        self.finish()

    def finish(self) -> None:
        """After the last epoch: save; if an earlier run had done all of them, restore.

        `epochs` does it; after `Module.fit` the program calls it.
        """
        if self._found is not None:
            self.restore()
            self._set_randoms(self._found)
            self._found = None
        elif self._saved != (self.epoch, 0):
            self.save()

    def __iter__(self) -> Iterator[Any]:
        """The batches of this epoch that are still to be read."""
        self._running = self._pass()
        return self._running

    def next(self) -> Any:
        """The next batch; StopIteration at the end."""
        if self._running is None:
            self._running = self._pass()
        return next(self._running)

    __next__ = next

    def reset(self) -> None:
        """Start the data again, where it is an iterator that has to be."""
        if self._found is None and self.batch:
            self._end()
        self._running = None
        if hasattr(self.data, "reset"):
            self.data.reset()

    def _pass(self) -> Iterator[Any]:
        if self._found is not None:
            batches = self._resume()
        else:
            if self.batch and self._source.restarts:
                self._end()
            batches = self._source.begin()
            if self._saved != (self.epoch, self.batch):
                self.save()
        due: Copy | None = None
        for batch in batches:
            if due is not None:  # not after the last batch: the next pass begins with a save
                self._write(due)
                due = None
            self.batch += 1
            yield batch
            if self.every and self.batch % self.every == 0:
                due = self._copy()
        self._end()

    def _end(self) -> None:
        self.epoch, self.batch = self.epoch + 1, 0

    def follow(self, handlers: Any, metrics: Any) -> None:
        """Save and restore an Estimator's handlers and metrics, too; its `fit` calls it."""
        self._subjects["fit"] = FitState(handlers, metrics)

    # files --------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the file now: after a step, before the next batch is asked for.

        With several processes each must call it, at the same step.
        """
        if self._found is not None:
            raise MXNetError(
                "checkpoint: save() before the first batch would lose what the file has; ask for a "
                "batch, or call restore(), first"
            )
        self._write(self._copy())

    def _copy(self) -> Copy:
        """All that the file has, as it is now."""
        copy = Copy({}, {})
        parts = {name: subject.get() for name, subject in self._subjects.items()}
        for name, value in (
            *parts.items(),
            ("randoms", randoms.get_state()),
            ("data", self._source.state(self.batch)),
            ("extra", self.extra),
        ):
            copy.content[name] = pack(value, copy.tensors, name)
        copy.content["place"] = [self.epoch, self.batch]
        return copy

    def _write(self, copy: Copy) -> None:
        write_copies(self.path, copy)
        epoch, batch = copy.content["place"]
        self._saved = epoch, batch

    def restore(self) -> None:
        """Give net and trainer what the file has; nothing if the run is past that.

        For what comes before the first batch, a validation say: with that batch everything is
        restored in any case.
        """
        if self._found is not None:
            self._put(in_order(self._subjects))

    def _put(self, names: list[str]) -> None:
        for name in names:
            with self._explained(name):
                self._subjects[name].put(self._read(name))
                if self._found is not None and self._found.is_new:
                    getattr(self._subjects[name], "renew", lambda: None)()

    def _resume(self) -> Iterator[Any]:
        """The rest of the pass that was interrupted."""
        names = in_order(self._subjects)
        # `fit` has restored those, and its handlers have begun the epoch since
        self._put([name for name in names if self.batch or name != "fit"])
        assert self._found is not None
        with self._explained("data"):
            is_whole = self._found.written_by is None
            find = self._source.find if is_whole else self._source.restart
            batches = find(self._read("data"))
        with self._explained("randoms"):
            self._set_randoms(self._found)
        self._saved, self._found = (self.epoch, self.batch), None
        return batches

    def _set_randoms(self, found: Copy) -> None:
        """Generators go on; those of a process that is new draw what the program has seeded."""
        if not found.is_new:
            randoms.set_state(self._read("randoms"))

    @contextmanager
    def _explained(self, part: str) -> Iterator[None]:
        """Errors of values that do not fit, as one that names the file."""
        try:
            yield
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, MXNetError):
                raise
            raise MXNetError(
                f"checkpoint {self.path}: its {part} is not of this program, or damaged: "
                f"{type(error).__name__}: {error}"
            ) from error

    def _place(self) -> tuple[int, int]:
        place = self._read("place")
        if not (isinstance(place, list) and [type(n) for n in place] == [int, int]):
            raise MXNetError(f"checkpoint {self.path} is damaged: its place is {place!r}")
        return place[0], place[1]

    def _read(self, part: str) -> Any:
        assert self._found is not None
        if part not in self._found.content:
            raise MXNetError(
                f"checkpoint {self.path}: it has no {part}; it was written with another net, "
                f"trainer or data: {', '.join(self._found.content)}"
            )
        try:
            return unpack(self._found.content[part], self._found.tensors)
        except DamagedError as error:
            raise MXNetError(f"checkpoint {self.path} is damaged: {error}") from error
