"""Writes the block of a scope that builds symbols: its layers, its `hybrid_forward`, its heads."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mxtorch.port import symbol_cells as cells
from mxtorch.port.symbol_heads import Block, Heads, Plain
from mxtorch.port.symbol_layers import HEADS, KINDS, LAYERS, Layer

if TYPE_CHECKING:
    from mxtorch.port.symbols import ScopeFacts, Symbols

_VERBS = re.compile(r"^_*(?:get|make|build|create|gen|generate|mx)_")
_VARIABLES = ("var", "Variable")
_STEP = "    "
# attributes of nodes that say how, not what, they compute
_HINTS = {"mirror_stage", "force_mirroring", "ctx_group"}
# of a constructor: depth and text, or a statement that it may need
Lines = list[tuple[int, str] | Plain]


def class_name(name: str) -> str:
    """`get_symbol` makes a `Symbol`."""
    short = _VERBS.sub("", name).strip("_") or name.strip("_")
    return "".join(part[:1].upper() + part[1:] for part in short.split("_"))


class Builder(Heads):
    """Turns scopes of a file into blocks, as edits of its text."""

    def __init__(self, symbols: Symbols, root: str) -> None:
        super().__init__(symbols, root)
        names = {n.id for n in symbols.nodes if isinstance(n, ast.Name)}
        self.taken = names | {n.name for n in symbols.nodes if isinstance(n, ast.ClassDef)}
        self.classes = {
            name: self._free(class_name(name))
            for name, scope in symbols.functions.items()
            if scope.gives
        }

    def _free(self, name: str) -> str:
        while name in self.taken:
            name += "Net"
        self.taken.add(name)
        return name

    # scopes --------------------------------------------------------------------------------------

    def function(self, scope: ScopeFacts) -> None:
        """A function that gives a symbol becomes a class."""
        node = scope.node
        assert isinstance(node, ast.FunctionDef)
        given = node.args
        if node.decorator_list or given.vararg or given.kwonlyargs or given.posonlyargs:
            raise self._unclear(node, "a symbol's function with such parameters")
        plain = [a.arg for a in given.args if a.arg not in scope.parameters]
        keys = plain if node.name in self.symbols.generators.values() else []
        plain = [] if keys else plain
        self.block = block = Block(scope, plain, keys=keys)
        body = node.body
        docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        statements = body[1:] if docstring else body
        for statement in statements:
            self._statement(statement)
        source, indent = self.source, self.source.indent(node)
        start = source.starts[node.lineno - 1]
        head = f"{indent}class {self.classes[node.name]}({self.root}.gluon.HybridBlock):\n"
        header_end = source.starts[self._header_lines(node)]
        source.replace(start, header_end, head)
        at = source.starts[body[0].end_lineno or 1] if docstring else header_end
        inputs = [*block.inputs, *(a.arg for a in given.args if a.arg in scope.parameters), *keys]
        lines = self._head(self._signature(node, plain), inputs, f"{indent}{_STEP}")
        source.replace(at, at, ("\n" if docstring else "") + lines)
        self._indent(source.line_of(at), node.end_lineno or node.lineno, _STEP)

    def _header_lines(self, node: ast.FunctionDef) -> int:
        """The last line of `def f(...):`."""
        last = node.lineno
        for part in [*node.args.args, *node.args.defaults, node.args.kwarg]:
            last = max(last, getattr(part, "end_lineno", 0) or 0)
        while ":" not in self.source.lines[last - 1].rpartition(")")[2]:
            last += 1
        if last >= node.body[0].lineno:
            raise self._unclear(node, "a symbol's function on one line")
        return last

    def _signature(self, node: ast.FunctionDef, plain: list[str]) -> str:
        """The constructor's parameters, with their defaults."""
        given = node.args
        start = len(given.args) - len(given.defaults)
        texts = []
        for position, arg in enumerate(given.args):
            if arg.arg in plain:
                default = given.defaults[position - start] if position >= start else None
                more = f"={self.source.of(default)}" if default is not None else ""
                texts.append(f"{self.source.of(arg)}{more}")
        return "".join(f", {text}" for text in texts)

    def stretch(self, scope: ScopeFacts) -> None:
        """The statements of a scope that build one symbol become a class and its object."""
        body = scope.node.body
        building = [s for s in body if self._builds(s, scope)]
        if not building:
            if any(self._builds(s, scope) for s in ast.walk(scope.node) if s is not scope.node
                   and isinstance(s, ast.stmt) and self.symbols.scope_of(s) is scope):  # fmt: skip
                raise self._unclear(body[0], "a symbol that is built under a condition")
            return
        output = self._output(scope, building)
        self.block = block = Block(scope, [])
        for statement in building:
            self._statement(statement)
        first, last = body.index(building[0]), body.index(building[-1])
        source, indent = self.source, self.source.indent(building[0])
        start = source.starts[building[0].lineno - 1]
        between = [s for s in body[first : last + 1] if s not in building]
        moved = "".join(self._cut(s) for s in between)
        name = self._free(class_name(output))
        gap = "\n\n" if isinstance(scope.node, ast.Module) else "\n"
        lines = self._head("", list(block.inputs), f"{indent}{_STEP}")
        head = f"{indent}class {name}({self.root}.gluon.HybridBlock):\n"
        source.replace(start, start, f"{moved}{gap}{head}{lines}")
        end = source.starts[building[-1].end_lineno or 1]
        self._indent(building[0].lineno, building[-1].end_lineno or 1, 2 * _STEP)
        tail = f"{indent}{2 * _STEP}return {output}\n{gap}{indent}{output} = {name}()\n"
        source.replace(end, end, tail)

    def _cut(self, node: ast.stmt) -> str:
        start, end = self.source.whole_lines(node)
        self.source.replace(start, end, "")
        return self.source.text[start:end]

    def _builds(self, node: ast.stmt, scope: ScopeFacts) -> bool:
        """Whether a statement makes a symbol, other than by a whole net's function."""
        symbols = self.symbols
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            value = node.value
            if not symbols.is_symbol(value, scope):
                return False
            called = symbols.called(value)
            return called is None or bool(called.parameters)
        if isinstance(node, (ast.For, ast.If)):
            return any(self._builds(s, scope) for s in (*node.body, *node.orelse))
        return False

    def _output(self, scope: ScopeFacts, building: list[ast.stmt]) -> str:
        """The one symbol that is used outside of what builds it."""
        inside = {n for s in building for n in ast.walk(s)}
        made = {
            n.id
            for n in inside
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id in scope.symbols
        }
        used: set[str] = set()
        anew: set[str] = set()
        names = (n for n in ast.walk(scope.node) if isinstance(n, ast.Name) and n not in inside)
        around = ((n, self.symbols.scope_of(n)) for n in names)
        # not a name of its own in a function of the scope
        outside = [n for n, inner in around if inner is scope or n.id not in inner.own]
        for name in sorted(outside, key=lambda n: (n.lineno, n.col_offset)):
            if isinstance(name.ctx, ast.Load) and name.id in made - anew:
                used.add(name.id)
            elif isinstance(name.ctx, ast.Store) and name.lineno > building[-1].lineno:
                anew.add(name.id)  # from here on it is something else
        if len(used) != 1:
            said = ", ".join(sorted(used)) or "none"
            raise self._unclear(building[-1], f"symbols that are used later: {said}")
        return used.pop()

    def finish(self) -> None:
        """Calls of functions that are classes now."""
        symbols = self.symbols
        for node in symbols.nodes:
            if isinstance(node, ast.Name):
                self._generator(node)
            found = symbols.called(node)
            if found is None or node in self.handled:
                continue
            assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if found.parameters:
                raise self._unclear(node, "a part of a net that is made by itself")
            self.source.replace(*self.source.span(node.func), self.classes[node.func.id])
        for node in symbols.nodes:
            if symbols.operator(node) and node not in self.handled:
                raise self._unclear(node, f"mx.sym.{symbols.operator(node)} by itself")

    def _generator(self, node: ast.Name) -> None:
        """A function that is given to a BucketingModule is an object of its class now."""
        if node in self.symbols.generators:
            self.source.replace(*self.source.span(node), f"{self.classes[node.id]}()")
        elif node.id in self.symbols.generators.values() and isinstance(node.ctx, ast.Load):
            raise self._unclear(node, "a bucket's net that is used by itself")

    # the class -----------------------------------------------------------------------------------

    def _head(self, signature: str, inputs: list[str], indent: str) -> str:
        """Everything up to the statements of `hybrid_forward`."""
        block = self.block
        lines = []
        if block.heads:
            lines.append(f"heads = ({', '.join(block.heads)},)")
        if block.names:
            lines += [f"data_names, label_names = {', '.join(block.names)}"]
        lines += [""] * bool(lines)
        lines += [f"def __init__(self{signature}):", f"{_STEP}super().__init__()"]
        lines += [f"{_STEP}self.{p} = {p}" for p in block.parameters if p in block.kept]
        lines += [f"{_STEP}self.{a} = {self._empty}" for a, _ in block.turns]
        lines += [_STEP + line for line in self._init_lines()]
        lines += [f"{_STEP}self.{cell} = {cell}" for cell in block.cells]
        given = "".join(f", {name}" for name in inputs)
        lines += ["", f"def hybrid_forward(self, F{given}):"]
        lines += [f"{_STEP}{local} = iter(self.{a})" for a, local in block.turns]
        return "".join(f"{indent}{line}\n" if line else "\n" for line in lines)

    @property
    def _empty(self) -> str:
        return f"{self.root}.gluon.nn.HybridSequential()"

    def _init_lines(self) -> list[str]:
        """The layers, and the program's own statements that they need."""
        needed: set[str] = set()
        kept: list[tuple[int, str]] = []
        for entry in reversed(self.block.init):
            if isinstance(entry, Plain):
                if not entry.targets & needed:
                    continue
                depth, text = entry.depth, ast.unparse(entry.node)
            else:
                depth, text = entry
            needed |= set(re.findall(r"[A-Za-z_]\w*", text))
            kept.append((depth, text))
        if needed.intersection(self.block.keys):
            raise self._unclear(self.block.scope.node, "layers whose sizes depend on the bucket")
        return [_STEP * depth + line for depth, text in reversed(kept) for line in text.split("\n")]

    def _indent(self, first: int, last: int, by: str) -> None:
        source = self.source
        for number in range(first, last + 1):
            if number not in source.inside and source.lines[number - 1].strip():
                source.indents[source.starts[number - 1]] = by

    # statements ----------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> None:
        block = self.block
        if isinstance(node, ast.Assign) and (self._variable(node) or self._is_label_again(node)):
            self.source.replace(*self.source.whole_lines(node), "")
            return
        if cells.makes_cells(self.symbols.flow, node) and block.loop is None:
            block.init.append((block.depth, cells.moved(self.source, node)))
            return
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            if self.symbols.is_symbol(node.value, block.scope):
                self._assigned(node)
                return
            self._own(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            self._return(node, node.value)
        elif isinstance(node, ast.If):
            self._conditional(node)
        elif isinstance(node, ast.For):
            self._loop(node)
        elif self._sets_attribute(node):
            self.source.replace(*self.source.span(node), "pass")
        elif isinstance(node, (ast.Expr, ast.Assert, ast.Raise, ast.Pass)):
            self._rename_parameters(node)
        else:
            raise self._unclear(node, f"{type(node).__name__} among symbols")

    def _sets_attribute(self, node: ast.stmt) -> bool:
        """`symbol._set_attr(mirror_stage='True')`: how a node is computed changes no number."""
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return False
        plain = not call.args and {k.arg for k in call.keywords} <= _HINTS
        is_symbol = self.symbols.is_symbol(call.func.value, self.block.scope)
        return call.func.attr == "_set_attr" and plain and is_symbol

    def _return(self, node: ast.Return, value: ast.expr) -> None:
        if not self.block.keys:
            self._edit(value)
            return
        given = value.elts if isinstance(value, ast.Tuple) else []
        texts = tuple(self.source.of(n) for n in given[1:])
        if len(given) != 3 or self.block.names not in ((), texts):
            raise self._unclear(node, "a bucket's net without the names of its inputs")
        self.block.names = texts
        self.source.replace(*self.source.span(value), self._of(given[0]))
        self._order_inputs(given[1])

    def _order_inputs(self, data_names: ast.expr) -> None:
        """`forward` takes its inputs in the order in which a batch has them."""
        inputs = self.block.inputs
        try:
            order = list(ast.literal_eval(data_names))
        except ValueError:
            order = []
        if sorted(order) != sorted(inputs.values()):
            raise self._unclear(data_names, "a bucket's net with other inputs than it says")
        self.block.inputs = dict(sorted(inputs.items(), key=lambda pair: order.index(pair[1])))

    def _assigned(self, node: ast.Assign | ast.AugAssign) -> None:
        """A symbol that gets a name; where only a head was put on it, nothing is left to do."""
        text = self._of(node.value)
        targets = node.targets if isinstance(node, ast.Assign) else []
        lines = self.source.whole_lines(node)
        if [self.source.of(t) for t in targets] == [text] and "#" not in self.source.text[
            slice(*lines)
        ]:
            self.source.replace(*lines, "")
        else:
            self.source.replace(*self.source.span(node.value), text)

    def _variable(self, node: ast.Assign) -> bool:
        """`data = mx.sym.var('data')` is an argument, or a label."""
        if self.symbols.operator(node.value) not in _VARIABLES:
            return False
        call, target = node.value, node.targets[0]
        assert isinstance(call, ast.Call)
        if not isinstance(target, ast.Name) or len(node.targets) > 1:
            raise self._unclear(node, "a variable of no name")
        self.handled.add(call)
        name = self._constant(call)
        if name is None or not name.isidentifier():
            raise self._unclear(node, "a variable whose name shows only at run time")
        is_label = self._is_label(target.id, node)
        (self.block.labels if is_label else self.block.inputs)[target.id] = name
        return True

    def _own(self, node: ast.Assign | ast.AugAssign) -> None:
        """A statement of the program's own: for the constructor, for `forward`, or for both."""
        block = self.block
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        block.init.append(Plain(node, frozenset(names), block.depth))
        self._rename_parameters(node)

    def _rename_parameters(self, node: ast.AST) -> None:
        for use in ast.walk(node):
            if isinstance(use, ast.Name) and self._keeps_cell(use):
                self.source.replace(*self.source.span(use), f"self.{use.id}")
            elif isinstance(use, ast.Name) and use.id in self.block.parameters:
                if isinstance(use.ctx, ast.Load):
                    self.block.kept.add(use.id)
                    self.source.replace(*self.source.span(use), f"self.{use.id}")
                elif isinstance(use.ctx, ast.Store):
                    raise self._unclear(use, f"{use.id} is set anew")

    def _conditional(self, node: ast.If) -> None:
        block = self.block
        if self.symbols.is_symbol(node.test, block.scope):
            raise self._unclear(node, "a condition on a symbol")
        self._rename_parameters(node.test)
        found = [self._branch(way) for way in (node.body, node.orelse)]
        if any(found):
            block.init += self._ways(node.test, found)

    def _ways(self, test: ast.expr, found: list[Lines]) -> Lines:
        """The constructor's lines under a condition and otherwise."""
        depth, text = self.block.depth, self.source.of(test)
        nothing: Lines = [(depth + 1, "pass")]
        first, second = (
            [*way, *(nothing if all(isinstance(e, Plain) for e in way) else [])] for way in found
        )
        if not found[0]:
            simple = isinstance(test, (ast.Name, ast.Call, ast.Attribute))
            return [(depth, f"if not {text if simple else f'({text})'}:"), *second]
        otherwise: Lines = [(depth, "else:"), *second]
        return [(depth, f"if {text}:"), *first, *(otherwise if found[1] else [])]

    def _branch(self, body: list[ast.stmt]) -> Lines:
        """The statements of one way; what the constructor does there."""
        block = self.block
        outer, block.init = block.init, []
        block.depth += 1
        for statement in body:
            self._statement(statement)
        inner, block.init = block.init, outer
        block.depth -= 1
        return inner

    def _loop(self, node: ast.For) -> None:
        """A loop that adds layers: the constructor's goes alike, and `forward` takes them in turn.

        Where it is a single one they stand beside its variable; otherwise each is the next.
        """
        block, source = self.block, self.source
        if node.orelse:
            raise self._unclear(node, "a loop with else")
        if self.symbols.is_symbol(node.iter, block.scope):
            raise self._unclear(node, "a loop over symbols")
        target, iterated = source.of(node.target), source.of(node.iter)
        is_outer = block.loop is None
        if is_outer:
            block.loop, block.in_turn = [], self._is_nested(node)
        inner = self._branch(node.body)
        layers = block.loop or []
        if is_outer:
            block.loop = None
            if block.in_turn:
                block.turns += layers
            else:
                block.init += [(block.depth, f"self.{a} = {self._empty}") for a, _ in layers]
        if not all(isinstance(entry, Plain) for entry in inner):
            block.init += [(block.depth, f"for {target} in {iterated}:"), *inner]
        if not layers or block.in_turn:
            self._rename_parameters(node.iter)
            return
        wrapped = f"({target})" if isinstance(node.target, ast.Tuple) else target
        names = ", ".join([wrapped, *(local for _, local in layers)])
        given = ", ".join([self._of(node.iter), *(f"self.{a}" for a, _ in layers)])
        source.replace(*source.span(node.target), names)
        source.replace(*source.span(node.iter), f"zip({given})")

    def _is_nested(self, node: ast.For) -> bool:
        """Whether not every layer in a loop is made once each time."""
        inside = [n for s in node.body for n in ast.walk(s) if isinstance(n, (ast.For, ast.If))]
        return any(self._builds(n, self.block.scope) for n in inside)

    # expressions ---------------------------------------------------------------------------------

    def _edit(self, node: ast.expr) -> None:
        self.source.replace(*self.source.span(node), self._of(node))

    def _of(self, node: ast.AST) -> str:
        """The text of an expression in `forward`."""
        block, symbols = self.block, self.symbols
        operator = symbols.operator(node)
        if operator and isinstance(node, ast.Call):
            return self._operator(operator, node)
        if symbols.called(node) is not None and isinstance(node, ast.Call):
            return self._part(node)
        if isinstance(node, ast.Name) and node.id in block.labels:
            raise self._unclear(node, f"the label {node.id} in the net")
        if isinstance(node, ast.Name) and node.id in block.parameters:
            block.kept.add(node.id)
            return f"self.{node.id}"
        if isinstance(node, ast.Name) and self._keeps_cell(node):
            return f"self.{node.id}"
        return self._spliced(node)

    def _keeps_cell(self, node: ast.Name) -> bool:
        flow = self.symbols.flow
        if cells.is_list_of_cells(flow, node):
            raise self._unclear(node, "a list of cells")
        if cells.is_cell(flow, node):
            self.block.cells[node.id] = None
        return node.id in self.block.cells

    def _spliced(self, node: ast.AST) -> str:
        start, end = self.source.span(node)
        parts, position = [], start
        for child in sorted(_expressions(node), key=self.source.span):
            first, last = self.source.span(child)
            if first >= position:
                parts += [self.source.text[position:first], self._of(child)]
                position = last
        return "".join([*parts, self.source.text[position:end]])

    def _operator(self, operator: str, node: ast.Call) -> str:
        self.handled.add(node)
        if operator in _VARIABLES:
            name = self._constant(node)
            if name is None or not name.isidentifier():
                raise self._unclear(node, "a variable whose name shows only at run time")
            self.block.inputs.setdefault(name, name)
            return name
        if operator == "Group":
            return self._group(node)
        if operator in HEADS:
            return self._ending(operator, node)
        layer = LAYERS.get(operator)
        if layer is None and operator in KINDS:
            kind = next((k.value for k in node.keywords if k.arg == "act_type"), None)
            is_it = isinstance(kind, ast.Constant) and kind.value == "prelu"
            layer = KINDS[operator] if is_it else None
        if layer is not None:
            return self._layer(operator, layer, node)
        texts = [self._of(a) for a in node.args]
        for keyword in node.keywords:
            if keyword.arg not in ("name", "attr"):
                head = f"{keyword.arg}=" if keyword.arg else "**"
                texts.append(f"{head}{self._of(keyword.value)}")
        return f"F.{operator}({', '.join(texts)})"

    def _group(self, node: ast.Call) -> str:
        given = [*node.args, *(k.value for k in node.keywords)]
        if len(given) != 1 or not isinstance(given[0], (ast.List, ast.Tuple)):
            raise self._unclear(node, "a Group whose members show only at run time")
        return f"({', '.join(self._of(e) for e in given[0].elts)},)"

    def _layer(self, operator: str, layer: Layer, node: ast.Call) -> str:
        given = dict(zip(layer.order, node.args, strict=False))
        given |= {k.arg: k.value for k in node.keywords if k.arg}
        name = given.pop("name", None)
        inputs = [given.pop(n, None) for n in layer.inputs]
        own = [n for n in layer.weights if n in given]
        if None in inputs or own or len(node.args) > len(layer.order):
            said = own[0] if own else "its arguments"
            raise self._unclear(node, f"mx.sym.{operator} whose {said} is the program's own")
        made = layer.make({k: self.source.of(v) for k, v in given.items()})
        if made is None:
            raise self._unclear(node, f"mx.sym.{operator} with such arguments")
        called = self._attribute(name, node, operator.lower())
        return self._call(called, f"{self.root}.gluon.nn.{made}", [i for i in inputs if i])

    def _part(self, node: ast.Call) -> str:
        """A call of another function that gives a symbol: a block in this one."""
        scope = self.symbols.called(node)
        assert scope is not None and isinstance(scope.node, ast.FunctionDef)
        assert isinstance(node.func, ast.Name)
        self.handled.add(node)
        order = [a.arg for a in scope.node.args.args]
        given = list(zip(order, node.args, strict=False))
        inputs: list[ast.AST] = []
        texts = []
        named = None
        for argument, value in given:
            if argument in scope.parameters:
                inputs.append(value)
            else:
                texts.append(self.source.of(value))
        by_name = {k.arg: k.value for k in node.keywords if k.arg}
        for argument in order:
            if argument in by_name and argument in scope.parameters:
                inputs.append(by_name[argument])
        texts += [
            f"{k}={self.source.of(v)}" for k, v in by_name.items() if k not in scope.parameters
        ]
        pairs = [*given, *by_name.items()]
        named = next((v for a, v in pairs if a in ("name", "prefix") or self._text_of(v)), None)
        attribute = self._attribute(named, node, node.func.id)
        return self._call(attribute, f"{self.classes[node.func.id]}({', '.join(texts)})", inputs)

    def _call(self, attribute: str, made: str, inputs: list[ast.AST]) -> str:
        block = self.block
        given = ", ".join(self._of(i) for i in inputs)
        if block.loop is None:
            block.init.append((block.depth, f"self.{attribute} = {made}"))
            return f"self.{attribute}({given})"
        local = attribute if attribute not in self.taken else f"{attribute}_layer"
        block.loop.append((attribute, local))
        block.init.append((block.depth, f"self.{attribute}.add({made})"))
        return f"next({local})({given})" if block.in_turn else f"{local}({given})"

    def _attribute(self, name: ast.AST | None, node: ast.Call, default: str) -> str:
        """What the layer is called: as the program calls it, as far as that is written out."""
        text = self._text_of(name)
        if not text and name is not None:
            constants = [self._text_of(n) for n in ast.walk(name) if self._text_of(n)]
            text = re.sub(r"%\w|\{\w*\}", "", constants[-1]).strip("_") if constants else ""
        if not text:
            parent = self.symbols.parents[node]
            target = parent.targets[0] if isinstance(parent, ast.Assign) else None
            text = target.id if isinstance(target, ast.Name) and name is None else default
        text = re.sub(r"\W", "_", text)
        if not text.isidentifier() or text in self.block.parameters:
            text = f"{default}_{text}".strip("_")
        number, base = 1, text
        while text in self.block.attributes:
            number += 1
            text = f"{base}{number}"
        self.block.attributes.add(text)
        return text


def _expressions(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            found.append(child)
        elif not isinstance(child, (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop)):
            found += _expressions(child)
    return found
