"""A graph as PyTorch source: modules with named layers, and their weights as a state_dict."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from torch import Tensor

from mxtorch._deploy.model import Dims, Model
from mxtorch.convert.bodies import Bodies
from mxtorch.convert.classes import Classes
from mxtorch.convert.groups import find_groups
from mxtorch.convert.lines import WIDTH
from mxtorch.convert.steps import read_steps
from mxtorch.convert.switches import tidied
from mxtorch.convert.syntax import call, method, name_of
from mxtorch.convert.text import print_statements
from mxtorch.convert.tidy import names_in

_TITLE = (
    '"""{title}: converted from MXNet by mxtorch. `load()` gives the model with its weights."""'
)
_LOAD = '''
def load(path=WEIGHTS):
    """The model with the weights of a safetensors file, for inference."""
    model = NET()
    model.load_state_dict(load_file(path), assign=True)
    return model.eval()
'''
_IMPORTS = ("import torch", "from torch import nn", "from torch.nn import functional as F")


@dataclass(frozen=True)
class Source:
    """The text of a module, and the weights that it loads.

    `origins`: for each array of MXNet's the weights that it is, one after the other. `became`: what
    each node is in the text.
    """

    text: str
    state: dict[str, Tensor]
    origins: dict[str, list[str]]
    became: dict[str, str]


def write_source(
    model: Model, shapes: dict[str, Dims], name: str = "Net", weights: str = "net.safetensors"
) -> Source:
    """The model as a Python file.

    `shapes` are those of the inputs. Raises NotSupportedError with the names of the nodes that
    have no counterpart in PyTorch source.
    """
    taken = {"self", "torch", "nn", "F", "math", "np", "functools", "pathlib", "WEIGHTS", "load"}
    bodies = Bodies({*taken, name})
    steps = read_steps(model, shapes, bodies)
    root = find_groups(steps)
    classes = Classes(steps, root, name)
    definitions = classes.definitions()
    helpers: dict[str, ast.stmt] = {}
    for step in steps.steps:
        for key, text in step.layer.helpers.items():
            helpers[key] = ast.parse(text).body[0]
    copied = tidied(bodies.statements, [*helpers.values(), *definitions])
    parts = [
        "\n".join(print_statements([statement]))
        for statement in (*copied, *helpers.values(), *definitions)
    ]
    body = "\n\n\n".join([*parts, _load(name)]) + "\n"
    read = names_in(ast.parse(body))
    lines = {line for line in (*bodies.imports, *_IMPORTS) if _brings(line) in read}
    lines |= {"import pathlib", "from safetensors.torch import load_file"}
    beside = call("pathlib.Path", name_of("__file__"))
    place = ast.Assign([name_of("WEIGHTS", store=True)], method(beside, "with_name", weights))
    title = _TITLE.format(title=name)
    if len(title) > WIDTH:
        title = title.replace(". `", ".\n\n`")
    head = [title, "", *_sorted(lines), "", *print_statements([place])]
    return Source("\n".join(head) + f"\n\n\n{body}", classes.state, classes.origins, steps.what)


def _load(name: str) -> str:
    """The text of `load`, for a class."""
    tree = ast.parse(_LOAD).body[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "NET":
            node.id = name
    return "\n".join(print_statements([tree]))


def _brings(line: str) -> str:
    """The name that an import gives."""
    word = line.split()[-1]
    return word if " as " in line else word.split(".")[0]


def _sorted(lines: set[str]) -> list[str]:
    """Python's own modules first, then the others, as linters want it."""

    def place(line: str) -> tuple[bool, bool, str, str]:
        module = line.split()[1]
        other = module.split(".")[0] in ("torch", "numpy", "safetensors", "mxtorch")
        return (other, line.startswith("from"), module, line)

    ordered = sorted(lines, key=place)
    found: list[str] = []
    for line in ordered:
        if found and place(line)[0] != place(found[-1])[0]:
            found.append("")
        found.append(line)
    return found
