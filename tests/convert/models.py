"""Models of the kinds that people own: made, saved and run by real MXNet (tools/record_models.py).

Each entry of MODELS takes the package and returns the graph; SHAPES has those of its inputs.
"""


def face(mx):
    """A face net: scaling inside, fix_gamma, PReLU, depthwise, FullyConnected then BatchNorm."""
    sym = mx.sym
    x = (sym.Variable("data") - 127.5) * 0.0078125
    x = sym.Convolution(x, num_filter=8, kernel=(3, 3), pad=(1, 1), no_bias=True, name="conv0")
    x = sym.BatchNorm(x, fix_gamma=True, eps=2e-5, momentum=0.9, name="bn0")
    x = sym.LeakyReLU(x, act_type="prelu", name="relu0")
    x = sym.Convolution(x, num_filter=8, num_group=8, kernel=(3, 3), stride=(2, 2), name="dw")
    x = sym.Dropout(x, p=0.4)
    x = sym.FullyConnected(x, num_hidden=6, name="pre_fc1")
    return sym.BatchNorm(x, fix_gamma=True, eps=2e-5, name="fc1")


def residual(mx):
    """Residual units, pooling by the `full` convention, global pooling, a class output."""
    sym = mx.sym
    x = sym.Variable("data")
    for i in range(2):
        y = sym.BatchNorm(x, fix_gamma=False, name=f"unit{i}_bn")
        y = sym.Activation(y, act_type="relu")
        y = sym.Convolution(y, num_filter=4, kernel=(3, 3), pad=(1, 1), name=f"unit{i}_conv")
        x = sym.elemwise_add(x, y)
    x = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max", pooling_convention="full")
    x = sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg")
    x = sym.FullyConnected(sym.Flatten(x), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(x, name="softmax")


def segments(mx):
    """A segmentation net: deconvolution with adj, upsampling, softmax by channel."""
    sym = mx.sym
    x = sym.Convolution(
        sym.Variable("data"), num_filter=4, kernel=(3, 3), stride=(2, 2), dilate=(2, 2), name="down"
    )
    x = sym.Deconvolution(
        x, num_filter=3, kernel=(3, 3), stride=(2, 2), pad=(1, 1), adj=(1, 1), name="up"
    )
    x = sym.UpSampling(x, scale=2, sample_type="nearest")
    return sym.SoftmaxActivation(x, mode="channel")


def several(mx):
    """Detection heads: transposed, reshaped, joined; several outputs."""
    sym = mx.sym
    x = sym.Convolution(sym.Variable("data"), num_filter=8, kernel=(3, 3), name="body")
    x = sym.LRN(sym.Activation(x, act_type="tanh"), nsize=5, alpha=1e-3, beta=0.75, knorm=2)
    heads = []
    for i in range(2):
        y = sym.Convolution(x, num_filter=6, kernel=(1, 1), name=f"head{i}")
        heads.append(sym.Flatten(sym.transpose(y, axes=(0, 2, 3, 1))))
    boxes = sym.Reshape(sym.Concat(*heads, dim=1), shape=(0, -1, 3))
    score = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg", pad=(1, 1))
    return sym.Group([sym.sigmoid(boxes, name="boxes"), sym.mean(score, axis=(2, 3), name="score")])


def words(mx):
    """A text model: an embedding, sums, a regression output."""
    sym = mx.sym
    x = sym.Embedding(sym.Variable("tokens"), input_dim=11, output_dim=6, name="embed")
    x = sym.sum(x, axis=1)
    x = sym.LeakyReLU(sym.FullyConnected(x, num_hidden=5, name="hidden"), act_type="elu", slope=0.5)
    x = sym.FullyConnected(x, num_hidden=1, no_bias=True, name="score")
    return sym.LogisticRegressionOutput(x, name="logistic")


def detector(mx):
    """An SSD head: anchors and classes of two maps, decoded, the best of each place kept."""
    sym = mx.sym
    data = sym.Variable("data") * 0.1
    x = sym.Convolution(data, num_filter=6, kernel=(3, 3), pad=(1, 1), name="body")
    anchors, classes, offsets = [], [], []
    for i, size in enumerate([(0.3, 0.4), (0.6, 0.7)]):
        x = sym.Pooling(sym.Activation(x, act_type="relu"), kernel=(2, 2), stride=(2, 2))
        anchors.append(sym.contrib.MultiBoxPrior(x, sizes=size, ratios=(1, 2), name=f"prior{i}"))
        for heads, count in ((classes, 9), (offsets, 12)):
            y = sym.Convolution(x, num_filter=count, kernel=(3, 3), pad=(1, 1))
            heads.append(sym.Flatten(sym.transpose(y, axes=(0, 2, 3, 1))))
    classes = sym.Reshape(sym.Concat(*classes, dim=1), shape=(0, -1, 3))
    chances = sym.SoftmaxActivation(sym.transpose(classes, axes=(0, 2, 1)), mode="channel")
    return sym.contrib.MultiBoxDetection(
        chances,
        sym.Concat(*offsets, dim=1),
        sym.Concat(*anchors, dim=1),
        nms_threshold=0.4,
        threshold=0.2,
        name="detection",
    )


def detector_training(mx):
    """The graph that an SSD was trained with: targets and losses beside the detections."""
    sym = mx.sym
    data = sym.Variable("data") * 0.1
    x = sym.Convolution(data, num_filter=6, kernel=(3, 3), stride=(2, 2))
    anchors = sym.contrib.MultiBoxPrior(x, sizes=(0.3, 0.5), ratios=(1, 2), clip=True)
    y = sym.transpose(sym.Convolution(x, num_filter=9, kernel=(1, 1)), axes=(0, 2, 3, 1))
    classes = sym.transpose(sym.Reshape(y, shape=(0, -1, 3)), axes=(0, 2, 1))
    y = sym.transpose(sym.Convolution(x, num_filter=12, kernel=(1, 1)), axes=(0, 2, 3, 1))
    offsets = sym.Flatten(y)
    targets = sym.contrib.MultiBoxTarget(anchors, sym.Variable("label"), classes, name="target")
    chances = sym.SoftmaxOutput(
        classes,
        targets[2],
        multi_output=True,
        use_ignore=True,
        ignore_label=-1,
        normalization="valid",
        name="cls_prob",
    )
    distance = sym.smooth_l1(targets[1] * (offsets - targets[0]), scalar=1.0)
    return sym.Group(
        [
            chances,
            sym.MakeLoss(distance, normalization="valid", name="loc_loss"),
            sym.MakeLoss(targets[2], grad_scale=0, name="cls_label"),
            sym.contrib.MultiBoxDetection(chances, offsets, anchors, name="detection"),
        ]
    )


def boxes(mx):
    """Box suppression as in newer detectors: decode, stack, `box_nms`, the first few."""
    sym = mx.sym
    x = sym.Convolution(sym.Variable("data") * 0.1, num_filter=12, kernel=(3, 3), name="head")
    x = sym.reshape(sym.transpose(x, axes=(0, 2, 3, 1)), shape=(0, -1, 6))
    score = sym.sigmoid(sym.slice_axis(x, axis=-1, begin=0, end=1))
    centre = sym.slice_axis(x, axis=-1, begin=2, end=4)
    size = sym.exp(sym.slice_axis(x, axis=-1, begin=4, end=6) * 0.1)
    kind = sym.broadcast_greater(sym.slice_axis(x, axis=-1, begin=1, end=2), sym.zeros((1, 1, 1)))
    x = sym.concat(kind, score, centre - size, centre + size, dim=-1)
    x = sym.contrib.box_nms(x, overlap_thresh=0.3, valid_thresh=0.1, topk=20, id_index=0)
    return sym.slice_axis(x, axis=1, begin=0, end=8)


def masks(mx):
    """A segmentation net: skip connections by deconvolution, cropped as their partner is."""
    sym = mx.sym
    data = sym.Variable("data")
    skips = []
    x = data
    for i in range(2):
        x = sym.Convolution(x, num_filter=4, kernel=(3, 3), pad=(1, 1), name=f"conv{i}")
        x = sym.Pooling(sym.Activation(x, act_type="relu"), kernel=(2, 2), stride=(2, 2))
        skips.append(sym.Convolution(x, num_filter=3, kernel=(1, 1), name=f"score{i}"))
    up = sym.Deconvolution(
        skips[1], num_filter=3, kernel=(4, 4), stride=(2, 2), num_group=3, name="up1"
    )
    x = sym.Crop(up, skips[0], offset=(1, 1), name="crop1") + skips[0]
    x = sym.Deconvolution(x, num_filter=3, kernel=(4, 4), stride=(2, 2), name="up2")
    x = sym.Crop(x, data, center_crop=True, name="crop2")
    return sym.SoftmaxOutput(x, multi_output=True, use_ignore=True, name="softmax")


def _buckets(length, cells):
    """What a `sym_gen` gives: the graph for sequences of one length."""

    def build(mx):
        sym = mx.sym
        x = sym.Embedding(sym.Variable("data"), input_dim=13, output_dim=5, name="embed")
        stack = cells(mx)
        stack.reset()
        outputs, _ = stack.unroll(length, inputs=x, layout="NTC", merge_outputs=True)
        x = sym.Reshape(outputs, shape=(-1, 6))
        x = sym.FullyConnected(x, num_hidden=4, name="pred")
        label = sym.Reshape(sym.Variable("softmax_label"), shape=(-1,))
        return sym.SoftmaxOutput(x, label, name="softmax")

    return build


def both_ways(mx):
    """Cells run from both ends, under one whose input is added to what it gives."""
    sym = mx.sym
    x = sym.Embedding(sym.Variable("data"), input_dim=13, output_dim=5, name="embed")
    stack = mx.rnn.SequentialRNNCell()
    cells = mx.rnn.GRUCell(3, prefix="f_"), mx.rnn.GRUCell(3, prefix="b_")
    stack.add(mx.rnn.BidirectionalCell(*cells))
    stack.add(mx.rnn.ResidualCell(mx.rnn.LSTMCell(6, prefix="l_")))
    outputs, _ = stack.unroll(4, inputs=x, layout="NTC", merge_outputs=True)
    return sym.FullyConnected(outputs, num_hidden=4, flatten=False, name="pred")


def regions(mx):
    """A detector in two stages: proposals, and what the feature map has in each of them."""
    sym = mx.sym
    info = sym.Variable("im_info")
    size = sym.clip(sym.slice_axis(info, axis=1, begin=0, end=2), a_min=48, a_max=48)
    size = sym.concat(size, sym.clip(sym.slice_axis(info, axis=1, begin=2, end=3), 1, 1), dim=1)
    x = sym.Convolution(
        sym.Variable("data") * 0.1, num_filter=6, kernel=(3, 3), pad=(1, 1), name="body"
    )
    scores = sym.Convolution(x, num_filter=6, kernel=(1, 1), name="rpn_scores")
    scores = sym.Reshape(scores, shape=(0, 2, -1, 0))
    scores = sym.SoftmaxActivation(scores, mode="channel")
    boxes = sym.contrib.MultiProposal(
        sym.Reshape(scores, shape=(0, 6, -1, 0)),
        sym.Convolution(x, num_filter=12, kernel=(1, 1), name="rpn_boxes"),
        size,
        scales=(1, 2, 3),
        ratios=(1,),
        feature_stride=8,
        rpn_pre_nms_top_n=40,
        rpn_post_nms_top_n=7,
        threshold=0.6,
        rpn_min_size=4,
        name="rois",
    )
    y = sym.ROIPooling(x, boxes, pooled_size=(3, 2), spatial_scale=0.125, name="largest")
    z = sym.contrib.ROIAlign(
        x, boxes, pooled_size=(2, 2), spatial_scale=0.125, sample_ratio=2, name="means"
    )
    kinds = sym.FullyConnected(sym.concat(sym.Flatten(y), sym.Flatten(z)), num_hidden=4, name="fc")
    return sym.Group([boxes, sym.softmax(kinds)])


def _stacked(mx):
    stack = mx.rnn.SequentialRNNCell()
    for i in range(2):
        stack.add(mx.rnn.LSTMCell(num_hidden=6, prefix=f"lstm_l{i}_"))
    return stack


def _fused(mx):
    return mx.rnn.FusedRNNCell(6, num_layers=2, mode="lstm", prefix="lstm_")


def _fused_gru(mx):
    return mx.rnn.FusedRNNCell(3, num_layers=1, mode="gru", bidirectional=True, prefix="gru_")


def encoder(mx):
    """A Transformer encoder: positions, masked self-attention, layer normalization, GELU."""
    sym = mx.sym
    x = sym.Embedding(sym.Variable("data"), input_dim=17, output_dim=8, name="embed")
    valid = sym.Variable("valid_length")
    place = sym.Variable("position_weight", shape=(1, 6, 8))
    x = sym.broadcast_add(x, place)
    for i in range(3):
        name = f"layer{i}_"
        parts = sym.FullyConnected(x, num_hidden=24, flatten=False, name=f"{name}qkv")
        parts = sym.split(parts, num_outputs=3, axis=2, name=f"{name}split")
        q, k, v = (
            sym.reshape(
                sym.transpose(sym.reshape(part, shape=(0, 0, 2, -1)), axes=(0, 2, 1, 3)),
                shape=(-1, 6, 4),
            )
            for part in (parts[0], parts[1], parts[2])
        )
        score = sym.batch_dot(sym.contrib.div_sqrt_dim(q), k, transpose_b=True)
        score = sym.transpose(sym.reshape(score, shape=(-4, -1, 2, 0, 0)), axes=(3, 0, 1, 2))
        score = sym.SequenceMask(score, valid, use_sequence_length=True, value=-1e18)
        weights = sym.softmax(sym.transpose(score, axes=(1, 2, 3, 0)), axis=-1)
        mixed = sym.batch_dot(sym.reshape(weights, shape=(-3, 0, 0)), v)
        mixed = sym.transpose(sym.reshape(mixed, shape=(-4, -1, 2, 0, 0)), axes=(0, 2, 1, 3))
        mixed = sym.reshape(mixed, shape=(0, 0, -3))
        mixed = sym.FullyConnected(mixed, num_hidden=8, flatten=False, name=f"{name}proj")
        x = sym.LayerNorm(x + sym.Dropout(mixed, p=0.1), name=f"{name}ln1")
        y = sym.FullyConnected(x, num_hidden=16, flatten=False, name=f"{name}ffn1")
        y = sym.LeakyReLU(y, act_type="gelu")
        y = sym.FullyConnected(y, num_hidden=8, flatten=False, name=f"{name}ffn2")
        x = sym.LayerNorm(x + y, eps=1e-12, name=f"{name}ln2")
    first = sym.reshape(sym.slice_axis(x, axis=1, begin=0, end=1), shape=(0, -1))
    return sym.Group([x, sym.tanh(first, name="pooled")])


def pools(mx):
    """Pooling as old files have it: full, padded, with and without the padding counted."""
    sym = mx.sym
    x = sym.Variable("data")
    kinds = [
        {"pool_type": "avg", "pooling_convention": "full"},
        {"pool_type": "avg", "pooling_convention": "full", "pad": (1, 1)},
        {"pool_type": "avg", "pad": (1, 1), "count_include_pad": False},
        {"pool_type": "avg", "pad": (1, 0)},
        {"pool_type": "max", "pooling_convention": "full", "pad": (1, 1)},
        {"pool_type": "sum"},
        {"pool_type": "lp", "p_value": 2},
    ]
    parts = [sym.Pooling(x, kernel=(3, 2), stride=(2, 2), **kind) for kind in kinds]
    parts.append(sym.Pooling(x, kernel=(1, 1), global_pool=True, pool_type="max"))
    parts.append(sym.Pooling(x, kernel=(2, 2)))
    return sym.Group([sym.identity(p, name=f"pool{i}") for i, p in enumerate(parts)])


def siamese(mx):
    """Two images through one net, their distance under MakeLoss; the weights are shared."""
    sym = mx.sym
    weights = {n: sym.Variable(n) for n in ("conv_weight", "conv_bias", "fc_weight", "fc_bias")}
    sides = []
    for side in "ab":
        x = sym.Convolution(
            sym.Variable(side),
            weight=weights["conv_weight"],
            bias=weights["conv_bias"],
            num_filter=4,
            kernel=(3, 3),
            name=f"conv_{side}",
        )
        x = sym.Activation(x, act_type="tanh")
        x = sym.FullyConnected(
            x,
            weight=weights["fc_weight"],
            bias=weights["fc_bias"],
            num_hidden=5,
            name=f"fc_{side}",
        )
        sides.append(sym.L2Normalization(x))
    distance = sym.sum(sym.square(sides[0] - sides[1]), axis=1)
    return sym.MakeLoss(sym.sqrt(distance + 1e-6), name="loss")


def half(mx):
    """A net whose file has float16 weights, but for the parameters of BatchNorm."""
    sym = mx.sym
    x = sym.Convolution(sym.Variable("data"), num_filter=4, kernel=(3, 3), name="conv")
    x = sym.BatchNorm(x, fix_gamma=False, name="bn")
    x = sym.FullyConnected(sym.Activation(x, act_type="relu"), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(x, name="softmax")


def old(mx):
    """What files of 2016 have: Crop with a size, sums of several, global statistics."""
    sym = mx.sym
    data = (sym.Variable("data") - 3) / 2
    x = sym.Convolution(data, num_filter=4, kernel=(3, 3), dilate=(2, 2), no_bias=True, name="a")
    x = sym.BatchNorm(x, use_global_stats=True, name="a_bn")
    x = sym.Crop(x, h_w=(5, 6), offset=(1, 0), num_args=1)
    y = sym.SliceChannel(x, num_outputs=4, name="parts")
    x = sym.ElementWiseSum(*[y[i] for i in range(4)], name="total")
    x = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="avg", pooling_convention="full")
    x = sym.LinearRegressionOutput(sym.FullyConnected(x, num_hidden=3, name="b"), name="line")
    return x


def loops(mx):
    """Graphs inside nodes: a cell run over time, a branch, a loop that ends by a value."""
    sym = mx.sym
    weight, bias = sym.Variable("cell_weight"), sym.Variable("cell_bias")

    def step(x, states):
        joined = sym.concat(x, states[0], dim=1)
        state = sym.FullyConnected(joined, weight=weight, bias=bias, num_hidden=4, name="cell")
        state = sym.Activation(state, act_type="tanh")
        return state, [state]

    first, count = sym.Variable("state"), sym.Variable("count")
    rows, states = sym.contrib.foreach(step, sym.Variable("data"), [first])
    total = sym.sum(count)
    chosen = sym.contrib.cond(total > 3, lambda: states[0] * 2, lambda: states[0] - 1)
    steps, last = sym.contrib.while_loop(
        lambda i, x: sym.sum(i) < 12,
        lambda i, x: ([x], [i + 2, x * 0.5]),
        [count, chosen],
        max_iterations=5,
    )
    done = sym.slice_axis(steps[0], axis=0, begin=0, end=2)  # MXNet leaves the others as they were
    return sym.Group([rows, chosen, done, last[1]])


def names(mx):
    """Names that are no names in Python, or mean something there already."""
    sym = mx.sym
    x = sym.Variable("in.1/data")
    for name in (
        "class",
        "self",
        "forward",
        "stage1/conv.1",
        "1x1",
        "\u91cd\u307f",
        "torch",
        "a b",
    ):
        x = sym.Convolution(x, num_filter=3, kernel=(1, 1), name=name)
        x = sym.Activation(x, act_type="tanh", name=f"{name}/relu")
    x = sym.FullyConnected(x, num_hidden=3, name="fc-1.0/out")
    return sym.Group([x, sym.SoftmaxOutput(x, name="lambda"), sym.Variable("in.1/data"), x])


def unet(mx):
    """A U-Net: down by pooling, up by deconvolution with adj, skips cropped to fit and joined."""
    sym = mx.sym

    def double(x, filters, name):
        for i in range(2):
            x = sym.Convolution(
                x, num_filter=filters, kernel=(3, 3), pad=(1, 1), no_bias=True, name=f"{name}_c{i}"
            )
            x = sym.BatchNorm(x, fix_gamma=i == 0, name=f"{name}_bn{i}")
            x = sym.Activation(x, act_type="relu")
        return x

    data = sym.Variable("data")
    x, skips = data, []
    for depth in range(2):
        x = double(x, 4 * 2**depth, f"down{depth}")
        skips.append(x)
        x = sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max")
    x = double(x, 16, "bottom")
    for depth in (1, 0):
        x = sym.Deconvolution(
            x,
            num_filter=4 * 2**depth,
            kernel=(3, 3),
            stride=(2, 2),
            pad=(1, 1),
            adj=(1, 1),
            no_bias=depth == 1,
            name=f"up{depth}",
        )
        part = sym.slice_like(skips[depth], x, axes=(2, 3))
        x = double(sym.concat(x, part, dim=1), 4 * 2**depth, f"merge{depth}")
    x = sym.Convolution(x, num_filter=2, kernel=(1, 1), name="score")
    return sym.SoftmaxOutput(x, multi_output=True, name="softmax")


def ssd_vgg(mx):
    """An SSD over VGG: pooling by `full`, a dilated layer, a normalized map with a scale."""
    sym = mx.sym
    mean = sym.Variable("mean_pixel", shape=(1, 3, 1, 1))
    x = sym.broadcast_sub(sym.Variable("data"), mean) * 0.1
    maps = []
    for i, filters in enumerate((4, 6, 8)):
        dilation = 2 if i == 2 else 1
        x = sym.Convolution(
            x,
            num_filter=filters,
            kernel=(3, 3),
            pad=(dilation, dilation),
            dilate=(dilation, dilation),
            name=f"conv{i}",
        )
        x = sym.Activation(x, act_type="relu", name=f"relu{i}")
        maps.append(x)
        kind = {"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1)} if i == 2 else {}
        kind = kind or {"kernel": (2, 2), "stride": (2, 2), "pooling_convention": "full"}
        x = sym.Pooling(x, pool_type="max", **kind)
    scale = sym.Variable("relu1_scale", shape=(1, 6, 1, 1))
    first = sym.broadcast_mul(scale, sym.L2Normalization(maps[1], mode="channel"))
    anchors, classes, offsets = [], [], []
    for i, source in enumerate((first, x)):
        sizes, ratios = ((0.2, 0.27), (0.37, 0.45))[i], (1, 2, 0.5)
        for kind, count, heads in (("cls", 4 * 4, classes), ("loc", 4 * 4, offsets)):
            y = sym.Convolution(
                source, num_filter=count, kernel=(3, 3), pad=(1, 1), name=f"map{i}_{kind}"
            )
            heads.append(sym.Flatten(sym.transpose(y, axes=(0, 2, 3, 1))))
        prior = sym.contrib.MultiBoxPrior(source, sizes=sizes, ratios=ratios, clip=True)
        anchors.append(sym.Flatten(prior))
    anchors = sym.Reshape(sym.Concat(*anchors, dim=1), shape=(0, -1, 4))
    classes = sym.Reshape(sym.Concat(*classes, dim=1), shape=(0, -1, 4))
    chances = sym.SoftmaxOutput(
        sym.transpose(classes, axes=(0, 2, 1)), multi_output=True, name="cls_prob"
    )
    return sym.contrib.MultiBoxDetection(
        chances,
        sym.Concat(*offsets, dim=1),
        anchors,
        name="detection",
        nms_threshold=0.45,
        force_suppress=False,
        nms_topk=40,
    )


def yolo(mx):
    """A YOLO head: a grid of offsets, anchors, decoded boxes of two scales through `box_nms`."""
    sym = mx.sym
    x = sym.Convolution(
        sym.Variable("data") / 10, num_filter=8, kernel=(3, 3), stride=(2, 2), pad=(1, 1), name="c0"
    )
    x = sym.BatchNorm(x, eps=1e-5, fix_gamma=False, name="bn0")
    deep = sym.LeakyReLU(x, act_type="leaky", slope=0.1)
    up = sym.UpSampling(deep, scale=2, sample_type="nearest")
    found = []
    for i, (source, stride) in enumerate(((deep, 2), (up, 1))):
        y = sym.Convolution(source, num_filter=2 * 7, kernel=(1, 1), name=f"head{i}")
        y = sym.reshape(sym.transpose(sym.reshape(y, shape=(0, 14, -1)), axes=(0, 2, 1)),
                        shape=(0, -1, 2, 7))  # fmt: skip
        grid = sym.Variable(f"offset{i}_weight", shape=(1, 16 * (1 + 3 * i), 1, 2))
        sizes = sym.Variable(f"anchor{i}_weight", shape=(1, 1, 2, 2))
        centre = sym.slice_axis(y, axis=-1, begin=0, end=2)
        centre = sym.broadcast_add(sym.sigmoid(centre), grid) * stride
        size = sym.broadcast_mul(sym.exp(sym.slice_axis(y, axis=-1, begin=2, end=4) * 0.1), sizes)
        sure = sym.sigmoid(sym.slice_axis(y, axis=-1, begin=4, end=5))
        kinds = sym.broadcast_mul(sym.sigmoid(sym.slice_axis(y, axis=-1, begin=5, end=None)), sure)
        boxes = sym.concat(centre - size / 2, centre + size / 2, dim=-1)
        boxes = sym.tile(sym.reshape(boxes, shape=(0, 1, -1, 4)), reps=(1, 2, 1, 1))
        score = sym.reshape(sym.transpose(kinds, axes=(0, 3, 1, 2)), shape=(0, 2, -1, 1))
        number = sym.broadcast_add(score * 0, sym.reshape(sym.arange(0, 2), shape=(1, 2, 1, 1)))
        rows = sym.concat(number, score, boxes, dim=-1)
        found.append(sym.reshape(rows, shape=(0, -1, 6)))
    rows = sym.concat(*found, dim=1)
    rows = sym.contrib.box_nms(
        rows, overlap_thresh=0.45, valid_thresh=0.01, topk=30, id_index=0, score_index=1,
        coord_start=2, force_suppress=False,
    )  # fmt: skip
    rows = sym.slice_axis(rows, axis=1, begin=0, end=10)
    return sym.Group([
        sym.slice_axis(rows, axis=-1, begin=0, end=1, name="ids"),
        sym.slice_axis(rows, axis=-1, begin=1, end=2, name="scores"),
        sym.slice_axis(rows, axis=-1, begin=2, end=6, name="bboxes"),
    ])  # fmt: skip


MODELS = {
    f.__name__: f
    for f in (
        face,
        residual,
        segments,
        several,
        words,
        detector,
        detector_training,
        boxes,
        masks,
        encoder,
        pools,
        siamese,
        half,
        old,
        loops,
        names,
        both_ways,
        regions,
        unet,
        ssd_vgg,
        yolo,
    )
}
MODELS.update(
    {
        "unrolled3": _buckets(3, _stacked),
        "unrolled5": _buckets(5, _stacked),
        "fused": _buckets(5, _fused),
        "fused_gru": _buckets(4, _fused_gru),
    }
)
SHAPES = {
    "face": {"data": (2, 3, 12, 12)},
    "residual": {"data": (2, 4, 9, 9)},
    "segments": {"data": (2, 3, 14, 14)},
    "several": {"data": (2, 3, 10, 10)},
    "words": {"tokens": (2, 4)},
    "detector": {"data": (2, 3, 12, 12)},
    "detector_training": {"data": (2, 3, 9, 9)},
    "boxes": {"data": (2, 3, 6, 6)},
    "masks": {"data": (2, 3, 12, 16)},
    "encoder": {"data": (2, 6), "valid_length": (2,)},
    "pools": {"data": (2, 3, 8, 8)},
    "siamese": {"a": (2, 3, 6, 6), "b": (2, 3, 6, 6)},
    "half": {"data": (2, 3, 6, 6)},
    "old": {"data": (2, 3, 12, 12)},
    "loops": {"data": (3, 2, 3), "state": (2, 4), "count": (1,)},
    "names": {"in.1/data": (2, 3, 4, 4)},
    "both_ways": {"data": (2, 4)},
    "regions": {"data": (2, 3, 6, 6), "im_info": (2, 3)},
    "unet": {"data": (2, 3, 10, 13)},
    "ssd_vgg": {"data": (2, 3, 15, 15)},
    "yolo": {"data": (2, 3, 8, 8)},
    "unrolled3": {"data": (2, 3)},
    "unrolled5": {"data": (2, 5)},
    "fused": {"data": (2, 5)},
    "fused_gru": {"data": (2, 4)},
}
# Models whose file has their weights in float16; they are run in float32.
HALF = ("half",)
# Models of which an exported program has one batch size.
FIXED = ("loops",)
# Inputs that the graph is recorded with and its deployed half does not have.
LABELS = {
    "detector_training": {"label": (2, 1, 5)},
    "unrolled3": {"softmax_label": (2, 3)},
    "unrolled5": {"softmax_label": (2, 5)},
    "fused": {"softmax_label": (2, 5)},
    "fused_gru": {"softmax_label": (2, 4)},
}
# Of the recorded outputs those that are left.
KEPT = {"detector_training": (0, 3)}
