"""Neural style transfer: features of a fixed network, Gram matrices, a picture that is learned."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, init, nd
from mxnet.gluon import nn

mx.random.seed(1)
style_layers, content_layers = [0, 2, 4], [4]
content_weight, style_weight, tv_weight = 1, 1e3, 10
rgb_mean = nd.array([0.485, 0.456, 0.406])
rgb_std = nd.array([0.229, 0.224, 0.225])


def preprocess(img, image_shape):
    img = mx.image.imresize(img, *image_shape)
    img = (img.astype('float32') / 255 - rgb_mean) / rgb_std
    return img.transpose((2, 0, 1)).expand_dims(axis=0)


def postprocess(img):
    img = img[0].as_in_context(rgb_std.context)
    return (img.transpose((1, 2, 0)) * rgb_std + rgb_mean).clip(0, 1)


class GeneratedImage(nn.Block):
    def __init__(self, img_shape, **kwargs):
        super(GeneratedImage, self).__init__(**kwargs)
        self.weight = self.params.get('weight', shape=img_shape)

    def forward(self):
        return self.weight.data()


net = nn.Sequential()
for channels, c_in in ((4, 3), (6, 4), (8, 6)):
    net.add(nn.Conv2D(channels, kernel_size=3, padding=1, activation='relu', in_channels=c_in))
    net.add(nn.AvgPool2D(pool_size=2, strides=2))
net.initialize()
for i, (name, p) in enumerate(net.collect_params().items()):
    p.set_data(nd.array(np.random.RandomState(i).normal(0, 0.3, p.shape)))
    p.grad_req = 'null'


def extract_features(X, content_layers, style_layers):
    contents = []
    styles = []
    for i in range(len(net)):
        X = net[i](X)
        if i in style_layers:
            styles.append(X)
        if i in content_layers:
            contents.append(X)
    return contents, styles


def gram(X):
    num_channels, n = X.shape[1], X.size // X.shape[1]
    X = X.reshape((num_channels, n))
    return nd.dot(X, X.T) / (num_channels * n)


def content_loss(Y_hat, Y):
    return (Y_hat - Y).square().mean()


def style_loss(Y_hat, gram_Y):
    return (gram(Y_hat) - gram_Y).square().mean()


def tv_loss(Y_hat):
    return 0.5 * ((Y_hat[:, :, 1:, :] - Y_hat[:, :, :-1, :]).abs().mean() +
                  (Y_hat[:, :, :, 1:] - Y_hat[:, :, :, :-1]).abs().mean())


def compute_loss(X, contents_Y_hat, styles_Y_hat, contents_Y, styles_Y_gram):
    contents_l = [content_loss(Y_hat, Y) * content_weight
                  for Y_hat, Y in zip(contents_Y_hat, contents_Y)]
    styles_l = [style_loss(Y_hat, Y) * style_weight
                for Y_hat, Y in zip(styles_Y_hat, styles_Y_gram)]
    tv_l = tv_loss(X) * tv_weight
    l = nd.add_n(*styles_l) + nd.add_n(*contents_l) + tv_l
    return contents_l, styles_l, tv_l, l


rng = np.random.RandomState(0)
content_img = nd.array(rng.randint(0, 255, (16, 16, 3)), dtype='uint8')
style_img = nd.array(rng.randint(0, 255, (16, 16, 3)), dtype='uint8')
content_X = preprocess(content_img, (16, 16))
style_X = preprocess(style_img, (16, 16))
contents_Y, _ = extract_features(content_X, content_layers, style_layers)
_, styles_Y = extract_features(style_X, content_layers, style_layers)
gen_img = GeneratedImage(content_X.shape)
gen_img.initialize(init.Constant(content_X), force_reinit=True)
trainer = gluon.Trainer(gen_img.collect_params(), 'adam', {'learning_rate': 0.05})
styles_Y_gram = [gram(Y) for Y in styles_Y]
for i in range(6):
    with autograd.record():
        X = gen_img()
        contents_Y_hat, styles_Y_hat = extract_features(X, content_layers, style_layers)
        contents_l, styles_l, tv_l, l = compute_loss(X, contents_Y_hat, styles_Y_hat, contents_Y,
                                                     styles_Y_gram)
    l.backward()
    trainer.step(1)
    nd.waitall()
    if i % 2 == 1:
        print('epoch %3d, content loss %.4f, style loss %.4f, TV loss %.4f'
              % (i, nd.add_n(*contents_l).asscalar(), nd.add_n(*styles_l).asscalar(),
                 tv_l.asscalar()))
    if i == 3:
        trainer.set_learning_rate(trainer.learning_rate * 0.1)
out = postprocess(gen_img())
print(out.shape, '%.4f' % out.mean().asscalar())
