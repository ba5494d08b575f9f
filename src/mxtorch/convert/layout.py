"""Recurrent layers between two turns of batch and time, as layers that take the batch first."""

from __future__ import annotations

import ast

from mxtorch.convert.steps import Step, Steps, Value
from mxtorch.convert.syntax import name_of

_TURNS = {"x.transpose(0, 1)", "x.transpose(1, 0)", "x.permute(1, 0, 2)"}
_CLASSES = ("nn.LSTM", "nn.GRU", "nn.RNN")


def batch_first(steps: Steps) -> None:
    """Leave out the turns around recurrent layers, in place."""
    makers = {value: step for step in steps.steps for value in step.outputs}
    for step in list(steps.steps):
        turn = makers.get(step.inputs[0]) if _is_recurrent(step) else None
        if turn is None or not _is_turn(turn):
            continue
        chain, readers = [step], _readers(steps, step.outputs[0])
        while len(readers) == 1 and _follows(readers[0], chain[-1]):
            chain.append(readers[0])
            readers = _readers(steps, chain[-1].outputs[0])
        ends = [reader for reader in readers if _is_turn(reader)]
        if not ends or len(ends) < len(readers) or chain[-1].outputs[0] in steps.outputs:
            continue
        for layer in chain:
            assert layer.layer.module is not None
            layer.layer.module.options["batch_first"] = (True, False)
        step.inputs[0] = turn.inputs[0]
        read = _readers(steps, turn.outputs[0]) or turn.outputs[0] in steps.outputs
        gone = ends if read else [*ends, turn]
        _drop(steps, gone, {end.outputs[0]: chain[-1].outputs[0] for end in ends})


def _drop(steps: Steps, gone: list[Step], instead: dict[Value, Value]) -> None:
    steps.steps[:] = [step for step in steps.steps if step not in gone]
    for step in steps.steps:
        step.inputs[:] = [instead.get(value, value) for value in step.inputs]
    steps.outputs[:] = [instead.get(value, value) for value in steps.outputs]
    steps.what.update({step.name: "batch_first=True" for step in gone})


def _follows(step: Step, before: Step) -> bool:
    return _is_recurrent(step) and step.inputs[0] == before.outputs[0]


def _is_recurrent(step: Step) -> bool:
    return step.layer.module is not None and step.layer.module.function in _CLASSES


def _is_turn(step: Step) -> bool:
    if step.layer.module is not None or len(step.inputs) != 1:
        return False
    made = step.layer.forward(name_of("self"), [name_of("x")])
    return ast.unparse(ast.fix_missing_locations(made)) in _TURNS


def _readers(steps: Steps, value: Value) -> list[Step]:
    return [step for step in steps.steps if value in step.inputs]
