"""The numbered notes: what each says, an example, and what to do about it.

`tools/port_codes_page.py` writes docs/guide/port-codes.md from this table.
"""

from __future__ import annotations

import enum
import inspect


class Code(enum.Enum):
    """A note: its number, its text, whether a person must act, and its documentation.

    `example` is an MXNet program on which the port makes this note. Where `act` is true, the ported
    text has a comment `# mxtorch[number]: …` at the place.
    """

    DIFFERS = (
        "MXT001",
        "PyTorch's counterpart differs",
        False,
        """
        The two do the same but for what the note names.
        """,
        """
        from mxnet import nd
        x = nd.ones((2, 3))
        i = x.argmax(axis=1)
        """,
        """
        Nothing, if the program does not depend on it. In the example: `argmax` gives int64 in
        PyTorch, numbers of the array's own type in MXNet; `.float()` makes them equal.
        """,
    )
    OPERATOR = (
        "MXT002",
        "no PyTorch counterpart; kept as an operator of mxtorch",
        False,
        """
        PyTorch has no function for it. The program calls mxtorch's on tensors, which runs, and
        needs mxtorch.
        """,
        """
        from mxnet import nd
        x = nd.ones((2, 3))
        y = nd.SoftmaxActivation(x)
        """,
        """
        Nothing; or port with `--standalone`, which writes the operator's body into the file.
        """,
    )
    BY_HAND = (
        "MXT003",
        "no rule; to be ported by hand",
        True,
        """
        The port does not know how to say this in PyTorch. The use stays as it was, imported from
        mxtorch. Where it takes or gives arrays, the program does not run before it is mended, for
        arrays of mxtorch's and tensors do not mix.
        """,
        """
        import mxnet as mx
        store = mx.kv.create('dist_async')
        """,
        """
        Write the PyTorch counterpart, or take the part out. `mxtorch scan` says the same of the
        program before the port.
        """,
    )
    UNKNOWN = (
        "MXT004",
        "not a name of MXNet that mxtorch knows",
        True,
        """
        MXNet 1.9.1 has no such name, or mxtorch does not have it. The use stays as it was.
        """,
        """
        import mxnet as mx
        z = mx.no_such_name
        """,
        """
        If the program was written for another version of MXNet, look the name up there.
        """,
    )
    SIZE = (
        "MXT006",
        "the size of an input is not known, so the layer is lazy",
        False,
        """
        MXNet's layers learn the size of their input from the first one; so do PyTorch's lazy
        layers. Until then they have no weights that could be printed, counted or set.
        """,
        """
        from mxnet.gluon import nn
        layer = nn.Dense(10)
        """,
        """
        Give `in_units`, `in_channels` or `input_size` to the MXNet program; or the size to the
        ported one; or port with the facts of a run (docs/guide/port-facts.md).
        """,
    )
    STEP = (
        "MXT007",
        "no backward() found for this step",
        True,
        """
        MXNet's `step(n)` divides the gradient by n, PyTorch's does not. The port divides the loss
        in front of `backward()`; where it finds none in the same block, `averaged_step` divides
        the gradients. It cannot where they are clipped or scaled before the step.
        """,
        """
        from mxnet import gluon
        from mxnet.gluon import nn
        net = nn.Dense(1, in_units=2)
        trainer = gluon.Trainer(net.collect_params(), 'sgd', {'clip_gradient': 1.0})
        def update(n):
            trainer.step(n)
        """,
        """
        Divide the loss, or its gradient, by n where it is computed, and call `zero_grad()` before
        its `backward()`.
        """,
    )
    DEVICES = (
        "MXT008",
        "one process computes all parts; torchrun shares them out",
        False,
        """
        The program splits each batch over several devices. A PyTorch module lives on one device;
        alone, the port computes all parts on the first, with the same result.
        """,
        """
        import mxnet as mx
        from mxnet import gluon, nd
        parts = gluon.utils.split_and_load(nd.ones((4, 2)), [mx.gpu(0), mx.gpu(1)])
        """,
        """
        To use several devices, start the port with `torchrun --nproc_per_node N`: each process
        computes its share of the parts on a device of its own, and gradients are added up before
        each step. What is printed is each process's own.
        """,
    )
    STAR = (
        "MXT009",
        "names come from an import of everything",
        False,
        """
        Which names are MXNet's shows only from what MXNet exports. The port takes its list from
        mxtorch and drops the import.
        """,
        """
        from mxnet.gluon import *
        layer = nn.Dense(3, in_units=2)
        """,
        """
        Import what is used by name, before the port.
        """,
    )
    SYNTAX = (
        "MXT010",
        "the file does not parse",
        True,
        """
        The file is not Python 3, or not text in its declared encoding. It is copied as it is.
        """,
        """
        import mxnet as mx
        print 'two'
        """,
        """
        Convert Python 2 first, for example with `futurize` or `2to3`; mend what else does not
        parse, and port the file again.
        """,
    )
    GRADIENT = (
        "MXT011",
        "torch adds to .grad; set it to None before this backward()",
        True,
        """
        MXNet's `backward()` writes gradients, PyTorch's adds to them. The port forgets the old
        ones of the arrays whose `attach_grad()` it sees; of this one it sees none nearby.
        """,
        """
        from mxnet import autograd, nd
        def make():
            w = nd.ones((2,))
            w.attach_grad()
            return w
        def train(w):
            with autograd.record():
                y = (w * w).sum()
            y.backward()
        train(make())
        """,
        """
        Put `w.grad = None` before it, for each array that the gradient is taken of.
        """,
    )
    NOT_ALONE = (
        "MXT013",
        "the operator's body cannot be copied, so the file needs mxtorch",
        False,
        """
        With `--standalone` the bodies of operators without a PyTorch counterpart are written into
        the file. This one uses mxtorch's own state.
        """,
        "",
        """
        Keep mxtorch for it, or write the operator in PyTorch.
        """,
    )
    UNCLEAR = (
        "MXT014",
        "not understood: what it is shows only at run time",
        True,
        """
        The name of MXNet's that is meant stands in a string, or comes from a value; or it may be
        a method of MXNet's, called on a value of which reading the program does not tell the
        class. The place stays as it was.
        """,
        """
        import mxnet as mx
        y = eval('mx.nd.zeros(1)')
        def of(params):
            return params.list_data()
        """,
        """
        Write the name out, and port again; or mend the place by hand. Where it is the class of a
        value that is not known, port with the facts of a run (docs/guide/port-facts.md).
        """,
    )
    STALE = (
        "MXT012",
        "the facts are of another text of the file, and not used",
        False,
        """
        `--facts` was recorded from another text of the program.
        """,
        "",
        """
        Record the facts again.
        """,
    )

    def __init__(
        self, number: str, text: str, act: bool, why: str, example: str, remedy: str
    ) -> None:
        self.number = number
        self.text = text
        self.act = act
        self.why = inspect.cleandoc(why)
        self.example = f"{inspect.cleandoc(example)}\n" if example else ""
        self.remedy = inspect.cleandoc(remedy)
