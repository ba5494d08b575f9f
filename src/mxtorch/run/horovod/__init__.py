"""The package `horovod` where none is installed; only its `mxnet` is here."""
