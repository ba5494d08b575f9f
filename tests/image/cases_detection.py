"""mx.image's detection: augmenters of images with objects, ImageDetIter."""

from tests.cases import C
from tests.image.photos import LEVEL, RECORDS, SETUP, WHY, values

BOXES = f"""{SETUP}
boxes = onp.array(
    [[0, 0.1, 0.2, 0.5, 0.6], [1, 0.4, 0.3, 0.9, 0.95], [2, 0.05, 0.05, 0.15, 0.2]], 'float32')
"""
KINDS = {
    "flip": "I.DetHorizontalFlipAug(0.5)",
    "borrow": "I.DetBorrowAug(I.HorizontalFlipAug(0.3))",
    "crop": "I.DetRandomCropAug()",
    "crop-half": "I.DetRandomCropAug(0.5, (0.5, 2), (0.1, 0.8), 0.2, 20)",
    "crop-hard": "I.DetRandomCropAug(0.9, (0.5, 2), (0.1, 0.3), 0.2, 5)",
    "crop-one": "I.DetRandomCropAug(0.1, 1.0, 0.3)",
    "crop-large": "I.DetRandomCropAug(0.1, (0.5, 2), (0.5, 3))",
    "crop-tiny": "I.DetRandomCropAug(0.1, (0.5, 2), (0, 0.01))",
    "pad": "I.DetRandomPadAug()",
    "pad-color": "I.DetRandomPadAug((0.5, 2), (1.5, 2.5), 10, (1, 2, 3))",
    "pad-low": "I.DetRandomPadAug((0.5, 2), (0.5, 2))",
    "select": "I.DetRandomSelectAug([I.DetHorizontalFlipAug(1), I.DetRandomCropAug()], 0.3)",
    "select-none": "I.DetRandomSelectAug([], 0.3)",
    "select-single": "I.DetRandomSelectAug(I.DetHorizontalFlipAug(1))",
    "multi": "I.CreateMultiRandCropAugmenter()",
    "multi-two": "I.CreateMultiRandCropAugmenter("
    "[0.1, 0.3], [(0.5, 2), (0.75, 1.3)], (0.1, 0.9), 0.3, 50, 0.2)",
}
CASES = [
    C(
        f"augmenter/{label}",
        f"""{BOXES}
aug = {code}
out += [aug.dumps(), isinstance(aug, I.DetAugmenter)]
for extra in (0, 2):
    for _ in range(3):
        given = onp.concatenate([boxes, onp.ones((3, extra), 'float32')], axis=1)
        x, y = aug(im, given)
        out += [x, y, given]
out += [pyrandom.random(), onp.random.rand()]
""",
    )
    for label, code in KINDS.items()
]
CASES += values(
    {
        "base/dumps": "I.DetAugmenter(a=1, b=onp.ones(2), c=nd.ones(2)).dumps()",
        "base/call": "I.DetAugmenter()(im, boxes)",
        "borrow/other": "I.DetBorrowAug(3)",
        "select/other": "I.DetRandomSelectAug([3])",
        "crop/ratios": "I.DetRandomCropAug(aspect_ratio_range=(2, 1))",
        "crop/areas": "I.DetRandomCropAug(area_range=(0.5, 0.2))",
        "pad/areas": "I.DetRandomPadAug((0.5, 2), (0.5, 0.8))",
        "multi/lengths": "I.CreateMultiRandCropAugmenter([0.1, 0.3, 0.5], [(0.5, 2), (0.75, 1.3)])",
    },
    BOXES,
)
LISTS = {
    "plain": "",
    "resize": "resize=130",
    "crop": "rand_crop=0.5",
    "crop-pad": "rand_crop=1, rand_pad=0.5",
    "mirror": "rand_mirror=True",
    "imagenet": "mean=True, std=True",
    "colors": "brightness=0.1, contrast=0.2, saturation=0.2, hue=0.1, pca_noise=0.1, rand_gray=0.5",
    "any-interp": "inter_method=10, resize=100",
    "mean-two": "mean=onp.array([1.0, 2])",
    "two-crops": "min_object_covered=[0.1, 0.5], rand_crop=0.6",
    "all": "resize=100, rand_crop=0.5, rand_pad=0.5, rand_gray=0.2, rand_mirror=True, mean=True, "
    "std=True, brightness=0.1, contrast=0.1, saturation=0.1, pca_noise=0.1, hue=0.1, "
    "inter_method=1, min_object_covered=0.3, aspect_ratio_range=(0.5, 2), area_range=(0.1, 2), "
    "min_eject_coverage=0.2, max_attempts=10, pad_val=(1, 2, 3)",
}
CASES += [
    C(
        f"create/{label}",
        f"""{BOXES}
augs = I.CreateDetAugmenter((3, 40, 50), {arguments})
out.append([aug.dumps() for aug in augs])
for _ in range(3):
    x, y = im, boxes.copy()
    for aug in augs:
        x, y = aug(x, y)
    out += [x, y]
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, arguments in LISTS.items()
]
COMMON = "batch_size=2, data_shape=(3, 8, 10)"
INDEXED = f"{COMMON}, path_imgrec=root + '/d.rec', path_imgidx=root + '/d.idx'"
LIST = f"{COMMON}, imglist=OBJECTS, path_root=FOLDER"
ITERATORS = {
    "record": f"{COMMON}, path_imgrec=root + '/d.rec'",
    "index-shuffle": f"{INDEXED}, shuffle=True",
    "index-parts": f"{INDEXED}, part_index=1, num_parts=2",
    "augmented": f"{INDEXED}, rand_crop=0.6, rand_pad=0.5, rand_mirror=True, mean=True, std=True",
    "discard": f"{INDEXED}, last_batch_handle='discard'",
    "roll": f"{INDEXED}, last_batch_handle='roll_over'",
    "list": LIST,
    "list-names": f"{LIST}, data_name='x', label_name='y'",
    "wide": f"{COMMON}, imglist=[[onp.array([4, 6, 9, 9, 0, 0.1, 0.2, 0.5, 0.6, 7]), 'cat.jpg']], "
    "path_root=FOLDER",
    "invalid": f"{COMMON}, imglist=OBJECTS[:1] + [[onp.array([2, 5, -1, 0.1, 0.2, 0.5, 0.6]), "
    "'cat.jpg']], path_root=FOLDER",
}
CASES += [
    C(
        f"iter/{label}",
        f"""{RECORDS}
it = I.ImageDetIter({arguments})
out += [it.provide_data, it.provide_label, it.label_shape, it.cur]
out += epochs(it)
out += [pyrandom.random(), onp.random.rand()]
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, arguments in ITERATORS.items()
]
BAD = {
    "short": "[2, 5]",
    "width": "[2, 5, 0, 0.1, 0.2, 0.5, 0.6, 1]",
    "no-area": "[2, 5, 0, 0.5, 0.2, 0.1, 0.6]",
}
CASES += values(
    {
        f"label/{label}": f"I.ImageDetIter({COMMON}, imglist=[[onp.array({row}), 'cat.jpg']], "
        "path_root=FOLDER)"
        for label, row in BAD.items()
    },
    RECORDS,
)
CASES += values(
    {
        "reshape": "[it.reshape(label_shape=(4, 5)), it.provide_label, it.next().label[0]]",
        "reshape/data": "[it.reshape(data_shape=(3, 40, 50)), it.provide_data, it.data_shape]",
        "reshape/fewer": "it.reshape(label_shape=(1, 5))",
        "reshape/narrower": "it.reshape(label_shape=(3, 4))",
        "reshape/axes": "it.reshape(label_shape=(3,))",
        "sync": "[it.sync_label_shape(small) is small, small.label_shape, small.provide_label]",
        "sync/back": "[small.sync_label_shape(it) is it, small.label_shape, it.label_shape]",
        "sync/other": "it.sync_label_shape(3)",
        "transform": "it.augmentation_transform(im, onp.array([[0, 0.1, 0.2, 0.5, 0.6]]))[1]",
    },
    f"{RECORDS}\nit = I.ImageDetIter({LIST})\n"
    f"small = I.ImageDetIter({COMMON}, imglist=OBJECTS[:1], path_root=FOLDER)\n",
)
