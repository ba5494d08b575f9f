"""Images: data sets, transformations, reading and cropping.

Images stay arrays (height, width, channels) until ToTensor, as in MXNet.
"""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, Writer
from mxtorch.port.rules._common import dtype

_VISION = "mx.gluon.data.vision"
_TRANSFORMS = f"{_VISION}.transforms"


def _dataset(cls: str) -> Writer:
    def write(match: Match) -> str | None:
        if not match.only("root", "train", "transform", "fine_label"):
            return None
        kind, home = cls, cls.lower().replace("fashionmnist", "fashion-mnist")
        if cls == "CIFAR100" and match.constant("fine_label") is not True:
            return None
        root = match.text("root", f'"~/.mxnet/datasets/{home}"')
        train = match.text("train", "True")
        match.need("torchvision")
        text = f"torchvision.datasets.{kind}({root}, train={train}, download=True)"
        return _with_transform(match, text)

    return write


def _with_transform(match: Match, dataset: str) -> str:
    text = f"{match.helper('Images')}({dataset})"
    given = match.given.get("transform")
    if given is None or (isinstance(given, ast.Constant) and given.value is None):
        return text
    return f"{match.helper('Transformed')}({text}, {match.text(given)})"


def _folder(match: Match) -> str | None:
    if not match.only("root", "transform", "flag"):
        return None
    if match.has("flag") and match.constant("flag") != 1:
        return None
    match.need("torchvision")
    return _with_transform(match, f"torchvision.datasets.ImageFolder({match.text('root')})")


def _compose(match: Match) -> str | None:
    if not match.only("transforms"):
        return None
    node = match.given["transforms"]
    match.need("nn")
    if isinstance(node, (ast.List, ast.Tuple)):
        inside = match.text(node).strip()[1:-1].rstrip().removesuffix(",")
        return f"nn.Sequential({inside})"
    return f"nn.Sequential(*{match.text(node)})"


def _made(helper: str, *arguments: str) -> Writer:
    """The helper with the arguments that MXNet's class has too; bilinear, as its default is."""

    def write(match: Match) -> str | None:
        known = (*arguments, "interpolation")
        if not match.only(*known) or match.constant("interpolation") not in (None, 1):
            return None
        given = [f"{a}={match.text(a)}" for a in arguments if match.has(a)]
        return f"{match.helper(helper)}({', '.join(given)})"

    return write


def _cast(match: Match) -> str:
    kind = dtype(match, "dtype") if match.has("dtype") else ""
    return f"{match.helper('Cast')}({kind})"


def _flip(axis: int) -> Writer:
    return lambda match: f"{match.helper('RandomFlip')}({axis})"


def _colors(argument: str) -> Writer:
    return lambda m: f"{m.helper('RandomColors')}({argument}={m.text(argument)})"


def _jitter(match: Match) -> str:
    names = [n for n in ("brightness", "contrast", "saturation", "hue") if match.has(n)]
    return f"{match.helper('RandomColors')}({', '.join(f'{n}={match.text(n)}' for n in names)})"


def _function(name: str, *arguments: str) -> Writer:
    """One of `mx.image`'s functions, as a helper of the same name."""

    def write(match: Match) -> str | None:
        node = match.node
        assert isinstance(node, ast.Call)
        unpacked = any(isinstance(a, ast.Starred) for a in node.args)
        if len(node.args) > len(arguments) or (unpacked and node.keywords):
            return None  # the helpers' arguments stand in MXNet's order
        texts = [match.port.source.of(a) if isinstance(a, ast.Starred) else match.text(a)
                 for a in node.args]  # fmt: skip
        for keyword in node.keywords:
            if keyword.arg not in arguments:
                return None
            place = arguments.index(keyword.arg)
            name_of = _NAMES.get(keyword.arg, keyword.arg)
            if place == len(texts):
                texts.append(match.text(keyword.value))
            else:
                texts.append(f"{name_of}={match.text(keyword.value)}")
        return f"{match.helper(name)}({', '.join(texts)})"

    return write


# What the helpers call MXNet's arguments.
_NAMES = {
    "src": "image", "w": "width", "h": "height", "x0": "left", "y0": "top", "buf": "data",
    "filename": "path",
}  # fmt: skip
_FUNCTIONS = {
    "imread": (("filename", "flag"), "i = mx.image.imread('a.png')", "i = imread('a.png')"),
    "imdecode": (("buf", "flag"), "i = mx.image.imdecode(b'')", "i = imdecode(b'')"),
    "imresize": (
        ("src", "w", "h", "interp"),
        "i = mx.image.imresize(x, 4, 3)",
        "i = imresize(x, 4, 3)",
    ),
    "resize_short": (
        ("src", "size", "interp"),
        "i = mx.image.resize_short(x, 3)",
        "i = resize_short(x, 3)",
    ),
    "fixed_crop": (
        ("src", "x0", "y0", "w", "h", "size", "interp"),
        "i = mx.image.fixed_crop(x, 0, 0, w=2, h=2)",
        "i = fixed_crop(x, 0, 0, 2, 2)",
    ),
    "center_crop": (
        ("src", "size", "interp"),
        "i = mx.image.center_crop(x, (2, 2))",
        "i = center_crop(x, (2, 2))",
    ),
    "random_crop": (
        ("src", "size", "interp"),
        "i = mx.image.random_crop(x, (2, 2))",
        "i = random_crop(x, (2, 2))",
    ),
    "color_normalize": (
        ("src", "mean", "std"),
        "i = mx.image.color_normalize(x, 0.5)",
        "i = color_normalize(x, 0.5)",
    ),
}
_CLASSES: dict[str, tuple[Writer, str, str]] = {
    "ToTensor": (_made("ToTensor"), "", "ToTensor()"),
    "Normalize": (_made("Normalize", "mean", "std"), "0.5, 0.2", "Normalize(mean=0.5, std=0.2)"),
    "Cast": (_cast, "'float16'", "Cast(torch.float16)"),
    "Resize": (_made("Resize", "size", "keep_ratio"), "8", "Resize(size=8)"),
    "CenterCrop": (_made("CenterCrop", "size"), "(8, 6)", "CenterCrop(size=(8, 6))"),
    "RandomResizedCrop": (
        _made("RandomResizedCrop", "size", "scale", "ratio"),
        "8",
        "RandomResizedCrop(size=8)",
    ),
    "RandomFlipLeftRight": (_flip(-2), "", "RandomFlip(-2)"),
    "RandomFlipTopBottom": (_flip(-3), "", "RandomFlip(-3)"),
    "RandomBrightness": (_colors("brightness"), "0.1", "RandomColors(brightness=0.1)"),
    "RandomContrast": (_colors("contrast"), "0.1", "RandomColors(contrast=0.1)"),
    "RandomSaturation": (_colors("saturation"), "0.1", "RandomColors(saturation=0.1)"),
    "RandomHue": (_colors("hue"), "0.1", "RandomColors(hue=0.1)"),
    "RandomColorJitter": (_jitter, "0.1, hue=0.2", "RandomColors(brightness=0.1, hue=0.2)"),
    "RandomLighting": (_made("RandomLighting", "alpha"), "0.1", "RandomLighting(alpha=0.1)"),
    "CropResize": (
        _made("CropResize", "x", "y", "width", "height", "size"),
        "0, 0, 2, 2",
        "CropResize(x=0, y=0, width=2, height=2)",
    ),
    "Compose": (
        _compose,
        "[gluon.data.vision.transforms.ToTensor()]",
        "nn.Sequential(ToTensor())",
    ),
}
REGISTRY.add(
    *(
        Rule(
            cls,
            f"call {_VISION}.{cls}",
            _dataset(cls),
            f"d = gluon.data.vision.{cls}('data'{', True' if cls == 'CIFAR100' else ''})",
            f"d = Images(torchvision.datasets.{cls}('data', train=True, download=True))",
            needs=(),
        )
        for cls in ("MNIST", "FashionMNIST", "CIFAR10", "CIFAR100")
    ),
    Rule(
        "ImageFolderDataset",
        f"call {_VISION}.ImageFolderDataset",
        _folder,
        "d = gluon.data.vision.ImageFolderDataset('data')",
        "d = Images(torchvision.datasets.ImageFolder('data'))",
        needs=(),
    ),
    Rule(
        "synsets",
        f"attr {_VISION}.ImageFolderDataset.synsets",
        "{self}.dataset.classes",
        "n = gluon.data.vision.ImageFolderDataset('data').synsets",
        "n = Images(torchvision.datasets.ImageFolder('data')).dataset.classes",
        needs=(),
    ),
    *(
        Rule(
            f"transforms-{cls}",
            f"call {_TRANSFORMS}.{cls}",
            write,
            f"t = gluon.data.vision.transforms.{cls}({given})",
            f"t = {after}",
            needs=(),
        )
        for cls, (write, given, after) in _CLASSES.items()
    ),
    *(
        Rule(
            f"image-{name}",
            f"call mx.image.{name}",
            _function(name, *names),
            before,
            after,
            needs=(),
        )
        for name, (names, before, after) in _FUNCTIONS.items()
    ),
)
