"""`mx.nd.linalg` as `torch.linalg`."""

from __future__ import annotations

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule, operand, parenthesized
from mxtorch.port.rules._common import is_false, is_true


def _side(match: Match, argument: str, flag: str) -> str | None:
    text = match.text(argument)
    if not match.has(flag) or is_false(match, flag):
        return text
    return f"{parenthesized(text)}.mT" if is_true(match, flag) else None


def _scaled(match: Match, text: str) -> str:
    if not match.has("alpha") or match.constant("alpha") in (1, 1.0):
        return text
    return f"{operand(match.text('alpha'))} * {text}"


def _gemm2(match: Match) -> str | None:
    if not match.only("A", "B", "transpose_a", "transpose_b", "alpha"):
        return None
    left, right = _side(match, "A", "transpose_a"), _side(match, "B", "transpose_b")
    if left is None or right is None:
        return None
    return _scaled(match, f"torch.matmul({left}, {right})")


def _syrk(match: Match) -> str | None:
    if not match.only("A", "transpose", "alpha"):
        return None
    text = match.text("A")
    turned = f"{parenthesized(text)}.mT"
    if is_true(match, "transpose"):
        return _scaled(match, f"torch.matmul({turned}, {text})")
    if match.has("transpose") and not is_false(match, "transpose"):
        return None
    return _scaled(match, f"torch.matmul({text}, {turned})")


def _trsm(match: Match) -> str | None:
    """The solution of a triangular system; the transposed of a lower matrix is an upper one."""
    flags = ("transpose", "rightside", "lower")
    if not match.only("A", "B", "alpha", *flags):
        return None
    if any(match.has(f) and not isinstance(match.constant(f), (bool, int)) for f in flags):
        return None
    lower = match.constant("lower") if match.has("lower") else True
    turned = bool(match.constant("transpose"))
    matrix = f"{parenthesized(match.text('A'))}.mT" if turned else match.text("A")
    left = ", left=False" if match.constant("rightside") else ""
    return _scaled(
        match,
        f"torch.linalg.solve_triangular({matrix}, {match.text('B')},"
        f" upper={bool(lower) == turned}{left})",
    )


REGISTRY.add(
    Rule(
        "gemm2",
        "op _linalg_gemm2",
        _gemm2,
        "z = nd.linalg.gemm2(x, y, transpose_b=True)",
        "z = torch.matmul(x, y.mT)",
    ),
    Rule("syrk", "op _linalg_syrk", _syrk, "y = nd.linalg.syrk(x)", "y = torch.matmul(x, x.mT)"),
    Rule(
        "potrf",
        "op _linalg_potrf",
        "torch.linalg.cholesky({A})",
        "y = nd.linalg.potrf(s)",
        "y = torch.linalg.cholesky(s)",
    ),
    Rule(
        "potri",
        "op _linalg_potri",
        "torch.cholesky_inverse({A})",
        "y = nd.linalg.potri(s)",
        "y = torch.cholesky_inverse(s)",
    ),
    Rule(
        "trsm",
        "op _linalg_trsm",
        _trsm,
        "z = nd.linalg.trsm(s, x)",
        "z = torch.linalg.solve_triangular(s, x, upper=False)",
    ),
    Rule(
        "sumlogdiag",
        "op _linalg_sumlogdiag",
        "{A}.diagonal(dim1=-2, dim2=-1).log().sum(-1)",
        "y = nd.linalg.sumlogdiag(s)",
        "y = s.diagonal(dim1=-2, dim2=-1).log().sum(-1)",
    ),
    Rule(
        "det",
        "op _linalg_det",
        "torch.linalg.det({A})",
        "y = nd.linalg.det(s)",
        "y = torch.linalg.det(s)",
    ),
    Rule(
        "inverse",
        "op _linalg_inverse",
        "torch.linalg.inv({A})",
        "y = nd.linalg.inverse(s)",
        "y = torch.linalg.inv(s)",
    ),
    Rule(
        "extractdiag",
        "op _linalg_extractdiag",
        lambda m: (
            f"{parenthesized(m.text('A'))}.diagonal(dim1=-2, dim2=-1)" if m.only("A") else None
        ),
        "y = nd.linalg.extractdiag(s)",
        "y = s.diagonal(dim1=-2, dim2=-1)",
    ),
)
