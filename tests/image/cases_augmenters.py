"""mx.image's augmenters: seeded, in MXNet's order of draws; what they dump."""

from tests.cases import C
from tests.image.photos import LEVEL, SETUP, WHY, values

KINDS = {
    "resize": "I.ResizeAug(50)",
    "force": "I.ForceResizeAug((20, 30), 1)",
    "random-crop": "I.RandomCropAug((30, 20))",
    "random-sized": "I.RandomSizedCropAug((30, 20), 0.1, (0.5, 2))",
    "random-sized-pair": "I.RandomSizedCropAug((30, 20), (0.1, 0.4), (0.5, 2), 9)",
    "random-sized-min": "I.RandomSizedCropAug((30, 20), None, (0.5, 2), min_area=0.3)",
    "center": "I.CenterCropAug((33, 22), 9)",
    "brightness": "I.BrightnessJitterAug(0.4)",
    "contrast": "I.ContrastJitterAug(0.4)",
    "saturation": "I.SaturationJitterAug(0.4)",
    "hue": "I.HueJitterAug(0.4)",
    "color": "I.ColorJitterAug(0.1, 0.2, 0.3)",
    "color-none": "I.ColorJitterAug(0, 0, 0)",
    "lighting": "I.LightingAug(0.1, onp.array([55.0, 4.0, 1.0]), onp.eye(3) * 0.5 + 0.1)",
    "normalize": "I.ColorNormalizeAug(nd.array([1, 2, 3]), onp.array([4.0, 5, 6]))",
    "normalize-list": "I.ColorNormalizeAug([1, 2, 3], None)",
    "gray": "I.RandomGrayAug(0.5)",
    "flip": "I.HorizontalFlipAug(0.5)",
    "cast": "I.CastAug('float16')",
    "sequential": "I.SequentialAug([I.CastAug(), I.HorizontalFlipAug(1)])",
    "random-order": "I.RandomOrderAug([I.CastAug(), I.HorizontalFlipAug(1), I.ResizeAug(5)])",
}
CASES = [
    C(
        f"augmenter/{label}",
        f"""{SETUP}
aug = {code}
out += [aug.dumps(), isinstance(aug, I.Augmenter), isinstance(aug, I.SequentialAug)]
for _ in range(3):
    given = im.astype('float32')
    out += [aug(given).astype('float32'), given]
out += [pyrandom.random(), onp.random.rand()]
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, code in KINDS.items()
]
CASES += values(
    {
        "base/dumps": "I.Augmenter(a=1, b=[2], c=onp.ones((2, 2)), d=nd.ones((1, 2))).dumps()",
        "base/call": "I.Augmenter()(im)",
        "base/subclass": """[type('Mine', (I.Augmenter,), {
    '__init__': lambda self: I.Augmenter.__init__(self, size=3),
    '__call__': lambda self, src: src * 0})().dumps()]""",
        "contrast/bytes": "I.ContrastJitterAug(0.4)(im)",
        "brightness/bytes": "I.BrightnessJitterAug(0.4)(im.copy())",
        "sized/keyword": "I.RandomSizedCropAug((30, 20), 0.1, (0.5, 2), 2, maximum=3)",
    }
)
LISTS = {
    "plain": "",
    "resize": "resize=130",
    "crop": "rand_crop=True",
    "sized": "rand_crop=True, rand_resize=True",
    "sized-alone": "rand_resize=True",
    "mirror": "rand_mirror=True",
    "imagenet": "mean=True, std=True",
    "mean-std": "mean=onp.array([1.0, 2, 3]), std=onp.array([1.0, 2, 3])",
    "std": "std=nd.array([1, 2, 3])",
    "mean-two": "mean=onp.array([1.0, 2])",
    "mean-tuple": "mean=(1, 2, 3)",
    "brightness": "brightness=0.1",
    "colors": "contrast=0.2, saturation=0.2, hue=0.1, pca_noise=0.1, rand_gray=0.5",
    "any-interp": "inter_method=10, resize=100",
    "all": "resize=100, rand_crop=True, rand_resize=True, rand_mirror=True, mean=True, std=True, "
    "brightness=0.1, contrast=0.2, saturation=0.2, hue=0.1, pca_noise=0.1, rand_gray=0.5",
}
CASES += [
    C(
        f"create/{label}",
        f"""{SETUP}
augs = I.CreateAugmenter((3, 40, 50), {arguments})
out.append([aug.dumps() for aug in augs])
for _ in range(3):
    x = im
    for aug in augs:
        x = aug(x)
    out.append(x)
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, arguments in LISTS.items()
]
