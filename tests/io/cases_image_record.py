"""mx.io.ImageRecordIter and its kin; and the orders of shuffling."""

from tests.cases import C
from tests.image.photos import LEVEL, RECORDS, WHY, values

REC = "path_imgrec=REC"
SMALL = f"{REC}, batch_size=2, data_shape=(3, 20, 30)"
TINY = f"{REC}, batch_size=2, data_shape=(3, 6, 8)"
ARGUMENTS = {
    "plain": SMALL,
    "resize": f"{SMALL}, resize=35",
    "resize-square": f"{REC}, batch_size=5, data_shape=(3, 30, 30), resize=25",
    "resize-nearest": f"{SMALL}, resize=35, inter_method=0",
    "resize-cubic": f"{SMALL}, resize=35, inter_method=2",
    "resize-area": f"{SMALL}, resize=35, inter_method=3",
    "resize-lanczos": f"{SMALL}, resize=35, inter_method=4",
    "resize-auto": f"{SMALL}, resize=35, inter_method=9",
    "larger": f"{REC}, batch_size=2, data_shape=(3, 50, 80)",
    "much-larger-auto": f"{REC}, batch_size=1, data_shape=(3, 200, 230), inter_method=9",
    "wider-auto": f"{REC}, batch_size=1, data_shape=(3, 100, 230), inter_method=9",
    "mean": f"{SMALL}, mean_r=100, mean_g=110, mean_b=120",
    "normalize": f"{SMALL}, mean_r=100, mean_g=110, mean_b=120, std_r=2, std_g=3, scale=.5",
    "scale": f"{SMALL}, scale=1 / 255.0",
    "mirror": f"{SMALL}, mirror=True, mean_r=100",
    "pad": f"{REC}, batch_size=2, data_shape=(3, 180, 200), pad=60, fill_value=9",
    "gray": f"{REC}, batch_size=2, data_shape=(1, 20, 30), mean_r=100, std_r=4, scale=2",
    "rotate": f"{REC}, batch_size=2, data_shape=(3, 110, 170), rotate=45, fill_value=9",
    "rotate-pad": f"{REC}, batch_size=2, data_shape=(3, 64, 80), rotate=20, resize=60, pad=5",
    "rotate-cubic": f"{REC}, batch_size=2, data_shape=(3, 90, 70), rotate=33, inter_method=2",
    "stretch": f"{REC}, batch_size=2, data_shape=(3, 100, 100), min_aspect_ratio=2, "
    "max_aspect_ratio=2",
    "shrink": f"{REC}, batch_size=2, data_shape=(3, 40, 40), min_random_scale=.5, "
    "max_random_scale=.5",
    "least-size": f"{REC}, batch_size=2, data_shape=(3, 140, 130), min_img_size=150",
    "most-size": f"{REC}, batch_size=2, data_shape=(3, 60, 60), max_img_size=70",
    "crop-size": f"{SMALL}, min_crop_size=25, max_crop_size=25",
    "resized-crop-whole": f"{REC}, batch_size=1, data_shape=(3, 60, 90), random_resized_crop=True, "
    "min_random_area=1, max_random_area=1, min_aspect_ratio=1, max_aspect_ratio=1",
    "labels": f"path_imgrec=root + '/b.rec', label_width=3, {SMALL[len(REC) + 2 :]}",
    "list": f"{TINY}, path_imglist=root + '/a.lst'",
    "list-labels": f"{TINY}, path_imglist=root + '/b.lst', label_width=2",
    "index": f"{TINY}, path_imgidx=root + '/a.idx'",
    "parts": f"{TINY}, num_parts=2, part_index=1",
    "parts-three": f"{TINY}, num_parts=3, part_index=2",
    "parts-index": f"{TINY}, num_parts=2, part_index=0, path_imgidx=root + '/a.idx'",
    "shuffle": f"{TINY}, shuffle=True",
    "shuffle-seed": f"{TINY}, shuffle=True, seed=5",
    "shuffle-index": f"{TINY}, shuffle=True, path_imgidx=root + '/a.idx'",
    **{
        f"random/{label}": f"{TINY}, preprocess_threads=1, {options}"
        for label, options in {
            "crop": "rand_crop=True",
            "mirror": "rand_mirror=True, seed=4",
            "crop-mirror": "rand_crop=True, rand_mirror=True, mean_r=9",
            "seeded": "rand_crop=True, rand_mirror=True, seed_aug=6",
            "seeded-zero": "rand_crop=True, max_random_illumination=20, seed_aug=0",
            "shuffled": "shuffle=True, path_imgidx=root + '/a.idx', rand_crop=True",
            "light": "max_random_illumination=20, max_random_contrast=.3, scale=.5",
            "turn": "max_rotate_angle=30, max_shear_ratio=.1, resize=60",
            "stretch": "max_random_scale=1.5, min_random_scale=.8, max_aspect_ratio=.2",
            "size": "min_crop_size=20, max_crop_size=30, rand_crop=True",
            "jitter": "brightness=.3, contrast=.2, rand_mirror=True",
            "uint8": "rand_crop=True, rand_mirror=True, dtype='uint8'",
        }.items()
    },
    "large-batch": f"{REC}, batch_size=7, data_shape=(3, 6, 8)",
    "uint8-dtype": f"{SMALL}, dtype='uint8'",
    "names": f"{SMALL}, data_name='x', label_name='y'",
    "text": "path_imgrec=REC, batch_size='2', data_shape='(3, 20, 30)', mirror='True'",
}
RUN = """
it = mx.io.{kind}({arguments}, verbose=False)
out += [[(d.name, d.shape, onp.dtype(d.dtype).name) for d in it.provide_data + it.provide_label]]
out += [it.batch_size, type(it).__name__]
out += epochs(it, {epochs})
"""


def run(label, kind, arguments):
    count = 3 if "(3, 6, 8)" in arguments else 1
    code = RECORDS + RUN.format(kind=kind, arguments=arguments, epochs=count)
    return C(label, code, tol=LEVEL, why=WHY)


CASES = [run(label, "ImageRecordIter", arguments) for label, arguments in ARGUMENTS.items()]
CASES += [
    run("uint8", "ImageRecordUInt8Iter", f"{SMALL}, mean_r=100"),
    run("int8", "ImageRecordInt8Iter", f"{SMALL}, mean_r=100, std_r=2, scale=2"),
    run("v1", "ImageRecordIter_v1", f"{SMALL}, mean_r=100"),
    run("v1-uint8", "ImageRecordUInt8Iter_v1", SMALL),
]
REFUSED = {
    "channels": f"{REC}, batch_size=2, data_shape=(4, 20, 30)",
    "two-channels": f"{REC}, batch_size=2, data_shape=(2, 20, 30)",
    "shape": f"{REC}, batch_size=2, data_shape=(3, 20)",
    "shape-zero": f"{REC}, batch_size=2, data_shape=(3, 0, 30)",
    "no-shape": f"{REC}, batch_size=2",
    "no-batch": f"{REC}, data_shape=(3, 20, 30)",
    "no-record": "batch_size=2, data_shape=(3, 20, 30)",
    "missing": "path_imgrec='/none.rec', batch_size=2, data_shape=(3, 20, 30)",
    "batch": f"{REC}, batch_size=12, data_shape=(3, 20, 30)",
    "labels": f"{SMALL}, label_width=2",
    "resize": f"{SMALL}, resize='a'",
    "interp": f"{SMALL}, resize=30, inter_method=5",
    "rotate-nearest": f"{SMALL}, rotate=30, inter_method=0",
    "threads": f"{SMALL}, preprocess_threads=0",
    "part": f"{SMALL}, num_parts=2, part_index=2",
    "dtype": f"{SMALL}, dtype='float16'",
    "ctx": f"{SMALL}, ctx='tpu'",
    "crops": f"{SMALL}, random_resized_crop=True, rand_crop=True",
    "crop-size": f"{SMALL}, min_crop_size=20, max_crop_size=10",
}
CASES += values(
    {
        f"refused/{label}": f"mx.io.ImageRecordIter({arguments}, verbose=False)"
        for label, arguments in REFUSED.items()
    },
    RECORDS,
)
CASES.append(
    C(
        "mean-image",
        f"""{RECORDS}
path = root + '/mean.bin'
for _ in range(2):
    it = mx.io.ImageRecordIter({SMALL}, mean_img=path, verbose=False)
    out += [it.next().data[0], nd.load(path)]
it = mx.io.ImageRecordIter({SMALL}, mean_img=path, mirror=True, std_g=2, scale=3, verbose=False)
out += [it.next().data[0]]
""",
    )
)
CASES.append(
    C(
        "chunks",
        f"""{RECORDS}
data = onp.fromfile(FOLDER + 'cat_small.jpg', 'uint8').tobytes()
base = root + '/big'
writer = mx.recordio.MXIndexedRecordIO(base + '.idx', base + '.rec', 'w')
for i in range(600):
    header = mx.recordio.IRHeader(0, float(i), i, 0)
    writer.write_idx(i, mx.recordio.pack(header, data + b'x' * 30000))
writer.close()
for extra in ({{}}, {{'path_imgidx': base + '.idx'}}, {{'shuffle_chunk_size': 4}},
              {{'shuffle_chunk_size': 4, 'shuffle_chunk_seed': 7, 'seed': 3}}):
    it = mx.io.ImageRecordIter(
        path_imgrec=base + '.rec', batch_size=100, data_shape=(3, 2, 2), shuffle=True,
        verbose=False, **extra)
    for _ in range(2):
        out.append([b.label[0].copy() for b in it])
        it.reset()
""",
    )
)
OBJECTS = "path_imgrec=root + '/d.rec', batch_size=2, data_shape=(3, 6, 8)"
DETECTION = {
    "plain": OBJECTS,
    "width": f"{OBJECTS}, label_pad_width=20, label_pad_value=-3",
    "fit": f"{OBJECTS}, resize_mode='fit', mean_r=3",
    "fit-larger": "path_imgrec=root + '/d.rec', batch_size=2, data_shape=(3, 150, 150), "
    "resize_mode='fit', inter_method=9",
    "shrink": "path_imgrec=root + '/d.rec', batch_size=2, data_shape=(3, 90, 90), "
    "resize_mode='shrink'",
    "resize": f"{OBJECTS}, resize=50, inter_method=2",
    "normalize": f"{OBJECTS}, mean_r=100, std_r=2, std_g=3, scale=.5",
    "mirror": f"{OBJECTS}, rand_mirror_prob=1",
    "gray": "path_imgrec=root + '/d.rec', batch_size=2, data_shape=(1, 6, 8)",
    "shuffle": f"{OBJECTS}, shuffle=True",
    "shuffle-seed": f"{OBJECTS}, shuffle=True, seed=5",
    "narrow": f"{OBJECTS}, label_pad_width=5",
    "one-width": f"{OBJECTS}, label_width=7",
    "no-objects": f"{REC}, batch_size=2, data_shape=(3, 6, 8)",
}
CASES += [
    run("objects/" + label, "ImageDetRecordIter", arguments)
    for label, arguments in DETECTION.items()
]
CASES.append(
    C(
        "reset",
        f"""{RECORDS}
for size in (2, 5):
    it = mx.io.ImageRecordIter(
        {REC}, batch_size=size, data_shape=(3, 2, 2), shuffle=True, verbose=False)
    it.reset()
    out += [[b.label[0].copy() for b in it]]
    it.reset()
    out += [[b.label[0].copy() for b in it]]
""",
    )
)
