"""A file from MXNet to PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import mxtorch.port.rules  # noqa: F401 - the rules enter themselves
from mxtorch.port.engine import Counts, FilePort
from mxtorch.port.gradients import port_gradients
from mxtorch.port.imports import port_imports
from mxtorch.port.statements import port_statements
from mxtorch.report.finding import Finding


@dataclass(frozen=True)
class Ported:
    """A ported text, what there is to say, and how the uses of MXNet came out."""

    text: str
    findings: list[Finding]
    counts: Counts


def port_text(text: str, path: str = "<text>") -> Ported:
    """The text in PyTorch; one that does not use MXNet comes back as it is.

    Raises SyntaxError if it is not Python.
    """
    if "mxnet" not in text:
        compile(text, path, "exec", dont_inherit=True)
        return Ported(text, [], Counts())
    port = FilePort(text, path)
    port_statements(port)
    port_gradients(port)
    port_imports(port)
    return Ported(port.source.result(), sorted(port.findings), port.counts)
