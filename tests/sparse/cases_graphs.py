"""Operators of graphs (csr matrices of edges): parts, sampled neighbourhoods, look-ups."""

from tests.cases import C

SETUP = """
C = mx.nd.contrib
def vertices(*numbers):
    return nd.array(numbers, dtype='int64')

def graph(rows, columns):
    indices = onp.concatenate([onp.array(r, dtype='int64') for r in rows])
    indptr = onp.cumsum([0] + [len(r) for r in rows]).astype('int64')
    data = onp.arange(1, len(indices) + 1, dtype='int64')
    return nd.sparse.csr_matrix((data, indices, indptr), shape=(len(rows), columns))

rs = onp.random.RandomState(3)
g = graph([sorted(rs.choice(12, rs.randint(3, 9), replace=False)) for _ in range(12)], 12)
small = nd.array([[1, 0, 0, 2], [3, 0, 4, 0], [0, 5, 0, 0], [0, 6, 7, 0]], dtype='int64')
small = small.tostype('csr')

def csr(matrix):
    parts = [matrix.data, matrix.indices, matrix.indptr]
    return [matrix.stype, matrix.shape] + [p.asnumpy() for p in parts]

def sampled(outputs, width=3):
    # what lies behind the last vertex is left unset by MXNet
    sets = len(outputs) // width
    for i in range(sets):
        part = [outputs[i + k * sets] for k in range(width)]
        count = int(part[0][-1].asscalar())
        out.append([part[0].shape, count, part[0][:count].asnumpy()] + csr(part[1]))
        out.append([[p.shape, p[:count].asnumpy()] for p in part[2:]])
"""
PARTS = [
    "C.edge_id(small, nd.array([0, 0, 1, 1, 2, 2, 3]), nd.array([0, 1, 1, 2, 0, 2, 2])).asnumpy()",
    "C.edge_id(small, vertices(0, 0, 1), vertices(3, 1, 2)).asnumpy()",
    (
        "C.edge_id(nd.cast_storage(nd.array([[0, 1.5], [2, 0]]), 'csr'), nd.array([0, 1]),"
        " nd.array([1, 1])).asnumpy()"
    ),
    "csr(C.dgl_adjacency(small))",
    "[csr(x) for x in C.dgl_subgraph(small, vertices(0, 1, 2), return_mapping=True)]",
    "csr(C.dgl_subgraph(small, vertices(1, 2, 3), return_mapping=False))",
    (
        "[csr(x) for x in C.dgl_subgraph(small, vertices(0, 2), vertices(1, 2, 3),"
        " return_mapping=True)]"
    ),
    (
        "[csr(x) for x in C.dgl_subgraph(g, vertices(0, 4, 5, 6, 9), vertices(11), vertices(2, 7),"
        " return_mapping=False)]"
    ),
    "[csr(x) for x in C.dgl_subgraph(small, vertices(0, 0, 1), return_mapping=True)]",
    "sym.contrib.edge_id(sym.var('a'), sym.var('b'), sym.var('c')).list_arguments()",
    "sym.contrib.dgl_subgraph(sym.var('g'), sym.var('v'), return_mapping=True).list_outputs()",
    (
        "sym.contrib.dgl_csr_neighbor_uniform_sample(sym.var('g'), sym.var('v'), sym.var('w'))"
        ".list_outputs()"
    ),
    (
        "sym.contrib.dgl_csr_neighbor_non_uniform_sample(sym.var('g'), sym.var('p'), sym.var('v'))"
        ".list_outputs()"
    ),
    (
        "sym.contrib.dgl_graph_compact(sym.var('g'), sym.var('v'), graph_sizes=(1,),"
        " return_mapping=True).list_outputs()"
    ),
]
REFUSED = [
    "C.edge_id(nd.ones((2, 2)), nd.array([0]), nd.array([0]))",
    "C.edge_id(small, vertices(1, 2), vertices(0))",
    "C.edge_id(small, nd.array([0], dtype='int32'), vertices(0))",
    "C.dgl_adjacency(nd.ones((2, 2)))",
    "C.dgl_adjacency(nd.ones((2, 2)).tostype('csr'))",
    "C.dgl_subgraph(small, return_mapping=True)",
    "C.dgl_subgraph(nd.ones((2, 2)), vertices(0), return_mapping=True)",
    "C.dgl_subgraph(small, nd.array([0, 1]), return_mapping=False)",
    (
        "C.dgl_graph_compact(small, small, vertices(0, 1), vertices(0, 1), graph_sizes=(1,),"
        " return_mapping=True)"
    ),
]
# (seeds of the sets, hops, neighbours, largest number of vertices, seed)
SAMPLES = [
    ("(0,)", 2, 2, 12, 1),
    ("(0,)", 3, 3, 12, 1),
    ("(0,)", 1, 5, 3, 1),
    ("(0,)", 2, 5, 5, 42),
    ("(5, 2)", 2, 2, 7, 3),
    ("(0,), (0,), (1, 3)", 1, 2, 8, 1),
    ("(0, 0)", 1, 2, 8, 0),
    ("(3,)", 0, 1, 4, 1),
    ("(3,)", 2, 3, 1, 1),
    ("(10, 4, 7)", 2, 1, 12, 7),
    ("(10, 11)", 3, 4, 12, 7),
]
DRAWN = """
mx.random.seed({seed})
for _ in range(2):
    sets = [vertices(*s) for s in [{sets}]]
    options = dict(num_hops={hops}, num_neighbor={wanted}, max_num_vertices={limit})
    {call}
out.append(nd.random.shuffle(nd.arange(6)))
"""
UNIFORM = "sampled(C.dgl_csr_neighbor_uniform_sample(g, *sets, num_args=1 + len(sets), **options))"
WEIGHED = (
    (
        "sampled(C.dgl_csr_neighbor_non_uniform_sample(g, nd.array(onp.linspace(.1, 1, 12)), *sets,"
        " num_args=2 + len(sets), **options), 4)"
    ),
)
CASES = [C(text, f"{SETUP}\nout.append({text})\n") for text in PARTS]
CASES += [C(text, f"{SETUP}\n{text}\n", raises="MXNetError") for text in REFUSED]
CASES += [
    C(
        f"{name}-{number}",
        SETUP
        + DRAWN.format(seed=seed, sets=sets, hops=hops, wanted=wanted, limit=limit, call=call),
    )
    for name, call in (("uniform", UNIFORM), ("weighed", WEIGHED))
    for number, (sets, hops, wanted, limit, seed) in enumerate(SAMPLES)
]
COMPACT = """
mx.random.seed(1)
full = graph([[1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 3, 4], [0, 1, 2, 4], [0, 1, 2, 3]], 5)
ring = graph([sorted([(i + 1) % 8, (i - 1) % 8]) for i in range(8)], 8)
options = dict(num_args=2, num_neighbor=2)
v, _g, _ = C.dgl_csr_neighbor_uniform_sample(full, vertices(0, 1), max_num_vertices=6, **options)
w, _h, _ = C.dgl_csr_neighbor_uniform_sample(
    ring, vertices(3), num_hops=2, max_num_vertices=7, **options)
sizes = [int(x[-1].asscalar()) for x in (v, w)]
out.append(csr(C.dgl_graph_compact(_g, v, graph_sizes=sizes[0], return_mapping=False)))
out.append([csr(x) for x in C.dgl_graph_compact(
    _g, _h, v, w, graph_sizes=sizes, return_mapping=False)])
mapped = C.dgl_graph_compact(_h, w, graph_sizes=sizes[1:], return_mapping=True)
out.append([x.shape for x in mapped])
"""
CASES += [C("compact", SETUP + COMPACT)]
