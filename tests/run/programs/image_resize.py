"""2017: images with scipy.misc and PIL.Image.ANTIALIAS. needs: PIL scipy"""
import mxnet as mx
import numpy as np
from PIL import Image
from scipy import misc

rs = np.random.RandomState(0)
img = rs.randint(0, 255, (12, 16, 3)).astype(np.uint8)
small = misc.imresize(img, (6, 8))
half = misc.imresize(img, 0.5, interp='nearest')
percent = misc.imresize(img, 150)
print(small.shape, int(small.sum()), half.shape, int(half.sum()), percent.shape)
grey = misc.imresize(np.linspace(0, 1, 64).reshape(8, 8), (4, 4), interp='bicubic')
print(grey.dtype, grey.tolist())
scaled = misc.bytescale(np.linspace(-1, 1, 5))
print(scaled.tolist())
pil = Image.fromarray(img).resize((8, 6), Image.ANTIALIAS)
x = mx.nd.array(np.asarray(pil).astype(np.float)).transpose((2, 0, 1)).expand_dims(0)
print(x.shape, round(x.mean().asscalar(), 3))
net = mx.gluon.nn.Conv2D(2, 3)
net.initialize(mx.init.Constant(0.01))
print(net(x).shape, round(net(x).sum().asscalar(), 2))
misc.imsave('out.png', small)
print((misc.imread('out.png') == small).all(), misc.imread('out.png', flatten=True).shape)
