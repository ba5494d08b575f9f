"""A picture is changed until a fixed net sees in it what it sees in two others (content and style)."""
import mxnet as mx
from mxnet import autograd, gluon, image, init, nd
from mxnet.gluon import nn
import numpy as np

rng = np.random.RandomState(66)
ctx = mx.cpu()
mean, std = nd.array([0.485, 0.456, 0.406]), nd.array([0.229, 0.224, 0.225])


def prepared(picture):
    """(height, width, 3) from 0 to 255 as a batch of one."""
    picture = (picture.astype('float32') / 255 - mean) / std
    return picture.transpose((2, 0, 1)).expand_dims(axis=0)


def picture_of(batch):
    batch = batch[0].as_in_context(std.context)
    return (batch.transpose((1, 2, 0)) * std + mean).clip(0, 1)


# A disc, and stripes
rows, columns = np.mgrid[0:20, 0:20]
disc = np.zeros((20, 20, 3))
disc[(rows - 10) ** 2 + (columns - 10) ** 2 < 36] = (220, 60, 40)
stripes = np.zeros((20, 20, 3))
stripes[(rows + columns) % 6 < 3] = (40, 80, 230)
content_x = prepared(nd.array(disc))
style_x = prepared(nd.array(stripes))

net = nn.Sequential()
net.add(nn.Conv2D(6, kernel_size=3, padding=1, in_channels=3, activation='relu'),
        nn.Conv2D(6, kernel_size=3, padding=1, in_channels=6, activation='relu'),
        nn.AvgPool2D(2, 2),
        nn.Conv2D(8, kernel_size=3, padding=1, in_channels=6, activation='relu'))
net.initialize(ctx=ctx)
for layer in (net[0], net[1], net[3]):
    layer.weight.set_data(nd.array(rng.normal(0, 0.25, size=layer.weight.shape)))
net.collect_params().setattr('grad_req', 'null')
style_layers, content_layers = [0, 1], [3]


def features(x):
    """What the chosen layers give."""
    contents, styles = [], []
    for i in range(len(net)):
        x = net[i](x)
        if i in style_layers:
            styles.append(x)
        if i in content_layers:
            contents.append(x)
    return contents, styles


def gram(x):
    channels = x.shape[1]
    n = x.size // channels
    y = x.reshape((channels, n))
    return nd.dot(y, y.T) / (channels * n)


def total_variation(y):
    return 0.5 * ((y[:, :, 1:, :] - y[:, :, :-1, :]).abs().mean() +
                  (y[:, :, :, 1:] - y[:, :, :, :-1]).abs().mean())


class Picture(nn.Block):
    """The picture as the only parameter."""

    def __init__(self, shape, **kwargs):
        super(Picture, self).__init__(**kwargs)
        with self.name_scope():
            self.weight = self.params.get('weight', shape=shape)

    def forward(self):
        return self.weight.data()


wanted_content = features(content_x)[0]
wanted_grams = [gram(y) for y in features(style_x)[1]]
print('grams', [g.shape for g in wanted_grams], '%.5f' % wanted_grams[0].sum().asscalar())

drawn = Picture(content_x.shape)
drawn.initialize(init.Constant(content_x), ctx=ctx, force_reinit=True)
trainer = gluon.Trainer(drawn.collect_params(), 'adam', {'learning_rate': 0.1, 'epsilon': 1e-7})
for step in range(1, 31):
    with autograd.record():
        x = drawn()
        contents, styles = features(x)
        content_l = [(a - b).square().mean() for a, b in zip(contents, wanted_content)]
        style_l = [1e1 * (gram(a) - b).square().mean() for a, b in zip(styles, wanted_grams)]
        variation_l = 0.1 * total_variation(x)
        # a list of numbers added up
        l = nd.add_n(*style_l) + nd.add_n(*content_l) + variation_l
    l.backward()
    trainer.step(1)
    if step % 10 == 0:
        print('step %3d, content %.4f, style %.5f, variation %.4f' % (
            step, nd.add_n(*content_l).asscalar(), sum(s.asscalar() for s in style_l),
            variation_l.asscalar()))
    if step % 20 == 0:
        trainer.set_learning_rate(trainer.learning_rate * 0.5)

out = picture_of(drawn.weight.data())
print(out.shape, 'colours', ' '.join('%.4f' % v for v in out.mean(axis=(0, 1)).asnumpy()))

# The other way: the gradient with respect to an input
x = content_x.copy()
x.attach_grad()
for _ in range(3):
    with autograd.record():
        score = features(x)[0][0][:, 2].mean()
    score.backward()
    x[:] = x + 0.5 * x.grad / x.grad.abs().max()
print('score %.5f, moved %.4f' % (score.asscalar(), (x - content_x).norm().asscalar()))
