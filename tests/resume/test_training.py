"""A training run that is interrupted anywhere ends with the numbers of one that never was."""

import logging
import random

import numpy as np
import pytest
import torch

import mxtorch as mx
from mxtorch import autograd, gluon, nd
from mxtorch._core.errors import MXNetError, MXNetTypeError, MXNetValueError, NotSupportedError
from mxtorch._resume import file

X = np.random.RandomState(0).randn(22, 6).astype(np.float32)
Y = np.random.RandomState(1).randint(0, 3, 22).astype(np.float32)


def seed(number):
    mx.random.seed(number)
    np.random.seed(number)
    random.seed(number)
    torch.random.default_generator.manual_seed(number)


@pytest.fixture(autouse=True)
def gentle():
    before = torch.get_rng_state()
    yield
    torch.set_rng_state(before)


def make_net(ctx=None, dtype="float32"):
    net = gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            gluon.nn.Dense(8, activation="relu"),
            gluon.nn.BatchNorm(),
            gluon.nn.Dropout(0.3),
            gluon.nn.Dense(3),
        )
    net.cast(dtype)
    net.initialize(mx.init.Xavier(), ctx=ctx or mx.cpu())
    return net


def make_loader():
    return gluon.data.DataLoader(gluon.data.ArrayDataset(X, Y), 4, shuffle=True)


class Gluon:
    """A Gluon training loop, to be stopped after some steps."""

    def __init__(self, contexts=1, optimizer="sgd", hybridize=False, dtype="float32", **options):
        self.ctx = [mx.cpu(i) for i in range(contexts)]
        self.optimizer, self.hybridize, self.dtype, self.options = (
            optimizer,
            hybridize,
            dtype,
            options,
        )

    def __call__(self, path, first_seed, stop=None, every=None):
        seed(first_seed)
        net = make_net(self.ctx, self.dtype)
        if self.hybridize:
            net.hybridize()
        trainer = self.trainer(net)
        loss = gluon.loss.SoftmaxCrossEntropyLoss()
        run = mx.checkpoint(net, trainer, make_loader(), path, every)
        losses = run.extra.setdefault("losses", [])
        for epoch in run.epochs(3):
            for x, y in run:
                parts = zip(self.split(x), self.split(y), strict=True)
                with autograd.record():
                    values = [loss(net(a), b).mean() for a, b in parts if len(a)]
                autograd.backward(values)
                self.step(trainer, net, run.batch)
                losses.append([epoch, *(float(v.asscalar()) for v in values)])
                if len(losses) == stop:
                    return losses, None
            trainer.optimizer.wd *= 1.5  # by the program, after an epoch
        return losses, state(net)

    def split(self, array):
        return gluon.utils.split_and_load(array.astype(self.dtype), self.ctx)

    def trainer(self, net):
        options = {k: v() if callable(v) else v for k, v in self.options.items()}
        return gluon.Trainer(net.collect_params(), self.optimizer, options)

    def step(self, trainer, net, batch):
        trainer.step(1)


class Accumulating(Gluon):
    """Gradients are added up over three batches."""

    def trainer(self, net):
        for parameter in net.collect_params().values():
            parameter.grad_req = "add"
        return super().trainer(net)

    def step(self, trainer, net, batch):
        if batch % 3 == 0:
            trainer.step(3)
            net.collect_params().zero_grad()


class OnStore(Gluon):
    """The store updates the parameters."""

    def trainer(self, net):
        params = net.collect_params()
        return gluon.Trainer(
            params, self.optimizer, dict(self.options), kvstore="local", update_on_kvstore=True
        )


def state(net):
    return {
        name: [array.asnumpy() for array in parameter.list_data()]
        for name, parameter in net._collect_params_with_prefix().items()
    }


def same(one, other):
    return one.keys() == other.keys() and all(
        a.tobytes() == b.tobytes()
        for name in one
        for a, b in zip(one[name], other[name], strict=True)
    )


def scheduler():
    return mx.lr_scheduler.MultiFactorScheduler([3, 7], 0.5, base_lr=0.1)


PROGRAMS = {
    "sgd": Gluon(learning_rate=0.1, momentum=0.9),
    "adam hybridized": Gluon(optimizer="adam", hybridize=True, learning_rate=0.01),
    "scheduler": Gluon(lr_scheduler=scheduler),
    "nadam": Gluon(optimizer="nadam", learning_rate=0.01),
    "sgld draws": Gluon(optimizer="sgld", learning_rate=0.001),
    "float16": Gluon(dtype="float16", learning_rate=0.1, momentum=0.9, multi_precision=True),
    "contexts": Gluon(contexts=2, learning_rate=0.1, momentum=0.9),
    "contexts, store": OnStore(contexts=2, optimizer="adam", learning_rate=0.01),
    "added gradients": Accumulating(learning_rate=0.1),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore:learning rate")
def test_gluon(name, tmp_path):
    program = PROGRAMS[name]
    losses, values = program(tmp_path / "whole", 1)
    assert len(losses) == 18
    for stop in (3, 7, 13):
        path = tmp_path / f"{stop}"
        assert program(path, 1, stop, every=2)[0] == losses[:stop]
        rest, found = program(path, 77, None, every=2)
        assert rest == losses
        assert same(found, values), stop
    again, found = program(path, 78)
    assert again == losses and same(found, values)


def test_every_single_step(tmp_path):
    program = Gluon(optimizer="adam", learning_rate=0.01)
    losses, values = program(tmp_path / "whole", 1)
    for stop in range(1, 18):  # interrupted after each step
        assert program(tmp_path / "x", 1, stop, every=1)[0] == losses[:stop]
    rest, found = program(tmp_path / "x", 5)
    assert rest == losses and same(found, values)


def test_two_nets_and_two_trainers(tmp_path):
    def program(path, first_seed, stop=None):
        seed(first_seed)
        nets = [gluon.nn.Dense(4, in_units=6), gluon.nn.Dense(1, in_units=4)]
        for net in nets:
            net.initialize()
        trainers = [gluon.Trainer(net.collect_params(), "adam") for net in nets]
        run = mx.checkpoint(nets, trainers, make_loader(), path, every=1)
        count = 0
        for _ in run.epochs(2):
            for x, _ in run:
                with autograd.record():
                    value = nets[1](nets[0](x)).square().mean()
                value.backward()
                for trainer in trainers:
                    trainer.step(1)
                count += 1
                if count == stop:
                    return None
        return {**state(nets[0]), "second": state(nets[1])["weight"]}

    whole = program(tmp_path / "whole", 1)
    program(tmp_path / "x", 1, 7)
    assert same(program(tmp_path / "x", 9), whole)


def test_torch_module_and_optimizer(tmp_path):
    def program(path, first_seed, stop=None):
        seed(first_seed)
        module = torch.nn.Sequential(
            torch.nn.Linear(6, 4), torch.nn.Dropout(), torch.nn.Linear(4, 3)
        )
        net = mx.parallel.DataParallel(module, torch.nn.CrossEntropyLoss(), ["cpu"] * 2)
        optimizer = torch.optim.Adam(net.parameters())
        rates = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        data = torch.utils.data.DataLoader(
            torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(Y).long()),
            4,
            shuffle=True,
        )
        run = mx.checkpoint(net, [optimizer, rates], data, path, every=1)
        count = 0
        for _ in run.epochs(2):
            for x, y in run:
                optimizer.zero_grad()
                net(x, y).backward()
                optimizer.step()
                count += 1
                if count == stop:
                    return None
            rates.step()
        return {name: [t.numpy()] for name, t in net.state_dict().items()}

    whole = program(tmp_path / "whole", 1)
    program(tmp_path / "x", 1, 8)
    assert same(program(tmp_path / "x", 9), whole)


# Module -------------------------------------------------------------------------------------------


class Stop(Exception):
    pass


def make_symbol():
    data = mx.sym.Variable("data")
    net = mx.sym.FullyConnected(data, num_hidden=8, name="fc1")
    net = mx.sym.BatchNorm(mx.sym.Activation(net, act_type="relu"), name="bn")
    net = mx.sym.FullyConnected(mx.sym.Dropout(net, p=0.2), num_hidden=3, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def module_values(module):
    group = module._exec_group
    names = [*group.param_names, *group.aux_names]
    rows = [*group.param_arrays, *group.aux_arrays]
    return {n: [a.asnumpy() for a in row] for n, row in zip(names, rows, strict=True)}


def fit(path, first_seed, stop=None, contexts=1, **options):
    seed(first_seed)
    module = mx.mod.Module(make_symbol(), context=[mx.cpu(i) for i in range(contexts)])
    data = mx.io.NDArrayIter(X, Y, 4, shuffle=True)
    run = mx.checkpoint(module, None, data, path, every=2)
    count = 0

    def callback(param):
        nonlocal count
        count += 1
        if count == stop:
            raise Stop

    try:
        module.fit(
            run,
            begin_epoch=run.epoch,
            num_epoch=3,
            batch_end_callback=callback,
            optimizer="adam",
            optimizer_params={"learning_rate": 0.01},
            **options,
        )
    except Stop:
        return None
    run.finish()
    return module_values(module)


@pytest.mark.parametrize(
    "options", [{}, {"contexts": 2}, {"contexts": 2, "kvstore": "device"}], ids=str
)
def test_module_fit(options, tmp_path, caplog):
    caplog.set_level(logging.ERROR)
    whole = fit(tmp_path / "whole", 1, **options)
    for stop in (3, 6, 8, 15):
        fit(tmp_path / f"{stop}", 1, stop, **options)
        assert same(fit(tmp_path / f"{stop}", 9, **options), whole)
    assert same(fit(tmp_path / f"{stop}", 10, **options), whole)  # it was over


def test_bucketing_module(tmp_path):
    sentences = [[1 + i % 5] * (2 + i % 3) for i in range(40)]

    def make(length):
        data, label = mx.sym.Variable("data"), mx.sym.Variable("softmax_label")
        net = mx.sym.Embedding(data, input_dim=7, output_dim=4, name="embed")
        net = mx.sym.FullyConnected(mx.sym.reshape(net, (-1, 4)), num_hidden=7, name="fc")
        net = mx.sym.SoftmaxOutput(net, mx.sym.reshape(label, (-1,)), name="softmax")
        return net, ("data",), ("softmax_label",)

    def program(path, first_seed, stop=None):
        seed(first_seed)
        data = mx.rnn.BucketSentenceIter(sentences, 4, buckets=[2, 3, 4], invalid_label=0)
        module = mx.mod.BucketingModule(make, data.default_bucket_key)
        module.bind(data.provide_data, data.provide_label)
        module.init_params(mx.init.Xavier())
        module.init_optimizer(optimizer="adam")
        run = mx.checkpoint(module, None, data, path, every=2)
        count = 0
        for _ in run.epochs(2):
            run.reset()
            for batch in run:
                module.forward_backward(batch)
                module.update()
                count += 1
                if count == stop:
                    return None
        return {name: [a.asnumpy()] for name, a in module.get_params()[0].items()}

    whole = program(tmp_path / "whole", 1)
    for stop in (3, 5, 12):
        program(tmp_path / f"{stop}", 1, stop)
        assert same(program(tmp_path / f"{stop}", 5), whole)


def test_a_loop_with_next(tmp_path):
    data = mx.io.NDArrayIter(X, Y, 4)
    run = mx.checkpoint(torch.nn.Linear(1, 1), None, data, tmp_path / "x")
    assert run.provide_data[0].shape == (4, 6)
    run.next()
    run.save()
    other = mx.checkpoint(torch.nn.Linear(1, 1), None, mx.io.NDArrayIter(X, Y, 4), tmp_path / "x")
    assert (other.is_resumed, other.epoch, other.batch) == (True, 0, 1)
    assert (other.next().data[0].asnumpy() == X[4:8]).all()
    assert len([*other]) == 4
    with pytest.raises(StopIteration):
        other.next()
    assert (other.epoch, other.batch) == (1, 0)


# what the file is for -----------------------------------------------------------------------------


def trained(path, net, trainer=None, **options):
    run = mx.checkpoint(net, trainer, make_loader(), path, **options)
    for x, _ in run:
        with autograd.record():
            value = net(x).mean()
        value.backward()
        if trainer is not None:
            trainer.step(1)
        break
    return run


def test_restore_before_the_first_batch(tmp_path):
    net = make_net()
    trained(tmp_path / "x", net).save()
    other = make_net()
    run = mx.checkpoint(other, None, make_loader(), tmp_path / "x")
    run.restore()
    assert same(state(other), state(net))
    with pytest.raises(MXNetError, match="would lose"):
        run.save()


def test_default_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    trained(None, make_net()).save()
    assert (tmp_path / "mxtorch-checkpoint.safetensors").exists()
    monkeypatch.setenv("MXTORCH_CHECKPOINT", str(tmp_path / "other"))
    trained(None, make_net()).save()
    assert (tmp_path / "other").exists()


def test_another_net_is_refused(tmp_path):
    def resume(net, trainer=None):
        return trained(tmp_path / "x", net, trainer)

    net = make_net()
    trained(tmp_path / "x", net, gluon.Trainer(net.collect_params(), "sgd")).save()
    other = gluon.nn.Dense(3)
    other.initialize()
    with pytest.raises(MXNetValueError, match="parameters of the net are not those of the file"):
        resume(other)
    wide = make_net()
    wide[3]._units, wide[3].weight._shape = 4, (4, 0)
    with pytest.raises(MXNetValueError, match=r"3\.weight has shape \(4, 0\) here and \(3, 8\)"):
        resume(wide)
    with pytest.raises(MXNetValueError, match=r"float16.* here and .*float32"):
        resume(make_net(dtype="float16"))
    with pytest.raises(MXNetValueError, match="was on 1 contexts, and is on 2"):
        resume(make_net([mx.cpu(0), mx.cpu(1)]))
    net = make_net()
    with pytest.raises(MXNetValueError, match="optimizer is Adam here and SGD in the file"):
        resume(net, gluon.Trainer(net.collect_params(), "adam"))
    net = make_net()
    options = {"lr_scheduler": scheduler()}
    with pytest.raises(MXNetValueError, match="lr_scheduler"):
        resume(net, gluon.Trainer(net.collect_params(), "sgd", options))


def test_a_file_without_a_part_is_refused(tmp_path):
    trained(tmp_path / "x", make_net()).save()
    net = make_net()
    with pytest.raises(MXNetError, match="it has no trainer"):
        trained(tmp_path / "x", net, gluon.Trainer(net.collect_params(), "sgd"))


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "x"
    trained(path, make_net()).save()
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(MXNetError, match=r"x is damaged.* checksum"):
        mx.checkpoint(make_net(), None, make_loader(), path)


def test_arguments():
    net = make_net()
    with pytest.raises(MXNetTypeError, match="both None"):
        mx.checkpoint(None, None, make_loader(), "x")
    with pytest.raises(MXNetTypeError, match="net is a int"):
        mx.checkpoint(3, None, make_loader(), "x")
    for every in (0, -1, True):
        with pytest.raises(MXNetValueError, match="every="):
            mx.checkpoint(net, None, make_loader(), "x", every=every)
    with pytest.raises(MXNetError, match="call bind"):
        module = mx.mod.Module(make_symbol())
        mx.checkpoint(module, None, mx.io.NDArrayIter(X, Y, 4), "x").save()


def test_an_updater_of_the_programs_own_is_refused(tmp_path):
    module = mx.mod.Module(make_symbol())
    data = mx.io.NDArrayIter(X, Y, 4)
    module.bind(data.provide_data, data.provide_label)
    module.init_params()
    module.init_optimizer()
    module._updater = lambda *arguments: None
    with pytest.raises(NotSupportedError, match="set_updater"):
        mx.checkpoint(module, None, data, tmp_path / "x").save()


def test_sparse_weights(tmp_path):
    def program(path, first_seed, stop=None):
        seed(first_seed)
        net = gluon.nn.Embedding(9, 3, sparse_grad=True)
        net.initialize()
        trainer = gluon.Trainer(net.collect_params(), "adam")
        run = mx.checkpoint(net, trainer, [nd.array([i, i + 1]) for i in range(6)], path, every=1)
        for i, x in enumerate(run):
            with autograd.record():
                value = (net(x) ** 2).sum()
            value.backward()
            trainer.step(1)
            if i == stop:
                return None
        return state(net)

    whole = program(tmp_path / "whole", 1)
    program(tmp_path / "x", 1, 3)
    assert same(program(tmp_path / "x", 2), whole)


@pytest.mark.parametrize("kind", ["loader", "iterator", "list"])
def test_another_number_of_processes(kind, tmp_path, capsys):
    """The epoch that was interrupted begins anew; a save between two is gone on from exactly."""

    def train(name, stop=None, **options):
        seed(3)
        net = gluon.nn.Dense(3, in_units=6)
        net.initialize(mx.init.Xavier())
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
        data = {
            "loader": lambda: gluon.data.DataLoader(X, 4, sampler=mx.parallel.SplitSampler(22)),
            "iterator": lambda: mx.io.NDArrayIter(X, batch_size=11),
            "list": lambda: [nd.array(X[i : i + 11]) for i in (0, 11)],
        }[kind]()
        run = mx.checkpoint(net, trainer, data, tmp_path / name, 1, **options)
        batches = 0
        for _ in run.epochs(3):
            for x in run:
                x = x if kind != "iterator" else x.data[0]
                with autograd.record():
                    error = net(x).square().mean()
                error.backward()
                trainer.step(1)
                batches += 1
                if batches == stop:
                    return None
            if kind == "iterator":
                run.reset()
        return net.weight.data().asnumpy(), batches

    def divide(name):
        """As if two processes had written it."""
        content, tensors = file.load((tmp_path / name).read_bytes(), "")
        content["copies"] = content["copies"] * 2
        file.write(tmp_path / name, file.dump(content, tensors))

    whole, batches = train("whole")
    an_epoch = batches // 3
    train("run", stop=an_epoch + 1)  # the second epoch has begun with a save
    divide("run")
    with pytest.raises(MXNetValueError, match="written by 2 processes, and there are 1 now"):
        train("run")
    values, later = train("run", resize=True)
    np.testing.assert_array_equal(values, whole)
    assert later == 2 * an_epoch
    assert "with 1 processes instead of 2: epoch 1 " in capsys.readouterr().err
    if an_epoch > 2:  # in the middle of the second
        train("other", stop=an_epoch + 3)
        divide("other")
        assert train("other", resize=True)[1] == 2 * an_epoch
