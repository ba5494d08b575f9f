"""Train LeNet with batch normalization on scikit-learn's handwritten digits."""
from __future__ import print_function

import argparse
import os
import random
import time

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn
from sklearn.datasets import load_digits


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--epochs', type=int, default=10)
    parser.add_argument('--batch-size', type=int, default=64)
    parser.add_argument('--lr', type=float, default=0.05)
    parser.add_argument('--momentum', type=float, default=0.9)
    parser.add_argument('--wd', type=float, default=1e-4)
    parser.add_argument('--seed', type=int, default=42)
    parser.add_argument('--gpu', type=int, default=-1, help='-1 trains on the CPU')
    parser.add_argument('--out', default='digits.params', help='where the parameters are saved')
    return parser.parse_args()


def scale(image):
    return image.astype('float32') / 16


def get_data(batch_size, num_test=360):
    digits = load_digits()
    images = digits.images.reshape((-1, 1, 8, 8)).astype('uint8')
    labels = digits.target.astype('float32')
    order = np.random.permutation(len(images))
    images, labels = images[order], labels[order]
    train = gluon.data.ArrayDataset(images[num_test:], labels[num_test:]).transform_first(scale)
    test = gluon.data.ArrayDataset(images[:num_test], labels[:num_test]).transform_first(scale)
    train_data = gluon.data.DataLoader(train, batch_size, shuffle=True, last_batch='keep')
    test_data = gluon.data.DataLoader(test, batch_size, shuffle=False)
    return train_data, test_data


class LeNet(gluon.HybridBlock):
    def __init__(self, classes=10, **kwargs):
        super(LeNet, self).__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential(prefix='')
            for channels in (16, 32):
                self.features.add(
                    nn.Conv2D(channels, kernel_size=3, padding=1, use_bias=False),
                    nn.BatchNorm(),
                    nn.Activation('tanh'),
                    nn.AvgPool2D(pool_size=2))
            self.features.add(nn.Flatten(), nn.Dense(64, activation='tanh'), nn.Dropout(0.5))
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        return self.output(self.features(x))


def evaluate(net, data, ctx):
    metric = mx.metric.Accuracy()
    for image, label in data:
        output = net(image.as_in_context(ctx))
        metric.update([label], [output])
    return metric.get()[1]


def train(net, train_data, test_data, ctx, args):
    net.initialize(mx.init.Xavier(), ctx=ctx)
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), 'sgd',
                            {'learning_rate': args.lr, 'momentum': args.momentum, 'wd': args.wd})
    loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
    metric = mx.metric.Accuracy()

    for epoch in range(args.epochs):
        tic = time.time()
        metric.reset()
        total, count = 0.0, 0
        for image, label in train_data:
            image, label = image.as_in_context(ctx), label.as_in_context(ctx)
            with autograd.record():
                output = net(image)
                loss = loss_fn(output, label)
            loss.backward()
            trainer.step(image.shape[0])
            metric.update([label], [output])
            total += loss.sum().asscalar()
            count += image.shape[0]
        test_acc = evaluate(net, test_data, ctx)
        print('[Epoch %2d] loss=%.8f train-acc=%.6f test-acc=%.6f time=%.2f'
              % (epoch + 1, total / count, metric.get()[1], test_acc, time.time() - tic))


def main():
    args = parse_args()
    mx.random.seed(args.seed)
    np.random.seed(args.seed)
    random.seed(args.seed)
    ctx = mx.gpu(args.gpu) if args.gpu >= 0 else mx.cpu()

    train_data, test_data = get_data(args.batch_size)
    net = LeNet(prefix='lenet_')
    train(net, train_data, test_data, ctx, args)

    net.save_parameters(args.out)
    print('Saved parameters to %s' % os.path.basename(args.out))

    reloaded = LeNet()
    reloaded.load_parameters(args.out, ctx=ctx)
    print('Reloaded test-acc=%.6f' % evaluate(reloaded, test_data, ctx))


if __name__ == '__main__':
    main()
