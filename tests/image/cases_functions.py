"""mx.image: functions of one image, on photographs."""

from tests.cases import C
from tests.image.photos import LEVEL, SETUP, WHY, values

FILES = (
    "cat.jpg",
    "cat_small.jpg",
    "coffee.png",
    "gray.jpg",
    "turned.jpg",
    "alpha.png",
    "deep.png",
)
READ = {f"read/{f}/{g}": f"I.imread(FOLDER + {f!r}, flag={g})" for f in FILES for g in (0, 1)}
READ.update(
    {
        "read/bgr": "I.imread(PHOTO, to_rgb=False)",
        "read/by-position": "I.imread(PHOTO, 0)",
        "read/out": "I.imread(PHOTO, out=nd.zeros((120, 180, 3), dtype='uint8'))",
        "read/missing": "I.imread('/there/is/none.jpg')",
        "read/no-image": "I.imread(FOLDER + 'README.md')",
        "read/flag": "I.imread(PHOTO, flag=2)",
        "decode/bytes": "I.imdecode(onp.fromfile(PHOTO, 'uint8').tobytes())",
        "decode/bytearray": "I.imdecode(bytearray(onp.fromfile(PHOTO, 'uint8')), 1, False)",
        "decode/numpy": "I.imdecode(onp.fromfile(PHOTO, 'uint8'), flag=0)",
        "decode/ndarray": "I.imdecode(nd.array(onp.fromfile(PHOTO, 'uint8'), dtype='uint8'))",
        "decode/str": "I.imdecode('abc')",
        "decode/memoryview": "I.imdecode(memoryview(b'abc'))",
        "decode/empty": "I.imdecode(b'')",
        "decode/junk": "I.imdecode(b'junkjunkjunk')",
    }
)
CASES = values(READ)
CASES.append(
    C(
        "read/context",
        f"""{SETUP}
with mx.cpu(1):
    data = onp.fromfile(PHOTO, 'uint8').tobytes()
    out += [str(x.context) for x in (I.imread(PHOTO), I.imdecode(data))]
""",
    )
)
SIZES = ((90, 60), (97, 41), (360, 240), (224, 224), (1, 1), (180, 120))
CASES += [
    C(
        f"resize/{w}x{h}/{interp}",
        f"""{SETUP}
out.append(I.imresize(im, {w}, {h}, interp={interp}).astype('float32'))
out.append(I.imresize(im.astype('float32'), {w}, {h}, interp={interp}))
""",
        tol=LEVEL,
        why=WHY,
    )
    for w, h in SIZES
    for interp in (2, 4)
]
CASES += values(
    {
        f"resize/{w}x{h}/{interp}": f"I.imresize(im, {w}, {h}, {interp})"
        for w, h in SIZES
        for interp in (0, 1, 3)
    }
)
CASES += values(
    {
        "resize/default": "I.imresize(im, 50, 30)",
        "resize/float64": "I.imresize(im.astype('float64'), 50, 30)",
        "resize/gray": "I.imresize(im[:, :, :1], 50, 30)",
        "resize/channels": "I.imresize(nd.arange(210).reshape((5, 6, 7)), 10, 20)",
        "resize/area-channels": "I.imresize(nd.arange(210).reshape((5, 6, 7)), 3, 2, 3)",
        "resize/auto-is-no-code": "I.imresize(im, 50, 30, 9)",
        "resize/zero": "I.imresize(im, 0, 30)",
        "resize/two-axes": "I.imresize(im[:, :, 0], 20, 30)",
        "resize/batch": "I.imresize(nd.ones((2, 5, 6, 3)), 20, 30)",
        "resize/numpy": "I.imresize(im.asnumpy(), 20, 30)",
        "resize/int32": "I.imresize(im.astype('int32'), 20, 30)",
        "resize/float16": "I.imresize(im.astype('float16'), 20, 30)",
        "interp/auto": """[I.image._get_interp_method(9, s) for s in (
    (10, 10, 20, 20), (10, 10, 5, 5), (10, 10, 5, 20), (10, 10, 10, 10), (10, 10, 10, 20), ())]""",
        "interp/any": "[I.image._get_interp_method(10) for _ in range(9)]",
        "interp/unknown": "I.image._get_interp_method(5)",
        "scale-down": """[I.scale_down(a, b) for a, b in (
    ((640, 480), (720, 120)), ((360, 1000), (480, 500)), ((100, 100), (50, 50)),
    ((10, 20), (30, 40)), ((10, 20), (7, 40)), ((33, 20), (40, 41)))]""",
        "scale-down/one": "I.scale_down((10, 20), 5)",
    }
)
CASES += values(
    {
        "short/50": "I.resize_short(im, 50).astype('float32')",
        "short/33": "I.resize_short(im.transpose((1, 0, 2)), 33).astype('float32')",
        "short/200": "I.resize_short(im, 200).astype('float32')",
        "short/auto": "I.resize_short(im, 50, 9).astype('float32')",
        "short/unknown": "I.resize_short(im, 50, 5)",
        "short/two-axes": "I.resize_short(im[:, :, 0], 50)",
        "crop/fixed": "I.fixed_crop(im, 10, 20, 30, 40).astype('float32')",
        "crop/fixed-size": "I.fixed_crop(im, 10, 20, 30, 40, (20, 30)).astype('float32')",
        "crop/fixed-same": "I.fixed_crop(im, 10, 20, 30, 40, [30, 40], 1).astype('float32')",
        "crop/fixed-beyond": "I.fixed_crop(im, 160, 100, 30, 40).astype('float32')",
        "crop/fixed-outside": "I.fixed_crop(im, 200, 100, 30, 40)",
        "crop/fixed-negative": "I.fixed_crop(im, -10, 20, 30, 40)",
        "crop/fixed-one-size": "I.fixed_crop(im, 10, 20, 30, 40, 50)",
        "crop/fixed-numpy": "I.fixed_crop(im.asnumpy(), 10, 20, 3, 4)",
        "crop/center": "[(i.astype('float32'), r) for i, r in [I.center_crop(im, (51, 40))]]",
        "crop/center-large": """[(i.astype('float32'), r) for i, r in [
    I.center_crop(im, s) for s in ((300, 40), (30, 400))]]""",
        "crop/random": """[(i.astype('float32'), r) for i, r in [
    I.random_crop(im, s) for s in ((50, 40), (300, 40), (300, 400), (180, 120), (7, 7))]]""",
        "crop/random-size": """[(i.astype('float32'), r) for i, r in [
    I.random_size_crop(im, (30, 20), a, (0.5, 2)) for a in (0.1, (0.2, 0.4), (0.9, 1), 0.5)]]""",
        "crop/random-size-fails": "I.random_size_crop(im, (30, 30), (0.9, 1), (5, 6))[1]",
        "crop/min-area": "I.random_size_crop(im, (30, 30), None, (0.5, 2), min_area=0.5)[1]",
        "crop/keyword": "I.random_size_crop(im, (30, 30), None, (0.5, 2), area_=0.5)",
    },
    tol=LEVEL,
    why=WHY,
)
CASES += values(
    {
        f"border/{kind}": f"I.copyMakeBorder(im, 3, 5, 7, 9, type={kind}, value=9)"
        for kind in range(5)
    }
)
CASES += values(
    {
        "border/values": "I.copyMakeBorder(im, top=1, bot=2, left=3, right=4, values=(1, 2, 3))",
        "border/float": "I.copyMakeBorder(im.astype('float32'), 1, 2, 3, 4, value=2.5)",
        "border/int32": "I.copyMakeBorder(im.astype('int32'), 1, 2, 3, 4)",
        "border/gray": "I.copyMakeBorder(im[:, :, :1], 1, 2, 3, 4, value=2.5)",
        "border/negative": "I.copyMakeBorder(im, -1, 2, 3, 4)",
        "border/kind": "I.copyMakeBorder(im, 1, 2, 3, 4, type=5)",
        "normalize": "[I.color_normalize(f, nd.array([1, 2, 3]), nd.array([4, 5, 6])), f]",
        "normalize/mean": "[I.color_normalize(f, nd.array([1, 2, 3])), f]",
        "normalize/std": "[I.color_normalize(f, None, 3), f]",
        "normalize/bytes": "I.color_normalize(im, nd.array([1, 2, 3]))",
    },
    SETUP + "f = im.astype('float32')\n",
)
TURN = """
I = mx.image
x, y = onp.meshgrid(onp.arange(13.0), onp.arange(9.0))
one = nd.array(onp.stack([x, y, onp.ones_like(x)]))
two = nd.stack(one, one * 2)
"""
CASES += values(
    {
        f"rotate/{angle}/{zoom}": f"I.imrotate(one, {angle}, zoom_in={zoom == 'in'}, "
        f"zoom_out={zoom == 'out'})"
        for angle in (0, 10, -30, 45, 90, 120, 200)
        for zoom in ("no", "in", "out")
    },
    TURN,
)
CASES += values(
    {
        "rotate/batch": "I.imrotate(two, nd.array([10, 20]), zoom_in=True)",
        "rotate/batch-one-angle": "I.imrotate(two, 10)",
        "rotate/both": "I.imrotate(one, 10, True, True)",
        "rotate/bytes": "I.imrotate(one.astype('uint8'), 10)",
        "rotate/axes": "I.imrotate(one[0], 10)",
        "rotate/count": "I.imrotate(two, nd.array([10, 20, 30]))",
        "rotate/one-array": "I.imrotate(one, nd.array([10]))",
        "rotate/random": "[I.random_rotate(one, (-30, 30)), I.random_rotate(two, (-90, 30), True)]",
    },
    TURN,
)
