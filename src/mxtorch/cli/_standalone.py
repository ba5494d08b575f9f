"""`mxtorch port --standalone`: operators' bodies are copied as `mxtorch convert` copies them."""

from __future__ import annotations

import ast

from mxtorch._core.op import Op
from mxtorch.convert.bodies import Bodies
from mxtorch.convert.text import print_statements


class CopiedBodies:
    """The bodies that one file carries; see `port.engine.Carrier`."""

    def __init__(self, taken: set[str]) -> None:
        self._bodies = Bodies(taken | {"torch", "nn", "F", "math", "np", "functools"})

    def function(self, op: Op) -> str:
        """What the operator's body is called in the file; NotSupportedError if it stays."""
        return ast.unparse(self._bodies.function(op.body, op.name.lstrip("_")))

    def texts(self) -> list[str]:
        """The definitions, in an order in which they can stand."""
        return ["\n".join(print_statements([s])) for s in self._bodies.statements]

    def imports(self) -> list[str]:
        """The lines that bring what the definitions use."""
        return sorted(self._bodies.imports)
