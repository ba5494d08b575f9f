"""mx.image.ImageIter: lists, list files, record files; orders, last batches, subclasses."""

from tests.cases import C
from tests.image.photos import LEVEL, RECORDS, WHY, values

COMMON = "batch_size=2, data_shape=(3, 8, 10)"
LIST = f"{COMMON}, imglist=LIST, path_root=FOLDER"
INDEXED = f"{COMMON}, path_imgrec=REC, path_imgidx=REC[:-3] + 'idx'"
ARGUMENTS = {
    "list": LIST,
    "list-shuffle": f"{LIST}, shuffle=True",
    "list-discard": f"{LIST}, last_batch_handle='discard'",
    "list-roll": f"{LIST}, last_batch_handle='roll_over'",
    "list-roll-shuffle": LIST.replace("=2,", "=3,")
    + ", last_batch_handle='roll_over', shuffle=True",
    "list-parts": f"{LIST}, part_index=1, num_parts=2",
    "list-large-batch": LIST.replace("=2,", "=7,"),
    "list-labels": f"{COMMON}, imglist=[[i, i + 0.5, n] for i, n in LIST], path_root=FOLDER, "
    "label_width=2",
    "list-arrays": f"{COMMON}, imglist=[[onp.array([i, 3.0]), n] for i, n in LIST], "
    "path_root=FOLDER, label_width=2",
    "list-wide": f"{LIST}, label_width=3",
    "list-int": f"{LIST}, dtype='int32'",
    "list-names": f"{LIST}, data_name='x', label_name='y'",
    "list-augmented": f"{LIST}, rand_crop=True, rand_mirror=True, brightness=0.1, mean=True, "
    "std=True, resize=25",
    "list-own-augmenters": f"{LIST}, "
    "aug_list=[I.ForceResizeAug((10, 8)), I.HorizontalFlipAug(0.5)]",
    "file": f"{COMMON}, path_imglist=root + '/a.lst', path_root=FOLDER",
    "file-labels": f"{COMMON}, path_imglist=root + '/b.lst', path_root=FOLDER, label_width=2",
    "record": f"{COMMON}, path_imgrec=REC",
    "record-roll": f"{COMMON}, path_imgrec=REC, last_batch_handle='roll_over'",
    "record-discard": f"{COMMON}, path_imgrec=REC, last_batch_handle='discard'",
    "record-labels": f"{COMMON}, path_imgrec=root + '/b.rec', label_width=3",
    "index": INDEXED,
    "index-shuffle": f"{INDEXED}, shuffle=True",
    "index-parts": f"{INDEXED}, part_index=2, num_parts=3",
    "record-and-list": f"{COMMON}, path_imgrec=REC, path_imglist=root + '/b.lst', label_width=2",
}
CASES = [
    C(
        f"iter/{label}",
        f"""{RECORDS}
it = I.ImageIter({arguments})
out += [it.provide_data, it.provide_label, it.batch_size, it.num_image, it.cur, it.seq]
out += epochs(it, 3 if 'roll' in {label!r} else 2)
out += [it.cur, pyrandom.random(), onp.random.rand()]
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, arguments in ARGUMENTS.items()
]
REFUSED = {
    "shuffle-without-index": f"{COMMON}, path_imgrec=REC, shuffle=True",
    "parts-without-index": f"{COMMON}, path_imgrec=REC, num_parts=2",
    "part-index": f"{LIST}, part_index=2, num_parts=2",
    "nothing": COMMON,
    "tuple": f"{COMMON}, imglist=((1.0, PHOTO),), path_root=''",
    "label-dtype": f"{LIST}, dtype='uint8'",
    "shape-short": "batch_size=2, data_shape=(3, 20), imglist=LIST",
    "shape-gray": "batch_size=2, data_shape=(1, 20, 30), imglist=LIST",
    "shape-list": "batch_size=2, data_shape=[3, 20, 30], imglist=LIST",
    "keyword": f"{LIST}, colour=3",
}
CASES += values(
    {f"refused/{label}": f"I.ImageIter({arguments})" for label, arguments in REFUSED.items()},
    RECORDS,
)
CASES += values(
    {
        "batch/missing": f"I.ImageIter({COMMON}, imglist=[[0.0, 'none']], path_root=FOLDER).next()",
        "batch/broken": f"I.ImageIter({COMMON}, imglist=[[0.0, 'README.md']], path_root=FOLDER)"
        ".next()",
        "batch/no-reset": f"[(list(i), i.next()) for i in [I.ImageIter({LIST})]]",
        "batch/hard-reset": f"""[
    (list(i), i.hard_reset(), [b.label[0] for b in i])
    for i in [I.ImageIter({LIST}, last_batch_handle='roll_over')]][0][1:]""",
        "sample": f"""[(label, len(data)) for i in [I.ImageIter({LIST})]
    for label, data in [i.next_sample() for _ in range(5)]]""",
        "sample/end": f"[i.next_sample() for i in [I.ImageIter({LIST})] for _ in range(6)]",
        "read": f"len(I.ImageIter({LIST}).read_image('cat.jpg'))",
        "post": f"I.ImageIter({LIST}).postprocess_data(nd.arange(24).reshape((2, 4, 3)))",
        "decode": f"I.ImageIter({LIST}).imdecode(onp.fromfile(PHOTO, 'uint8').tobytes())",
        "check-shape": f"I.ImageIter({LIST}).check_data_shape((3, 4))",
        "names": f"sorted(n for n in dir(I.ImageIter({LIST})) if n[0] != '_' and n != 'imgidx')",
    },
    RECORDS,
)
CASES.append(
    C(
        "subclass",
        f"""{RECORDS}
class Mine(I.ImageIter):
    def next_sample(self):
        label, data = super().next_sample()
        return label * 10, data
    def augmentation_transform(self, data):
        return super().augmentation_transform(data) * 0 + 7
    def postprocess_data(self, datum):
        return super().postprocess_data(datum) + 1
out += epochs(Mine({LIST}), 1)
""",
    )
)
CASES.append(
    C(
        "numpy-mode",
        f"""{RECORDS}
mx.npx.set_np()
batch = I.ImageIter({LIST}).next()
out += [batch.data[0], batch.label[0], I.imread(PHOTO), I.imresize(I.imread(PHOTO), 9, 8)]
""",
    )
)
