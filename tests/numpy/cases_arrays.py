"""Arrays of `mx.np`: indices, writes, Python numbers, printing."""

from tests.expressions import expressions

CASES = expressions(
    r"""
np.zeros((0,3))
np.zeros(())
np.full((2,),np.array(3))
mx.nd.zeros((0,3))
mx.nd.zeros(())
np.array([1,2])[0]
np.array([[1,2],[3,4]])[0]
np.array([[1,2],[3,4]])[0,1]
np.array([[1,2],[3,4]])[0,1].item()
np.array([[1,2],[3,4]])[:,1]
np.array([[1,2],[3,4]])[None]
np.array([[1,2],[3,4]])[np.newaxis,:,0]
np.array([[1,2],[3,4]])[...]
np.array([[1,2],[3,4]])[()]
np.array(3)[()]
np.array(3)[...]
np.array(3)[0]
np.array(3)[None]
np.array([[1,2],[3,4]])[np.array([0,1])]
np.array([[1,2],[3,4]])[np.array([0,1],dtype='int32'),np.array([0,1],dtype='int64')]
np.array([[1,2],[3,4]])[[0,1],[1,1]]
np.array([[1,2],[3,4]])[[0,1]]
np.array([[1,2],[3,4]])[[True,False]]
np.array([[1,2],[3,4]])[np.array([True,False],dtype='bool')]
np.array([[1,2],[3,4]])[onp.array([True,False])]
np.array([[1,2],[3,4]])[np.array([[1,2],[3,4]])>2]
np.array([[1,2],[3,4]])[np.array([[1,2],[3,4]])>9]
np.array([[1,2],[3,4]])[True]
np.array([[1,2],[3,4]])[np.array([[1,2],[3,4]])>2,None]
np.array([[1,2],[3,4]])[np.array([True,False],dtype='bool'),0]
np.array([[1,2],[3,4]])[0,np.array([True,False],dtype='bool')]
np.array([[1,2],[3,4]])[:,2:1]
np.array([[1,2],[3,4]])[::-1]
np.array([[1,2],[3,4]])[:,::-1]
np.array([[1,2],[3,4]])[5]
np.array([[1,2],[3,4]])[-3]
np.array([[1,2],[3,4]])[0,0,0]
np.array([[1,2],[3,4]])[1.0]
np.array([[1,2],[3,4]])['a']
np.array([[1,2],[3,4]])[[5]]
np.arange(24).reshape(2,3,4)[0,:,[0,1]]
np.arange(24).reshape(2,3,4)[:,[0,1],None,[0,1]].shape
np.arange(24).reshape(2,3,4)[:,[0,1],[0,1]].shape
np.arange(24).reshape(2,3,4)[[0,1],:,[0,1]].shape
np.arange(24).reshape(2,3,4)[[0,1],None,[0,1]].shape
np.arange(24).reshape(2,3,4)[None,[0,1],[0,1]].shape
np.arange(24).reshape(2,3,4)[[0,1],[0,1],None].shape
np.arange(24).reshape(2,3,4)[...,[0,1],None].shape
x = np.arange(6).reshape(2,3); y=x[0]; y[:]=9; x
x = np.arange(6).reshape(2,3); y=x[:,0]; y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.reshape(3,2); y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.T; y[:]=9; x
x = np.arange(6).reshape(2,3); y=x[0,1]; y[()]=9; x
x = np.arange(6).reshape(2,3); y=x[None]; y[:]=9; x
x = np.arange(6).reshape(2,3); y=x[0:1]; y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.flatten(); y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.ravel(); y[:]=9; x
x = np.arange(6).reshape(2,3); y=np.ravel(x); y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.squeeze(); y[:]=9; x
x = np.arange(6).reshape(2,3); y=np.expand_dims(x,0); y[:]=9; x
x = np.arange(6).reshape(2,3); y=np.reshape(x,(3,2)); y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.transpose(); y[:]=9; x
x = np.arange(6).reshape(2,3); y=x.swapaxes(0,1); y[:]=9; x
x = np.arange(6).reshape(2,3); y=np.split(x,2); y[0][:]=9; x
x = np.arange(6).reshape(2,3); y=x[...]; y[:]=9; (x, y is x)
x = np.arange(6).reshape(2,3); y=x[:]; y[:]=9; (x, y is x)
x = np.arange(6).reshape(2,3); y=x[()]; y[:]=9; (x, y is x)
x = np.arange(6).reshape(2,3); x[x>2]=0; x
x = np.arange(6).reshape(2,3); x[x>2]=np.array([7,8,9]); x
x = np.arange(6).reshape(2,3); x[x>2]=np.array([7,8]); x
x = np.arange(6).reshape(2,3); x[np.array([True,False],dtype='bool')]=5; x
x = np.arange(6).reshape(2,3); x[np.array([True,False],dtype='bool'),1]=5; x
x = np.arange(6).reshape(2,3); x[0,[1,2]]=np.array([7,8]); x
x = np.arange(6).reshape(2,3); x[0]=[7,8,9]; x
x = np.arange(6).reshape(2,3); x[0]=onp.array([7,8,9]); x
x = np.arange(6).reshape(2,3); x[0]=nd.array([7,8,9]); x
x = np.arange(6).reshape(2,3); x[:,::-1]=[7,8,9]; x
x = np.arange(6).reshape(2,3); x[5]=1; x
x = np.arange(6).reshape(2,3); x[0,1]=1.5; x
x = np.arange(6).reshape(2,3); x[...]=1.5; x
x = np.array(3); x[()]=5; x
x = np.array(3); x[...]=5; x
x = np.array(3); x[:]=5; x
x = np.arange(6,dtype='int32'); x[0]=1.7; x
x = np.arange(6,dtype='int32'); x[:2]=np.array([1.7,2.7]); x
x = np.arange(6); x+=1; x
x = np.arange(6); x+=np.array([1,2]); x
x = np.arange(6,dtype='int32'); x/=2; x
x = np.arange(6,dtype='int32'); x+=1.5; x
x = np.arange(6,dtype='int32'); x+=np.arange(6); x
x = np.arange(6); x**=2; x
x = np.arange(6); x-=x; x
x = np.arange(6); x%=2; x
np.array([1,2]) + nd.array([1,3])
nd.array([1,3]) + np.array([1,2])
np.array(3).item()
np.array([[1,2],[3,4]]).item(2)
np.array([[1,2],[3,4]]).item(1,0)
np.array([[1,2],[3,4]]).item((1,0))
np.array([[1,2],[3,4]]).item()
np.array([[1,2],[3,4]]).tolist()
np.array(3).tolist()
float(np.array(3))
int(np.array([3.7]))
float(np.array([3.7,2]))
bool(np.array([3.7]))
bool(np.array([3.7,1]))
bool(np.zeros((0,)))
bool(np.array([]))
len(np.array(3))
len(np.zeros((0,2)))
round(np.array([1.2345]),2)
np.array([1,2]).as_nd_ndarray()
nd.array([1,2]).as_np_ndarray()
np.array([1,2]).as_np_ndarray()
x = np.array([1,2]); y=x.as_nd_ndarray(); y[:]=7; x
np.array([1,2]).T
np.array([1,2]).asscalar()
np.array([1]).asscalar()
np.array([1,2]).dtype == np.float32
np.array([1,2]).dtype == 'float32'
np.array([1,2]).stype
np.array([1,2]).grad
np.array([1,2]).size
np.array(1).ndim
f"{np.array(1.5)}"
f"{np.array(1.5):.2f}"
'%.2f' % np.array(1.5)
'%d' % np.array(3)
3 in np.array([1,3])
[x for x in np.array([1,3])]
list(np.array([[1,2],[3,4]]))
sum(np.array([1,3]))
max(np.array([1,3]))
sorted(np.array([3,1]))
"""
)
