"""Files of arrays: torch's, and those that MXNet wrote, of which the user may have many."""

from __future__ import annotations

import inspect
import math
import re
import struct

import torch
from torch import nn

from mxtorch.port.helpers import parameters_by_name, running_statistics


def is_params_file(path):
    """Whether a file has arrays as MXNet writes them."""
    with open(path, "rb") as file:
        return file.read(8) == struct.pack("<Q", 0x112)


def read_arrays(path, device=None):
    """The tensors of a file, by name or in a list: of torch's, or of one that MXNet wrote."""
    if not is_params_file(path):
        return torch.load(path, map_location=device)
    with open(path, "rb") as file:
        content = bytearray(file.read())
    position = 16
    kinds = {
        0: torch.float32,
        1: torch.float64,
        2: torch.float16,
        3: torch.uint8,
        4: torch.int32,
        5: torch.int8,
        6: torch.int64,
        7: torch.bool,
        12: torch.bfloat16,
    }

    def read(form):
        nonlocal position
        values = struct.unpack_from(f"<{form}", content, position)
        position += struct.calcsize(f"<{form}")
        return values

    arrays = []
    for _ in range(*read("Q")):
        (version,) = read("I")
        if version not in (0xF993FAC8, 0xF993FAC9, 0xF993FACA):
            shape = read(f"{version}I")  # the oldest files begin with the number of axes
        else:
            if version > 0xF993FAC8 and read("i") != (0,):
                raise ValueError(f"{path} has a sparse array")
            shape = read(f"{read('i')[0]}q")
        if not shape and version == 0xF993FAC9:
            arrays.append(None)  # no array
            continue
        kind, count = read("iii")[2], math.prod(shape)
        values = torch.empty(0, dtype=kinds[kind])
        if count:
            values = torch.frombuffer(content, dtype=kinds[kind], count=count, offset=position)
        position += count * values.element_size()
        arrays.append(values.reshape(shape).clone().to(device))
    names = [content[position : (position := position + n)].decode()
             for _ in range(*read("Q")) for n in read("Q")]  # fmt: skip
    return dict(zip(names, arrays, strict=True)) if names else arrays


def torch_kind(name):
    """What torch calls a parameter of MXNet's, within its layer."""
    found = re.search(r"(?:(?:^|_)([lr])(\d+)_)?([ih])2h_(weight|bias)$", name)
    if found:
        way, layer, side, kind = found.groups()
        layer = f"_l{layer}" if layer else ""
        return f"{kind}_{side}h{layer}{'_reverse' if way == 'r' else ''}"
    plain = {"gamma": "weight", "beta": "bias", "alpha": "weight"}
    for end in ("weight", "bias", "running_mean", "running_var", *plain):
        if re.search(f"(^|_){end}$", name):
            return plain.get(end, end)
    return name


def parameter_group(path):
    """A parameter's place without the numbers of layers, what it is, and these numbers."""
    *layers, name = path.split(".")
    numbers = tuple(int(part) for part in layers if part.isdigit())
    return (*(part for part in layers if not part.isdigit()), torch_kind(name)), numbers


def paired_parameters(own, found, strict):
    """The net's names of a file's parameters, by place and number, or all in order; or None."""

    def fits(ours, theirs):
        return nn.parameter.is_lazy(own[ours]) or own[ours].shape == found[theirs].shape

    groups = {}
    for names, side in ((own, 0), (found, 1)):
        for name in names:
            group, numbers = parameter_group(name)
            groups.setdefault(group, ([], []))[side].append((numbers, name))
    pairs, whole = {}, True
    for ours, theirs in groups.values():
        both = [(a, b) for (_, a), (_, b) in zip(sorted(ours), sorted(theirs), strict=False)]
        if len(ours) == len(theirs) and all(fits(a, b) for a, b in both):
            pairs.update(both)
        else:
            whole = False
    if whole or not strict:
        return pairs
    both = list(zip(own, found, strict=False))
    kinds = [(torch_kind(a.rpartition(".")[2]), torch_kind(b.rpartition(".")[2])) for a, b in both]
    same = len(own) == len(found) and all(a == b for a, b in kinds)
    return dict(both) if same and all(fits(a, b) for a, b in both) else None


def load_weights(net, path, device=None, strict=True):
    """Fill a net from a file of torch's, or from one that MXNet's net of the same layers wrote."""
    if not is_params_file(path):
        net.load_state_dict(torch.load(path, map_location=device), strict=strict)
        return
    found = read_arrays(path, device)
    found = {name.removeprefix("arg:").removeprefix("aux:"): a for name, a in found.items()}
    cells = re.compile(r"_unfused\.(\d+)\.(?:([lr])_cell\.)?")  # recurrent layers, in some releases
    found = {cells.sub(lambda m: f"{m[2] or 'l'}{m[1]}_", name): a for name, a in found.items()}
    state = net.state_dict()
    own = {k: v for k, v in state.items() if not k.endswith("num_batches_tracked")}
    pairs = paired_parameters(own, found, strict)
    if pairs is None:
        raise ValueError(f"{path} has {list(found)}; the net has {list(own)}")
    net.load_state_dict(state | {ours: found[theirs] for ours, theirs in pairs.items()})


def save_checkpoint(prefix, epoch, arg_params, aux_params):
    """Write parameters and running statistics, by MXNet's names of them."""
    found = {f"arg:{name}": value for name, value in arg_params.items()}
    found |= {f"aux:{name}": value for name, value in aux_params.items()}
    torch.save(found, f"{prefix}-{epoch:04d}.params")


def load_params(prefix, epoch):
    """The parameters and running statistics of a checkpoint, also of MXNet's own."""
    found = {}, {}
    for name, value in read_arrays(f"{prefix}-{epoch:04d}.params").items():
        kind, _, name = name.partition(":")
        found[kind == "aux"][name] = value
    return found


def list_arguments(net):
    """A net's inputs, parameters and labels."""
    labels = [head.label for head in getattr(net, "heads", ()) if head.label]
    return [*inspect.signature(net.forward).parameters, *parameters_by_name(net), *labels]


def list_auxiliary_states(net):
    """The names of a net's running statistics."""
    return list(running_statistics(net))


def infer_shape(net, **shapes):
    """The shapes of `list_arguments`, of the outputs and of `list_auxiliary_states`."""
    was = net.training
    with torch.no_grad():
        scores = net.eval()(*(torch.zeros(tuple(shape)) for shape in shapes.values()))
    net.train(was)
    scores = scores if isinstance(scores, tuple) else (scores,)
    known = {**shapes, **{k: tuple(v.shape) for k, v in parameters_by_name(net).items()}}
    for head, score in zip(getattr(net, "heads", ()), scores, strict=False):
        shape = tuple(score.shape)
        known[head.label] = (
            shape
            if not hasattr(head, "axis")
            else (shape[:-1] if head.axis == -1 else (shape[0], *shape[2:]))
        )
    arguments = [known[name] for name in list_arguments(net)]
    states = [tuple(value.shape) for value in running_statistics(net).values()]
    return arguments, [tuple(score.shape) for score in scores], states
