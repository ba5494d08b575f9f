"""Where data, outputs and loss live with several devices: counted, drawn, and put into the guide.

    python tools/device_pictures.py    # rewrites docs/guide/several-devices.md and its pictures

Each way is run for one step on four CPU contexts, and the bytes of the tensors that it has there
are added up. `torch.nn.DataParallel` itself wants GPUs: what it does is done by hand, from the
functions that it is made of (chunk, the module on each part, cat, the loss).
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

import torch  # noqa: E402 - the path first
from torch import Tensor, nn  # noqa: E402 - the path first

import mxtorch as mx  # noqa: E402 - the path first
from mxtorch import autograd, gluon  # noqa: E402 - the path first

PAGE = ROOT / "docs" / "guide" / "several-devices.md"
DEVICES, SAMPLES, INPUTS, CLASSES = 4, 128, 256, 10_000


@dataclass
class Held:
    """Bytes on one device in the forward pass, parameters aside."""

    data: int = 0
    label: int = 0
    output: int = 0
    gathered: int = 0
    loss: int = 0

    @property
    def total(self) -> int:
        return sum(getattr(self, field.name) for field in fields(self))


@dataclass
class Way:
    """A way to use several devices, and what it holds on each."""

    name: str
    file: str
    text: str
    count: Callable[[], list[Held]]


def size(value: Any) -> int:
    """The bytes of a tensor or an NDArray."""
    tensor = value if isinstance(value, Tensor) else value.as_torch()
    return tensor.numel() * tensor.element_size()


def batch() -> tuple[Tensor, Tensor]:
    return torch.ones(SAMPLES, INPUTS), torch.zeros(SAMPLES, dtype=torch.int64)


def gathered() -> list[Held]:
    """torch.nn.DataParallel: outputs are gathered, the loss is the first device's."""
    x, y = batch()
    module, loss = nn.Linear(INPUTS, CLASSES), nn.CrossEntropyLoss()
    parts = x.chunk(DEVICES)
    outputs = [module(part) for part in parts]
    held = [Held(data=size(p), output=size(o)) for p, o in zip(parts, outputs, strict=True)]
    whole = torch.cat(outputs)
    held[0].data = size(x)  # the batch is put there first; its own part is a view of it
    held[0].label = size(y)
    held[0].gathered = size(whole)
    held[0].loss = size(loss(whole, y))
    return held


def mxnet() -> list[Held]:
    """MXNet: split_and_load, and a loss on each device."""
    x, y = batch()
    contexts = [mx.cpu(i) for i in range(DEVICES)]
    net = gluon.nn.Dense(CLASSES, in_units=INPUTS)
    net.initialize(ctx=contexts)
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    data = gluon.utils.split_and_load(mx.nd.from_torch(x), contexts)
    label = gluon.utils.split_and_load(mx.nd.from_torch(y), contexts)
    held = []
    with autograd.record():
        for part, target in zip(data, label, strict=True):
            output = net(part)
            values = loss(output, target)
            held.append(Held(size(part), size(target), size(output), 0, size(values)))
    return held


def parallel() -> list[Held]:
    """mxtorch.parallel.DataParallel: one call, and a loss on each device."""
    held: list[Held] = []

    class Counted(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Linear(INPUTS, CLASSES)

        def forward(self, x: Tensor) -> Tensor:
            output: Tensor = self.inner(x)
            held.append(Held(data=size(x), output=size(output)))
            return output

    def loss(output: Tensor, target: Tensor) -> Tensor:
        value = nn.functional.cross_entropy(output, target)
        held[-1].label, held[-1].loss = size(target), size(value)
        return value

    net = mx.parallel.DataParallel(Counted(), loss, ["cpu"] * DEVICES)
    net(*batch())
    held[0].gathered = sum(each.loss for each in held)  # only losses come to the first device
    return held


WAYS = [
    Way("`torch.nn.DataParallel`", "gathered", "outputs gathered, loss on device 0", gathered),
    Way("MXNet's `split_and_load`", "mxnet", "loss on each device", mxnet),
    Way("`mxtorch.parallel.DataParallel`", "parallel", "loss on each device, one call", parallel),
]


def table(counts: list[list[Held]]) -> str:
    """The counts as a table of the page."""
    heads = ["way", "device", *(field.name for field in fields(Held)), "total"]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "--:|" * (len(heads) - 2)]
    for way, held in zip(WAYS, counts, strict=True):
        for which, each in (("0", held[0]), (f"1 to {DEVICES - 1}", held[1])):
            numbers = [f"{getattr(each, field.name):,}" for field in fields(Held)]
            row = [way.name, which, *numbers, f"{each.total:,}"]
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


# pictures -----------------------------------------------------------------------------------------

COLORS = {
    "data": "#8fb8de",
    "label": "#6a8caf",
    "output": "#f2b872",
    "gathered": "#e07a5f",
    "loss": "#81b29a",
}
WIDTH, COLUMN, FULL, LEAST = 640, 140, 230, 16


def picture(way: Way, held: list[Held], largest: int) -> str:
    """A column a device, as high as what it holds; thin parts are drawn thick enough to be seen."""
    whole = 70 + max(sum(height(count, largest) for _, count in rows(each)) for each in held)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{whole}"',
        f'viewBox="0 0 {WIDTH} {whole}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(way.name.strip('`'))}: {escape(way.text)}</title>",
        f'<rect width="{WIDTH}" height="{whole}" fill="#ffffff"/>',
    ]
    for place, each in enumerate(held):
        parts += column(20 + place * (COLUMN + 15), whole - 55, place, each, largest)
    return "\n".join([*parts, "</svg>", ""])


def rows(held: Held) -> list[tuple[str, int]]:
    """What a device holds, by name."""
    found = [(field.name, getattr(held, field.name)) for field in fields(Held)]
    return [(name, count) for name, count in found if count]


def height(count: int, largest: int) -> int:
    return max(LEAST, round(count / largest * FULL))


def column(left: int, ground: int, place: int, held: Held, largest: int) -> list[str]:
    """The rectangles of one device, from the ground up."""
    top, parts = ground, []
    for name, count in rows(held):
        tall = height(count, largest)
        top -= tall
        parts.append(
            f'<rect x="{left}" y="{top}" width="{COLUMN}" height="{tall}" '
            f'fill="{COLORS[name]}" stroke="#ffffff"/>'
        )
        middle = top + tall / 2 + 4
        label = f"{name} {count:,} B"
        parts.append(f'<text x="{left + 6}" y="{middle:g}" fill="#222222">{label}</text>')
    for line, text in enumerate((f"device {place}", f"{held.total:,} B")):
        y = ground + 22 + 18 * line
        weight = "bold" if not line else "normal"
        parts.append(
            f'<text x="{left}" y="{y}" fill="#222222" font-weight="{weight}">{text}</text>'
        )
    return parts


def outputs() -> dict[pathlib.Path, str]:
    """What each file should hold."""
    counts = [way.count() for way in WAYS]
    largest = max(each.total for held in counts for each in held)
    found = {
        PAGE.with_name(f"several-devices-{way.file}.svg"): picture(way, held, largest)
        for way, held in zip(WAYS, counts, strict=True)
    }
    begin, end = "<!-- counted by tools/device_pictures.py -->", "<!-- end -->"
    page = PAGE.read_text(encoding="utf-8")
    block = f"{begin}\n{table(counts)}\n{end}"
    found[PAGE] = re.sub(f"{begin}.*?{end}", lambda _: block, page, flags=re.DOTALL)
    return found


def main() -> int:
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
