"""Parts of arrays by arrays without axes and backward slices; what graphs say of some functions."""

from tests.expressions import HEAD, HYBRID, expressions

_GRAPH = """
import json
def graph(make):
    np_sym = mx.sym.np
    a, b = (mx.sym.var(n).as_np_ndarray() for n in "ab")
    made = make(np_sym, a, b)
    first = made[0] if isinstance(made, (list, tuple)) else made
    nodes = json.loads(first.tojson())["nodes"]
    told = [[n["op"], n["name"], n.get("attrs", {})] for n in nodes if n["op"] != "null"]
    return [told, first.list_outputs()]
"""
CASES = expressions(
    r"""
a=np.arange(9).reshape(3,3); a[onp.array(True)].shape
a=np.arange(9).reshape(3,3); a[np.array(1,dtype='int64'),0]
a=np.arange(9).reshape(3,3); a[np.array(1.5),0]
a=np.arange(9).reshape(3,3); a[onp.array(1),0]
a=np.arange(9).reshape(3,3); a[1:,np.array(1,dtype='int32')]
a=np.arange(9).reshape(3,3); a[np.array(3,dtype='int64'),1:]
a=np.arange(9).reshape(3,3); b=a[np.array(1,dtype='int64'),0:1]; b[...]=30; a
a=np.arange(9).reshape(3,3); b=a[2:1:-1]; b[...]=30; a
a=np.arange(9).reshape(3,3); b=a[1,2:1:-1]; b[...]=30; a
a=np.arange(9).reshape(3,3); b=a[:,2:1:-1]; b[...]=30; a
a=np.arange(3).reshape(1,3); b=a[::-1]; b[...]=30; a
a=nd.arange(9).reshape((3,3)); b=a[1:2,2:1:-1]; b[:]=30; a
"""
) + expressions(
    r"""
graph(lambda np, a, b: np.abs(a))
graph(lambda np, a, b: np.fabs(a))
graph(lambda np, a, b: np.hstack([a,b]))
graph(lambda np, a, b: np.dstack([a,b]))
graph(lambda np, a, b: np.transpose(a))
graph(lambda np, a, b: np.roll(a,1))
graph(lambda np, a, b: np.repeat(a,2))
graph(lambda np, a, b: np.outer(a,b))
graph(lambda np, a, b: np.linspace(0,1))
graph(lambda np, a, b: np.split(a,2))
graph(lambda np, a, b: np.split(a,(1,2)))
graph(lambda np, a, b: np.hsplit(a,2))
hybrid(lambda np, a: np.split(a,2),np.arange(5))
hybrid(lambda np, a: np.vsplit(a,2),np.ones((5,2)))
""",
    head=HEAD + HYBRID + _GRAPH,
)
CASES += expressions(
    r"""
onp.isnan(np.array(2.5))
onp.isnan(np.array([2.5,float('nan')]))
npx.image.imresize(np.ones((4,4,3),dtype='uint8'),2,2)
npx.image.center_crop(np.arange(48).reshape(4,4,3),(2,2))
npx.image.CenterCropAug((2,2))(np.ones((4,4,3)))
npx.image.resize(np.ones((4,4,3),dtype='uint8'),size=(2,3))
npx.image.nothing
"""
)
