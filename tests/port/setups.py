"""What the pairs of some rules stand on, and which pairs are not run on both sides."""

_NET = "net = gluon.nn.Dense(3, in_units=4)\n"
_PARAMETER = f"{_NET}p = net.collect_params()['w']\n"
_TRAINER = f"{_NET}trainer = gluon.Trainer(net.collect_params(), 'sgd')\n"
_IMAGES = "x = nd.ones((2, 1, 4, 4))\nw = nd.ones((1, 1, 3, 3))\n"
_MATRIX = "s = nd.array([[4.0, 1.0], [1.0, 3.0]])\nx = nd.array([[1.0, 2.0], [3.0, 4.0]])\n"
_OWN = "class Own(autograd.Function):\n    def forward(self, x):\n"
_LAYERS = "net = nn.{}()\nnet.add(nn.Flatten())\nnet.add(nn.Flatten())\nother = 1\n"

SETUPS = {
    **dict.fromkeys(["step-as-function", "trainer-class", "init-optimizer"], _TRAINER),
    **dict.fromkeys(["hybrid-forward", "forward"], _NET),
    "adam-update": "d = c * 2",
    "compare-dtype": "x = nd.array([1.0])",
    "new-Function": f"{_OWN}        return x",
    "save_for_backward": _OWN,
    "saved_tensors": _OWN,
    "autograd-grad": "x.attach_grad()\nwith autograd.record():\n    y = x * 2",
    "backward-of-several": "y = x * 2",
    "nd-Embedding": "i = nd.array([1.0, 0.0])\nw = nd.array([[1.0, 2.0], [3.0, 4.0]])",
    "nd-SequenceMask": "n = nd.array([1.0, 2.0, 1.0])",
    "nd-LayerNorm": "g = nd.ones((3,))\nb = nd.zeros((3,))",
    "gather-nd": "i = nd.array([[0, 1], [2, 0]])",
    "scatter-nd": "d = nd.array([7.0, 8.0])\ni = nd.array([[0, 1], [2, 0]])",
    "boolean-mask": "i = nd.array([0.0, 1.0])",
    "item": "x = nd.array([1.0, 2.0])",
    "pad": _IMAGES,
    "params-keys": _NET,
    "clip-global-norm": _NET,
    "base-lr": "s = mx.lr_scheduler.FactorScheduler(10)",
    "initialize-parameters": _NET,
    "set-attribute": _NET,
    **dict.fromkeys(
        ["sorted-names", "save-params", "load-params", "zero-all-gradients", "list-all-ctx",
         "cast-net", "load-collected", "save-collected", "list-arguments",
         "list-auxiliary-states", "infer-shape", "export"], _NET,
    ),
    **dict.fromkeys(
        ["BilinearResize2D", "AdaptiveAvgPooling2D", "SoftmaxActivation", "image-to-tensor",],
        "x = nd.array([[[[1.0, 2.0], [3.0, 5.0]], [[2.0, 0.0], [7.0, 9.0]]]])",
    ),
    "image-normalize": "x = nd.array([[[1.0, 2.0]], [[3.0, 5.0]], [[2.0, 0.0]]])",
    "softmax-cross-entropy": "i = nd.array([0.0, 2.0])",
    "nd-batch-take": "i = nd.array([0.0, 2.0]).astype('int32')",
    **dict.fromkeys(
        ["call-forward", "call-call", "summary"],
        "net = gluon.nn.LeakyReLU(0.1)\nnet.initialize()",
    ),
    **dict.fromkeys(["nd-Convolution", "nd-Deconvolution", "nd-Pooling", "nd-UpSampling"], _IMAGES),
    **dict.fromkeys(
        ["potrf", "potri", "trsm", "sumlogdiag", "det", "inverse", "extractdiag", "syrk"], _MATRIX
    ),
    **dict.fromkeys(
        ["compare-grad-req", "grad-req", "zero-grad",
         "lr-mult", "wd-mult", "list-data", "list-grad",
         "list-ctx"], _PARAMETER,
    ),
    **dict.fromkeys(["set-learning-rate", "save-states", "load-states", "allreduce"], _TRAINER),
    "item-Sequential": _LAYERS.format("Sequential"),
    "item-HybridSequential": _LAYERS.format("HybridSequential"),
    **{
        f"weights-of-{name}": f"layer = gluon.nn.{call}\nother = 1"
        for name, call in (
            ("Dense", "Dense(2, activation='relu', in_units=2)"),
            ("Conv1D", "Conv1D(2, 3, activation='relu', in_channels=2)"),
            ("Conv2D", "Conv2D(2, 3, activation='relu', in_channels=2)"),
            ("Conv3D", "Conv3D(2, 3, activation='relu', in_channels=2)"),
        )
    },
}  # fmt: skip
# Inside a method.
INDENTED = frozenset(["save_for_backward", "saved_tensors"])
# Files, parameters without values, objects of two kinds, schedules without `max_update`'s end.
NOT_RUN = frozenset([
    "load-collected", "save-collected", "list-arguments", "list-auxiliary-states", "infer-shape",
    "export", "grad-req", "model-load_params", "model-save_checkpoint",
    "save", "load", "compare-dtype", "new-Function", "BatchNorm-gamma", "BatchNorm-beta",
    "LayerNorm-gamma", "LayerNorm-beta", "PReLU-alpha", "weights-of-Dense", "weights-of-Conv1D",
    "weights-of-Conv2D", "weights-of-Conv3D", "item-Sequential", "item-HybridSequential",
    "FactorScheduler", "MultiFactorScheduler", "PolyScheduler", "CosineScheduler",
    "clip-global-norm", "params-keys", "compare-grad-req", "lr-mult", "wd-mult", "list-data",
    "list-grad", "list-ctx", "set-learning-rate", "is-training", "is-recording", "autograd-grad",
    "nd-Dropout", "summary", "sorted-names", "save-params", "load-params", "list-all-ctx",
    "shuffle", "stype",
    "multinomial-multinomial", "multinomial-sample_multinomial", "version", "download",
    "download-of-tests", "get-mnist", "moments", "step-as-function", "trainer-class",
    "zoo-features", "zoo-output", "hybrid-forward", "forward", "class-BatchNorm", "Context",
    "error", "init-optimizer", "np-empty",
    "np-normal", "np-uniform", "np-randint", "np-rand",
    "np-randn", "np-choice", "np-ndarray", "ndarray-tolist",
])  # fmt: skip

# Inside an optimizer of the program's own.
_OWN_RULES = (
    *("optimizer_update_count", "optimizer_get_lr", "optimizer_get_wd", "optimizer-lr"),
    *("optimizer-wd", "optimizer-rescale_grad", "optimizer-clip_gradient", "optimizer-num_update"),
    *("optimizer-lr_scheduler", "optimizer-begin_num_update", "optimizer-_index_update_count"),
)
SETUPS |= dict.fromkeys(
    _OWN_RULES,
    "class Own(mx.optimizer.Optimizer):\n    def update(self, index, weight, grad, state):",
)
INDENTED |= set(_OWN_RULES)
