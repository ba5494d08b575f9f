"""Downloads, versions, callbacks, iterators over files, updaters: what is around a training."""

from __future__ import annotations

import ast

from mxtorch.port.engine import Match
from mxtorch.port.rule import REGISTRY, Rule
from mxtorch.port.rules._common import helper_call
from mxtorch.port.rules.data import iterator_base
from mxtorch.port.rules.stores import with_scale


def _updater(match: Match) -> str | None:
    given = with_scale(match)
    return given and f"{match.helper('Updater')}({given})"


def _prefetching(match: Match) -> str | None:
    """torch's loaders prefetch; a single iterator stays as it is."""
    node = match.given.get("iters")
    if node is None or not match.only("iters") or isinstance(node, (ast.List, ast.Tuple)):
        return None
    return match.text(node)


def _epochs(match: Match) -> str | None:
    """A checkpoint callback of a module's: the trainer hands it the net."""
    if not match.only("mod", "prefix", "period"):
        return None
    period = f", {match.text('period')}" if match.has("period") else ""
    return f"{match.helper('save_every')}({match.text('prefix')}{period})"


_CSV = (
    "data_csv", "data_shape", "label_csv", "label_shape", "batch_size", "round_batch", "data_name",
    "label_name",
)  # fmt: skip
_MNIST = ("image", "label", "batch_size", "shuffle", "flat", "data_name", "label_name")
_FORMATS = '"data.csv", data_shape=(3,), batch_size=2'
REGISTRY.add(
    Rule(
        "version",
        "name mx.__version__",
        "torch.__version__",
        "v = mx.__version__",
        "v = torch.__version__",
        note="torch's version",
    ),
    Rule(
        "list-gpus",
        "call mx.test_utils.list_gpus",
        "range(torch.cuda.device_count())",
        "n = len(mx.test_utils.list_gpus())",
        "n = len(range(torch.cuda.device_count()))",
    ),
    Rule(
        "download",
        "call mx.gluon.utils.download",
        helper_call("download", "url", "path", "overwrite", "sha1_hash", drop=("retries",)),
        "p = gluon.utils.download('http://a.b/c', path='d')",
        "p = download('http://a.b/c', path='d')",
        needs=(),
    ),
    Rule(
        "download-of-tests",
        "call mx.test_utils.download",
        lambda m: (
            f"{m.helper('download')}({m.text('url')}"
            f"{', path=' + m.text('fname') if m.has('fname') else ''})"
            if m.only("url", "fname", "retries")
            else None
        ),
        "p = mx.test_utils.download('http://a.b/c', fname='d')",
        "p = download('http://a.b/c', path='d')",
        needs=(),
    ),
    Rule(
        "check-sha1",
        "call mx.gluon.utils.check_sha1",
        helper_call("check_sha1", "filename", "sha1_hash"),
        "ok = gluon.utils.check_sha1(__file__, 'a')",
        "ok = check_sha1(__file__, sha1_hash='a')",
        needs=(),
    ),
    Rule(
        "get-updater",
        "call mx.optimizer.get_updater",
        _updater,
        "u = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.1))",
        "u = Updater(lambda params: torch.optim.SGD(params, lr=0.1))",
        needs=(),
    ),
    Rule(
        "module-checkpoint",
        "call mx.callback.module_checkpoint",
        _epochs,
        "c = mx.callback.module_checkpoint(m, 'a', period=2)",
        "c = save_every('a', 2)",
        needs=(),
        note="the files are torch's, with MXNet's names in them",
    ),
    Rule(
        "log-train-metric",
        "call mx.callback.log_train_metric",
        helper_call("log_train_metric", "period", "auto_reset"),
        "c = mx.callback.log_train_metric(10)",
        "c = log_train_metric(10)",
        needs=(),
    ),
    Rule(
        "ProgressBar",
        "call mx.callback.ProgressBar",
        helper_call("ProgressBar", "total", "length"),
        "c = mx.callback.ProgressBar(10)",
        "c = ProgressBar(10)",
        needs=(),
    ),
    Rule(
        "DataDesc",
        "call mx.io.DataDesc",
        helper_call("DataDesc", "name", "shape", "dtype", "layout"),
        "d = mx.io.DataDesc('data', (2, 3))",
        "d = DataDesc('data', shape=(2, 3))",
        needs=(),
    ),
    Rule(
        "DataIter",
        "name mx.io.DataIter",
        iterator_base,
        "class Own(mx.io.DataIter): pass",
        "class Own(DataIter): pass",
        needs=(),
    ),
    Rule(
        "CSVIter",
        "call mx.io.CSVIter",
        helper_call("csv_iter", *_CSV),
        f"i = mx.io.CSVIter(data_csv={_FORMATS})",
        f"i = csv_iter({_FORMATS})",
        needs=(),
        params="data_csv, data_shape, label_csv=None, label_shape=(1,), batch_size=1,"
        " round_batch=True, data_name='data', label_name='softmax_label'",
    ),
    Rule(
        "MNISTIter",
        "call mx.io.MNISTIter",
        helper_call("mnist_iter", *_MNIST, drop=("silent", "seed", "input_shape", "num_parts")),
        "i = mx.io.MNISTIter(image='a', label='b', batch_size=2, flat=True)",
        "i = mnist_iter('a', label='b', batch_size=2, flat=True)",
        needs=(),
        params="image, label, batch_size=128, shuffle=True, flat=False, silent=False, seed=0,"
        " input_shape=None, num_parts=1, data_name='data', label_name='softmax_label'",
    ),
    Rule(
        "PrefetchingIter",
        "call mx.io.PrefetchingIter",
        _prefetching,
        "j = mx.io.PrefetchingIter(i)",
        "j = i",
        needs=(),
        params="iters",
    ),
    Rule(
        "ResizeIter",
        "call mx.io.ResizeIter",
        helper_call("ResizeIter", "data_iter", "size", "reset_internal"),
        "j = mx.io.ResizeIter(i, 3)",
        "j = ResizeIter(i, size=3)",
        needs=(),
    ),
    Rule(
        "get-mnist",
        "call mx.test_utils.get_mnist",
        lambda m: f"{m.helper('get_mnist')}()" if m.only() else None,
        "m = mx.test_utils.get_mnist()",
        "m = get_mnist()",
        needs=(),
        params="",
    ),
)
