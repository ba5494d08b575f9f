# GluonCV 0.10: nets of its model zoo with random weights, losses, transforms, boxes.
import warnings
warnings.simplefilter('ignore')
import mxnet as mx
import numpy as np
from mxnet import autograd, nd
import gluoncv
from gluoncv import loss as losses
from gluoncv.data import transforms


def show(name, *arrays):
    for a in arrays:
        a = np.asarray(a.asnumpy()).ravel().astype('float64')
        print(name, ' '.join('%.5g' % v for v in [abs(a).sum(), a[0], a[-1]]))


for name, size, options in (
        ('resnet18_v1b', 64, {'classes': 10}), ('mobilenetv3_small', 64, {'classes': 10}),
        ('cifar_resnet20_v1', 32, {}), ('cifar_resnext29_32x4d', 32, {}),
        ('hrnet_w18_small_v1_c', 64, {}), ('fcn_resnet50_voc', 64, {'pretrained_base': False}),
        ('simple_pose_resnet18_v1b', 64, {'pretrained_base': False})):
    mx.random.seed(0)
    net = gluoncv.model_zoo.get_model(name, pretrained=False, **options)
    net.initialize(mx.init.Xavier())
    x = nd.array(np.random.RandomState(0).uniform(-1, 1, (1, 3, size, size)))
    found = net(x)
    show(name, *(found if isinstance(found, (list, tuple)) else [found]))
    print(len(list(net.collect_params().keys())))

mx.random.seed(3)
a, b = nd.random.normal(shape=(2, 3, 4)), nd.array([[1, 0, 3], [2, 2, 1]])
show('focal', losses.FocalLoss(num_class=4)(a, b))
show('heatmap', losses.HeatmapFocalLoss()(nd.sigmoid(a), nd.random.uniform(shape=(2, 3, 4))))
show('segmentation', losses.MixSoftmaxCrossEntropyLoss(aux=False)(
    nd.random.normal(shape=(1, 3, 4, 4)), nd.zeros((1, 4, 4))))
image = nd.array(np.random.RandomState(0).randint(0, 255, (60, 80, 3)), dtype='uint8')
show('test transforms', transforms.presets.ssd.transform_test([image], short=32)[0],
     transforms.presets.yolo.transform_test([image], short=32)[0])
print(transforms.bbox.crop(np.array([[1, 2, 30, 40]]), (5, 5, 20, 20)).tolist())
print('%.6g' % gluoncv.utils.LRScheduler('cosine', base_lr=0.1, nepochs=3, iters_per_epoch=2)(3))
