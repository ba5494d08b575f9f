"""Connections to the common store, which never wait for longer than they may."""

from __future__ import annotations

import threading
from datetime import timedelta

import torch.distributed as dist

_GRACE = 5.0  # seconds beyond the limit that torch is given to keep it by itself


def connect(host: str, port: int, limit: timedelta) -> dist.TCPStore:
    """A connection to the store at this address; RuntimeError if there is none within `limit`.

    torch keeps its limit only until something accepts the connection: another program's port that
    says nothing would hold it for ever. So a thread does it, which is given up then.
    """
    found: list[dist.TCPStore] = []
    errors: list[RuntimeError] = []

    def work() -> None:
        try:
            found.append(dist.TCPStore(host, port, None, False, limit, wait_for_workers=False))
        except RuntimeError as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="mxtorch-connect", daemon=True)
    thread.start()
    thread.join(limit.total_seconds() + _GRACE)
    if errors:
        raise errors[0]
    if not found:
        raise RuntimeError(
            "something listens there that is not the rendezvous: it does not answer within "
            f"{limit.total_seconds():g} s"
        )
    return found[0]
