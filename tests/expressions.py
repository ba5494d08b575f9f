"""Snippet cases written as lines: one expression of `mx.np` each, whose value is what is compared.

A line may be `statement; statement; expression`. Lines that begin with `#` divide. Runs under
Python 3.8 too.
"""

from tests.cases import C

HEAD = """
mx.npx.set_np()
np, npx = mx.np, mx.npx
"""
# `hybrid(function, *arrays)`: the function of `F.np` and symbols, run as a hybridized block
HYBRID = """class Block(gluon.HybridBlock):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def hybrid_forward(self, F, *x):
        return self.function(F.np, *x)


def hybrid(function, *x):
    block = Block(function)
    block.hybridize()
    return block(*x)
"""


def expressions(text, head=HEAD):
    """A case for each line."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return [_case(line, head) for line in lines if line and not line.startswith("#")]


def _case(line, head):
    *before, last = line.split("; ")
    code = head + "\n".join([*before, f"out.append({last})"]) + "\n"
    return C(line, code)
