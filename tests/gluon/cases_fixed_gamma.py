"""When gamma is overwritten with ones under `fix_gamma`: in graphs only where backward may come."""

from tests.snippets import snippets

CASES = snippets(
    """
## hybridized
def gamma(scope):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 1, in_channels=2),
            nn.BatchNorm(scale=False, in_channels=2, gamma_initializer=mx.init.Constant(3)))
    net.initialize()
    net.hybridize()
    with scope:
        y = net(nd.ones((1, 2, 2, 2)))
    y.wait_to_read()
    return net[1].gamma.data()
out += [gamma(autograd.predict_mode()), gamma(autograd.train_mode()), gamma(autograd.record())]
out += [gamma(autograd.record(train_mode=False))]

## arrays
g = nd.array([2.0, 3.0])
y = nd.BatchNorm(nd.ones((4, 2)), g, nd.zeros(2), nd.zeros(2), nd.ones(2))
y.wait_to_read()
out += [g]

## executors
s = sym.BatchNorm(sym.var('d'), name='bn')
s = sym.FullyConnected(s, num_hidden=2, name='fc')
names = ['d', 'bn_gamma', 'bn_beta', 'fc_weight', 'fc_bias']
for wanted in ['', *names]:
    for train in (False, True):
        request = {n: 'write' if n == wanted else 'null' for n in names}
        e = s.simple_bind(mx.cpu(), grad_req=request, d=(4, 2))
        e.arg_dict['bn_gamma'][:] = 5
        e.forward(is_train=train)[0].wait_to_read()
        out += [wanted, train, e.arg_dict['bn_gamma']]

## executors/statistics-asked-for
s = sym.BatchNorm(sym.var('d'), name='bn', output_mean_var=True)
e = s.simple_bind(mx.cpu(), grad_req='null', d=(4, 2))
e.arg_dict['bn_gamma'][:] = 5
e.forward()[0].wait_to_read()
out += [e.arg_dict['bn_gamma']]

## other-operators
for op in (sym.BatchNorm_v1, sym.contrib.BatchNormWithReLU):
    e = op(sym.var('d'), name='bn').simple_bind(mx.cpu(), grad_req='null', d=(1, 2, 2, 2))
    e.arg_dict['bn_gamma'][:] = 5
    e.forward()[0].wait_to_read()
    out += [e.arg_dict['bn_gamma']]
"""
)
