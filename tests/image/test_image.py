"""What no recording can show: errors of our own, threads, processes, drawing."""

import builtins
import random
import sys
import warnings

import numpy as onp
import pytest

import mxtorch as mx
from mxtorch._pixels import opencv
from tests.cases import TESTS

IMAGES = TESTS / "data" / "images"
CAT = str(IMAGES / "cat.jpg")


@pytest.fixture
def record(tmp_path):
    """A record file of 9 images with an index."""
    base = str(tmp_path / "images")
    writer = mx.recordio.MXIndexedRecordIO(base + ".idx", base + ".rec", "w")
    for i in range(9):
        name = ("cat.jpg", "coffee.png", "cat_small.jpg")[i % 3]
        header = mx.recordio.IRHeader(0, float(i), i, 0)
        writer.write_idx(i, mx.recordio.pack(header, (IMAGES / name).read_bytes()))
    writer.close()
    return base + ".rec"


def pixels(record, **options):
    it = mx.io.ImageRecordIter(path_imgrec=record, batch_size=4, data_shape=(3, 24, 24), **options)
    return [batch.data[0].asnumpy() for batch in it]


CHANCE = {
    "rand_crop": True,
    "rand_mirror": True,
    "max_rotate_angle": 20,
    "max_aspect_ratio": 0.2,
    "max_shear_ratio": 0.1,
    "brightness": 0.2,
    "contrast": 0.2,
    "saturation": 0.2,
    "pca_noise": 0.1,
    "random_h": 20,
    "random_s": 20,
    "random_l": 20,
    "max_random_contrast": 0.2,
    "max_random_illumination": 3,
}


def test_chance_does_not_depend_on_threads(record):
    one, four = (pixels(record, preprocess_threads=n, seed=3, **CHANCE) for n in (1, 4))
    other = pixels(record, preprocess_threads=2, seed_aug=4, seed=3, **CHANCE)
    assert all(onp.array_equal(a, b) for a, b in zip(one, four, strict=True))
    assert not onp.array_equal(one[0], other[0])


@pytest.mark.parametrize(
    "option", [{"random_resized_crop": True}, *({k: v} for k, v in CHANCE.items())]
)
def test_every_chance_changes_something(record, option):
    if "random_resized_crop" in option:
        option = {**option, "min_random_area": 0.2, "max_random_area": 0.8}
    plain, changed = pixels(record), pixels(record, **option)
    assert changed[0].shape == plain[0].shape
    assert any(not onp.array_equal(a, b) for a, b in zip(plain, changed, strict=True))
    assert all(onp.isfinite(a).all() for a in changed)


def test_a_last_batch_that_is_not_filled(record):
    it = mx.io.ImageRecordIter(
        path_imgrec=record, batch_size=4, data_shape=(3, 24, 24), round_batch=False
    )
    pads = [(b.pad, float(b.data[0][-1].sum().asscalar()) > 0) for b in it]
    assert pads == [(0, True), (0, True), (3, False)]


def test_reset_in_the_middle(record):
    it = mx.io.ImageRecordIter(path_imgrec=record, batch_size=2, data_shape=(3, 9, 9))
    first = it.next().label[0].asnumpy().tolist()
    it.next()
    it.reset()
    assert it.next().label[0].asnumpy().tolist() == first == [0, 1]


def test_damage_is_named(record, tmp_path):
    writer = mx.recordio.MXRecordIO(str(tmp_path / "bad.rec"), "w")
    writer.write(mx.recordio.pack(mx.recordio.IRHeader(0, 0.0, 7, 0), b"no image"))
    writer.close()
    with pytest.raises(mx.MXNetError, match=r"bad\.rec, image 7: the image cannot be decoded"):
        mx.io.ImageRecordIter(
            path_imgrec=str(tmp_path / "bad.rec"), batch_size=1, data_shape=(3, 4, 4)
        )


def test_several_files_one_after_another(record):
    it = mx.io.ImageRecordIter(path_imgrec=f"{record};{record}", batch_size=9, data_shape=(3, 4, 4))
    assert [b.label[0].asnumpy().tolist() for b in it] == [[float(i) for i in range(9)]] * 2
    with pytest.raises(mx.MXNetError, match="put them into one file"):
        mx.io.ImageRecordIter(
            path_imgrec=f"{record};{record}", batch_size=9, data_shape=(3, 4, 4), num_parts=2
        )


def test_transparency(tmp_path):
    base = str(tmp_path / "alpha.rec")
    writer = mx.recordio.MXRecordIO(base, "w")
    data = (IMAGES / "alpha.png").read_bytes()
    writer.write(mx.recordio.pack(mx.recordio.IRHeader(0, 0.0, 0, 0), data))
    writer.close()
    it = mx.io.ImageRecordIter(path_imgrec=base, batch_size=1, data_shape=(4, 24, 32), mean_a=1)
    got = it.next().data[0].asnumpy()[0]
    alpha = onp.linspace(0, 255, 24 * 32).reshape(24, 32).astype("uint8")
    assert onp.array_equal(got[3], alpha.astype("float32") - 1)
    color = mx.image.imread(str(IMAGES / "alpha.png")).asnumpy()
    assert onp.array_equal(got[:3].transpose(1, 2, 0), color)


@pytest.mark.parametrize("threads", [False, True])
def test_workers_read_records(record, threads):
    data = mx.gluon.data.vision.ImageRecordDataset(record)
    small = mx.gluon.data.vision.transforms.Resize((8, 6), interpolation=2)
    loader = mx.gluon.data.DataLoader(
        data.transform_first(small), 3, num_workers=2, thread_pool=threads
    )
    seen = [(x.shape, y.asnumpy().tolist()) for x, y in loader]
    assert seen == [((3, 6, 8, 3), [i, i + 1.0, i + 2.0]) for i in (0, 3, 6)]


def test_boxes_are_drawn():
    label = onp.array([2, 5, 1, 0.25, 0.25, 0.75, 0.75])
    it = mx.image.ImageDetIter(
        1, (3, 40, 40), imglist=[[label, "cat.jpg"]], path_root=str(IMAGES), mean=True, std=True
    )
    (picture,) = it.draw_next(
        color=(255, 0, 0), thickness=1, mean=True, std=True, id2labels={1: "cat"}
    )
    assert picture.shape == (40, 40, 3) and picture.dtype == onp.uint8
    assert picture[10, 20].tolist() == picture[30, 20].tolist() == [255, 0, 0]
    plain = mx.image.imresize(mx.image.imread(CAT), 40, 40, 2).asnumpy()
    assert onp.abs(picture[:9].astype(int) - plain[:9]).max() <= 1


def test_without_opencv(monkeypatch):
    """Reading says what to install; resizing by the operator still works."""
    image = mx.image.imread(CAT)
    wanted = mx.nd.image.resize(image, size=(50, 30)).asnumpy()
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "cv2":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    monkeypatch.delitem(sys.modules, "cv2")
    monkeypatch.setattr(opencv, "is_installed", lambda: False)
    opencv.opencv.cache_clear()
    try:
        with pytest.raises(mx.MXNetError, match=r"pip install 'mxtorch\[image\]'"):
            mx.image.imread(CAT)
        got = mx.nd.image.resize(image, size=(50, 30)).asnumpy()
    finally:
        opencv.opencv.cache_clear()
    assert onp.array_equal(got, wanted)


def test_intel_kernels_are_as_before():
    cv2 = opencv.opencv()
    before = cv2.ipp.useIPP()
    mx.image.imresize(mx.image.imread(CAT), 9, 9)
    with pytest.raises(mx.MXNetError):
        mx.image.imresize(mx.nd.ones((5, 6, 7)), 3, 2, 3)
    assert cv2.ipp.useIPP() == before


def test_unknown_options_warn(record):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mx.io.ImageRecordIter(path_imgrec=record, batch_size=2, data_shape=(3, 4, 4), colour=1)
    assert ["colour" in str(w.message) for w in caught] == [True]


DET_CHANCE = {
    "rand_mirror_prob": {"rand_mirror_prob": 0.5},
    "pad": {"rand_pad_prob": 1, "max_pad_scale": 2},
    "crop": {"rand_crop_prob": 1, "min_crop_scales": 0.5, "max_crop_scales": 0.9},
    "crops": {
        "rand_crop_prob": 1,
        "num_crop_sampler": 2,
        "min_crop_scales": 0.5,
        "max_crop_scales": (0.8, 1),
        "min_crop_overlaps": (0.1, 0.3),
        "max_crop_trials": 20,
        "crop_emit_mode": "overlap",
    },
    "hue": {"max_random_hue": 30, "random_hue_prob": 1},
    "saturation": {"max_random_saturation": 30, "random_saturation_prob": 1},
    "illumination": {"max_random_illumination": 30, "random_illumination_prob": 1},
    "contrast": {"max_random_contrast": 0.5, "random_contrast_prob": 1},
}


@pytest.mark.parametrize("name", DET_CHANCE)
def test_chance_with_objects(name, tmp_path):
    """Something changes, the same each time, and boxes stay around what they were around."""
    base = str(tmp_path / "objects.rec")
    writer = mx.recordio.MXRecordIO(base, "w")
    picture = onp.full((60, 90, 3), 40, "uint8")
    picture[20:50, 30:60] = (250, 200, 90)
    label = onp.array([2, 5, 3, 30 / 90, 20 / 60, 60 / 90, 50 / 60], "float32")
    for i in range(4):
        header = mx.recordio.IRHeader(0, label, i, 0)
        writer.write(mx.recordio.pack_img(header, picture, img_fmt=".png", quality=1))
    writer.close()

    def batch(**options):
        it = mx.io.ImageDetRecordIter(
            path_imgrec=base, batch_size=4, data_shape=(3, 120, 180), **options
        )
        first = it.next()
        return first.data[0].asnumpy(), first.label[0].asnumpy()

    plain, changed, again = batch(), batch(**DET_CHANCE[name]), batch(**DET_CHANCE[name])
    assert all(onp.array_equal(a, b) for a, b in zip(changed, again, strict=True))
    symmetric = name == "rand_mirror_prob"
    assert symmetric or not onp.array_equal(plain[0], changed[0])
    for pixels, row in zip(*changed, strict=True):
        assert row[:7].tolist() == [3, 120, 180, 7, 2, 5, 3]
        left, top, right, bottom = (row[7:11] * (180, 120, 180, 120)).round().astype(int)
        bright = pixels.mean(0) > pixels.mean(0).min() + 60
        if name != "pad":  # whose ground is as bright
            ys, xs = onp.nonzero(bright)
            found = (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)
            # a crop is cut at whole pixels, and these are up to four times as large afterwards
            assert onp.abs(onp.subtract(found, (left, top, right, bottom))).max() <= 8


def test_transforms_of_later_versions():
    transforms = mx.gluon.data.vision.transforms
    image = mx.image.imread(CAT)
    random.seed(0)
    crop = transforms.RandomCrop((50, 40))(image).asnumpy()
    random.seed(0)
    assert onp.array_equal(crop, mx.image.random_crop(image, (50, 40), 1)[0].asnumpy())
    whole = transforms.RandomCrop((188, 128), pad=4, pad_value=7)(image).asnumpy()
    assert onp.array_equal(whole[4:-4, 4:-4], image.asnumpy())
    assert (whole[:4] == 7).all() and (whole[:, -4:] == 7).all()
    gray = transforms.RandomGray(1)(image)
    wanted = (image.asnumpy() @ onp.array([0.21, 0.72, 0.07])).astype("uint8")
    assert gray.dtype is onp.uint8
    assert onp.abs(gray.asnumpy().astype(int) - wanted[..., None]).max() <= 1
    assert transforms.RandomGray(0)(image) is image
    both = transforms.HybridCompose([transforms.Resize(32), transforms.ToTensor()])
    assert both(image).shape == (3, 32, 32)
    with pytest.raises(ValueError, match="no HybridBlock"):
        transforms.HybridCompose([transforms.CenterCrop(3)])
    sometimes = transforms.HybridRandomApply(transforms.Cast("float16"), 0.5)
    kinds = {sometimes(image).dtype for _ in range(30)}
    assert kinds == {onp.uint8, onp.float16}


def test_list_of_images(tmp_path):
    make = mx.gluon.data.vision.ImageListDataset
    data = make(str(IMAGES), [[1.0, "cat.jpg"], [2.0, 3.0, "gray.jpg"]])
    assert len(data) == 2
    assert [(x.shape, y.asnumpy().tolist()) for x, y in data] == [
        ((120, 180, 3), [1]),
        ((50, 75, 3), [2, 3]),
    ]
    lines = tmp_path / "images.lst"
    lines.write_text("7\t4.0\tcat.jpg\n")
    ((gray, label),) = make(str(IMAGES), str(lines), flag=0)
    assert gray.shape == (120, 180, 1) and label.asnumpy().tolist() == [4]
    with pytest.raises(mx.MXNetError, match="imglist must be"):
        make(str(IMAGES))
