"""Operators on images."""

from tests.cases import A, I, S

PHOTO = I((4, 5, 3), 0, 256, "uint8")
# even sides: MXNet leaves the middle of odd ones unset
EVEN = I((4, 6, 3), 0, 256, "uint8")
BATCH = I((2, 4, 5, 3), 0, 256, "uint8")
MEAN, STD = (0.4, 0.5, 0.6), (0.2, 0.3, 0.25)

ROWS = [
    S("image.to_tensor", PHOTO, grad=False),
    S("image.to_tensor", BATCH, grad=False),
    S("image.to_tensor", A((4, 5, 3), lo=0, hi=255), grad=False),
    S("image.to_tensor", A((4, 5, 3), "float16", lo=0, hi=255), grad=False),
    S("image.to_tensor", A((1, 2, 2, 2, 3)), raises="MXNetError"),
    S("image.normalize", I((3, 4, 5), 0, 255, "uint8"), mean=9.5, std=3.0, grad=False),
    S("image.normalize", I((2, 1, 4, 5), 0, 255), mean=9.5, std=3.0, grad=False),
    S("image.normalize", A((4, 5, 3), lo=0), mean=0.5, std=2.0, raises="MXNetError"),
    S("image.normalize", A((3, 4, 5), lo=0), mean=MEAN, std=STD),
    S("image.normalize", A((2, 3, 4, 5), lo=0), mean=MEAN, std=STD),
    S("image.normalize", A((1, 4, 5), lo=0), mean=0.5, std=2.0),
    S("image.normalize", A((3, 4, 5), lo=0), mean=0.5, std=2.0),
    S("image.normalize", A((3, 4, 5), lo=0), raises="MXNetError"),
    S("image.normalize", A((2, 4, 5), lo=0), raises="MXNetError"),
    S("image.flip_left_right", EVEN, grad=False),
    S("image.flip_left_right", A((2, 4, 1))),
    S("image.flip_top_bottom", EVEN, grad=False),
    S("image.flip_top_bottom", A((2, 4, 1))),
    S("image.crop", PHOTO, x=1, y=0, width=3, height=2, grad=False),
    S("image.crop", A((2, 4, 5, 3)), x=0, y=2, width=5, height=2),
    S("image.crop", PHOTO, x=3, y=0, width=3, height=2, grad=False, raises="MXNetError"),
    S("image.resize", PHOTO, size=(3, 2), grad=False),
    S("image.resize", PHOTO, size=8, grad=False),
    S("image.resize", PHOTO, size=8, keep_ratio=True, grad=False),
    S("image.resize", BATCH, size=(10, 7), grad=False),
    S("image.resize", PHOTO, size=(3, 2), interp=0, grad=False),
    S("image.resize", I((9, 5, 1), 0, 256, "uint8"), size=7, keep_ratio=True, grad=False),
    S("image.resize", I((24, 31, 3), 0, 256, "uint8"), size=(50, 40), grad=False),
    S("image.resize", I((24, 31, 3), 0, 256, "uint8"), size=(13, 11), grad=False),
    S(
        "image.resize",
        A((6, 7, 3), "float64", 0, 255),
        size=(9, 9),
        grad=False,
    ),
    S("image.resize", A((6, 7, 3), lo=0, hi=255), size=(4, 5), grad=False),
    S("image.resize", A((6, 7, 3), lo=0, hi=255), size=(14, 9), interp=2, grad=False),
    S("image.resize", A((6, 7, 3), lo=0, hi=255), size=(4, 5), interp=3, grad=False),
    S("image.resize", A((6, 7, 3), lo=0, hi=255), size=(14, 9), interp=4, grad=False),
    S("image.resize", PHOTO, size=(6, 6), interp=7, grad=False, raises="MXNetError"),
    S("image.resize", PHOTO, size=(), grad=False, raises="MXNetError"),
    S("image.resize", PHOTO, size=0, grad=False, raises="MXNetError"),
    S("_internal._cvimresize", PHOTO, w=7, h=9, grad=False),
    S("_internal._cvimresize", A((6, 7, 3), lo=0, hi=255), w=4, h=5, interp=3, grad=False),
    S("_internal._cvimresize", PHOTO, w=0, h=9, grad=False, raises="MXNetError"),
    S("_internal._cvimresize", BATCH, w=7, h=9, grad=False, raises="MXNetError"),
    S("_internal._cvcopyMakeBorder", PHOTO, top=1, bot=2, left=3, right=0, value=7, grad=False),
    S("_internal._cvcopyMakeBorder", PHOTO, top=1, bot=2, left=3, right=0, type=4, grad=False),
    S(
        "_internal._cvcopyMakeBorder",
        PHOTO,
        top=-1,
        bot=2,
        left=3,
        right=0,
        grad=False,
        raises="MXNetError",
    ),
]
