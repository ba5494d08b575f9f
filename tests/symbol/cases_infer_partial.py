"""Shapes of which some lengths are not known (0): what follows forward and backward."""

from tests.cases import C

_BEFORE = """
    a, b, c = sym.var("a"), sym.var("b"), sym.var("c")
"""

# what is asked; the shapes that are known
_FORWARD = """
sym.reshape(a, shape=(-1, 2)) | a=(0, 4)
sym.transpose(a) | a=(0, 3, 4)
sym.sum(a, axis=1) | a=(0, 3, 4)
sym.mean(a, axis=0) | a=(0, 5)
sym.Pooling(a, kernel=(2, 2), stride=(2, 2)) | a=(0, 3, 8, 8)
sym.Pooling(a, global_pool=True, kernel=(1, 1)) | a=(0, 4, 0, 6)
sym.Convolution(a, kernel=(3, 3), num_filter=10, name="v") | a=(1, 0, 7, 7)
sym.Convolution(a, kernel=(3, 3), num_filter=10, name="v") | v_weight=(10, 4, 3, 3)
sym.Deconvolution(a, kernel=(3, 3), num_filter=10, name="v") + b | a=(0, 4, 0, 5), b=(5, 0, 6, 0)
sym.FullyConnected(a, num_hidden=4, name="f") | b=(1,)
sym.FullyConnected(a, num_hidden=4, name="f") | f_weight=(4, 3)
sym.BatchNorm(a, name="n") | a=(0, 4, 0)
sym.BatchNorm(a, name="n") | a=(2, 0, 0)
sym.LayerNorm(a, name="n") | a=(0, 4)
sym.LeakyReLU(a, act_type="prelu", name="n") | a=(0, 4)
sym.Embedding(a, input_dim=3, output_dim=2, name="e") | a=(2, 0)
sym.Embedding(a, input_dim=3, output_dim=2, name="e") | b=(2, 0)
sym.slice_axis(a, axis=1, begin=0, end=2) | a=(0, 4)
sym.expand_dims(a, axis=0) | a=(0, 4)
sym.SoftmaxOutput(a, name="s") | a=(0, 4)
sym.RNN(a, state_size=4, num_layers=1, mode="gru", name="r") | a=(3, 0, 5)
sym.RNN(a, state_size=4, num_layers=1, mode="lstm", name="r") | a=(3, 0, 5)
sym.pick(a, b) + c | a=(0, 4), c=(2,)
sym.UpSampling(a, scale=2, sample_type="nearest") | a=(0, 2, 3, 3)
sym.SequenceMask(a) | a=(3, 0, 2)
sym.depth_to_space(a, block_size=2) | a=(0, 4, 2, 2)
sym.space_to_depth(a, block_size=2) | a=(0, 1, 4, 4)
sym.Crop(a, h_w=(2, 2)) | a=(0, 3, 8, 8)
sym.ROIPooling(a, b, pooled_size=(2, 2), spatial_scale=1) | a=(0, 3, 8, 8), b=(5, 5)
sym.Pad(a, mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1)) + b | a=(0, 2, 3, 3)
"""

_BACKWARD = """
a + b | a=(10, 0), b=(0, 12)
(a + b) * 2 | a=(10, 0), b=(0, 12)
sym.FullyConnected(a, num_hidden=30, name="f") + b | b=(10, 0)
sym.FullyConnected(a, num_hidden=30, name="f") + b | a=(0, 5), b=(10, 0)
sym.Convolution(a, kernel=(3, 3), num_filter=10, pad=(1, 1)) + b | a=(0, 4, 0, 7), b=(5, 0, 8, 0)
sym.Convolution(a, kernel=(3, 3), num_filter=9, stride=(2, 2)) + b | a=(0, 4, 0, 0), b=(5, 9, 3, 3)
sym.Convolution(a, kernel=(3,), num_filter=10) + b | a=(0, 4, 0), b=(5, 10, 3)
sym.SliceChannel(a, num_outputs=2, axis=1)[0] + b | a=(0, 8), b=(4, 0)
sym.Concat(a, b, dim=1) + c | a=(0, 4), b=(0, 5), c=(3, 0)
sym.Embedding(a, input_dim=3, output_dim=2, name="e") + b | a=(0, 5), b=(4, 0, 0)
sym.sum(a, axis=1, keepdims=True) + b | a=(0, 3), b=(2, 0)
sym.slice_axis(a, axis=1, begin=0, end=2) + b | a=(0, 5), b=(2, 0)
sym.Cast(a, dtype="int32") + b | b=(4, 3)
sym.where(a, b, sym.zeros((0, 2))) + c | a=(3, 2), b=(0, 2), c=(3, 0)
sym.where(a, b, b) | a=(3, 2), b=(0, 2)
sym.log_softmax(a) + b | a=(0, 3), b=(2, 0)
sym.softmin(a) + b | a=(0, 3), b=(2, 0)
sym.flip(a, axis=0) + b | b=(2, 3)
sym.smooth_l1(a) + b | a=(0, 3), b=(2, 0)
sym.SoftmaxActivation(a) + b | b=(2, 3)
sym.make_loss(a) + b | a=(0, 3), b=(2, 0)
sym.hard_sigmoid(a) + b | a=(0, 3), b=(2, 0)
sym.contrib.div_sqrt_dim(a) + b | a=(0, 3), b=(2, 0)
sym.contrib.quadratic(a) + b | a=(0, 3), b=(2, 0)
sym.linalg.potrf(a) + b | a=(0, 3), b=(3, 0)
sym.transpose(a) + b | a=(0, 3), b=(3, 2)
sym.transpose(a, axes=(1, 0, 2)) + b | a=(0, 3, 0), b=(3, 2, 5)
sym.expand_dims(a, axis=0) + b | b=(1, 2, 3)
sym.expand_dims(a, axis=-1) + b | a=(0, 3), b=(2, 0, 1)
sym.reshape(a, shape=(0, -1)) + b | a=(0, 3, 2), b=(2, 6)
"""


def _cases(what, table):
    for line in table.strip().splitlines():
        symbol, shapes = (part.strip() for part in line.split(" | "))
        code = f"    out += [repr(({symbol}).infer_shape_partial({shapes}))]\n"
        yield C(f"{what}/{symbol}/{shapes}", _BEFORE + code)


CASES = [*_cases("forward", _FORWARD), *_cases("backward", _BACKWARD)]
