"""Several devices for an nn.Module in one process; data sets divided over several processes."""

from mxtorch.parallel.data_parallel import DataParallel as DataParallel
from mxtorch.parallel.sampler import SplitSampler as SplitSampler
