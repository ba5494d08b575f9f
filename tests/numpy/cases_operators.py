"""Python operators of `mx.np` arrays: promotion, numbers, errors."""

from tests.expressions import expressions

CASES = expressions(
    r"""
np.array(3,dtype='int64')
np.array(3.5,dtype='float64')
np.array([True]*30,dtype='bool')
np.array([1e10,1])
np.array([np.nan,np.inf])
str(np.array(3.5,dtype='float64'))
str(np.arange(3))
str(np.zeros((0,3)))
np.array([1,2]) + None
np.array([1,2]) + 'a'
np.array([1,2]) + [1,2]
np.array([1,2]) == [1,2]
[1,2] + np.array([1,2])
np.array([1,2]) < 'a'
np.array([1,2]) != None
None == np.array([1,2])
np.array([5,-5],dtype='int32') / 0
np.array([5,-5],dtype='int32') % 0
np.array([5,-5],dtype='int64') / np.array([2,2],dtype='float16')
np.array([5,-5],dtype='float16') / 2
np.array([5,-5],dtype='float16') * 1e-8
np.array([5,-5],dtype='int32') * np.array([1.5,2],dtype='float16')
np.array([5,-5],dtype='int64') * np.array([1.5,2],dtype='float16')
np.array([5,-5],dtype='int64') * np.array([1,2],dtype='int8')
np.array([5,-5],dtype='int64') - np.array([True,False],dtype='bool')
np.array([True,False],dtype='bool') + np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') * np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') - np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') + 1
np.array([True,False],dtype='bool') + 1.5
np.array([True,False],dtype='bool') * 1.5
np.array([True,False],dtype='bool') / 2
np.array([True,False],dtype='bool') / np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') % 2
np.array([True,False],dtype='bool') ** 2
np.array([True,False],dtype='bool') > 0
np.array([True,False],dtype='bool') == True
np.array([True,False],dtype='bool') == np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') & np.array([True,True],dtype='bool')
np.array([True,False],dtype='bool') | True
~np.array([True,False],dtype='bool')
-np.array([True,False],dtype='bool')
1 - np.array([True,False],dtype='bool')
2 / np.array([2,4],dtype='int32')
2.5 - np.array([2,4],dtype='int32')
2.5 / np.array([2,4],dtype='int32')
np.array([5,-5],dtype='int32') > 4.5
np.array([5,-5],dtype='int32') > np.array([4.5,-6])
np.array([5,-5],dtype='int32') == np.array([5,5],dtype='int64')
np.array([5,-5],dtype='int32') == 5.5
np.array([5,-5],dtype='int32') ** -1
np.array([5,-5],dtype='int32') ** np.array([2,3],dtype='int32')
np.array([5,-5],dtype='int32') ** np.array([2,3],dtype='int64')
np.array([5,-5],dtype='int32') % np.array([2,3],dtype='int64')
np.array([5,-5],dtype='int32') % np.array([2,3.])
np.array([5,-5],dtype='uint8') + np.array([2,3],dtype='int32')
np.array([5,-5],dtype='uint8') + np.array([2,3],dtype='uint8')
np.array([5,-5],dtype='uint8') * 2
np.array([5,-5],dtype='uint8') / 2
"""
)
