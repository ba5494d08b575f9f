"""What MXNet's autograd does: recording, gradient buffers, heads, modes, in-place writes."""

from __future__ import annotations

from tests.cases import C

_X = "x = nd.array([1, 2, 3])\nx.attach_grad()\n"

_BUFFERS = [
    C("grad/zeros-before-backward", _X + "out.append(x.grad)"),
    C("grad/none-without-attach", "x = nd.array([1])\nout.append(x.grad is None)"),
    C("grad/not-identical-object", _X + "out.append(x.grad is x.grad)"),
    C("grad/dtype-shape", "x = nd.zeros((2, 3), dtype='float64')\nx.attach_grad()\nout.append(x.grad)"),
    C("grad/int-array", "x = nd.array([1, 2], dtype='int32')\nx.attach_grad()\nwith autograd.record():\n    y = x * 3\n"
      "y.backward()\nout.append(x.grad)"),
    C("grad/buffer-view-sees-next", _X + "g = x.grad[0]\nwith autograd.record():\n    y = x * x\ny.backward()\n"
      "out.append(g.copy())\nwith autograd.record():\n    y = x * 5\ny.backward()\nout.append(g)"),
    C("grad/buffer-handle-sees-next", _X + "g = x.grad\nwith autograd.record():\n    y = x * x\ny.backward()\nout.append(g)"),
    C("grad/buffer-slice-view", _X + "g = x.grad[1:]\nwith autograd.record():\n    y = x * x\ny.backward()\nout.append(g)"),
    C("grad/buffer-reshape-view", _X + "g = x.grad.reshape((3, 1))\nwith autograd.record():\n    y = x * x\ny.backward()\nout.append(g)"),
    C("grad/copy-does-not-see", _X + "g = x.grad.copy()\nwith autograd.record():\n    y = x * x\ny.backward()\nout.append(g)"),
    C("grad/write-to-buffer", _X + "x.grad[:] = 7\nout.append(x.grad.copy())\nx.grad[0] = 1\nout.append(x.grad)"),
    C("grad/iadd-on-buffer", _X + "with autograd.record():\n    y = x * x\ny.backward()\ng = x.grad\ng += 1\nout.append(x.grad)"),
    C("grad/clip-in-place", _X + "with autograd.record():\n    y = x * x\ny.backward()\n"
      "x.grad[:] = nd.clip(x.grad, -3, 3)\nout.append(x.grad)"),
    C("grad/assignment-refused", _X + "x.grad = nd.ones((3,))"),
    C("grad/of-view", _X + "out.append(x[0:2].grad is None)"),
    C("grad/of-result", _X + "with autograd.record():\n    y = x * 2\nout.append(y.grad is None)"),
    C("req/write-overwrites", _X + "for k in (2, 5):\n    with autograd.record():\n        y = x * k\n    y.backward()\n"
      "    out.append(x.grad.copy())"),
    C("req/add-accumulates", "x = nd.array([1, 2])\nx.attach_grad(grad_req='add')\nfor k in (2, 5):\n"
      "    with autograd.record():\n        y = x * k\n    y.backward()\n    out.append(x.grad.copy())"),
    C("req/add-zeroed-by-hand", "x = nd.array([1, 2])\nx.attach_grad('add')\nfor k in (2, 5):\n"
      "    x.grad[:] = 0\n    with autograd.record():\n        y = x * k\n    y.backward()\n    out.append(x.grad.copy())"),
    C("req/add-view-sees-sum", "x = nd.array([1, 2])\nx.attach_grad('add')\ng = x.grad[1:]\nfor k in (2, 5):\n"
      "    with autograd.record():\n        y = x * k\n    y.backward()\nout.append(g)"),
    C("req/null-backward", "x, w = nd.array([1, 2]), nd.array([3, 4])\nx.attach_grad('null')\nw.attach_grad()\n"
      "with autograd.record():\n    y = x * w\ny.backward()\nout += [w.grad, x.grad is None]"),
    C("req/null-only-leaf", "x = nd.array([1, 2])\nx.attach_grad('null')\nwith autograd.record():\n    y = x * 2\ny.backward()\nout.append(y)"),
    C("req/change-by-reattach", _X + "with autograd.record():\n    y = x * 2\ny.backward()\nx.attach_grad('add')\n"
      "out.append(x.grad.copy())\nwith autograd.record():\n    y = x * 3\ny.backward()\nout.append(x.grad)"),
    C("req/write-used-twice", _X + "with autograd.record():\n    y = x * 2 + x * x\ny.backward()\nout.append(x.grad)"),
    C("leaf/unreached-keeps-old", "x, w = nd.array([1]), nd.array([2])\nx.attach_grad()\nw.attach_grad()\n"
      "with autograd.record():\n    y = x * w\ny.backward()\nwith autograd.record():\n    z = x * 10\nz.backward()\nout += [x.grad, w.grad]"),
    C("leaf/unreached-in-same-record", "x, w = nd.array([1]), nd.array([2])\nx.attach_grad()\nw.attach_grad()\n"
      "with autograd.record():\n    y = x * 2\n    z = w * 3\nw.grad[:] = 9\ny.backward()\nout += [x.grad, w.grad]"),
    C("leaf/reattach-new-buffer", _X + "g = x.grad\nx.attach_grad()\nwith autograd.record():\n    y = x * 2\ny.backward()\nout += [g, x.grad]"),
    C("leaf/iadd-outside", _X + "x += 1\nwith autograd.record():\n    y = x * x\ny.backward()\nout += [x, x.grad]"),
    C("leaf/setitem-outside-keeps-grad", _X + "x[:] = 5\nout.append(x.grad is None)\nwith autograd.record():\n    y = x * x\n"
      "y.backward()\nout.append(x.grad)"),
    C("leaf/rebinding-loses-grad", _X + "x = x + 1\nout.append(x.grad is None)"),
    C("leaf/sgd-loop", "w = nd.array([1.0, -2.0])\nw.attach_grad()\nfor _ in range(3):\n    with autograd.record():\n"
      "        l = (w * w).sum()\n    l.backward()\n    w -= 0.1 * w.grad\nout += [w, w.grad]"),
    C("leaf/sgd-loop-setitem", "w = nd.array([1.0, -2.0])\nw.attach_grad()\nfor _ in range(3):\n    with autograd.record():\n"
      "        l = (w * w).sum()\n    l.backward()\n    w[:] = w - 0.1 * w.grad\nout += [w, w.grad]"),
    C("leaf/detached-copy", _X + "y = x.detach()\nout.append(y.grad is None)\nwith autograd.record():\n    z = x.detach() * x\n"
      "z.backward()\nout.append(x.grad)"),
    C("leaf/copy-is-not-attached", _X + "out.append(x.copy().grad is None)"),
    C("zero_grad/by-hand", _X + "with autograd.record():\n    y = x * 2\ny.backward()\nx.grad[:] = 0\nout.append(x.grad)"),
]

_HEADS = [
    C("head/non-scalar-is-ones", _X + "with autograd.record():\n    y = x * x\ny.backward()\nout.append(x.grad)"),
    C("head/given", _X + "with autograd.record():\n    y = x * x\ny.backward(nd.array([1, 10, 100]))\nout.append(x.grad)"),
    C("head/keyword", _X + "with autograd.record():\n    y = x * x\ny.backward(out_grad=nd.array([1, 10, 100]))\nout.append(x.grad)"),
    C("head/scalar-sum", _X + "with autograd.record():\n    y = (x * x).sum()\ny.backward()\nout.append(x.grad)"),
    C("head/scaled", _X + "with autograd.record():\n    y = (x * x).sum()\ny.backward(nd.array([0.5]))\nout.append(x.grad)"),
    C("head/of-leaf", _X + "x.grad[:] = 5\nx.backward()\nout.append(x.grad)"),
    C("head/leaf-plus-zero", _X + "with autograd.record():\n    y = x + 0\ny.backward()\nout.append(x.grad)"),
    C("head/outside-record", _X + "y = x * 2\ny.backward()"),
    C("head/constant", "with autograd.record():\n    y = nd.ones((2,)) * 2\ny.backward()"),
    C("head/after-scope", _X + "with autograd.record():\n    y = x * x\nz = y * 2\ny.backward()\nout.append(x.grad)"),
    C("head/backward-inside-record", _X + "with autograd.record():\n    y = x * x\n    y.backward()\nout.append(x.grad)"),
    C("head/second-backward", _X + "with autograd.record():\n    y = x * x\ny.backward()\ny.backward()"),
    C("head/retain-graph", _X + "with autograd.record():\n    y = x * x\ny.backward(retain_graph=True)\nout.append(x.grad.copy())\n"
      "y.backward()\nout.append(x.grad)"),
    C("head/retain-graph-add", "x = nd.array([1, 2])\nx.attach_grad('add')\nwith autograd.record():\n    y = x * x\n"
      "y.backward(retain_graph=True)\ny.backward(retain_graph=True)\nout.append(x.grad)"),
    C("head/third-after-retain", _X + "with autograd.record():\n    y = x * x\ny.backward(retain_graph=True)\ny.backward()\ny.backward()"),
    C("head/shared-graph-freed", _X + "with autograd.record():\n    h = x * x\n    y, z = h * 2, h * 3\ny.backward()\nz.backward()"),
    C("head/shared-graph-retained", _X + "with autograd.record():\n    h = x * x\n    y, z = h * 2, h * 3\n"
      "y.backward(retain_graph=True)\nz.backward()\nout.append(x.grad)"),
    C("head/independent-graphs", _X + "with autograd.record():\n    y = x * 2\n    z = x * x\ny.backward()\nout.append(x.grad.copy())\n"
      "z.backward()\nout.append(x.grad)"),
    C("head/several", _X + "with autograd.record():\n    y, z = x * 2, x * x\nautograd.backward([y, z])\nout.append(x.grad)"),
    C("head/several-with-grads", _X + "with autograd.record():\n    y, z = x * 2, x * x\n"
      "autograd.backward([y, z], [nd.array([1, 1, 1]), nd.array([0, 1, 10])])\nout.append(x.grad)"),
    C("head/several-none-grad", _X + "with autograd.record():\n    y, z = x * 2, x * x\n"
      "autograd.backward([y, z], [None, nd.array([0, 1, 10])])\nout.append(x.grad)"),
    C("head/single-not-in-list", _X + "with autograd.record():\n    y = x * x\nautograd.backward(y)\nout.append(x.grad)"),
    C("head/lengths-differ", _X + "with autograd.record():\n    y = x * x\nautograd.backward([y], [None, None])"),
    C("head/same-twice", _X + "with autograd.record():\n    y = x * x\nautograd.backward([y, y])\nout.append(x.grad)"),
    C("head/intermediate-and-final", _X + "with autograd.record():\n    y = x * 2\n    z = y * y\nautograd.backward([y, z])\nout.append(x.grad)"),
    C("head/loop-of-losses", "w = nd.array([1, 2])\nw.attach_grad('add')\nwith autograd.record():\n"
      "    ls = [(w * k).sum() for k in (1, 2, 3)]\nfor l in ls:\n    l.backward()\nout.append(w.grad)"),
    C("head/sum-builtin", _X + "with autograd.record():\n    l = sum([(x * k) for k in (1, 2, 3)])\nl.backward()\nout.append(x.grad)"),
    C("head/two-contexts", "a, b = nd.array([1, 2]), nd.array([3, 4], ctx=mx.cpu(1))\na.attach_grad()\nb.attach_grad()\n"
      "with autograd.record():\n    l = [(a * a).sum(), (b * b).sum()]\nautograd.backward(l)\n"
      "out += [a.grad, b.grad, str(b.grad.context)]"),
    C("head/graph-grown-twice", _X + "with autograd.record():\n    y = x * 2\nwith autograd.record():\n    z = y * y\nz.backward()\nout.append(x.grad)"),
    C("head/loop-over-time", "w = nd.array([0.5])\nw.attach_grad()\nwith autograd.record():\n    h = nd.array([1])\n"
      "    for _ in range(5):\n        h = h * w + 1\nh.backward()\nout += [h, w.grad]"),
    C("head/python-control-flow", _X + "with autograd.record():\n    y = x * 2\n    while y.norm().asscalar() < 100:\n        y = y * 2\n"
      "    z = y if y.sum().asscalar() > 0 else 100 * y\nz.backward()\nout.append(x.grad)"),
]

_DETACH = [
    C("detach/cuts", _X + "with autograd.record():\n    y = x * 2\n    z = y.detach() * x\nz.backward()\nout.append(x.grad)"),
    C("detach/only-path", _X + "with autograd.record():\n    y = (x * 2).detach()\n    z = y * 3\nz.backward()"),
    C("detach/outside-then-use", _X + "with autograd.record():\n    y = x * 2\nu = y.detach()\nwith autograd.record():\n    z = u * x\n"
      "z.backward()\nout.append(x.grad)"),
    C("detach/BlockGrad", _X + "with autograd.record():\n    z = nd.BlockGrad(x * 2) * x\nz.backward()\nout.append(x.grad)"),
    C("detach/stop_gradient", _X + "with autograd.record():\n    z = nd.stop_gradient(x * 2) * x\nz.backward()\nout.append(x.grad)"),
    C("detach/all-blocked", _X + "x.grad[:] = 5\nwith autograd.record():\n    z = nd.BlockGrad(x)\nz.backward()\nout.append(x.grad)"),
    C("attach/intermediate-detaches", _X + "with autograd.record():\n    y = x * 2\n    y.attach_grad()\n    z = y * y\nz.backward()\n"
      "out += [y.grad, x.grad]"),
    C("attach/intermediate-outside", _X + "with autograd.record():\n    y = x * 2\ny.attach_grad()\nwith autograd.record():\n    z = y * y\n"
      "z.backward()\nout += [y.grad, x.grad]"),
    C("attach/intermediate-then-backward-old", _X + "with autograd.record():\n    y = x * 2\ny.attach_grad()\ny.backward()\nout += [x.grad, y.grad]"),
    C("attach/view-is-own-leaf", "x = nd.array([1, 2, 3])\nv = x[1:]\nv.attach_grad()\nwith autograd.record():\n    y = v * v\ny.backward()\n"
      "out += [v.grad, x.grad is None]"),
    C("attach/inside-record", "x = nd.array([1, 2])\nwith autograd.record():\n    x.attach_grad()\n    y = x * x\ny.backward()\nout.append(x.grad)"),
    C("attach/stype-default", "x = nd.array([1, 2])\nx.attach_grad(stype='default')\nout.append(x.grad)"),
    C("mark/variables", "x, g = nd.array([1, 2]), nd.zeros((2,))\nautograd.mark_variables([x], [g])\nwith autograd.record():\n    y = x * x\n"
      "y.backward()\nout += [g, x.grad]"),
    C("mark/reqs", "x, w = nd.array([1]), nd.array([2])\ng, h = nd.array([100]), nd.array([100])\n"
      "autograd.mark_variables([x, w], [g, h], ['add', 'write'])\nwith autograd.record():\n    y = x * w\ny.backward()\nout += [g, h]"),
    C("mark/one-req", "x, g = nd.array([1]), nd.array([100])\nautograd.mark_variables([x], [g], 'add')\nwith autograd.record():\n    y = x * 2\n"
      "y.backward()\nout.append(g)"),
    C("mark/single", "x, g = nd.array([1]), nd.array([100])\nautograd.mark_variables(x, g)\nwith autograd.record():\n    y = x * 2\n"
      "y.backward()\nout.append(g)"),
    C("mark/shared-buffer", "x, w, g = nd.array([1]), nd.array([2]), nd.zeros((1,))\nautograd.mark_variables([x], [g])\n"
      "with autograd.record():\n    y = x * w\ny.backward()\nh = g[:]\nwith autograd.record():\n    y = x * w * w\ny.backward()\nout += [g, h]"),
]

_MODES = [
    C("mode/defaults", "out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/record", "with autograd.record():\n    out += [autograd.is_recording(), autograd.is_training()]\n"
      "out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/record-predict", "with autograd.record(train_mode=False):\n    out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/pause", "with autograd.record():\n    with autograd.pause():\n        out += [autograd.is_recording(), autograd.is_training()]\n"
      "    out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/pause-train", "with autograd.record():\n    with autograd.pause(train_mode=True):\n"
      "        out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/train_mode", "with autograd.train_mode():\n    out += [autograd.is_recording(), autograd.is_training()]\nout.append(autograd.is_training())"),
    C("mode/predict_mode", "with autograd.record():\n    with autograd.predict_mode():\n"
      "        out += [autograd.is_recording(), autograd.is_training()]\n    out.append(autograd.is_training())"),
    C("mode/nested-record", "with autograd.record():\n    with autograd.record(train_mode=False):\n"
      "        out += [autograd.is_recording(), autograd.is_training()]\n    out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/set_recording", "out += [autograd.set_recording(True), autograd.is_recording(), autograd.set_recording(False), autograd.is_recording()]"),
    C("mode/set_training", "out += [autograd.set_training(True), autograd.is_training(), autograd.set_training(False), autograd.is_training()]"),
    C("mode/left-after-error", "try:\n    with autograd.record():\n        raise KeyError\nexcept KeyError:\n    pass\n"
      "out += [autograd.is_recording(), autograd.is_training()]"),
    C("mode/other-thread", "import threading\nr = []\nwith autograd.record():\n"
      "    t = threading.Thread(target=lambda: r.append(autograd.is_recording()))\n    t.start()\n    t.join()\nout += r"),
    C("mode/scope-reused", "s = autograd.record()\nfor _ in range(2):\n    with s:\n        out.append(autograd.is_recording())\nout.append(autograd.is_recording())"),
    C("pause/not-recorded", _X + "with autograd.record():\n    y = x * 2\n    with autograd.pause():\n        z = x * 100\n    w = y * z\n"
      "w.backward()\nout.append(x.grad)"),
    C("pause/result-is-constant", _X + "with autograd.record():\n    with autograd.pause():\n        z = x * 2\n    y = z * z\ny.backward()"),
    C("pause/in-place-allowed", _X + "with autograd.record():\n    y = x * x\n    with autograd.pause():\n        x += 1\ny.backward()\nout.append(x.grad)"),
    C("dropout/off-outside", "out.append(nd.Dropout(nd.ones((4,)), p=0.5))"),
    C("dropout/on-in-record", "mx.random.seed(1)\nwith autograd.record():\n    y = nd.Dropout(nd.ones((8,)), p=0.5)\nout.append(y)", cls="exact"),
    C("dropout/off-in-predict", "with autograd.record(train_mode=False):\n    y = nd.Dropout(nd.ones((4,)), p=0.5)\nout.append(y)"),
    C("dropout/on-in-train_mode", "mx.random.seed(1)\nwith autograd.train_mode():\n    y = nd.Dropout(nd.ones((8,)), p=0.5)\nout.append(y)", cls="exact"),
    C("dropout/always", "mx.random.seed(1)\nout.append(nd.Dropout(nd.ones((8,)), p=0.5, mode='always'))", cls="exact"),
    C("dropout/gradient-mask", "mx.random.seed(1)\nx = nd.ones((8,))\nx.attach_grad()\nwith autograd.record():\n"
      "    y = nd.Dropout(x, p=0.5)\ny.backward()\nout += [y, x.grad]", cls="exact"),
    C("dropout/backward-train_mode-false", "mx.random.seed(1)\nx = nd.ones((8,))\nx.attach_grad()\nwith autograd.record():\n"
      "    y = nd.Dropout(x, p=0.5)\ny.backward(train_mode=False)\nout += [y, x.grad]"),
    C("dropout/record-false-backward-true", "x = nd.ones((8,))\nx.attach_grad()\nwith autograd.record(train_mode=False):\n"
      "    y = nd.Dropout(x, p=0.5) * 2\ny.backward(train_mode=False)\nout += [y, x.grad]"),
]

CASES = _BUFFERS + _HEADS + _DETACH + _MODES
