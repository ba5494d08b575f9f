"""NumPy's numbers and arrays without axes as arguments, numbers as arrays, and what they divide."""

from tests.expressions import expressions

CASES = expressions(
    r"""
# a number in the place of an array
np.absolute(3.7,out=np.zeros(2))
np.logical_not(onp.int64(3),out=np.zeros(1))
np.around(3.7,out=np.zeros(3))
np.radians(onp.float32(2.5),out=np.zeros(1))
np.arctan([1,2],out=np.zeros(2))
np.clip(3,0,1)
np.clip(3.7,None,onp.float32(1.5))
np.clip([1,2],0,1)
np.broadcast_to(True,(2,))
np.broadcast_to(onp.int64(3),(2,3))
np.ravel(np.ones((2,2)),order='K')
np.ravel(np.ones((2,2)),order=None)
np.ravel(np.ones((2,2)),order='F')
# NumPy's numbers where a Python number stands
np.split(np.arange(4),onp.int64(2))
np.array_split(np.arange(5),onp.int64(2))
np.hsplit(np.arange(5),onp.int64(2))
np.resize(np.arange(3),onp.int64(4))
np.random.uniform(size=onp.int64(3))
np.random.normal(np.array(2.),size=onp.int64(3))
np.random.rayleigh(2.,size=onp.int64(3))
np.random.randint(5,size=onp.int64(3))
npx.random.normal_n(0.,np.array([1.,2.]),batch_shape=onp.int64(2))
# arrays without axes where a number stands
np.clip(np.arange(3),np.array(0),np.array(1))
np.clip(np.arange(3),np.array([0.]),1)
np.full_like(np.ones(2),np.array(3.))
npx.leaky_relu(np.array([-1.,2]),slope=np.array(.5))
np.sum(np.ones((2,3)),axis=onp.array(0))
np.sum(np.ones((2,3)),axis=np.array(0))
np.tile(np.ones(2),np.array(2,dtype='int32'))
np.repeat(np.ones(2),np.array(2,dtype='int32'))
nd.clip(nd.arange(3),onp.array([0.]),1)
# pieces
np.hsplit(np.arange(5),2)
np.hsplit(np.ones((2,5)),3)
np.vsplit(np.ones((5,2)),3)
np.dsplit(np.ones((2,3,5)),3)
np.split(np.ones((2,0)),[1,2],axis=1)
# numbers beside arrays of whole ones as parameters; such arrays alone
np.random.normal(np.array([0,1],dtype='int64'),1.7,size=(2,2))
np.random.uniform(0.5,np.array([3,2],dtype='uint8'),size=(2,2))
np.random.gumbel(0.5,np.array([3,2],dtype='int32'),size=(2,2))
np.random.logistic(0.5,np.array([3,2],dtype='int32'),size=(2,2))
npx.random.uniform_n(np.array([0,1],dtype='int32'),2.5)
np.random.weibull(np.array([3,1],dtype='int32'),size=(2,2))
np.random.power(np.array([3,1],dtype='int64'),size=(2,2))
np.random.gamma(np.array([3,2],dtype='int32'),2.,size=(2,2))
np.random.uniform([0.],1.)
np.random.pareto(0.0)
np.random.weibull(0)
np.random.power(np.array([0.5,0.]))
# counting
np.bincount(np.array(2,dtype='int32'))
np.bincount(np.array(2,dtype='int64'),minlength=5)
np.histogram(np.array([1,2,3,-2,2,1],dtype='int64'),10,(-2,2))
np.histogram(np.array([1,2,3,-2,2,1.5,0.7]),7,(-2,2))
np.delete(np.arange(5),np.array([-1],dtype='int64'))
np.delete(np.arange(5),np.array([7,1],dtype='int64'))
np.delete(np.arange(5),5)
# sequences of numbers
np.linspace(0,2,50,dtype='int64')
np.linspace(0,2,50,dtype='float64')[-1]
np.hanning(7,dtype='float64')
np.hamming(8,dtype='float64')
np.blackman(5,dtype='float64')
np.blackman(2)
np.hanning(5,dtype='int32')
# two numbers, of Python and NumPy
np.multiply(3.7,onp.float32(2.5))
np.add(3,onp.int8(2))
np.add(True,onp.float32(2))
np.power(onp.int32(3),2)
np.maximum(1.5,onp.float16(2))
np.subtract(2,3)
np.linspace(onp.float32(1.5),2.5,5,retstep=True)[1]
np.linspace(1,2,5,retstep=True)[1]
# two types in a system of equations
np.linalg.solve(np.array([[2.,1],[1,3]]),np.array([1,2],dtype='float64'))
np.linalg.solve(np.array([[2,1],[1,3]],dtype='int32'),np.array([1.,2]))
np.linalg.solve(np.array([[2,1],[1,3]],dtype='int64'),np.array([1,2],dtype='int32'))
np.linalg.tensorsolve(np.array([[2.,1],[1,3]]),np.array([1,2],dtype='int32'))
# of two signs that a singular vector or an eigenvector may have
np.linalg.svd(np.array([[1.,2],[3,4]]))
np.linalg.svd(np.array([[[1.,-2,.5],[3,4,-7]],[[0.5,2,3],[-1,-4,.25]]]))
np.linalg.eigh(np.array([[1.,2],[2,4]]))
np.linalg.eigh(np.array([[[1.,2,0],[2,-4,1],[0,1,3]],[[2,1,.5],[1,2,.25],[.5,.25,-1]]]),'U')
"""
)
