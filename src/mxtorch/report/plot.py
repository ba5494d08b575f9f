"""Curves as SVG, for pages that work from disk."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 720, 280, 64, 28
# a wide line below a narrow one: curves that lie on each other are both seen
_STROKES = (("#e07b39", 6.0, 0.55), ("#2563a8", 1.8, 1.0), ("#2e7d32", 1.4, 1.0))


def plot(curves: Mapping[str, Sequence[float]]) -> str:
    """An SVG picture of curves over the positions 1, 2, …; numbers that are not finite are gaps."""
    finite = [v for c in curves.values() for v in c if math.isfinite(v)]
    if not finite:
        return "<p>There are no numbers to draw.</p>"
    low, high = min(finite), max(finite)
    high = high if high > low else low + (abs(low) or 1.0)
    count = max(map(len, curves.values()))

    def place(index: int, value: float) -> str:
        x = _LEFT + (_WIDTH - _LEFT - 8) * (index / max(count - 1, 1))
        y = 8 + (_HEIGHT - _BOTTOM - 8) * (1 - (value - low) / (high - low))
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" style="max-width:{_WIDTH}px;width:100%">'
    ]
    base = _HEIGHT - _BOTTOM
    parts.append(
        f'<path d="M{_LEFT} 8V{base}H{_WIDTH - 8}" fill="none" stroke="currentColor" opacity=".4"/>'
    )
    parts += [
        _label(_LEFT - 6, 14, f"{high:.4g}", "end"),
        _label(_LEFT - 6, base, f"{low:.4g}", "end"),
        _label(_LEFT, _HEIGHT - 8, "1", "middle"),
        _label(_WIDTH - 12, _HEIGHT - 8, str(count), "end"),
    ]
    for i, (name, values) in enumerate(curves.items()):
        color, width, opacity = _STROKES[i % len(_STROKES)]
        for run in _runs(values):
            points = " ".join(place(k, v) for k, v in run)
            parts.append(
                f'<polyline points="{points}" fill="none" stroke="{color}" '
                f'stroke-width="{width}" opacity="{opacity}" stroke-linejoin="round"/>'
            )
        parts.append(
            f'<text x="{_WIDTH - 16}" y="{24 + 18 * i}" text-anchor="end" fill="{color}" '
            f'font-size="13">{html.escape(name)}</text>'
        )
    return "".join([*parts, "</svg>"])


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="12" fill="currentColor" '
        f'opacity=".7">{html.escape(text)}</text>'
    )


def _runs(values: Sequence[float]) -> list[list[tuple[int, float]]]:
    """The pieces without gaps, of at least two points (one point is drawn as a short line)."""
    pieces: list[list[tuple[int, float]]] = [[]]
    for i, value in enumerate(values):
        if math.isfinite(value):
            pieces[-1].append((i, value))
        elif pieces[-1]:
            pieces.append([])
    return [p if len(p) > 1 else [*p, (p[0][0] + 0.01, p[0][1])] for p in pieces if p]  # type: ignore[list-item]
