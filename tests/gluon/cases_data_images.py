"""Data sets of images: folders, record files; what a loader makes of them."""

from tests.cases import C
from tests.image.photos import RECORDS

FOLDER = f"""{RECORDS}
V = gluon.data.vision
for sub in ('b', 'a', 'c', 'a/sub'):
    os.makedirs(os.path.join(root, 'set', sub))
for i, name in enumerate(FILES):
    shutil.copy(FOLDER + name, os.path.join(root, 'set', 'ab'[i % 2], name))
shutil.copy(FOLDER + 'gray.jpg', os.path.join(root, 'set', 'a', 'G.JPEG'))
for name in ('x.txt', 'a/y.txt'):
    with open(os.path.join(root, 'set', name), 'w') as f:
        f.write('x')
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    data = V.ImageFolderDataset(os.path.join(root, 'set'){{}})
out += [[w.category.__name__ for w in caught], len(data), data.synsets]
out += [(path[len(root):], label) for path, label in data.items]
out += [data[i] for i in range(len(data))]
"""
CASES = [
    C("folder", FOLDER.replace("{}", "")),
    C("folder/gray", FOLDER.replace("{}", ", flag=0")),
    C("folder/transform", FOLDER.replace("{}", ", 1, lambda x, y: (x.astype('int32'), y + 1)")),
    C("folder/index", FOLDER.replace("{}", "") + "data[9]"),
    C("folder/missing", f"{RECORDS}\ngluon.data.vision.ImageFolderDataset(root + '/none')"),
]
CASES += [
    C(label, f"{RECORDS}\nV = gluon.data.vision\ndata = {make}\n{then}")
    for label, make, then in (
        (
            "records",
            "V.ImageRecordDataset(REC)",
            "out += [len(data)] + [data[i] for i in range(5)]",
        ),
        ("records/gray", "V.ImageRecordDataset(REC, 0)", "out += [data[1]]"),
        (
            "records/transform",
            "V.ImageRecordDataset(root + '/b.rec', 1, lambda x, y: (x * 0, y * 2))",
            "out += [data[i] for i in range(5)]",
        ),
        ("records/negative", "V.ImageRecordDataset(REC)", "out += [data[-1]]"),
        ("records/beyond", "V.ImageRecordDataset(REC)", "data[5]"),
        (
            "records/loader",
            "V.ImageRecordDataset(REC)",
            """
T = V.transforms
data = data.transform_first(T.Compose([T.Resize((30, 20)), T.ToTensor(), T.Normalize(0.5, 0.2)]))
out += [list(gluon.data.DataLoader(data, 2, num_workers=n, thread_pool=n == 1)) for n in (0, 1)]
""",
        ),
    )
]
