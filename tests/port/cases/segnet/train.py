import argparse

import mxnet as mx
from mxnet import gluon

from segnet import loaders
from segnet.nets import get_fcn
from segnet.utils import SegLoss, fill, pixel_accuracy, train_batch


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--lr', type=float, default=0.05)
    parser.add_argument('--ctx', default='cpu')
    return parser.parse_args()


def validate(net, val, ctx):
    total = 0
    for data, label in val:
        out = net(data.as_in_context(ctx))
        total += pixel_accuracy(out, label.as_in_context(ctx))
    return total / len(val)


if __name__ == '__main__':
    args = parse_args()
    ctx = mx.gpu(0) if args.ctx == 'gpu' else mx.cpu()
    net = get_fcn(2, ctx)
    fill(net)
    net.hybridize()
    train, val = loaders(4)
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': args.lr, 'momentum': 0.9})
    loss_fn = SegLoss()
    for epoch in range(args.epochs):
        losses = []
        for data, label in train:
            loss, out = train_batch(net, loss_fn, trainer, data.as_in_context(ctx), label.as_in_context(ctx))
            losses.append(loss)
        print('epoch %d loss %.4f val acc %.2f' % (epoch, sum(losses) / len(losses), validate(net, val, ctx)))
    net.save_parameters('fcn.params')
    again = get_fcn(2, ctx)
    again.load_parameters('fcn.params', ctx=ctx)
    print('%.2f' % validate(again, val, ctx))
