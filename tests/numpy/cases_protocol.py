"""NumPy's functions of `mx.np` arrays, operators without a gradient, and what graphs take."""

from tests.expressions import HEAD, HYBRID, expressions

_BEFORE = """

def gradient(function, *values):
    x = np.array(values or (1., 2., -1.5))
    x.attach_grad()
    with autograd.record():
        y = function(x)
    y.backward(np.arange(1, y.size + 1).reshape(y.shape))
    return x.grad


def recorded(function):
    with autograd.record():
        return function(np.array([[5., 3.], [1., 2.]]))


"""
_AFTER = """

def m():
    return np.array([[5., 3.], [1., 2.]])


c = np.array([[1, 0, 1], [0, 0, 1]])
"""
_HEAD = HEAD + _BEFORE + HYBRID + _AFTER
CASES = expressions(
    r"""
recorded(lambda a:np.nanmax(a))
recorded(lambda a:onp.fmod(a,a))
recorded(lambda a:np.allclose(a,a))
recorded(lambda a:np.shape(a))
recorded(lambda a:onp.shape(a))
recorded(lambda a:onp.sum(a,axis=0))
onp.average(m())
onp.average(m(),axis=0,keepdims=True)
onp.average(m(),axis=0,weights=np.array([1.,2.]),returned=True)
onp.linalg.det(m())
onp.linalg.slogdet(m())
onp.multiply.reduce(m())
onp.fmod(m(),np.array(2,dtype='float64'))
m()//onp.float64(2)
onp.fmod(np.array([5,3],dtype='int32'),2.5)
onp.divide(np.array([5,3],dtype='int32'),m())
onp.moveaxis(m(),0,1)
onp.histogram(m(),2)
onp.log1p(m())
onp.rot90(m())
x=onp.zeros(2); r=np.nanmax(m(),axis=1,out=x); [r,x]
np.linalg.lstsq(m(),np.array([1.,2.]))[0]
np.linalg.lstsq(m(),np.array([1.,2.]),rcond='warn')[0]
gradient(lambda a:np.unique(a))
gradient(lambda a:np.percentile(a,30))
gradient(lambda a:np.atleast_2d(a)*2)
gradient(lambda a:npx.topk(a,k=2,ret_typ='mask'))
gradient(lambda a:np.bincount(np.array([0,1,1],dtype='int32'),a))
gradient(lambda a:np.linalg.eigvalsh(np.outer(a,a)))
gradient(lambda a:np.linalg.eigh(np.outer(a,a)+np.eye(3))[0])
gradient(lambda a:np.linalg.eigvals(np.outer(a,a)+np.diag(np.arange(3))))
gradient(lambda a:np.linalg.pinv(np.outer(a,a)+np.eye(3)))
gradient(lambda a:np.where(c,a,5.0))
gradient(lambda a:np.where(c,5.0,a))
gradient(lambda a:np.where(c,np.stack([a,a]),5.0))
gradient(lambda a:np.where(c,5.0,np.stack([a,a])))
gradient(lambda a:np.where(np.array([[0]]),a,5.0))
gradient(lambda a:np.random.uniform(a,a+1))
gradient(lambda a:np.random.gamma(np.abs(a)+1))
gradient(lambda a:np.random.power(np.abs(a)))
gradient(lambda a:npx.random.bernoulli(logit=a))
gradient(lambda a:npx.random.uniform_n(a,a+1))
np.percentile(m().astype('float16'),100)
np.linalg.norm(np.arange(8).reshape(2,2,2),2)
np.linalg.norm(np.arange(8).reshape(2,2,2),'nuc',keepdims=True)
np.linalg.norm(np.arange(8).reshape(2,2,2),-onp.inf)
m()@2.5
np.percentile(m(),[25,75])
np.floor(2)
np.ceil(True)
np.fix(onp.int8(2))
np.fabs(-2)
gradient(lambda a:np.average(a,weights=a,returned=True)[1])
np.linalg.norm(m(),3)
np.linalg.norm(m(),0)
np.linalg.norm(m(),'fro',0)
np.linalg.norm(np.array([[1,-2],[3,4],[0.5,7]]),1,(1,0))
np.linalg.norm(np.array([[1,-2],[3,4],[0.5,7]]),onp.inf,(1,0))
np.linalg.norm(np.arange(4,dtype='int32'))
np.linalg.norm(np.arange(4,dtype='float16'))
hybrid(lambda np,a:np.linalg.norm(a,2),np.arange(8).reshape(2,2,2))
np.linalg.eigvalsh(np.eye(2,dtype='int32'))
np.linalg.solve(np.eye(2,dtype='int32'),np.ones(2,dtype='int32'))
np.clip(np.array([1,5],dtype='int32'),2,None)
np.clip(np.array([1,5],dtype='uint8'),None,2)
np.clip(np.array([1,5],dtype='uint8'),-1,300)
np.array([1,5],dtype='int8').clip(2)
np.pad(np.ones(3),(1,2))
np.delete(np.array([1,5,6]),np.array([1.]))
np.arange(np.array(2),np.array(5))
np.full(3,1e10,'int32')
x=np.zeros(2); np.copy(np.ones(2),x); x
x=np.zeros(2); np.cumsum(np.ones(2),0,None,x); x
x=np.zeros(()); np.dot(np.ones(2),np.ones(2),x); x
x=np.zeros(2); np.squeeze(np.ones((2,1)),1,x); x
x=np.zeros(2); npx.relu(np.ones(2),x); x
hybrid(lambda np,a:np.where(np.zeros((2,),dtype=bool),a,a*2),m())
hybrid(lambda np,a:a+np.ones((onp.int32(2),),float),m())
hybrid(lambda np,a:a[0]+np.arange(2,dtype=int),m())
hybrid(lambda np,a:np.array_split(a,2)[1],m())
onp.linspace(np.array([1.,2.]),np.array([2.,4.]),3)
onp.logspace(np.array([1.,2.]),np.array([2.,4.]),3)
""",
    _HEAD,
)
