"""A detector of bright squares: anchors, targets for them, two losses, and what is left in the end."""
import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.contrib import nd as contrib

SIDE = 16
BATCH = 12
rng = np.random.RandomState(4)
sizes, ratios = [[0.3, 0.45], [0.6, 0.8]], [[1, 2, 0.5]] * 2
num_anchors = len(sizes[0]) + len(ratios[0]) - 1


def scenes(count):
    """A square of a class in each: class, left, top, right, bottom, from 0 to 1."""
    images = rng.normal(0, 0.1, size=(count, 1, SIDE, SIDE))
    labels = np.zeros((count, 1, 5))
    for i in range(count):
        size = rng.randint(5, 9)
        x, y = rng.randint(0, SIDE - size, size=2)
        kind = rng.randint(2)
        images[i, 0, y:y + size, x:x + size] += 1 if kind else -1
        labels[i, 0] = [kind, x / SIDE, y / SIDE, (x + size) / SIDE, (y + size) / SIDE]
    return nd.array(images), nd.array(labels)


def down(channels, in_channels):
    block = nn.Sequential()
    block.add(nn.Conv2D(channels, 3, padding=1, in_channels=in_channels),
              nn.Activation('relu'),
              nn.MaxPool2D(2))
    return block


class Detector(gluon.Block):
    def __init__(self, classes, **kwargs):
        super(Detector, self).__init__(**kwargs)
        self.classes = classes
        self.first = down(8, 1)
        self.second = down(8, 8)
        self.class_heads = nn.Sequential()
        self.box_heads = nn.Sequential()
        for _ in range(2):
            self.class_heads.add(nn.Conv2D(num_anchors * (classes + 1), 3, padding=1,
                                           in_channels=8))
            self.box_heads.add(nn.Conv2D(num_anchors * 4, 3, padding=1, in_channels=8))

    def forward(self, x):
        anchors, kinds, boxes = [], [], []
        x = self.first(x)
        for i in range(2):
            x = self.second(x) if i else x
            anchors.append(contrib.MultiBoxPrior(x, sizes=sizes[i], ratios=ratios[i]))
            # channels last, one row a picture
            kinds.append(self.class_heads[i](x).transpose((0, 2, 3, 1)).flatten())
            boxes.append(self.box_heads[i](x).transpose((0, 2, 3, 1)).flatten())
        kinds = nd.concat(*kinds, dim=1).reshape((0, -1, self.classes + 1))
        return nd.concat(*anchors, dim=1), kinds, nd.concat(*boxes, dim=1)


net = Detector(2)
net.initialize()
for p in net.collect_params().values():
    p.set_data(nd.array(rng.normal(0, 0.15, size=p.shape)))
trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.2, 'wd': 5e-4})
class_loss, box_loss = gluon.loss.SoftmaxCrossEntropyLoss(), gluon.loss.L1Loss()
images, labels = scenes(48)

for epoch in range(6):
    sums = np.zeros(3)
    for start in range(0, 48, BATCH):
        x, y = images[start:start + BATCH], labels[start:start + BATCH]
        with autograd.record():
            anchors, kinds, boxes = net(x)
            with autograd.pause():
                box_target, box_mask, class_target = contrib.MultiBoxTarget(
                    anchors, y, kinds.transpose((0, 2, 1)))
            l = class_loss(kinds, class_target) + box_loss(boxes * box_mask, box_target * box_mask)
        l.backward()
        trainer.step(BATCH)
        right = (kinds.argmax(axis=-1) == class_target).mean().asscalar()
        gap = (nd.abs(box_target - boxes) * box_mask).mean().asscalar()
        sums += [l.mean().asscalar(), right, gap]
    print('epoch %d: loss %.4f, right %.4f, gap %.4f' % ((epoch,) + tuple(sums / 4)))

anchors, kinds, boxes = net(images[:2])
print('anchors', anchors.shape, 'classes', kinds.shape, 'boxes', boxes.shape)
found = contrib.MultiBoxDetection(nd.softmax(kinds).transpose((0, 2, 1)), boxes, anchors,
                                  nms_threshold=0.5)
best = found[0].asnumpy()
print('found', found.shape, 'kept', int((best[:, 0] >= 0).sum() > 0))
