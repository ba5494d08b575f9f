"""What optimizers keep and how they are made: multipliers, counts, schedulers, registration."""

from tests.cases import C

CASES = [
    C(
        "attributes",
        """
        for name in ('sgd', 'adam', 'rmsprop', 'ftrl', 'lbsgd', 'lars', 'nadam', 'sgld'):
            opt = mx.optimizer.create(name, wd=0.1, rescale_grad=0.5)
            out.append(opt.__dict__)
        """,
    ),
    C(
        "registry",
        """
        known = mx.optimizer.Optimizer.opt_registry
        out.append(sorted(name for name in known if known[name].__module__ != '__case__'
                          and '.contrib.' not in known[name].__module__))
        """,
    ),
    C("unknown-name", "mx.optimizer.create('no such')", raises="ValueError"),
    C("unknown-argument", "mx.optimizer.create('sgd', no_such=1)", raises="TypeError"),
    C(
        "base-update",
        "mx.optimizer.Optimizer().update(0, nd.ones(2), nd.ones(2), None)",
        raises="NotImplementedError",
    ),
    C("base-state", "out.append(mx.optimizer.Optimizer().create_state(0, nd.ones(2)))"),
    C("names-not-a-dict", "mx.optimizer.Optimizer(param_idx2name=[1])", raises="AssertionError"),
    C(
        "schedulers-of-misc",
        """
        from mxnet import misc
        scheduler = misc.FactorScheduler(3, 0.5)
        out += [scheduler.base_lr, scheduler.init, [scheduler(i) for i in (0, 1, 2, 3, 6, 7, 100)]]
        out += [scheduler.init, scheduler.old_lr, misc.FactorScheduler(2).factor]
        for wrong in ((0,), (3, 1.0)):
            try:
                misc.FactorScheduler(*wrong)
            except ValueError as error:
                out += [str(error)]
        opt = mx.optimizer.SGD(lr_scheduler=misc.FactorScheduler(2, 0.5), learning_rate=0.3)
        w = nd.ones(1)
        for _ in range(6):
            opt.update(0, w, nd.ones(1), None)
        out += [w]
        """,
    ),
    C(
        "scheduler-and-rate",
        """
        scheduler = mx.lr_scheduler.FactorScheduler(3)
        opt = mx.optimizer.SGD(learning_rate=0.3, lr_scheduler=scheduler)
        out += [scheduler.base_lr, scheduler.warmup_final_lr, opt.lr, opt.learning_rate]
        opt = mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.FactorScheduler(3))
        out += [opt.lr, opt.learning_rate]
        """,
    ),
    C(
        "set-rate-with-scheduler",
        "mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.FactorScheduler(3)).set_learning_rate(1)",
        raises="UserWarning",
    ),
    C("lr-scale", "mx.optimizer.SGD().set_lr_scale({})", raises="DeprecationWarning"),
    C(
        "multipliers",
        """
        names = {0: 'a_weight', 1: 'a_bias', 2: 'a_gamma', 3: 'a_beta', 4: 'other'}
        opt = mx.optimizer.SGD(param_idx2name=names, wd=0.1, learning_rate=1.0)
        out += [opt.wd_mult, opt.lr_mult]
        opt.set_lr_mult({'a_weight': 0.5, 3: 7.0})
        opt.set_wd_mult({'other': 2.0, 'a_weight': 3.0, 9: 5.0})
        out += [opt.wd_mult, opt.lr_mult]
        out += [[opt._get_lr(i) for i in range(6)], [opt._get_wd(i) for i in (0, 1, 2, 3, 4, 9)]]
        """,
    ),
    C(
        "param-dict",
        """
        class Param:
            name, lr_mult, wd_mult = 'p', 0.5, 4.0
        opt = mx.optimizer.SGD(param_dict={1: Param()}, wd=0.1, learning_rate=1.0)
        opt.set_lr_mult({1: 9.0})
        out += [opt._get_lrs([0, 1]), opt._get_wds([0, 1])]
        """,
    ),
    C(
        "symbol-multipliers",
        """
        w = sym.var('fc_weight', lr_mult=0.5, wd_mult=3.0)
        b = sym.var('fc_bias', lr_mult=2.0)
        net = sym.FullyConnected(sym.var('data'), w, b, num_hidden=2, name='fc')
        opt = mx.optimizer.SGD(sym=net, param_idx2name={0: 'fc_weight', 1: 'fc_bias'})
        out += [opt.lr_mult, opt.wd_mult]
        """,
    ),
    C(
        "counts-by-device",
        """
        opt = mx.optimizer.Adam(begin_num_update=5)
        updater = mx.optimizer.get_updater(opt)
        for ctx in (mx.cpu(0), mx.cpu(1), mx.cpu(0)):
            weight = nd.ones(2, ctx=ctx)
            updater(ctx.device_id, nd.ones(2, ctx=ctx), weight)
            out.append(weight)
        out += [opt._all_index_update_counts, opt.num_update]
        """,
    ),
    C(
        "scheduler-in-updates",
        """
        opt = mx.optimizer.SGD(lr_scheduler=mx.lr_scheduler.MultiFactorScheduler([1, 3], 0.5, 1.0))
        updater = mx.optimizer.get_updater(opt)
        weights = [nd.zeros(2), nd.zeros(3)]
        for step in range(5):
            for i, w in enumerate(weights):
                updater(i, nd.ones(w.shape), w)
            out.append(weights[0].asnumpy())
            out.append(weights[1].asnumpy())
        """,
    ),
    C(
        "lists",
        """
        for name in ('sgd', 'lamb', 'lars'):
            opt = mx.optimizer.create(name, learning_rate=0.1, wd=0.1)
            updater = mx.optimizer.get_updater(opt)
            weights = [nd.array([[1, 2, 3]]), nd.array([4, 5])]
            grads = [nd.array([[1, -2, 1]]), nd.array([3, 1])]
            for step in range(2):
                updater([0, 1], grads, weights)
            out += weights
            out.append(updater.aggregate_updates)
        """,
    ),
    C(
        "own-optimizer",
        """
        @mx.optimizer.register
        class SignStep(mx.optimizer.Optimizer):
            def create_state(self, index, weight):
                return nd.zeros(weight.shape, weight.context, dtype=weight.dtype)

            def update(self, index, weight, grad, state):
                self._update_count(index)
                lr, wd = self._get_lr(index), self._get_wd(index)
                state += grad * self.rescale_grad
                weight -= lr * (nd.sign(state) + wd * weight)
        opt = mx.optimizer.create('signstep', learning_rate=0.1, wd=0.5)
        updater = mx.optimizer.get_updater(opt)
        w = nd.array([1, -2, 3])
        for step in range(3):
            updater(0, nd.array([1, -5, step - 1.5]), w)
        out += [w, updater.states[0], opt.num_update]
        """,
    ),
    C(
        "subclass-of-sgd",
        """
        class Half(mx.optimizer.SGD):
            def update(self, index, weight, grad, state):
                super().update(index, weight, grad, state)
                weight *= 0.5
        updater = mx.optimizer.get_updater(Half(learning_rate=0.1, momentum=0.9))
        w = nd.array([1, -2, 3])
        for step in range(3):
            updater(0, nd.array([1, -5, step - 1.5]), w)
        out += [w, updater.states[0]]
        """,
    ),
    C(
        "subclass-of-adam",
        """
        class Half(mx.optimizer.Adam):
            def update(self, index, weight, grad, state):
                super().update(index, weight, grad, state)
                weight *= 0.5
        updater = mx.optimizer.get_updater(Half(learning_rate=0.1))
        w = nd.array([1, -2, 3])
        for step in range(3):
            updater(0, nd.array([1, -5, step - 1.5]), w)
        out += [w, list(updater.states[0])]
        """,
    ),
    C(
        "large-batch-lists",
        """
        schedule = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.8)
        opt = mx.optimizer.LARS(momentum=0.9, lr_scheduler=schedule, eta=1.0)
        updater = mx.optimizer.get_updater(opt)
        weights = [nd.full((3,), i + 1.0) for i in range(6)]
        for step in range(4):
            grads = [nd.full((3,), 0.1 * (i + step)) for i in range(6)]
            for part in (slice(0, 4), slice(4, 6)):
                updater(list(range(6))[part], grads[part], weights[part])
        out += weights
        """,
    ),
]
SCHEDULES = {
    "factor": "FactorScheduler(2, 0.5, stop_factor_lr=0.004)",
    "factor-warmup": "FactorScheduler(3, 0.1, 1e-8, 1.0, 4, 0.1)",
    "factor-constant": "FactorScheduler(3, 0.1, 1e-8, 1.0, 4, 0.1, 'constant')",
    "multi": "MultiFactorScheduler([2, 5], 0.5)",
    "multi-warmup": "MultiFactorScheduler([2, 5], 0.5, 1.0, 3, 0.2)",
    "poly": "PolyScheduler(8, 1.0, 3, 0.1)",
    "poly-warmup": "PolyScheduler(8, 1.0, warmup_steps=3, warmup_begin_lr=0.2)",
    "cosine": "CosineScheduler(8, 1.0, 0.1)",
    "cosine-warmup": "CosineScheduler(8, 1.0, warmup_steps=3, warmup_begin_lr=0.2)",
}
CASES += [
    C(
        "schedule-" + label,
        f"""
        schedule = mx.lr_scheduler.{call}
        out.append([schedule(i) for i in range(14)])
        out.append(sorted(schedule.__dict__.items()))
        """,
    )
    for label, call in SCHEDULES.items()
]
BAD_SCHEDULES = {
    "FactorScheduler(0)": "ValueError",
    "FactorScheduler(1, 2)": "ValueError",
    "FactorScheduler(3, 0.1, warmup_begin_lr=2)": "ValueError",
    "FactorScheduler(3, 0.1, warmup_steps=-1)": "ValueError",
    "FactorScheduler(3, 0.1, warmup_steps=1.5)": "AssertionError",
    "FactorScheduler(3, 0.1, warmup_mode='cubic')": "ValueError",
    "MultiFactorScheduler([5, 2])": "ValueError",
    "MultiFactorScheduler([0, 2])": "ValueError",
    "MultiFactorScheduler((1, 2))": "AssertionError",
    "MultiFactorScheduler([2], 1.5)": "ValueError",
    "PolyScheduler(0)": "ValueError",
    "CosineScheduler(2.0)": "AssertionError",
    "LRScheduler()(1)": "NotImplementedError",
}
CASES += [
    C("bad-schedule " + call, f"mx.lr_scheduler.{call}", raises=error)
    for call, error in BAD_SCHEDULES.items()
]

CASES.append(
    C(
        "states-of-other-shapes",
        """
        def step(width, states=None):
            net = nn.Dense(1, in_units=width, prefix='d_')
            net.initialize()
            trainer = gluon.Trainer(net.collect_params(), 'sgd', {'momentum': 0.9})
            if states:
                trainer.load_states(states)
            with autograd.record():
                y = net(nd.ones((1, width)))
            y.backward()
            trainer.step(1)
            return trainer
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            step(2).save_states(folder + '/states')
            step(3, folder + '/states')
            nd.waitall()
        """,
        raises="MXNetError",
    )
)
CASES.append(
    C(
        "signum-decay-without-momentum",
        """
        opt = mx.optimizer.create('signum', momentum=0, wd_lh=0.1)
        w = nd.ones(2)
        opt.update(0, w, nd.ones(2), opt.create_state(0, w))
        """,
        raises="MXNetError",
    )
)
