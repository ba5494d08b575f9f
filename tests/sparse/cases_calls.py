"""Short calls, one a line: statements, then what is compared."""

from tests.snippets import calls

CASES = calls(
    """
sp = nd.sparse
D = onp.array([[1, 0, 2], [0, 0, 0], [0, 3, -4], [0, 0, 5]], dtype='float32')
d = nd.array(D)
c, r = d.tostype('csr'), d.tostype('row_sparse')
def step(name, weight, **options):
    o, x = mx.optimizer.create(name, learning_rate=0.1, **options), weight.copy()
    state = o.create_state_multi_precision(0, x)
    o.update_multi_precision(0, x, sp.retain(r, nd.array([0, 3])), state)
    o.update_multi_precision(0, x, r, state)
    return x
""",
    """
r.data[0] = 9; [r.data, r]
r.data[:] = 9; r
p = c.data; p[:] = 9; [c.data, c]
p = r.indices; p[:] = 1; r.indices
c[0:0].shape
c[1:0].shape
c[2:1].asnumpy()
c[4].asnumpy()
c[9:].asnumpy()
c[-2:]
r[:] = c; r
c[:] = r; c
r.copyto(c)
[r.copyto(r), c.copyto(c)] [warns]
c[0:1] = 1
c[0] = 1
r[0:1] = 1
r[0:1] = nd.ones((1, 3))
sp.array(d)
c.tostype('foo')
c.tostype('row_sparse')
r.asscipy
[t.__name__ for t in c._aux_types + r._aux_types]
sp.csr_matrix(([1, 2], [0, 1], [0, 3]), shape=(1, 3)).check_format(False)
sp.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 3)).check_format(False)
sp.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 3)).check_format()
step('nag', d, wd=0.1)
step('nag', d, wd=0.1, rescale_grad=0.5)
step('nag', d, wd=0.1, momentum=0.9)
step('sgd', d, wd=0.1)
mx.optimizer.create('groupadagrad', wd=0.1).update(0, d, r, nd.zeros((4, 1)))
""",
)
