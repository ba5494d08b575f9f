"""Numbers beside arrays of small types, in-place operators, and masks as keys."""

from tests.expressions import HEAD, HYBRID, expressions

_HELP = """

def gradient(function, *values):
    x = np.array(values)
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward()
    return x.grad


def i(*values):
    return np.array(values, dtype='int32')


def b(*values):
    return np.array(values, dtype='bool')


def grid():
    return np.arange(6).reshape(2, 3)
"""
_HEAD = HEAD + "\n" + HYBRID + _HELP

CASES = expressions(
    r"""
b(1,0)==2
b(1,0)==-0.5
b(1,0)<2
b(1,0)&2
b(1,0)^0.5
b(1,0)|0.5
b(1,0)+2.5
i(1,2)*float('nan')
i(1,2)+float('inf')
i(1,2)+1e10
np.array([1,2],dtype='int64')+1e30
np.array([1,2],dtype='int8')+1e6
np.array([1,2],dtype='uint8')+float('inf')
np.array([1,2],dtype='int8')&1e6
i(1,2)<float('inf')
np.array([1,2],dtype='uint8')>-1
np.array([1000001],dtype='int64')**2
10**np.array([12],dtype='int64')
np.square(np.array([1000001],dtype='int64'))
np.array([100,200],dtype='uint8')**2
np.square(np.array([100],dtype='int8'))
np.array([5,7,9],dtype='int64')%np.array([[3],[2]],dtype='int32')
np.array([5,7,9],dtype='int64')-np.array([[1],[0]],dtype='bool')
np.array([5,7],dtype='int64')%i(3,2)
np.array([5,7],dtype='int64')-b(1,0)
b(1,0)-np.array([1.,2.])
np.lcm(b(1,0),b(1,1))
hybrid(lambda np,a:a+2.5,i(0,1,3))
hybrid(lambda np,a:2+a,i(0,1,3))
hybrid(lambda np,a:1-a,i(0,1,3))
hybrid(lambda np,a:2*a,i(0,1,3))
hybrid(lambda np,a:a*2.0,np.array([0,1],dtype='uint8'))
hybrid(lambda np,a:-a,i(0,1,3))
hybrid(lambda np,a:a**.5,i(0,1,3))
hybrid(lambda np,a:a==2.5,i(1,2,3))
hybrid(lambda np,a:1.5<a,i(1,2,3))
hybrid(lambda np,a:a>=2.5,b(1,0))
hybrid(lambda np,a:np.maximum(a,1.5),i(0,1,3))
hybrid(lambda np,a:np.hypot(a,2.5),i(0,1,3))
hybrid(lambda np,a:np.add(2,a),b(1,0))
hybrid(lambda np,a:a[onp.int64(1)],np.array([1.,2.]))
mx.nd._internal._plus_scalar(mx.nd.array([1,2],dtype='int32'),scalar=2.5,is_int=False)
mx.nd._internal._div_scalar(mx.nd.array([1,2],dtype='int32'),scalar=1.5,is_int=False)
mx.nd.array([1000001],dtype='int64')**2
a=np.array([1.,2.]); c=a; a**=2; [a,c]
a=np.array([1.,2.]); c=a; a%=2; [a,c]
a=np.array([1.,2.]); a**=np.ones((3,2)); a
gradient(lambda x:np.arctan2(-2,x),1.,2.,-3.)
np.average(i(1,2,4),returned=True)
np.average(i(-7,2))
np.average(i(1,2,4),weights=i(1,2,3))
np.average(np.array([100,100,100],dtype='int8'))
np.average(grid(),axis=(),returned=True)
np.average(np.zeros((0,)))
np.average(np.arange(6,dtype='int8').reshape(2,3),axis=1,returned=True,weights=np.array([1,2,3],dtype='int8'))
np.prod(np.zeros((0,3),dtype='int8'))
np.prod(np.array([1.1]*3),dtype='float64')
np.std(np.array([1.1,2.3]),dtype='float64')
np.var(np.array([1.1,2.3],dtype='float16'),dtype='float64')
np.mean(np.array([60000]*3,dtype='float16'))
np.mean(np.array([60000]*3),dtype='float16')
np.mean(np.array([1.1,2.2,3.3],dtype='float16'))
npx.sigmoid(i(-100,0,1,2,40))
npx.sigmoid(b(1,0))
a=grid(); a[onp.array([True,False])]
a=grid(); a[onp.array([True,False])]=9; a
a=grid(); a[[False,False]]=9; a
a=grid(); a[(a>2).asnumpy()]
a=grid(); a[(a>2).asnumpy()]=9; a
a=grid(); a[:,[True,False,True]]
a=grid(); a[onp.array([True,False]),0]
a=grid(); a[b(1,0),0]
a=grid(); a[[[True,False,True],[False,True,False]]]
a=grid(); a[b(1,0,1)]
a=grid(); a[onp.array([True,False,True])]
a=grid(); a[...,None]=np.array([7,8,9]); a
a=grid(); a[...,None]=np.array([[7],[8]]); a
a=grid(); a[:,None]=np.array([[[7]],[[8]]]); a
a=grid(); a[:,None]=grid()*2; a
a=grid(); a[[0,1],None,1:]=np.array([[7],[8]]); a
a=grid(); a[:,None]=np.array([7,8]); a
a=np.array(5.); a[a>3]
a=np.array(5.); a[a>8]
a=np.array(5.); a[a>3]=1; a
a=np.array(5.); a[True]=3; a
a=np.array([5.,6.]); a[False]=3; a
a=np.array([5.,6.]); a[np.array(True,dtype='bool')]=3; a
a=np.array([5.,6.]); c=a[True]; c[:]=0; a
a=np.ones((2,3)); a[1:1]=np.zeros((0,)); a
np.array([np.array([1.,2.]),[3.,4.]])
np.array((np.array([[1.]]),onp.array([[2.]])),dtype='int32')
np.array([np.ones((2,)),np.ones((3,))])
repr(np.array([],dtype='bool'))
""",
    _HEAD,
)
