"""`mx.kv`: key-value stores."""

from mxtorch.kvstore import _horovod, base, kvstore, kvstore_server
from mxtorch.kvstore.base import KVStoreBase
from mxtorch.kvstore.kvstore import KVStore, create
from mxtorch.kvstore.kvstore_server import KVStoreServer
