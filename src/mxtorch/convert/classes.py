"""The modules of a file: a class for each repeated stage, and one for the whole."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from mxtorch.convert.groups import Group, Item, every_group
from mxtorch.convert.names import attribute_of_module, identifier, leave_out
from mxtorch.convert.naming import (
    all_arrays,
    class_name,
    common,
    first_layer,
    item_name,
    local_names,
    prefix,
    stem_of,
    unique,
    wishes,
)
from mxtorch.convert.steps import Step, Steps, Value
from mxtorch.convert.syntax import call, function_of, lift, name_of, own

# Up to this length a call is written inside the next one.
_INSIDE = 60


@dataclass(eq=False)
class _Class:
    """A class: its instances in the graph, its name, and what differs between them.

    `values` holds each constructor argument's value for each instance (by its id).
    """

    instances: list[Group]
    name: str
    parameters: list[str] = field(default_factory=list)
    values: dict[str, list[Any]] = field(default_factory=dict)
    attributes: list[str] = field(default_factory=list)
    frees: dict[Value, str] = field(default_factory=dict)

    def value(self, instance: Group, parameter: str) -> Any:
        """What one instance passes."""
        return self.values[parameter][self.instances.index(instance)]


class Classes:
    """Writes the classes; `state` and `origins` are as in Source."""

    def __init__(self, steps: Steps, root: Group, name: str) -> None:
        self.steps = steps
        self.root = root
        self.name = name
        self.state: dict[str, Tensor] = {}
        self.origins: dict[str, list[str]] = {}
        self.classes: dict[Any, _Class] = {}
        self._of: dict[int, _Class] = {}
        self._shared: dict[Any, str] = {}
        self._fixed: list[str] = []
        self._counts = Counter(name for step in steps.steps for name in set(step.arrays))
        for group in every_group(root):
            key = group.key() if group is not root else None
            if key not in self.classes:
                made = _Class([], name if key is None else "")
                self.classes[key] = made
            self.classes[key].instances.append(group)
            self._of[id(group)] = self.classes[key]

    def definitions(self) -> list[ast.stmt]:
        """The classes, inner ones first."""
        names = {self.name, "load"}
        made: list[ast.stmt] = []
        for cls in self.classes.values():
            if not cls.name:
                cls.name = unique(class_name(cls.instances[0]), names)
            writer = _Writer(self, cls)
            made.append(writer.tree())
        self._collect(self.root, "")
        if self._fixed:
            leave_out(self._fixed, made[-1])
        return made

    def of(self, group: Group) -> _Class:
        """The class of a group."""
        return self._of[id(group)]

    def _collect(self, group: Group, prefix: str) -> None:
        """The state of a group's modules under their paths."""
        cls = self.of(group)
        if group is self.root:
            for value, (name, tensor) in self.steps.shared.items():
                self._keep(cls.frees[value], name, tensor)
        for path, item in zip(cls.attributes, group.items, strict=True):
            if isinstance(item, Group):
                self._collect(item, f"{prefix}{path}.")
                continue
            for key, tensor in item.layer.weights.items():
                origin = item.origins.get(key, "")
                self._keep(f"{prefix}{path}.{key}", origin, tensor)
                wrapped = item.layer.module is not None and item.layer.module.wrapper
                if origin in self.steps.fixed and not wrapped:
                    self._fixed.append(f"{prefix}{path}.{key}")
            names = cls.frees
            first = cls.instances[0].items[group.items.index(item)]
            assert isinstance(first, Step)
            for there, (name, tensor) in zip(first.free, item.free.values(), strict=True):
                self._keep(prefix + names[there], name, tensor)

    def is_shared(self, item: Item) -> bool:
        """Whether other places run the same module."""
        return any(self._counts[name] > 1 for name in all_arrays(item))

    def _keep(self, key: str, origin: str, tensor: Tensor) -> None:
        if key not in self.state and origin:
            self.origins.setdefault(origin, []).append(key)
        self.state[key] = tensor

    def shared(self, step: Step, wish: str | None) -> str | None:
        """The module of a step that another step runs too: its name where it is known."""
        module = step.layer.module
        if module is None or not step.arrays:
            return None
        key = (module.function, repr(sorted(module.values().items())), step.arrays)
        if wish is not None:
            self._shared.setdefault(key, wish)
        return self._shared.get(key)


class _Writer:
    """Writes one class, after its first instance."""

    def __init__(self, classes: Classes, cls: _Class) -> None:
        self.classes = classes
        self.cls = cls
        self.group = cls.instances[0]
        self.is_root = self.group is classes.root
        self.taken = {"self", "torch", "nn", "F", *dir(builtins)}
        self.made: list[ast.stmt] = list(ast.parse("super().__init__()").body)
        self.run: list[ast.stmt] = []
        self.values: dict[Value, ast.expr] = {}
        self.pending: dict[Value, ast.expr] = {}
        self.modules: dict[Any, str] = {}
        self.sources: dict[Value, list[Value]] = {}
        self.uses = Counter(value for item in self.group.items for value in item.inputs)
        self.uses.update(self.group.outputs)
        self.prefix = prefix(self.group)
        self.locals = iter(local_names())
        self.wishes = {} if self.is_root else wishes(self.cls.instances)

    def tree(self) -> ast.ClassDef:
        """The class."""
        names = self._inputs()
        if self.is_root:
            for value, (name, tensor) in self.classes.steps.shared.items():
                self._free(value, name, tensor)
        runs = self._runs()
        position = 0
        items = self.group.items
        while position < len(items):
            if position in runs:
                self._sequence(items[position : runs[position]])
                position = runs[position]
                continue
            following = items[position + 1] if position + 1 < len(items) else None
            self._item(items[position], following)
            position += 1
        results = [self._read(value) for value in self.group.outputs]
        result = results[0] if len(results) == 1 else ast.Tuple(results, ast.Load())
        self.run.append(ast.Return(result))
        body: list[ast.stmt] = [
            function_of("__init__", ["self", *self.cls.parameters], self.made),
            function_of("forward", ["self", *names], self.run),
        ]
        if len(self.made) == 1:
            body = body[1:]
        cls = ast.ClassDef(self.cls.name, [ast.parse("nn.Module", mode="eval").body], [], body, [])
        if "type_params" in ast.ClassDef._fields:
            cls.type_params = []  # type: ignore[attr-defined]
        return ast.fix_missing_locations(cls)

    def _inputs(self) -> list[str]:
        names = []
        for number, value in enumerate(self.group.inputs):
            if self.is_root:
                wish = self.classes.steps.inputs[value]
                name = self._fresh(wish)
            else:
                name = next(self.locals) if number < 3 else self._fresh("x")
            self.taken.add(name)
            self.values[value] = name_of(name)
            names.append(name)
        return names

    def _runs(self) -> dict[int, int]:
        """Where groups follow one another: the start of each run and its end."""
        found: dict[int, int] = {}
        items, position = self.group.items, 0
        while position < len(items):
            end = position + 1
            last = items[position]
            chains = isinstance(last, Group) and self._chains(last)
            seen = {self.classes.of(last)} if isinstance(last, Group) and chains else None
            while seen and end < len(items) and self._follows(items[end], items[end - 1]):
                item = items[end]
                assert isinstance(item, Group) and isinstance(last, Group)
                # a kind that came before begins another stage
                if self.classes.of(item) is not self.classes.of(last):
                    if self.classes.of(item) in seen:
                        break
                    seen.add(self.classes.of(item))
                last = item
                end += 1
            if end - position > 1:
                found[position] = end
            position = end
        return found

    def _chains(self, item: Item) -> bool:
        return (
            isinstance(item, Group)
            and len(item.outputs) == 1
            and not self.classes.is_shared(item)
            and all(value in self.classes.steps.inputs for value in item.inputs[1:])
        )

    def _follows(self, item: Item, before: Item) -> bool:
        return (
            self._chains(item)
            and item.inputs == [*before.outputs, *before.inputs[1:]]
            and self.uses[before.outputs[0]] == 1
        )

    def _sequence(self, items: Sequence[Item]) -> None:
        """A run of groups as an nn.Sequential."""
        attribute = self._attribute(common([stem_of(i) for i in items]) or "blocks", "blocks")
        groups = [item for item in items if isinstance(item, Group)]
        parts: list[ast.expr] = []
        position = 0
        while position < len(groups):
            end = self._alike(groups, position)
            if end - position > 2:
                parts.append(self._loop(groups[position:end]))
            else:
                end = position + 1
                parts.append(self._instance(groups[position]))
            position = end
        for number in range(len(groups)):
            self.cls.attributes.append(f"{attribute}.{number}")
        others = groups[0].inputs[1:]
        if others:
            self._for_each(attribute, groups, parts)
            return
        self.made.append(ast.Assign([own(attribute, True)], call("nn.Sequential", *parts)))
        value = call(own(attribute), self._read(groups[0].inputs[0]))
        self._assign(groups[-1].outputs, value, None, groups[0].inputs)

    def _for_each(self, attribute: str, groups: Sequence[Group], parts: list[ast.expr]) -> None:
        """A run of groups that all read something else too: a loop over an nn.ModuleList."""
        modules = call("nn.ModuleList", ast.List(parts, ast.Load()))
        self.made.append(ast.Assign([own(attribute, True)], modules))
        start = self._read(groups[0].inputs[0])
        target = self._target([groups[0].inputs[0]])
        if not isinstance(start, ast.Name) or start.id != target:
            self.run.append(ast.Assign([name_of(target, True)], start))
        others = [self._read(value) for value in groups[0].inputs[1:]]
        step = call("block", name_of(target), *others)
        body: list[ast.stmt] = [ast.Assign([name_of(target, True)], step)]
        self.run.append(ast.For(name_of("block", True), own(attribute), body, []))
        self.values[groups[-1].outputs[0]] = name_of(target)

    def _alike(self, groups: Sequence[Group], start: int) -> int:
        """The end of a run of one class whose arguments stay or grow by the same step."""
        cls = self.classes.of(groups[start])
        end = start + 1
        while end < len(groups) and self.classes.of(groups[end]) is cls:
            values = [[cls.value(g, p) for g in groups[start : end + 1]] for p in cls.parameters]
            if any(_progression(v) is None for v in values):
                break
            if any(self._varies(g, p) for g in groups[start : end + 1] for p in cls.parameters):
                break
            end += 1
        return end

    def _loop(self, groups: Sequence[Group]) -> ast.expr:
        cls = self.classes.of(groups[0])
        arguments = []
        index = "_"
        for parameter in cls.parameters:
            values = [cls.value(g, parameter) for g in groups]
            if values[0] == values[-1]:
                arguments.append(lift(values[0]))
            else:
                index = "i"
                step = values[1] - values[0]
                arguments.append(ast.parse(f"{values[0]} + {step} * i", mode="eval").body)
        element = call(cls.name, *arguments)
        count = call("range", len(groups))
        over = ast.comprehension(name_of(index, True), count, [], 0)
        return ast.Starred(ast.GeneratorExp(element, [over]), ast.Load())

    def _item(self, item: Item, following: Item | None) -> None:
        if isinstance(item, Group):
            shared = self.classes.is_shared(item)
            same = self.classes.of(item), all_arrays(item)
            known = self.modules.get(same) if shared else None
            attribute = known or self._attribute(item_name(item, shared), "block", item)
            self.cls.attributes.append(attribute)
            if known is None:
                self.made.append(ast.Assign([own(attribute, True)], self._instance(item)))
                if shared:
                    self.modules[same] = attribute
            value: ast.expr = call(own(attribute), *(self._read(v) for v in item.inputs))
            self._assign(item.outputs, value, following, item.inputs)
            return
        for place, (name, tensor) in item.free.items():
            self._free(place, name or item.name, tensor)
        if item.layer.constant is not None:
            self.cls.attributes.append("")
            self.values[item.outputs[0]] = self.values[item.inputs[0]]
            return
        me: ast.expr = name_of("self")
        attribute = ""
        if item.layer.module is not None:
            known = self.classes.shared(item, None) if self.is_root else None
            attribute = known or self._attribute(self._wish(item), "layer", item)
            if known is None:
                written = item.layer.module.write(self._arguments(item))
                self.made.append(ast.Assign([own(attribute, True)], written))
                if self.is_root:
                    self.classes.shared(item, attribute)
            me = own(attribute)
        self.cls.attributes.append(attribute)
        value = item.layer.forward(me, [self._read(v) for v in item.inputs])
        self._assign(item.outputs, value, following, item.inputs, item.layer.nested)

    def _wish(self, step: Step) -> str:
        """A layer's name; that of its weights if other steps run it too."""
        return item_name(step, self.classes.is_shared(step))

    def _arguments(self, item: Step) -> dict[str, ast.expr]:
        """Arguments of a module that differ between the instances, as parameters."""
        position = self.group.items.index(item)
        steps = [g.items[position] for g in self.cls.instances]
        found: dict[str, ast.expr] = {}
        modules = [s.layer.module for s in steps if isinstance(s, Step)]
        for name in modules[0].values() if modules[0] else ():
            values = [m.values()[name] for m in modules if m is not None]
            parameter = self._parameter(name, values)
            if parameter is not None:
                found[name] = name_of(parameter)
        return found

    def _parameter(self, wish: str, values: list[Any]) -> str | None:
        """The constructor's parameter that has these values; None if they are all alike."""
        if len({repr(v) for v in values}) == 1:
            return None
        for name, known in self.cls.values.items():
            if repr(known) == repr(values):
                return name
        name = unique(wish, set(self.cls.parameters))
        self.cls.parameters.append(name)
        self.cls.values[name] = values
        return name

    def _varies(self, group: Group, parameter: str) -> bool:
        position = self.group.items.index(group)
        cls = self.classes.of(group)
        values = [
            cls.value(inner, parameter)
            for inner in (g.items[position] for g in self.cls.instances)
            if isinstance(inner, Group)
        ]
        return len({repr(v) for v in values}) > 1

    def _instance(self, group: Group) -> ast.expr:
        cls = self.classes.of(group)
        position = self.group.items.index(group)
        arguments: list[ast.expr] = []
        for parameter in cls.parameters:
            values = []
            for outer in self.cls.instances:
                inner = outer.items[position]
                assert isinstance(inner, Group)
                values.append(cls.value(inner, parameter))
            name = self._parameter(parameter, values)
            arguments.append(lift(values[0]) if name is None else name_of(name))
        return call(cls.name, *arguments)

    def _free(self, place: Value, name: str, tensor: Tensor) -> None:
        """A weight that is no layer's."""
        attribute = self._attribute(name, "weight")
        shapes = [tuple(tensor.shape)]
        if not self.is_root:
            shapes = list(self._free_shapes(place))
        parameter = self._parameter("shape", shapes)
        shape = name_of(parameter) if parameter else lift(shapes[0])
        kind = str(tensor.dtype)
        options = {} if kind == "torch.float32" else {"dtype": ast.parse(kind, mode="eval").body}
        empty = call("torch.empty", shape, **options)
        if name in self.classes.steps.trained and tensor.is_floating_point():
            value = call("nn.Parameter", empty)
            self.made.append(ast.Assign([own(attribute, True)], value))
        else:
            register = call(own("register_buffer"), attribute, empty)
            self.made.append(ast.Expr(register))
        self.cls.frees[place] = attribute
        self.values[place] = own(attribute)

    def _free_shapes(self, place: Value) -> Iterator[tuple[int, ...]]:
        for position, item in enumerate(self.group.items):
            if isinstance(item, Step) and place in item.free:
                number = list(item.free).index(place)
                for group in self.cls.instances:
                    other = group.items[position]
                    assert isinstance(other, Step)
                    yield tuple(list(other.free.values())[number][1].shape)

    def _read(self, value: Value) -> ast.expr:
        return self.pending.pop(value, None) or self.values[value]

    def _assign(
        self,
        outputs: Sequence[Value],
        value: ast.expr,
        following: Item | None,
        inputs: Sequence[Value],
        nested: bool = False,
    ) -> None:
        inputs = [source for v in inputs for source in self.sources.get(v, [v])]
        if len(outputs) == 1:
            last = following is None and self.group.outputs == list(outputs)
            if last or self._goes_inside(outputs[0], value, following):
                self.pending[outputs[0]] = value
                self.sources[outputs[0]] = inputs
                return
            target = self._target(inputs)
            self.run.append(ast.Assign([name_of(target, True)], value))
            self.values[outputs[0]] = name_of(target)
            return
        names = [next(self.locals) if self.uses[v] else "_" for v in outputs]
        self.taken.update(names)
        parts: list[ast.expr] = [name_of(n, True) for n in names]
        if nested:
            parts = [parts[0], ast.Tuple(parts[1:], ast.Store())]
        targets = ast.Tuple(parts, ast.Store())
        self.run.append(ast.Assign([targets], value))
        self.values.update({v: name_of(n) for v, n in zip(outputs, names, strict=True)})

    def _goes_inside(self, output: Value, value: ast.expr, following: Item | None) -> bool:
        """Whether a call is written inside the one that follows."""
        if following is None or self.uses[output] != 1 or output not in following.inputs:
            return False
        if isinstance(following, Group):
            return False
        if following.layer.constant is not None or not _reads_once(following, output):
            return False
        return len(ast.unparse(ast.fix_missing_locations(value))) <= _INSIDE

    def _target(self, inputs: Sequence[Value]) -> str:
        """The variable for a result: that of an input that nothing else reads."""
        for value in inputs:
            held = self.values.get(value)
            given = self.is_root and value in self.group.inputs
            if isinstance(held, ast.Name) and self.uses[value] == 1 and not given:
                return held.id
        name = next(self.locals)
        while name in self.taken:
            name = next(self.locals)
        self.taken.add(name)
        return name

    def _attribute(self, name: str, default: str, item: Item | None = None) -> str:
        base = self._bare(name) or (self._bare(first_layer(item)) if item else "") or default
        base = self.wishes.get(item, base) if item is not None else base
        return unique(attribute_of_module(base), self.taken)

    def _bare(self, name: str) -> str:
        return name.removesuffix("_fwd").removeprefix(self.prefix).strip("_")

    def _fresh(self, name: str) -> str:
        return unique(identifier(name), self.taken)


def _progression(values: Sequence[Any]) -> int | None:
    """By how much the values grow each time; 0 if they are alike, None if neither."""
    if all(repr(v) == repr(values[0]) for v in values):
        return 0
    if not all(type(v) is int for v in values):
        return None
    steps = {b - a for a, b in itertools.pairwise(values)}
    step: int = steps.pop()
    return None if steps else step


def _reads_once(step: Step, value: Value) -> bool:
    """Whether a step's call has an input once, and not within the making of something else."""
    names: list[ast.expr] = [name_of("it" if v == value else "other") for v in step.inputs]
    made = step.layer.forward(name_of("layer"), names)
    return sum(isinstance(n, ast.Name) and n.id == "it" for n in ast.walk(made)) == 1
