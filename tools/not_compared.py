"""What tools/differential.py does not count, and why.

A row: the operators (a regular expression for the whole name); one for what the difference says,
"KIND CASE | MESSAGE"; the reason. What MXNet leaves to chance (memory that it reads without having
written it) belongs here, and what mxtorch does not follow on purpose.
"""

from __future__ import annotations

import re

# Of these MXNet's kernels write where they are told to add (for one or all inputs).
ADDING = (
    "mean|clip|SoftmaxOutput|Softmax|(Linear|Logistic|MAE)RegressionOutput|SVMOutput|flip|reverse"
    "|Crop|cumsum"
    "|linalg.(trmm|trsm|gemm2?|inverse|gelqf|syevd)|linalg_(trmm|trsm|gemm2?|inverse|gelqf|syevd)"
    "|contrib.(boolean_mask|box_nms|DeformableConvolution)|SpatialTransformer|amp_multicast|moments"
)
# What comes of NaN, infinite and huge numbers there depends on the width of vectors (softmax of the
# last axis of float32, of which MXNet leaves the elements beside a NaN 0 or NaN by their place), on
# the order of products, or on a cast of an infinite place to a whole number.
ODD = (
    "(log_)?softmax|softmin|SoftmaxOutput|Softmax|Pooling|LeakyReLU|relu"
    "|(Batch|Layer|Instance|Group|contrib.SyncBatch)Norm|L2Normalization"
    "|linalg.(det|slogdet|inverse|gelqf|gemm2?|potrf|potri|syevd|syrk|trmm|trsm|sumlogdiag)"
    "|linalg.extracttrian|gamma(ln)?|(contrib.(Modulated)?Deformable)?Convolution|Deconvolution"
    "|FullyConnected|ROIPooling|contrib.(R?ROIAlign|(Deformable)?PSROIPooling|BilinearResize2D)"
    "|SpatialTransformer|BilinearSampler|GridGenerator|random_pdf_.*|.*_update"
    "|contrib.(box_iou|MultiBox.*|(Multi)?Proposal)"
)
FLOAT32 = "erf|erfinv|gamma|gammaln|LeakyReLU|random_pdf_(gamma|dirichlet)|contrib.BilinearResize2D"

# What MXNet says where it lacks a kernel for a type on the CPU, and mxtorch computes.
NO_KERNEL = (
    r"^MXNet raises .*[|].*(Unknown type enum|only support floating point types|FP16|float16"
    r"|default_type_flag|kFloat32|kFlag == type_flag_|type for MKLDNN|DTypes are not supported)"
)

ROWS = (
    (
        r".*",
        r"^MXNet raises .*(inferring shapes failed|cannot be a negative value|dim_size_is_known)",
        "size 0 means unknown in MXNet; arrays of it are taken where it fails on them",
    ),
    (
        r".*",
        NO_KERNEL,
        "types for which MXNet has no CPU kernel, where mxtorch computes",
    ),
    (
        ADDING,
        r"^(gradient|MXNet raises) (sym)?add ",
        "with grad_req='add' MXNet's kernel overwrites or rescales what is there, or refuses",
    ),
    (
        "take",
        r"^MXNet raises (sym)?add .*kAddTo to index",
        "it refuses to add to a gradient of indices, which is zero",
    ),
    (
        ODD,
        r"NaN or infinite|(value|gradient) .*(e\+3\d|1e-30|~)",
        "what vectorized kernels make of NaN, infinite and huge numbers",
    ),
    (
        FLOAT32,
        r"^(value|gradient) .*float64.*more than 1e-10",
        "constants of float32 in MXNet's kernels for float64",
    ),
    (
        r".*",
        r"^value infer .*: '(\[.*\])', MXNet 'MXNetError'",
        "inference refused by MXNet where less is known than it wants",
    ),
    (
        r"Convolution|Deconvolution|SoftmaxOutput|Softmax|GroupNorm",
        r"^value infer .*MXNet '\[None, None, None\]'",
        "types of data from those of weights, which MXNet does not infer",
    ),
    (
        r".*",
        r"^value infer .*\[\[\]\]|^value infer .*x0",
        "shapes of size 0, unknown to MXNet",
    ),
    (
        r"contrib.quadratic",
        r"^we raise .*(:u?int|:bool|dtype=u?int).*Cannot differentiate",
        "gradients through whole numbers, which torch does not have",
    ),
    (
        r"BatchNorm|contrib.SyncBatchNorm",
        r"^we raise|^MXNet raises .*shape mismatch",
        "statistics of another length, beyond whose end MXNet reads",
    ),
    (r"transpose|reverse|flip", r"^we raise .*(duplicate|multiple)", "an axis that is named twice"),
    (r".*", r"^other class .*AssertionError: Positional", "None among any number of arrays"),
    (r".*_update(_phase[12])?", r"Not enough argument", "states that MXNet makes no variables for"),
    (r"dot|batch_dot", r"forward_stype=(csr|row_sparse)", "the storage type of a dense product"),
    (r"_internal\..*_scalar", r"is_int=(False|0)", "what mx.np passes to its own operators"),
    (
        r"[Rr]eshape",
        r"^(we raise|value infer) ",
        "shapes of another number of elements, which MXNet does not always notice",
    ),
    (r".*", r"^MXNet raises .*,None[,)]", "None after the last array, which is one left out"),
    (r".*", r"dtype=None.*TypeError: data type 'None'", "'None' as text in place of None"),
    (r"unravel_index", r".*", "indices of more than one axis, which MXNet reads beyond their end"),
    (
        r".*",
        r"(temperature|scalar|alpha|eps|lr|momentum|scale|eta)=(inf|0\.0)[,)]",
        "infinite factors",
    ),
    (r".*", r"^other class .*ZeroDivisionError", "size 0 again"),
    (
        r"contrib.ModulatedDeformableConvolution",
        r"only implemented in GPU",
        "a gradient that MXNet has on GPUs alone",
    ),
    (r"_internal._grad_add", r"FGradient", "a node of MXNet's own gradients"),
    (r"stack", r"^value infer ", "inputs of unequal shapes, of which MXNet infers the first one's"),
)
_FOUND = [(re.compile(names), re.compile(what), why) for names, what, why in ROWS]


def why_not(operator: str, text: str) -> str:
    """Why a difference that says `text` does not count; empty if it does."""
    return next(
        (why for names, what, why in _FOUND if names.fullmatch(operator) and what.search(text)), ""
    )
