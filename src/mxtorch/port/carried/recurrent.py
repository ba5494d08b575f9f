"""Recurrent layers and cells with their states in lists."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def lazy_recurrent(kind, hidden_size, **options):
    """A recurrent layer or cell that learns the size of its input from the first one."""

    class Lazy(nn.modules.lazy.LazyModuleMixin, kind):
        cls_to_become = kind

        def __init__(self):
            super().__init__(1, hidden_size, **options)
            for name, weight in list(self.named_parameters()):
                if name.startswith(("weight_ih_l0", "weight_ih")) and weight.shape[1] == 1:
                    setattr(self, name, nn.UninitializedParameter())

        def initialize_parameters(self, inputs, *states):
            self.input_size = inputs.shape[-1]
            gates = {nn.LSTM: 4, nn.LSTMCell: 4, nn.GRU: 3, nn.GRUCell: 3}.get(kind, 1)
            for weight in self.parameters():
                if nn.parameter.is_lazy(weight):
                    weight.materialize((gates * hidden_size, self.input_size))
                    nn.init.uniform_(weight, -(hidden_size**-0.5), hidden_size**-0.5)

    return Lazy()


def begin_state(layer, batch_size=0, ctx=None, func=torch.zeros, dtype=None):
    """States to begin with: a list, for a recurrent layer, a cell, or a list of cells."""
    if isinstance(layer, nn.ModuleList):
        return [s for cell in layer for s in begin_state(cell, batch_size, ctx, func, dtype)]
    if hasattr(layer, "begin_state"):
        return layer.begin_state(batch_size, ctx, func, dtype)
    if isinstance(layer, nn.Dropout):
        return []
    sizes = [layer.hidden_size]
    if isinstance(layer, (nn.LSTM, nn.LSTMCell)):
        sizes = [getattr(layer, "proj_size", 0) or layer.hidden_size, layer.hidden_size]
    lead = ()
    if isinstance(layer, nn.RNNBase):
        lead = (layer.num_layers * (2 if layer.bidirectional else 1),)
    return [func((*lead, batch_size, size), dtype=dtype, device=ctx) for size in sizes]


def run_layer(layer, inputs, states):
    """The output of a recurrent layer and its new states, these in a list."""
    if states is None:
        return layer(inputs)[0]
    states = states if isinstance(states, (list, tuple)) else [states]
    if isinstance(layer, nn.LSTM):
        output, states = layer(inputs, tuple(states))
        return output, list(states)
    output, state = layer(inputs, states[0])
    return output, [state]


def run_cell(cell, inputs, states):
    """One step of a cell, or of a list of cells: its output and its new states in a list."""
    if isinstance(cell, nn.ModuleList):
        new = []
        for one in cell:
            count = len(begin_state(one))
            inputs, found = run_cell(one, inputs, states[len(new) : len(new) + count])
            new += found
        return inputs, new
    if isinstance(cell, nn.Dropout):
        return cell(inputs), []
    if hasattr(cell, "step"):
        return cell.step(inputs, states)
    new = list(cell(inputs, tuple(states))) if isinstance(cell, nn.LSTMCell) else None
    new = new or [cell(inputs, states[0])]
    return new[0], new


def unroll(cell, length, inputs, states=None, axis=1, merge=None):
    """A cell over `length` steps: the outputs in a list (`merge`: in one tensor), the states."""
    steps = inputs if isinstance(inputs, (list, tuple)) else inputs.unbind(axis)
    steps = list(steps[:length])
    states = begin_state(cell, len(steps[0]), steps[0].device) if states is None else states
    for part in cell.modules():
        if hasattr(part, "before"):
            part.before = None
    outputs, states = run_steps(cell, steps, states)
    merge = isinstance(cell, nn.RNNBase) if merge is None else merge
    return (torch.stack(outputs, dim=axis) if merge else outputs), states


def run_steps(cell, steps, states):
    """A cell, or cells one after the other, over a list of steps: the outputs, the last states."""
    if isinstance(cell, nn.ModuleList):
        new = []
        for one in cell:
            count = len(begin_state(one))
            steps, found = run_steps(one, steps, states[len(new) : len(new) + count])
            new += found
        return steps, new
    if hasattr(cell, "run_steps"):
        return cell.run_steps(steps, states)
    if isinstance(cell, nn.RNNBase):
        outputs, states = run_layer(cell, torch.stack(steps), states)
        return list(outputs), states
    outputs = []
    for step in steps:
        output, states = run_cell(cell, step, states)
        outputs.append(output)
    return outputs, states


def named_cell(cell, prefix, forget_bias=None):
    """A cell, or layers, whose parameters have names that begin with `prefix`."""
    cell.prefix = prefix
    if forget_bias is not None:
        cell.forget_bias = forget_bias
    return cell


class Bidirectional(nn.Module):
    """Two cells, the second from the last step to the first; their outputs side by side."""

    def __init__(self, left, right):
        super().__init__()
        self.left, self.right = left, right

    def begin_state(self, *args):
        return begin_state(self.left, *args) + begin_state(self.right, *args)

    def run_steps(self, steps, states):
        count = len(begin_state(self.left))
        left, new = run_steps(self.left, steps, states[:count])
        right, more = run_steps(self.right, steps[::-1], states[count:])
        outputs = [torch.cat(pair, dim=-1) for pair in zip(left, right[::-1], strict=True)]
        return outputs, list(new) + list(more)


class Residual(nn.Module):
    """A cell that adds its input to its output."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def begin_state(self, *args):
        return begin_state(self.cell, *args)

    def step(self, inputs, states):
        output, states = run_cell(self.cell, inputs, states)
        return output + inputs, states

    def run_steps(self, steps, states):
        outputs, states = run_steps(self.cell, steps, states)
        return [a + b for a, b in zip(outputs, steps, strict=True)], states


class Zoneout(nn.Module):
    """A cell of whose outputs and states some keep, in training, their value of the step before."""

    def __init__(self, cell, outputs=0.0, states=0.0):
        super().__init__()
        self.cell, self.rates, self.before = cell, (outputs, states), None

    def begin_state(self, *args):
        self.before = None
        return begin_state(self.cell, *args)

    def mix(self, new, old, rate):
        if not rate:
            return new
        mask = F.dropout(torch.ones_like(new), rate, self.training)
        return torch.where(mask != 0, new, old)

    def step(self, inputs, states):
        output, new = run_cell(self.cell, inputs, states)
        before = torch.zeros_like(output) if self.before is None else self.before
        output = self.mix(output, before, self.rates[0])
        new = [self.mix(a, b, self.rates[1]) for a, b in zip(new, states, strict=True)]
        self.before = output
        return output, new
