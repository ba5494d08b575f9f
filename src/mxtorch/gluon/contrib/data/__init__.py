"""`mx.gluon.contrib.data`: a sampler, texts for language models."""

from mxtorch.gluon.contrib.data import sampler, text
from mxtorch.gluon.contrib.data.sampler import IntervalSampler
