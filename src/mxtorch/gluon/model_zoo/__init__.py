"""`mx.gluon.model_zoo`: well-known nets, and the files of their trained weights."""

from mxtorch.gluon.model_zoo import model_store, vision
