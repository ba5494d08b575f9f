"""Gradients held against central differences in float64, independently of what MXNet recorded."""

import contextlib

import numpy as onp

from tests import replay
from tests.cases import seeded

STEP = 1e-6
# Relative to the size of the slopes: rounding of float64 over the step, and single-precision parts.
TOLERANCE = 2e-5
# How far the slopes of two steps, and of both sides, may be apart where a function is smooth.
AGREEMENT = 1e-4


class NotSmooth(Exception):
    """The function has a kink or a jump where it was looked at."""


def is_float(value):
    return value is not None and replay.is_float(value)


def widened(row):
    """The row's inputs with floats in float64."""
    return [v.astype("float64") if is_float(v) else v for v in row.values()]


def arrays(mx, row, values):
    return [None if v is None else replay.array_of(mx, row, v) for v in values]


@contextlib.contextmanager
def fresh_state(mx, row):
    """One and the same state for every run of the row."""
    with replay.fresh_state(mx):
        if row.is_np:
            mx.npx.set_np()
        yield


def outputs(mx, row, values):
    """The float outputs of the row's call on these values, each run from the same seed."""
    with fresh_state(mx, row):
        found = replay.outputs_of(replay.forward(mx, row, arrays(mx, row, values)))
    return [y for y in found if is_float(y)]


def is_wide(found):
    """Whether all outputs are in float64: a narrower one moves in jumps."""
    return all(y.dtype is onp.float64 for y in found)


def heads(row, found):
    return [row.head(i, y.shape, "float64") for i, y in enumerate(found)]


def weighted(mx, row, values, weights):
    """The sum of all outputs, weighted: a number whose slopes the gradients are."""
    found = outputs(mx, row, values)
    if [y.shape for y in found] != [w.shape for w in weights]:
        raise NotSmooth
    return sum(float((y.asnumpy() * w).sum()) for y, w in zip(found, weights, strict=True))


def gradients(mx, row, values):
    """The weights of the outputs, and the gradient of each float input."""
    floats = [i for i, v in enumerate(values) if is_float(v)]
    with fresh_state(mx, row):
        inputs = arrays(mx, row, values)
        for i in floats:
            inputs[i].attach_grad()
        found = [y for y in replay.outputs_of(replay.forward(mx, row, inputs)) if is_float(y)]
        weights = heads(row, found)
        if not found or not is_wide(found):
            return weights, {}
        given = [replay.array_of(mx, row, w) for w in weights]
        mx.autograd.backward(found, given, train_mode=row.train)
    return weights, {i: inputs[i].grad.asnumpy().astype("float64") for i in floats}


def slope(mx, row, values, weights, position, direction):
    """The central difference along a direction; NotSmooth where both sides disagree."""

    def at(step):
        moved = list(values)
        moved[position] = values[position] + step * direction
        return weighted(mx, row, moved, weights)

    with onp.errstate(invalid="ignore"):
        left, middle, right = at(-STEP), at(0.0), at(STEP)
        wider = (at(3 * STEP) - at(-3 * STEP)) / (6 * STEP)
        found = [(middle - left) / STEP, (right - middle) / STEP, wider]
    size = max(map(abs, found))
    rounding = 1e-15 * abs(middle) / STEP
    if rounding > TOLERANCE * max(size, 1):
        raise NotSmooth  # as good as: the differences drown
    if not onp.isfinite(size) or max(found) - min(found) > AGREEMENT * max(size, 1):
        raise NotSmooth
    return (right - left) / (2 * STEP)


def moved_off(row, values):
    """The inputs somewhere beside: where they stood on a kink they do not any more."""
    rng = seeded(f"{row.id}|beside")
    return [v + rng.uniform(0.01, 0.3, v.shape) if is_float(v) else v for v in values]


def check(mx, row, values, done):
    """Check each float input's gradient; `done` has inputs to leave out, and gets those checked.

    AssertionError where one is not the slope.
    """
    weights, found = gradients(mx, row, values)
    for position, gradient in found.items():
        if position in done or not onp.isfinite(gradient).all():
            continue
        rng = seeded(f"{row.id}|{position}")
        direction = rng.uniform(0.5, 1, gradient.shape) * rng.choice([-1, 1], gradient.shape)
        try:
            numeric = slope(mx, row, values, weights, position, direction)
        except NotSmooth:
            continue
        exact = float((gradient * direction).sum())
        size = max(abs(gradient).sum(), abs(numeric), 1)
        assert abs(exact - numeric) <= TOLERANCE * size, (
            f"{row.id}: input {position}: gradient {exact}, slope {numeric}"
        )
        done.add(position)
