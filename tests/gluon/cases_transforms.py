"""Transforms and downloaded data sets of gluon.data.vision."""

from tests.cases import C

SETUP = """
T = gluon.data.vision.transforms
img = nd.array(onp.arange(24).reshape(2, 4, 3) * 10, dtype='uint8')
"""
VALUES = {
    "to-tensor": "T.ToTensor()(img)",
    "to-tensor-float": "T.ToTensor()(img.astype('float32'))",
    "to-tensor-batch": "T.ToTensor()(nd.ones((2, 3, 4, 3)))",
    "cast": "T.Cast()(img)",
    "cast-dtype": "T.Cast('float64')(img)",
    "normalize": "T.Normalize(0.5, 2)(T.ToTensor()(img))",
    "normalize-channels": "T.Normalize((0.1, 0.2, 0.3), (1, 2, 3))(T.ToTensor()(img))",
    "compose": "T.Compose([T.ToTensor(), T.Normalize(0.5, 0.25)])(img)",
    "compose-repr": "repr(T.Compose([T.ToTensor(), T.Normalize(0, 1), T.RandomFlipTopBottom()]))",
    "crop": "T.CropResize(1, 0, 2, 2)(img)",
    "apply-always": "T.RandomApply(T.ToTensor(), p=1)(img)",
    "apply-never": "T.RandomApply(T.ToTensor(), p=0)(img)",
    "apply-sometimes": "[T.RandomApply(T.Cast())(img).dtype.__name__ for _ in range(9)]",
    "flip-left-right": "[T.RandomFlipLeftRight()(img) for _ in range(9)]",
    "flip-top-bottom": "[T.RandomFlipTopBottom()(img) for _ in range(9)]",
    "flips-composed": """[
        T.Compose([T.RandomFlipLeftRight(), T.RandomFlipTopBottom(), T.ToTensor()])(img)
        for _ in range(9)]""",
}
CASES = [C(label, f"{SETUP}\nout.append({value})\n") for label, value in VALUES.items()]
FILES = """
import gzip, os, struct, tempfile
V = gluon.data.vision
root = tempfile.mkdtemp()
rng = onp.random.RandomState(0)

def arrives(url, path=None, **kwargs):
    return os.path.join(path, url.split('/')[-1])
V.datasets.download = arrives
V.datasets.check_sha1 = lambda path, checksum: True
"""
CASES += [
    C(
        f"mnist-{name}-{train}",
        FILES
        + f"""
for part, n in (('train', 5), ('t10k', 3)):
    with gzip.open(os.path.join(root, part + '-images-idx3-ubyte.gz'), 'wb') as f:
        f.write(struct.pack('>IIII', 2051, n, 28, 28) + rng.bytes(n * 784))
    with gzip.open(os.path.join(root, part + '-labels-idx1-ubyte.gz'), 'wb') as f:
        f.write(struct.pack('>II', 2049, n) + bytes(range(n)))
data = V.{name}(root=root, train={train})
out += [len(data), data[1], data[1:3], type(data[1][1]).__name__]
data = V.{name}(root, {train}, lambda x, y: (x.astype('float32') / 2, y))
out += [data[2]]
""",
    )
    for name in ("MNIST", "FashionMNIST")
    for train in (True, False)
]
CASES += [
    C(
        f"cifar-{label}",
        FILES
        + f"""
names = ['data_batch_%d.bin' % i for i in range(1, 6)] + ['test_batch.bin', 'train.bin', 'test.bin']
for i, name in enumerate(names):
    with open(os.path.join(root, name), 'wb') as f:
        for row in range(2):
            f.write(bytes([i] * {labels}) + rng.bytes(3072))
            i += 3
data = V.{call}
out += [len(data), data[1], data[-1], [int(y) for _, y in data]]
""",
    )
    for label, labels, call in (
        ("10", 1, "CIFAR10(root)"),
        ("10-test", 1, "CIFAR10(root, train=False)"),
        ("100", 2, "CIFAR100(root)"),
        ("100-fine", 2, "CIFAR100(root, True, False)"),
    )
]
