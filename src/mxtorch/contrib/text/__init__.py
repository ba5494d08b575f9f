"""`mx.contrib.text`: vocabularies and pre-trained word vectors."""

from mxtorch.contrib.text import embedding, utils, vocab
