"""Building blocks."""
from mxnet.gluon import nn


class ConvBlock(nn.HybridBlock):
    def __init__(self, channels, in_channels, norm=True, **kwargs):
        super(ConvBlock, self).__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential(prefix='')
            self.body.add(nn.Conv2D(channels, 3, padding=1, in_channels=in_channels))
            if norm:
                self.body.add(nn.BatchNorm(in_channels=channels))
            self.body.add(nn.Activation('relu'))

    def hybrid_forward(self, F, x):
        return self.body(x)
