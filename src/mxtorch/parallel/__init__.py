"""Several devices for an nn.Module in one process, with the loss on each of them."""

from mxtorch.parallel.data_parallel import DataParallel as DataParallel
