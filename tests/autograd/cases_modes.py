"""Recording and training mode, `pause`, and what they do to Dropout."""

from __future__ import annotations

from tests.snippets import snippets

_X = "x = nd.array([1, 2, 3])\nx.attach_grad()\n"

_MODES = snippets("""
## mode/defaults
out += [autograd.is_recording(), autograd.is_training()]

## mode/record
with autograd.record():
    out += [autograd.is_recording(), autograd.is_training()]
out += [autograd.is_recording(), autograd.is_training()]

## mode/record-predict
with autograd.record(train_mode=False):
    out += [autograd.is_recording(), autograd.is_training()]

## mode/pause
with autograd.record():
    with autograd.pause():
        out += [autograd.is_recording(), autograd.is_training()]
    out += [autograd.is_recording(), autograd.is_training()]

## mode/pause-train
with autograd.record():
    with autograd.pause(train_mode=True):
        out += [autograd.is_recording(), autograd.is_training()]

## mode/train_mode
with autograd.train_mode():
    out += [autograd.is_recording(), autograd.is_training()]
out.append(autograd.is_training())

## mode/predict_mode
with autograd.record():
    with autograd.predict_mode():
        out += [autograd.is_recording(), autograd.is_training()]
    out.append(autograd.is_training())

## mode/nested-record
with autograd.record():
    with autograd.record(train_mode=False):
        out += [autograd.is_recording(), autograd.is_training()]
    out += [autograd.is_recording(), autograd.is_training()]

## mode/set_recording
out += [
    autograd.set_recording(True),
    autograd.is_recording(),
    autograd.set_recording(False),
    autograd.is_recording(),
]

## mode/set_training
out += [
    autograd.set_training(True),
    autograd.is_training(),
    autograd.set_training(False),
    autograd.is_training(),
]

## mode/left-after-error
try:
    with autograd.record():
        raise KeyError
except KeyError:
    pass
out += [autograd.is_recording(), autograd.is_training()]

## mode/other-thread
import threading
r = []
with autograd.record():
    t = threading.Thread(target=lambda: r.append(autograd.is_recording()))
    t.start()
    t.join()
out += r

## mode/scope-reused
s = autograd.record()
for _ in range(2):
    with s:
        out.append(autograd.is_recording())
out.append(autograd.is_recording())

## dropout/off-outside
out.append(nd.Dropout(nd.ones((4,)), p=0.5))

## dropout/on-in-record [exact]
mx.random.seed(1)
with autograd.record():
    y = nd.Dropout(nd.ones((8,)), p=0.5)
out.append(y)

## dropout/off-in-predict
with autograd.record(train_mode=False):
    y = nd.Dropout(nd.ones((4,)), p=0.5)
out.append(y)

## dropout/on-in-train_mode [exact]
mx.random.seed(1)
with autograd.train_mode():
    y = nd.Dropout(nd.ones((8,)), p=0.5)
out.append(y)

## dropout/always [exact]
mx.random.seed(1)
out.append(nd.Dropout(nd.ones((8,)), p=0.5, mode='always'))

## dropout/gradient-mask [exact]
mx.random.seed(1)
x = nd.ones((8,))
x.attach_grad()
with autograd.record():
    y = nd.Dropout(x, p=0.5)
y.backward()
out += [y, x.grad]

## dropout/backward-train_mode-false
mx.random.seed(1)
x = nd.ones((8,))
x.attach_grad()
with autograd.record():
    y = nd.Dropout(x, p=0.5)
y.backward(train_mode=False)
out += [y, x.grad]

## dropout/record-false-backward-true
x = nd.ones((8,))
x.attach_grad()
with autograd.record(train_mode=False):
    y = nd.Dropout(x, p=0.5) * 2
y.backward(train_mode=False)
out += [y, x.grad]
""") + snippets(
    """
## pause/not-recorded
with autograd.record():
    y = x * 2
    with autograd.pause():
        z = x * 100
    w = y * z
w.backward()
out.append(x.grad)

## pause/result-is-constant
with autograd.record():
    with autograd.pause():
        z = x * 2
    y = z * z
y.backward()

## pause/in-place-allowed
with autograd.record():
    y = x * x
    with autograd.pause():
        x += 1
y.backward()
out.append(x.grad)
""",
    before=_X,
)

CASES = _MODES
