"""`mx.gluon.model_zoo.vision`: nets that classify images."""

from mxtorch.gluon.model_zoo.vision import densenet, inception, mobilenet, resnet, squeezenet, vgg
from mxtorch.gluon.model_zoo.vision._names import get_model
from mxtorch.gluon.model_zoo.vision.alexnet import (
    AlexNet,
    alexnet,
)
from mxtorch.gluon.model_zoo.vision.densenet import (
    DenseNet,
    densenet121,
    densenet161,
    densenet169,
    densenet201,
)
from mxtorch.gluon.model_zoo.vision.inception import (
    Inception3,
    inception_v3,
)
from mxtorch.gluon.model_zoo.vision.mobilenet import (
    MobileNet,
    MobileNetV2,
    get_mobilenet,
    get_mobilenet_v2,
    mobilenet0_5,
    mobilenet0_25,
    mobilenet0_75,
    mobilenet1_0,
    mobilenet_v2_0_5,
    mobilenet_v2_0_25,
    mobilenet_v2_0_75,
    mobilenet_v2_1_0,
)
from mxtorch.gluon.model_zoo.vision.resnet import (
    BasicBlockV1,
    BasicBlockV2,
    BottleneckV1,
    BottleneckV2,
    ResNetV1,
    ResNetV2,
    get_resnet,
    resnet18_v1,
    resnet18_v2,
    resnet34_v1,
    resnet34_v2,
    resnet50_v1,
    resnet50_v2,
    resnet101_v1,
    resnet101_v2,
    resnet152_v1,
    resnet152_v2,
)
from mxtorch.gluon.model_zoo.vision.squeezenet import (
    SqueezeNet,
    squeezenet1_0,
    squeezenet1_1,
)
from mxtorch.gluon.model_zoo.vision.vgg import (
    VGG,
    get_vgg,
    vgg11,
    vgg11_bn,
    vgg13,
    vgg13_bn,
    vgg16,
    vgg16_bn,
    vgg19,
    vgg19_bn,
)
