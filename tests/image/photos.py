"""What the snippets about images start with; runs under Python 3.8 too."""

from tests.cases import C

SETUP = """
from tests.cases import TESTS
I = mx.image
FOLDER = str(TESTS / 'data' / 'images') + '/'
PHOTO = FOLDER + 'cat.jpg'
im = I.imread(PHOTO)
"""
LEVEL = 1 / 128  # of the largest value: one level where that is 128 or more
WHY = "one level of 255: other versions of OpenCV round a few pixels in 100,000 differently"


def values(table, setup=SETUP, **facts):
    """A case for each line `label: expression` of a table."""
    return [C(k, f"{setup}\nout.append({v})\n", **facts) for k, v in table.items()]


FILES = ["cat.jpg", "coffee.png", "cat_small.jpg", "gray.jpg", "turned.jpg"]
# In a temporary folder `root`: a.rec (one label), b.rec (three), d.rec (objects), their indices,
# and lists a.lst, b.lst (two labels).
RECORDS = f"""
{SETUP}
import atexit, os, shutil, tempfile
root = tempfile.mkdtemp()
atexit.register(shutil.rmtree, root, True)
FILES = {FILES!r}
LIST = [[float(i), name] for i, name in enumerate(FILES)]
draw = onp.random.RandomState(0)

def objects(i):
    rows = []
    for j in range(1 + i % 3):
        x, y, w, h = draw.uniform(0, 0.6, 2).tolist() + draw.uniform(0.2, 0.4, 2).tolist()
        rows += [j, x, y, x + w, y + h]
    return onp.array([2, 5] + rows, 'float32')

OBJECTS = [[objects(i), name] for i, name in enumerate(FILES)]
LABELS = {{
    'a': [float(i) for i in range(5)],
    'b': [onp.array([i, i + 0.5, 7.0], 'float32') for i in range(5)],
    'd': [o for o, _ in OBJECTS],
}}
for key, labels in LABELS.items():
    base = os.path.join(root, key)
    writer = mx.recordio.MXIndexedRecordIO(base + '.idx', base + '.rec', 'w')
    for i, name in enumerate(FILES):
        header = mx.recordio.IRHeader(0, labels[i], i, 0)
        data = onp.fromfile(FOLDER + name, 'uint8').tobytes()
        writer.write_idx(i * 2, mx.recordio.pack(header, data))
    writer.close()
REC = os.path.join(root, 'a.rec')
with open(os.path.join(root, 'a.lst'), 'w') as f:
    f.writelines('%d\\t%.1f\\t%s\\n' % (i, i + 10, name) for i, name in enumerate(FILES))
with open(os.path.join(root, 'b.lst'), 'w') as f:
    f.writelines('%d\\t%.1f\\t%.1f\\t%s\\n' % (i, i, i + 0.5, n) for i, n in enumerate(FILES))

def epochs(it, count=2):
    found = []
    for _ in range(count):
        # copies: MXNet's iterators over files use the arrays of a batch again
        found.append([(b.data[0].copy(), b.label[0].copy(), b.pad) for b in it])
        it.reset()
    return found
"""
