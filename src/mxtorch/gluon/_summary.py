"""The table that `Block.summary` prints."""

from __future__ import annotations

from typing import Any

from mxtorch._core.errors import MXNetAssertionError

_ROW = "{:>20}  {:>42} {:>15}"


def print_summary(block: Any, inputs: tuple[Any, ...]) -> None:
    """Run the block once and print each layer's output shape and number of parameters."""
    rows: list[tuple[str, str, int]] = [("Input", _shapes(inputs), 0)]
    counts = {"total": 0, "trainable": 0, "shared": 0}
    seen: set[int] = set()

    def note(layer: Any, _: Any, outputs: Any) -> None:
        size = 0
        for parameter in layer.params.values():
            number = parameter.data().size
            size += number
            counts["trainable"] += 0 if parameter.grad_req == "null" else number
            counts["shared"] += number if id(parameter) in seen else 0
            seen.add(id(parameter))
        counts["total"] += size
        rows.append((f"{type(layer).__name__}-{len(rows)}", _shapes(outputs), size))

    handles = []

    def watch(layer: Any) -> None:
        if getattr(layer, "_active", False):
            raise MXNetAssertionError(f'"{layer.name}" must not be hybridized to print summary.')
        if layer._in_summary:
            # a function of its own: a block that is there twice is watched twice, as in MXNet
            handles.append(layer.register_forward_hook(lambda *call: note(*call)))

    try:
        block.apply(watch)
        block(*inputs)
    finally:
        for handle in handles:
            handle.detach()
    _print(rows, counts)


def _shapes(values: Any) -> str:
    """The shapes of nested arrays, without the outermost brackets."""

    def of(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [of(v) for v in value]
        return getattr(value, "shape", value)

    shapes = of(values)
    if not isinstance(shapes, list):
        return str(shapes)
    return str(shapes[0]) if len(shapes) == 1 else str(shapes)[1:-1]


def _print(rows: list[tuple[str, str, int]], counts: dict[str, int]) -> None:
    print("-" * 80)
    print(_ROW.format("Layer (type)", "Output Shape", "Param #"))
    print("=" * 80)
    for row in rows:
        print(_ROW.format(*row))
    print("=" * 80)
    print("Parameters in forward computation graph, duplicate included")
    print(f"   Total params: {counts['total']}")
    print(f"   Trainable params: {counts['trainable']}")
    print(f"   Non-trainable params: {counts['total'] - counts['trainable']}")
    print(f"Shared params in forward computation graph: {counts['shared']}")
    print(f"Unique parameters in model: {counts['total'] - counts['shared']}")
    print("-" * 80)
