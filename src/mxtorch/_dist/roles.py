"""Schedulers and servers, which MXNet's launchers start beside the workers.

The scheduler hosts the workers' rendezvous. Servers have nothing to do: every worker keeps the
values itself. Both wait until the workers are done.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta

import torch.distributed as dist

from mxtorch._core import env
from mxtorch._core.errors import MXNetError, first_line
from mxtorch._dist.place import Place, find_place
from mxtorch._dist.store import connect
from mxtorch._dist.watch import INTERVAL

_CLOSED = "mxtorch/closed"
_SERVERS_LEFT = "mxtorch/servers_left"
_LONG = timedelta(days=365)


def hold() -> None:
    """Return at once in a worker; in a scheduler or server end the process when the workers have.

    Exit code 0; 1 with a message if a worker died. MXNetError if the scheduler's port is taken, or
    a server finds no scheduler.
    """
    role = env.DMLC_ROLE.get()
    if role in ("", "worker"):
        return
    place = find_place()
    assert place is not None
    sys.exit(_schedule(place) if role == "scheduler" else _serve(place))


def _schedule(place: Place) -> int:
    try:
        store = dist.TCPStore("0.0.0.0", place.port, None, True, wait_for_workers=False)
    except RuntimeError as error:
        raise MXNetError(
            f"scheduler: port {place.port} of this host cannot be listened on: "
            f"{first_line(error)}. Choose another {env.DMLC_PS_ROOT_PORT.name}, or stop "
            "the program that has it."
        ) from error
    common = dist.PrefixStore("mxtorch", store)
    lost = _watch_workers(common, place.size)
    store.set(_CLOSED, "")
    deadline = time.monotonic() + 10
    while store.add(_SERVERS_LEFT, 0) < env.DMLC_NUM_SERVER.get() and time.monotonic() < deadline:
        time.sleep(INTERVAL / 5)
    if lost:
        sys.stderr.write(f"mxtorch: scheduler: worker {', '.join(map(str, lost))} has died\n")
    return 1 if lost else 0


def _watch_workers(store: dist.Store, size: int) -> list[int]:
    """Wait until every worker has left; the ranks that gave no sign of life any more."""
    open_ranks, lost = set(range(size)), []
    seen: dict[int, tuple[bytes, float]] = {}
    while open_ranks:
        for rank in sorted(open_ranks):
            if store.check([f"left/{rank}"]):
                open_ranks.remove(rank)
            elif store.check([f"beat/{rank}"]):
                sign, now = store.get(f"beat/{rank}"), time.monotonic()
                if rank not in seen or seen[rank][0] != sign:
                    seen[rank] = (sign, now)
                elif now - seen[rank][1] > env.DIST_TIMEOUT.get():
                    open_ranks.remove(rank)
                    lost.append(rank)
        time.sleep(INTERVAL / 5)
    return lost


def _serve(place: Place) -> int:
    limit = timedelta(seconds=env.START_TIMEOUT.get())
    try:
        store = connect(place.host, place.port, limit)
    except RuntimeError as error:
        raise MXNetError(
            f"server: no scheduler at {place.host}:{place.port} within "
            f"{limit.total_seconds():g} s: {first_line(error)}"
        ) from error
    try:
        store.wait([_CLOSED], _LONG)
        store.add(_SERVERS_LEFT, 1)
    except RuntimeError:  # the scheduler is gone: so are the workers
        return 1
    return 0
