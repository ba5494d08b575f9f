"""Transforms of photographs: sizes, crops, colours; seeded, hybridized or not."""

from tests.cases import C
from tests.image.photos import LEVEL, SETUP, WHY

KINDS = {
    "resize": "T.Resize(50)",
    "resize-pair": "T.Resize((50, 30))",
    "resize-ratio": "T.Resize(50, True)",
    "resize-ratio-pair": "T.Resize((50, 30), keep_ratio=True)",
    "resize-nearest": "T.Resize((50, 30), interpolation=0)",
    "resize-cubic": "T.Resize((50, 30), interpolation=2)",
    "resize-area": "T.Resize((50, 30), interpolation=3)",
    "resize-lanczos": "T.Resize((50, 30), interpolation=4)",
    "center": "T.CenterCrop(50)",
    "center-pair": "T.CenterCrop((50, 30))",
    "center-large": "T.CenterCrop((500, 30), 2)",
    "crop": "T.CropResize(1, 2, 30, 20)",
    "crop-resize": "T.CropResize(1, 2, 30, 20, (10, 7), 1)",
    "crop-resize-one": "T.CropResize(1, 2, 30, 20, 10, 2)",
    "crop-resize-no-interpolation": "T.CropResize(1, 2, 30, 20, 10)",
    "crop-outside": "T.CropResize(1, 2, 300, 20)",
    "random-resized": "T.RandomResizedCrop(32)",
    "random-resized-pair": "T.RandomResizedCrop((32, 20), (0.3, 0.4), (1, 2), 2)",
    "random-resized-least": "T.RandomResizedCrop(32, 0.5)",
    "random-resized-any": "T.RandomResizedCrop(32, interpolation=10)",
    "brightness": "T.RandomBrightness(0.3)",
    "brightness-large": "T.RandomBrightness(1.5)",
    "contrast": "T.RandomContrast(0.3)",
    "saturation": "T.RandomSaturation(0.3)",
    "hue": "T.RandomHue(0.3)",
    "jitter": "T.RandomColorJitter(0.1, 0.2, 0.3, 0.1)",
    "jitter-brightness": "T.RandomColorJitter(brightness=0.4)",
    "lighting": "T.RandomLighting(0.1)",
    "training": """T.Compose([T.Resize(60), T.RandomResizedCrop(40), T.RandomFlipLeftRight(),
    T.RandomColorJitter(0.1, 0.1, 0.1), T.RandomLighting(0.1), T.ToTensor(),
    T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])""",
    "validation": "T.Compose([T.Resize(60, True), T.CenterCrop(50), T.ToTensor()])",
    "rotate": "T.Compose([T.ToTensor(), T.Rotate(20, True)])",
    "random-rotation": "T.Compose([T.ToTensor(), T.RandomRotation((-30, 30), False, True, 0.7)])",
}
CASES = [
    C(
        f"{label}/{kind}{'/hybrid' if hybrid else ''}",
        f"""{SETUP}
T = gluon.data.vision.transforms
t = {code}
{"t.hybridize()" if hybrid else ""}
x = im.astype({kind!r})
out += [str(t), isinstance(t, gluon.HybridBlock)]
out += [t(x).astype('float32') for _ in range(2)]
out += [pyrandom.random(), onp.random.rand(), nd.random.uniform()]
""",
        tol=LEVEL,
        why=WHY,
    )
    for label, code in KINDS.items()
    for kind in ("uint8", "float32")
    for hybrid in (False, True)
    if hybrid <= (kind == "uint8")
]
CASES += [
    C(f"batch/{label}", f"{SETUP}\nT = gluon.data.vision.transforms\nout.append({code})\n")
    for label, code in {
        "resize": "T.Resize((50, 30))(nd.stack(im, im))",
        "crop-resize": "T.CropResize(1, 2, 30, 20, (10, 7), 1)(nd.stack(im, im))",
        "center": "T.CenterCrop(20)(nd.stack(im, im))",
        "jitter": "T.RandomColorJitter(0.1)(nd.stack(im, im))",
        "resize-zero": "T.Resize(0)(im)",
        "resize-three": "T.Resize((1, 2, 3))(im)",
        "rotate-bytes": "T.Rotate(10)(im)",
        "rotation-order": "T.RandomRotation((10, -10))",
        "rotation-probability": "T.RandomRotation((-10, 10), rotate_with_proba=2)",
    }.items()
]
