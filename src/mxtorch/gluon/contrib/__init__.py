"""`mx.gluon.contrib`: what is not part of Gluon proper."""

from mxtorch.gluon.contrib import cnn, data, estimator, nn, rnn
