"""What MXNet's launchers start beside the workers: a scheduler and servers.

In such a process (DMLC_ROLE is 'scheduler' or 'server') `import mxnet` does not come back: it ends
the process when the workers are done.
"""

from __future__ import annotations

from typing import Any

from mxtorch._dist import roles

__all__ = ["KVStoreServer"]


class KVStoreServer:
    """A server of `dist_*` stores. There is nothing for it to serve: the workers have the values.

    kvstore: the store that it serves.
    """

    def __init__(self, kvstore: Any) -> None:
        self.kvstore = kvstore
        self.init_logginig = False

    def run(self) -> None:
        """Wait until the workers are done, and end the process; return at once in a worker."""
        roles.hold()


def _init_kvstore_server_module() -> None:
    """End a scheduler's or server's process when the workers are done."""
    roles.hold()


_init_kvstore_server_module()
