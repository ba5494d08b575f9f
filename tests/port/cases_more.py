"""Shapes, data and training in ways that the other families of the port do not have."""

from __future__ import annotations

from tests.snippets import snippets

CASES = snippets(
    """
## more/reshape-codes-of-an-expression
x = nd.array(onp.arange(48)).reshape((2, 3, 8))
y = nd.array(onp.arange(24)).reshape((2, 12))
out += [nd.concat(x, x, dim=1).reshape((0, -1, 4)), (x + 1).reshape((0, 0, 2, -1))]
out += [nd.concat(y, y, dim=1).reshape((0, -1, 3)), nd.concat(x, x, dim=2).reshape((0, 4, -1, 2))]
"""
)
