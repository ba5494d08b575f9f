"""Every metric over three batches: local and global values, resets, configurations."""

from tests.cases import C

RUN = """
rng = onp.random.RandomState(7)
M = mx.metric
metric = {metric}
out.append(metric.get())
for step in range(3):
    labels, preds = {batch}
    metric.update(labels, preds)
    out += [metric.get(), metric.get_global(), metric.get_name_value()]
    if step == 1:
        metric.reset_local()
        out.append(metric.get())
out.append(metric.get_global_name_value())
metric.reset()
out += [metric.get(), metric.get_global()]
"""
SCORES = "[nd.array(rng.randint(0, 4, 6))], [nd.array(rng.rand(6, 4))]"
TWO = "[nd.array(rng.randint(0, 2, 6))], [nd.array(rng.rand(6, 2))]"
PROBS = "[nd.array(rng.randint(0, 4, 6))], [nd.softmax(nd.array(rng.randn(6, 4)))]"
NUMBERS = "[nd.array(rng.rand(6, 2))], [nd.array(rng.rand(6, 2))]"
METRICS = {
    "accuracy": ("M.Accuracy()", SCORES),
    "accuracy-single": ("M.Accuracy()", "nd.array([1, 2, 0]), nd.array(rng.rand(3, 4))"),
    "accuracy-classes": ("M.Accuracy()", "[nd.array([1, 2, 0])], [nd.array([1.9, 2, 1])]"),
    "accuracy-ties": ("M.Accuracy()", "[nd.array([0, 1])], [nd.array([[1, 1], [1, 1]])]"),
    "accuracy-axis": (
        "M.Accuracy(axis=2)",
        "[nd.array(rng.randint(0, 3, (2, 4)))], [nd.array(rng.rand(2, 4, 3))]",
    ),
    "accuracy-several": (
        "M.Accuracy(name='mine')",
        "[nd.array([1, 0]), nd.array([1])], [nd.array(rng.rand(2, 2)), nd.array(rng.rand(1, 2))]",
    ),
    "top-k": ("M.TopKAccuracy(2)", SCORES),
    "top-k-3": ("M.create('top_k_acc', top_k=3)", SCORES),
    "top-k-many": ("M.TopKAccuracy(4)", SCORES),
    "f1": ("M.F1()", TWO),
    "f1-micro": ("M.F1(average='micro')", TWO),
    "mcc": ("M.MCC()", TWO),
    "mcc-micro": ("M.MCC(average='micro')", TWO),
    "mcc-one-class": ("M.MCC()", "[nd.array([1, 1])], [nd.array([[0.1, 0.9], [0.8, 0.2]])]"),
    "f1-none": ("M.F1()", "[nd.array([0, 0])], [nd.array([[0.9, 0.1], [0.8, 0.2]])]"),
    "pcc": ("M.PCC()", SCORES),
    "pcc-two": ("M.PCC()", TWO),
    "pcc-one-class": ("M.PCC()", "[nd.array([1, 1])], [nd.array([[0.1, 0.9], [0.8, 0.2]])]"),
    "perplexity": ("M.Perplexity(None)", PROBS),
    "perplexity-ignore": ("M.Perplexity(ignore_label=2)", PROBS),
    "cross-entropy": ("M.CrossEntropy()", PROBS),
    "cross-entropy-eps": ("M.create('ce', eps=0.1)", PROBS),
    "nll": ("M.NegativeLogLikelihood()", PROBS),
    "mae": ("M.MAE()", NUMBERS),
    "mae-vector": ("M.MAE()", "[nd.array(rng.rand(4))], [nd.array(rng.rand(4, 1))]"),
    "mse": ("M.MSE()", NUMBERS),
    "rmse": ("M.RMSE()", NUMBERS),
    "pearson": ("M.PearsonCorrelation()", NUMBERS),
    "pearson-micro": ("M.PearsonCorrelation(average='micro')", NUMBERS),
    "loss": ("M.Loss()", "None, [nd.array(rng.rand(3, 2)), nd.array(rng.rand(4))]"),
    "loss-single": ("M.Loss()", "None, nd.array(rng.rand(3, 2))"),
    "torch": ("M.Torch()", "None, [nd.array(rng.rand(3, 2))]"),
    "caffe": ("M.create('caffe')", "None, [nd.array(rng.rand(3, 2))]"),
    "custom": ("M.create(lambda label, pred: float((label - pred).sum()))", NUMBERS),
    "custom-pair": ("M.CustomMetric(lambda l, p: (float(p.sum()), 4), name='pair')", NUMBERS),
    "np": ("M.np(lambda label, pred: float(onp.abs(label - pred).max()), 'worst')", NUMBERS),
    "composite": ("M.create(['acc', 'ce', M.TopKAccuracy(2)])", PROBS),
    "composite-class": ("M.CompositeEvalMetric(['mae', M.RMSE(name='r')], name='both')", NUMBERS),
}
# MXNet adds up in float32 and gives a float64
FLOAT32 = ("cross-entropy", "nll", "pearson-micro", "loss", "torch", "caffe", "composite")
CASES = [
    C(
        label,
        RUN.format(metric=m, batch=batch),
        tol=1e-5 if label.startswith(FLOAT32) else None,
        why="a sum in float32, given as float64" if label.startswith(FLOAT32) else "",
    )
    for label, (m, batch) in METRICS.items()
]
CASES += [
    C(
        "attributes",
        """
        M = mx.metric
        for metric in (M.Accuracy(), M.CrossEntropy(), M.Loss(), M.MAE(), M.TopKAccuracy(3),
                       M.Perplexity(1), M.PearsonCorrelation(), M.EvalMetric('x', ['a'], ['b'])):
            out += [metric.__dict__, metric.get_config()]
        """,
    ),
    C(
        "text",
        """
        M = mx.metric
        metric = M.create(['acc', M.MAE(name='m')])
        out.append(str(metric))
        metric.update([nd.array([1, 0])], [nd.array([[0, 1], [0, 1]])])
        out += [str(metric), str(metric.metrics[0])]
        """,
    ),
    C(
        "configs",
        """
        import json
        M = mx.metric
        for metric in (M.Accuracy(axis=2), M.F1(average='micro'), M.create(['acc', 'mse'])):
            config = metric.get_config()
            out.append(config)
        again = M.create(json.dumps(M.Accuracy(axis=2, name='a').get_config()))
        out += [again.axis, again.name]
        out.append(M.create('["Accuracy", {"axis": 2}]').axis)
        out.append(M.create({'metric': 'Accuracy', 'axis': 2}).axis)
        out.append(M.create('acc', 3).axis)
        """,
    ),
    C(
        "update-dict",
        """
        from collections import OrderedDict
        M = mx.metric
        labels = OrderedDict([('a', nd.array([1, 0])), ('b', nd.array([0, 0]))])
        preds = OrderedDict([('p', nd.array([[0, 1], [1, 0]])), ('q', nd.array([[0, 1], [1, 0]]))])
        for metric in (M.Accuracy(), M.Accuracy(output_names=['q'], label_names=['b']),
                       M.create(['acc']),
                       M.CompositeEvalMetric(['acc'], label_names=['a'], output_names=['p'])):
            metric.update_dict(labels, preds)
            out.append(metric.get())
        """,
    ),
    C(
        "own",
        """
        @mx.metric.register
        class Largest(mx.metric.EvalMetric):
            def __init__(self):
                super().__init__('largest')

            def update(self, labels, preds):
                for pred in preds:
                    self.sum_metric = max(self.sum_metric, pred.max().asscalar())
                    self.num_inst = 1

        @mx.metric.alias('mean_of_all')
        class MeanOf(Largest):
            pass
        for name in ('largest', 'mean_of_all'):
            metric = mx.metric.create(name)
            metric.update(None, [nd.array([1, 5, 2])])
            out += [metric.get(), metric.get_global(), type(metric).__name__]
        """,
    ),
    C(
        "check-shapes",
        """
        check = mx.metric.check_label_shapes
        out += [check([1, 2], [3, 4]), check(nd.ones(2), nd.ones(2), wrap=True)]
        """,
    ),
]
CASES += [
    C(
        f"counts/{name}-{average}",
        f"""
        m = mx.metric.{name}(average='{average}')
        counts = m.metrics if '{name}' == 'F1' else m._metrics
        names = [n + end for n in ('', 'global_') for end in (
            'true_positives', 'false_positives', 'true_negatives', 'false_negatives',
            'precision', 'recall', 'fscore', 'total_examples')]
        def add(*labels):
            n = len(labels)
            scores = onp.linspace(0, 1, 2 * n)[::-1].reshape(n, 2) * onp.array([1, 1.3])
            m.update([nd.array(labels)], [nd.array(scores)])
            out.append([[getattr(counts, n) for n in names], m.num_inst, m.get(), m.get_global()])
            out.append([counts.matthewscc(), counts.matthewscc(use_global=True)])
        add(0, 1, 1, 0, 1)
        add(1, 1, 0)
        m.reset_local()
        out.append([m.num_inst, m.get(), m.get_global(), counts.fscore, counts.global_recall])
        add(1, 0, 0, 1)
        """,
    )
    for name in ("F1", "MCC")
    for average in ("macro", "micro")
]
CASES.append(
    C(
        "pearson-micro-float64",
        """
        m = mx.metric.PearsonCorrelation(average='micro')
        for seed in (0, 1):
            a, b = onp.random.RandomState(seed).uniform(0, 1, (2, 5, 3)).astype('float32')
            m.update([nd.array(a)], [nd.array(a * b)])
            out += [m.get(), m._conv, m._mean_l, m._sse_p]
        """,
    )
)
REFUSED = {
    "unknown": ("mx.metric.create('no such')", "AssertionError"),
    "none": ("mx.metric.create(None)", "AssertionError"),
    "top-1": ("mx.metric.TopKAccuracy()", "AssertionError"),
    "lengths": ("mx.metric.check_label_shapes([1], [1, 2])", "ValueError"),
    "shapes": (
        "mx.metric.check_label_shapes(nd.ones((2, 3)), nd.ones((2, 2)), shape=True)",
        "ValueError",
    ),
    "base": ("mx.metric.EvalMetric('x').update([], [])", "NotImplementedError"),
    "custom-config": ("mx.metric.CustomMetric(onp.mean).get_config()", "NotImplementedError"),
    "three-classes": (
        "mx.metric.F1().update([nd.array([0, 1, 2])], [nd.ones((3, 2))])",
        "ValueError",
    ),
    "accuracy-lengths": (
        "mx.metric.Accuracy().update([nd.array([0, 1, 2])], [nd.ones((2, 2))])",
        "ValueError",
    ),
    "perplexity-shapes": (
        "mx.metric.Perplexity(None).update([nd.array([0, 1, 2])], [nd.ones((2, 2))])",
        "AssertionError",
    ),
}
CASES += [C("refused-" + label, code, raises=error) for label, (code, error) in REFUSED.items()]
