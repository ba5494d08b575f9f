"""Recurrent layers over whole sequences."""

from tests.cases import A, S

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
DROPPED = (
    "MXNet's plain kernel drops the hidden states in place, and backward then takes the dropped "
    "ones for those of the recurrence; this is the gradient of what forward computes"
)
PLAIN = {"MXNET_USE_MKLDNN_RNN": "0"}


def rnn(mode, steps=5, batch=2, channels=4, size=3, layers=1, dtype="float32", top=1.0, **attrs):
    """Data, parameters (up to `top`) and states that fit together."""
    directions = 2 if attrs.get("bidirectional") else 1
    project = attrs.get("projection_size")
    hidden = project or size
    count = 0
    for layer in range(layers):
        width = channels if layer == 0 else directions * hidden
        one = GATES[mode] * size * (width + hidden + 2) + (hidden * size if project else 0)
        count += directions * one
    outer = (layers * directions, batch)
    inputs = [(steps, batch, channels), (count,), (*outer, hidden)]
    inputs += [(*outer, size)] if mode == "lstm" else []
    arrays = [A(shape, dtype, -top, top) for shape in inputs]
    return S("RNN", *arrays, state_size=size, num_layers=layers, mode=mode, **attrs)


SMALL = {"state_size": 3, "num_layers": 1, "raises": "MXNetError"}


def rough(mode):
    """MXNet's relu is float32 in float64 layers."""
    return {"tol": 1e-6, "why": "MXNet's relu is float32"} if mode == "rnn_relu" else {}


ROWS = [
    *(
        row
        for mode in GATES
        for row in [
            rnn(mode),
            rnn(mode, state_outputs=True),
            rnn(mode, layers=2, state_outputs=True),
            rnn(mode, bidirectional=True, state_outputs=True),
            rnn(mode, layers=2, bidirectional=True, state_outputs=True),
            rnn(mode, steps=1, batch=1, channels=1, size=1, state_outputs=True),
            rnn(mode, steps=20, batch=4, channels=12, size=16, layers=3, top=0.3),
            rnn(mode, layers=2, train=False, state_outputs=True),
            rnn(mode, layers=2, dtype="float64", state_outputs=True, **rough(mode)),
            rnn(mode, layers=2, dtype="float64", p=0.4, grad=False, **rough(mode)),
            rnn(
                mode,
                layers=3,
                dtype="float64",
                p=0.4,
                bidirectional=True,
                grad=False,
                **rough(mode),
            ),
            rnn(mode, layers=2, p=0.4, state_outputs=True, grad=False, env=PLAIN),
            rnn(mode, layers=2, p=0.3, env=PLAIN, xfail=DROPPED),
            rnn(mode, layers=1, p=0.4),
        ]
    ),
    rnn("lstm", layers=2, p=0.0),
    rnn("lstm", layers=2, dtype="float64", p=0.3, train=False, xfail=DROPPED),
    rnn("lstm", projection_size=2, state_outputs=True, grad=False, train=False),
    S("RNN", (5, 2, 4), (7,), (1, 2, 3), mode="gru", **SMALL),
    S("RNN", (5, 2, 4), (81,), (1, 2, 5), mode="gru", **SMALL),
    S("RNN", (5, 8), (81,), (1, 2, 3), mode="gru", **SMALL),
    S("RNN", (5, 2, 4), (108,), (1, 2, 3), mode="lstm", **SMALL),
    rnn(
        "lstm",
        dtype="float64",
        lstm_state_clip_min=-1.0,
        lstm_state_clip_max=1.0,
        raises="MXNetError",
    ),
]
