"""`mx.kv`: key-value stores."""

from mxtorch.kvstore import base, kvstore
from mxtorch.kvstore.base import KVStoreBase
from mxtorch.kvstore.kvstore import KVStore, create
