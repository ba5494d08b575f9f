from mxnet import init
from mxnet.gluon import nn
from .blocks import ConvBlock

__all__ = ['FCN', 'get_fcn']


class FCN(nn.HybridBlock):
    """Down by four, up again."""

    def __init__(self, classes, **kwargs):
        super(FCN, self).__init__(**kwargs)
        with self.name_scope():
            self.down = nn.HybridSequential()
            with self.down.name_scope():
                self.down.add(ConvBlock(8, 3), nn.MaxPool2D(2, 2))
                self.down.add(ConvBlock(16, 8), nn.MaxPool2D(2, 2))
            self.score = nn.Conv2D(classes, 1, in_channels=16)
            self.up = nn.Conv2DTranspose(classes, 8, strides=4, padding=2, in_channels=classes,
                                         use_bias=False, weight_initializer=init.Bilinear())

    def hybrid_forward(self, F, x):
        out = self.up(self.score(self.down(x)))
        return F.contrib.BilinearResize2D(out, height=16, width=16)


def get_fcn(classes, ctx, **kwargs):
    net = FCN(classes, **kwargs)
    net.initialize(init.Xavier(), ctx=ctx)
    return net
