"""`out` and `name` (of symbols `name` and `attr`) by position, after an operator's attributes."""

from tests.expressions import expressions

_HEAD = """
def written(shape, function):
    x = nd.zeros(shape)
    result = function(x)
    return [x, result is x]


def one():
    return nd.array([1., 2.])


a = sym.var('a')
"""
CASES = expressions(
    r"""
written((2,),lambda x:nd.relu(one(),x))
written((1,),lambda x:nd.sum(one(),0,False,False,x))
written((2,),lambda x:nd.broadcast_add(one(),one(),x))
written((2,),lambda x:nd.elemwise_add(one(),one(),x))
written((2,),lambda x:nd.clip(one(),0,.5,x))
written((2,),lambda x:nd.zeros_like(one(),x))
nd.relu(one(),None,'nm')
nd.relu(one(),None,None,None)
nd.relu(one(),3)
sym.relu(a,'nm').name
sym.sum(a,0,False,False,'nm').name
sym.relu(a,'nm',{'x':'1'}).attr('x')
""",
    _HEAD,
)
