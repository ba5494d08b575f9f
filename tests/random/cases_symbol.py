"""`mx.sym.random`: graphs with random nodes, and what they draw."""

from tests.cases import C

CALLS = {
    "uniform": "sym.random.uniform(0, 2, shape=(2, 3))",
    "normal": "sym.random.normal(1, 2, shape=(2, 3), dtype='float64')",
    "randn": "sym.random.randn(2, 3, loc=1)",
    "exponential": "sym.random.exponential(2.0, shape=3)",
    "gamma": "sym.random.gamma(2, 3, shape=4)",
    "poisson": "sym.random.poisson(3, shape=4)",
    "negative_binomial": "sym.random.negative_binomial(3, 0.4, shape=4)",
    "generalized": "sym.random.generalized_negative_binomial(3, 0.4, shape=4)",
    "randint": "sym.random.randint(2, 9, shape=(2, 2))",
}
CASES = [
    C(
        label,
        f"""
        s = {call}
        out.append(s.tojson())
        mx.random.seed(5)
        out += s.bind(mx.cpu(), {{}}).forward()
        """,
    )
    for label, call in CALLS.items()
]
ARRAYS = {
    "uniform": "sym.random.uniform(a, b, shape=(3,))",
    "normal": "sym.random.normal(a, b)",
    "exponential": "sym.random.exponential(a, shape=2)",
    "gamma": "sym.random.gamma(a, b, shape=2)",
    "poisson": "sym.random.poisson(a, shape=2)",
    "negative_binomial": "sym.random.negative_binomial(a, b * 0.1, shape=2)",
    "generalized": "sym.random.generalized_negative_binomial(a, b * 0.1, shape=2)",
    "multinomial": "sym.random.multinomial(a / 3, shape=4)",
    "multinomial-alone": "sym.random.multinomial(a / 3, get_prob=False)",
    "shuffle": "sym.random.shuffle(a)",
    "uniform_like": "sym.random.uniform_like(a, 1, 2)",
}
CASES += [
    C(
        "arrays-" + label,
        f"""
        a, b = sym.var('a'), sym.var('b')
        s = {call}
        out.append(s.tojson())
        out.append(s.list_outputs())
        values = {{'a': nd.array([1, 2]), 'b': nd.array([3, 5])}}
        args = {{name: values[name] for name in s.list_arguments()}}
        mx.random.seed(5)
        out += s.bind(mx.cpu(), args).forward()
        """,
    )
    for label, call in ARRAYS.items()
]
CASES += [
    C(
        "hybrid-block",
        """
        class Noise(gluon.HybridBlock):
            def hybrid_forward(self, F, x):
                return x + F.random.normal(0, 1, shape=(2, 3)) * F.random.uniform_like(x)
        block = Noise()
        for hybrid in (False, True):
            block.hybridize(hybrid)
            mx.random.seed(3)
            out.append(block(nd.ones((2, 3))))
        """,
    ),
]
