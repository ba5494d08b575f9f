"""Executors: a net on arrays of the program's own, computed and differentiated by hand."""

from __future__ import annotations

import copy
import inspect

import torch

from mxtorch.port.carried.files import infer_shape, list_arguments, list_auxiliary_states
from mxtorch.port.carried.heads import with_scores
from mxtorch.port.helpers import parameters_by_name, running_statistics


class Executor:
    """A net whose parameters are the arrays in `args`; `backward` fills those in `args_grad`.

    Arrays are given by name or in the order of `list_arguments`, `grad_req` is one of 'write',
    'add' and 'null' for all, or by name or in order.
    """

    def __init__(self, net, args, args_grad=None, grad_req="write", aux_states=None):
        self.names = list_arguments(net)
        self.inputs = list(inspect.signature(net.forward).parameters)
        self.arg_dict = self.by_name(self.names, args)
        self.grad_dict = self.by_name(self.names, args_grad)
        self.requests = (
            dict.fromkeys(self.names, grad_req)
            if isinstance(grad_req, str)
            else self.by_name(self.names, grad_req)
        )
        infer_shape(net, **{name: self.arg_dict[name].shape for name in self.inputs})
        self.net = copy.deepcopy(net)
        for name, parameter in parameters_by_name(self.net).items():
            parameter.data = self.arg_dict[name]
        states = list_auxiliary_states(self.net)
        self.aux_dict = self.by_name(states, aux_states) or running_statistics(self.net)
        for name, buffer in running_statistics(self.net).items():
            buffer.data = self.aux_dict[name]
        self.scores, self.outputs = (), []

    @staticmethod
    def by_name(names, given):
        """What is given by name or in order, by name."""
        if isinstance(given, (list, tuple)):
            given = dict(zip(names, given, strict=True))
        return {name: given[name] for name in names if given and given.get(name) is not None}

    @property
    def arg_arrays(self):
        return [self.arg_dict[name] for name in self.names]

    @property
    def grad_arrays(self):
        return [self.grad_dict.get(name) for name in self.names]

    @property
    def aux_arrays(self):
        return list(self.aux_dict.values())

    def forward(self, is_train=False, **values):
        """Outputs, of inputs and labels in `values` or of those that are there."""
        for name, value in values.items():
            self.arg_dict[name].copy_(torch.as_tensor(value))
        self.net.train(is_train)
        self.fed = {n: self.arg_dict[n].clone().requires_grad_(n in self.grad_dict)
                    for n in self.inputs}  # fmt: skip
        with torch.set_grad_enabled(is_train):
            found = self.net(*self.fed.values())
        self.scores = found if isinstance(found, tuple) else (found,)
        with torch.no_grad():
            found = [h(s) for h, s in with_scores(self.net, self.scores)]
        self.outputs = found or [s.detach() for s in self.scores]
        return self.outputs

    def backward(self, out_grads=None):
        """Fill the gradients: of the heads' losses, or from gradients of the outputs."""
        self.net.zero_grad()
        if heads := with_scores(self.net, self.scores):
            sum(h.loss(s, self.arg_dict.get(h.label)) for h, s in heads).backward()
        else:
            out_grads = [out_grads] if isinstance(out_grads, torch.Tensor) else out_grads
            torch.autograd.backward(self.scores, out_grads)
        for name, owner in {**self.fed, **parameters_by_name(self.net)}.items():
            request, kept = self.requests.get(name, "null"), self.grad_dict.get(name)
            if kept is None or request == "null":
                continue
            grad = torch.zeros_like(kept) if owner.grad is None else owner.grad
            kept.add_(grad) if request == "add" else kept.copy_(grad)

    def copy_params_from(self, arg_params, aux_params=None, allow_extra_params=False):
        """Copy values by name into arguments and running statistics."""
        for own, given in ((self.arg_dict, arg_params), (self.aux_dict, aux_params or {})):
            for name, value in given.items():
                if name in own or not allow_extra_params:
                    own[name].copy_(torch.as_tensor(value))

    def reshape(self, **shapes):
        """The same on inputs and labels of other shapes, with the same parameters."""
        return simple_bind(self.net, self.requests, self.arg_dict, self.aux_dict, **shapes)


def simple_bind(net, grad_req="write", shared=None, aux_states=None, **shapes):
    """An executor on new arrays of zeros for inputs of these shapes, and of what they need."""
    inputs = {name: shapes[name] for name in inspect.signature(net.forward).parameters}
    found = {}
    for name, shape in zip(list_arguments(net), infer_shape(net, **inputs)[0], strict=True):
        old = (shared or {}).get(name)
        shape = tuple(shapes.get(name, shape))
        found[name] = old if old is not None and old.shape == shape else torch.zeros(shape)
    wanted = {n: a for n, a in found.items() if grad_req != "null"}
    grads = {name: torch.zeros_like(array) for name, array in wanted.items()}
    return Executor(net, found, grads, grad_req, aux_states)
