"""Expressions as users of NumPy write them, each evaluated with both modules: results have the same type, shape
and elements, or both raise. What stands before ";;" is executed first. Differences that are meant are in
docs/coming_from/numpy.md."""

import numpy
import pytest

import tutti
from compare import same_results

# ruff: noqa: E501

NUMBERS_AND_KEYS = r"""
np.arange(5)[...]
np.arange(5)[()]
np.arange(5)[None]
np.arange(5)[::-1]
np.arange(5)[-2:-5:-1]
np.arange(5)[10:]
np.arange(5)[3:1]
np.arange(5)[-100:100:2]
np.arange(5)[np.int64(2)]
np.arange(5)[np.uint8(2)]
np.arange(5)[np.array(2)]
np.arange(5)[[True,False,True,False,True]]
np.arange(5)[[]]
np.arange(5)[np.array([],dtype=int)]
np.arange(5)[np.zeros(5,dtype=bool)]
np.arange(24).reshape(2,3,4)[:,None,...,1]
np.arange(24).reshape(2,3,4)[...,None]
np.arange(24).reshape(2,3,4)[1,...,::-2]
np.arange(24).reshape(2,3,4)[[0,1],:,[1,2]]
np.arange(24).reshape(2,3,4)[[0,1],1,[1,2]]
np.arange(24).reshape(2,3,4)[0,:,[1,2]]
np.arange(24).reshape(2,3,4)[:,[0,2],None]
np.arange(24).reshape(2,3,4)[[[0],[1]],[0,2]]
np.arange(24).reshape(2,3,4)[np.array([[True,False,True],[False,True,False]])]
np.arange(24).reshape(2,3,4)[np.array([True,False])]
np.arange(24).reshape(2,3,4)[:,np.array([True,False,True]),1]
np.arange(24).reshape(2,3,4)[1,np.array([True,False,True])]
np.arange(24).reshape(2,3,4)[np.array([True,False]),:,[0]]
np.arange(24).reshape(2,3,4)[0,0,0,0]
np.arange(24).reshape(2,3,4)[2]
np.arange(24).reshape(2,3,4)[-3]
np.arange(24).reshape(2,3,4)[1.0]
np.arange(24).reshape(2,3,4)[[0.5]]
np.arange(24).reshape(2,3,4)['x']
np.arange(24).reshape(2,3,4)[...,...]
np.arange(5)[True]
np.arange(5)[False]
np.arange(6).reshape(2,3)[(slice(None),1)]
np.arange(6).reshape(2,3)[[0,-1]]
np.arange(6).reshape(2,3)[[2]]
np.arange(5)[slice(None,None,0)]
np.arange(5)[1:3.5]
np.zeros((0,3))[:, 1]
np.zeros((0,3))[[]]
np.zeros((3,0)).sum()
np.zeros((3,0)).sum(axis=1)
np.zeros((3,0)).sum(axis=0)
np.zeros((0,)).mean()
np.zeros((0,)).max()
np.zeros((0,)).prod()
np.zeros((2,0)).max(axis=0)
np.zeros((2,0)).max(axis=1)
np.zeros((2,0)).argmax(axis=1)
np.zeros(0).argmax()
np.argmin(np.zeros((3,0)))
np.zeros((0,3)) + np.ones(3)
np.zeros((0,3)) @ np.ones((3,2))
np.zeros((2,0)) @ np.zeros((0,3))
np.concatenate([np.zeros(0),np.ones(2)])
np.sort(np.zeros(0))
np.unique(np.zeros(0))
np.cumsum(np.zeros(0))
np.zeros((0,2)).T.shape
np.zeros((0,2)).reshape(2,-1)
np.zeros((0,2)).reshape(2,0,5)
np.arange(6).reshape(-1,4)
np.arange(6).reshape(-1,-1)
np.array(5)+1
np.array(5)[()]
np.array(5)[...]
np.array(5)[0]
np.array(5)[None]
np.array(5).shape
len(np.array(5))
[x for x in np.array(5)]
np.array(5).tolist()
np.array(5).item()
int(np.array(5.7))
complex(np.array(5.7))
bool(np.array([]))
bool(np.array([1,2]))
bool(np.array([0]))
bool(np.array(0.0))
3 in np.arange(5)
7 in np.arange(5)
np.arange(5) == [0,1,2,3,4]
np.arange(5) == (0,1)
np.arange(5) < None
np.arange(5) == np.arange(4)
np.arange(5) + None
np.arange(5) + 'a'
np.arange(5) + [1]
np.arange(5) + (1,2,3,4,5)
[1]*5 + np.arange(5)
(1,2,3,4,5) - np.arange(5)
range(5) + np.arange(5)
np.arange(5) + range(5)
np.asarray(range(5))
np.array(range(5))
np.array([range(3), range(3)])
np.array([np.arange(3), np.arange(3)])
np.array([np.arange(3), [1,2,3]])
np.array([[1,2],[3,4]], dtype=float)
np.array([1,2,3], dtype='f4')
np.array([1,2,3], dtype=np.float32)
np.array([1,2,3], dtype=complex)
np.array([1.5,2.5], dtype=int)
np.array([1,2.5,True])
np.array([True, 2])
np.array([1, 2j])
np.array([])
np.array([[]])
np.array([[],[]])
np.array(3, ndmin=2)
np.array([1,2], ndmin=3)
np.array((1,(2,3)))
np.array(2**63)
np.array([2**63])
np.array([2**63-1, 2**64-1])
np.array([-1, 2**63])
np.array([2**70], dtype=float)
np.array([-2**63])
np.array(2**63-1)+1
np.uint64(2**64-1)
np.array([2**64-1], dtype=np.uint64)+1
np.array([2**64-1], dtype=np.uint64)*1.0
np.array([2**62])*4
np.array([300], dtype=np.uint8)
np.array([-1], dtype=np.uint8)
np.asarray([1,2,3], dtype=np.int8) + 200
np.asarray([1,2,3], dtype=np.int8) * 1.5
np.asarray([1,2,3], dtype=np.float32) * 1.5
np.asarray([1,2,3], dtype=np.float32) + 1j
np.asarray([1,2,3], dtype=np.float16) + 1
np.asarray([1,2,3], dtype=np.float32) * numpy.float64(1.5)
np.asarray([1,2,3], dtype=np.float32) + numpy.int64(1)
numpy.float64(2) * np.asarray([1,2,3], dtype=np.float32)
numpy.float32(2) * np.asarray([1,2,3])
np.asarray([1,2,3], dtype=np.uint8) - 5
np.asarray([1,2,3], dtype=np.uint8) - np.asarray([5], dtype=np.uint8)
-np.asarray([1,2,3], dtype=np.uint8)
np.asarray([True,False]) + 1
np.asarray([True,False]) - np.asarray([True,True])
-np.asarray([True,False])
~np.asarray([True,False])
np.asarray([True,False]) * np.asarray([True,True])
np.asarray([True,False]) / 2
np.asarray([True,False]) & 1
np.asarray([True,False]) | False
np.asarray([True,False]) << 1
np.arange(3) << 2
np.arange(3.) << 2
np.arange(3.) & 1
np.arange(3) & 1.0
~np.arange(3.)
np.arange(5) // 2
np.arange(-5,5) // 3
np.arange(-5,5) % 3
np.arange(-5,5) // -3
np.arange(-5,5) % -3
np.arange(-5.,5.) // 3
np.arange(-5.,5.) % -3
np.fmod(np.arange(-5,5), 3)
np.divmod(np.arange(-5,5), 3)
divmod(np.arange(-5,5), 3)
divmod(10, np.arange(1,4))
np.arange(5.)/0
0/np.arange(5.)
np.arange(5.) % 0
np.arange(5.) // 0
np.array([0.0])/0
2 ** np.arange(5)
2.0 ** np.arange(5)
np.arange(5) ** 2
np.arange(5) ** 2.0
np.arange(5) ** 0.5
np.arange(1.,5) ** -1
np.array([-8.0]) ** (1/3)
np.array([2,3]) ** np.array([3,2])
np.array([2,3],dtype=np.int8) ** np.array([3,2],dtype=np.int16)
np.power(2, [1,2,3])
pow(np.arange(3), 2)
abs(np.arange(-2,3))
np.round(np.array([2.567,1.5,2.5]))
np.round(np.array([1234.567]), -2)
np.around(np.array([0.5,1.5]))
import math;; math.floor(np.array(2.5))
import math;; math.sqrt(np.array(2.0))
import math;; math.ceil(np.array(2.5))
import math;; math.trunc(np.array(2.5))
'%d' % np.array(3)
'%.2f' % np.array(3.14159)
'{:.3f}'.format(np.array(3.14159))
f"{np.array(3):5d}"
str(np.arange(3))
str(np.array(1.5))
str(np.eye(2))
str(np.arange(2000))
str(np.zeros((0,3)))
str(np.array([True,False]))
str(np.array([1+2j]))
str(np.array([1e10,1e-10]))
np.arange(5).tolist()
np.arange(4).reshape(2,2).tolist()
np.array([True]).tolist()
list(np.arange(3))
[int(x) for x in np.arange(3)]
sum(np.arange(5))
max(np.arange(5))
min(np.arange(5).tolist())
sorted(np.array([3,1,2]))
list(reversed(np.arange(3)))
tuple(np.array([1,2]))
a,b=np.array([1,2]);; a+b
list(zip(np.arange(2),np.arange(2)))
dict(enumerate(np.arange(2)))[1]
[10,20,30][np.array(1)]
range(np.array(3))
list(range(int(np.array(3))))
{np.arange(3)}
np.arange(3).__len__()
np.arange(3).ndim
np.arange(3).size
np.arange(3).nbytes
np.arange(3).itemsize
np.arange(3).dtype.name
np.arange(3).dtype == 'int64'
np.arange(3).dtype == int
np.arange(3).dtype == np.int64
np.arange(3).dtype == numpy.int64
np.arange(3).dtype == numpy.dtype('int64')
numpy.dtype('int64') == np.arange(3).dtype
np.arange(3).dtype != np.float64
np.arange(3.).dtype.kind
np.dtype('float32').itemsize
np.dtype(np.float32).name
np.dtype(float) == np.float64
np.arange(3).T
np.arange(6).reshape(2,3).T.shape
np.arange(24).reshape(2,3,4).T.shape
np.arange(24).reshape(2,3,4).transpose(2,0,1).shape
np.arange(24).reshape(2,3,4).transpose((2,0,1)).shape
np.arange(24).reshape(2,3,4).transpose(0,0,1)
np.arange(24).reshape(2,3,4).swapaxes(0,-1).shape
np.arange(6).reshape(2,3).ravel()
np.arange(3).copy()
np.arange(3).fill(3)
np.arange(3).astype(float)
np.arange(3).astype('complex')
np.array([1.9,-1.9]).astype(int)
np.array([0,2]).astype(bool)
np.array([-1]).astype(np.uint8)
np.arange(3).sum(dtype=np.float32)
np.arange(3).sum(axis=0, keepdims=True)
np.arange(6).reshape(2,3).sum(axis=(0,1))
np.arange(6).reshape(2,3).sum(axis=-1)
np.arange(6).reshape(2,3).sum(axis=2)
np.arange(6).reshape(2,3).sum(axis=(0,0))
np.arange(6).reshape(2,3).sum(1)
np.arange(6).reshape(2,3).mean(0)
np.arange(6).reshape(2,3).std(ddof=1)
np.arange(6).reshape(2,3).std(axis=1,ddof=1)
np.arange(6).reshape(2,3).var(axis=0,keepdims=True)
np.arange(6).reshape(2,3).argmax(axis=1)
np.arange(6).reshape(2,3).argmax(axis=1,keepdims=True)
np.arange(6).reshape(2,3).cumsum()
np.arange(6).reshape(2,3).cumsum(axis=1)
np.arange(6).reshape(2,3).cumprod(1)
np.arange(6).reshape(2,3).prod()
np.arange(6).reshape(2,3).all()
np.arange(6).reshape(2,3).any(axis=0)
np.arange(6).reshape(2,3).ptp()
np.ptp(np.arange(6).reshape(2,3),axis=0)
np.arange(6).reshape(2,3).trace()
np.arange(6).reshape(2,3).diagonal()
np.arange(6).repeat(2)
np.arange(6).reshape(2,3).repeat([1,2],axis=0)
np.arange(6).searchsorted([1,3])
np.arange(6).take([1,3])
np.compress([True,False,True], np.arange(3))
np.choose([0,1,0],[[1,2,3],[4,5,6]])
np.arange(6).nonzero()
np.arange(6).argsort()
np.array([3,1,2]).argsort()[::-1]
np.partition(np.array([3,1,2]),1)
np.argpartition(np.array([3,1,2]),1)[1]
np.arange(6).clip(1,3)
np.arange(6).clip(max=3)
np.clip(np.arange(6),None,3)
np.clip(np.arange(6.),1,np.inf)
np.clip(np.arange(6),1.5,3)
np.arange(6).dot(np.arange(6))
np.arange(6).reshape(2,3).dot([1,2,3])
np.arange(6).conj()
np.arange(6).real
np.arange(6).imag
np.array([1+2j,3]).imag
np.array([1+2j,3]).real
np.arange(6).tobytes()
np.arange(6,dtype=np.uint8).tobytes()
np.arange(6).squeeze()
np.arange(6).reshape(1,6,1).squeeze()
np.arange(6).reshape(1,6,1).squeeze(0).shape
np.arange(6).reshape(1,6,1).squeeze(1)
np.resize(np.arange(6),(2,2))
np.resize(np.arange(3),(3,3))
np.arange(6).item(2)
np.arange(6).reshape(2,3).item(1,2)
np.arange(6).reshape(2,3).item((1,2))
np.arange(6).item(7)
np.arange(6).flat[3]
"""

FUNCTIONS = r"""
np.sin(np.arange(3))
np.sin([1,2,3])
np.sin(1.0)
np.sqrt(-1.0)
np.sqrt(np.array([-1,4]))
np.log(np.array([0,1]))
np.exp(1000.0)
np.exp(np.float32(1))
np.arctan2(1,[1,2])
np.hypot(3,4)
np.maximum([1,2],[2,1])
np.maximum(np.nan,1)
np.fmax(np.nan,1)
np.fmin([np.nan,1],[2,np.nan])
np.minimum(np.arange(3),1)
np.isnan([1,np.nan])
np.isinf([1,np.inf])
np.isclose([1,2],[1,2.1])
np.allclose([1,2],[1,2])
np.array_equal([1,2],[1,2])
np.array_equal([1,2],[1,2,3])
np.array_equiv([1,2],[[1,2],[1,2]])
np.nan_to_num(np.array([np.nan,np.inf,1]))
np.where([True,False],1,2)
np.where([1,0],1,2)
np.where(np.arange(3)>1)
np.where(np.arange(3)>1, np.arange(3), -1.0)
np.where(np.arange(3)>1, np.float32(1), 0)
np.select([np.arange(3)<1,np.arange(3)<2],[10,20],30)
np.piecewise(np.arange(3.),[np.arange(3)<1],[lambda x:-x, lambda x:x*2])
np.arange(0)
np.arange(3,0)
np.arange(3,0,-1)
np.arange(0,1,0.1)
np.arange(1,2,0.25)
np.arange(5,dtype=np.float32)
np.arange(0,10,3)
np.arange(2.5)
np.linspace(0,1,1)
np.linspace(0,1,0)
np.linspace(0,1,5,endpoint=False)
np.linspace([0,1],[1,2],3)
np.linspace(0,10,11,dtype=int)
np.logspace(0,2,3)
np.geomspace(1,100,3)
np.zeros(3)
np.zeros((2,))
np.zeros([2,2])
np.zeros(np.int64(3))
np.zeros(())
np.zeros((2,2),int)
np.zeros(2.5)
np.zeros((2,-1))
np.ones((2,2),dtype='i4')
np.full(3,7)
np.full((2,2),1.5)
np.full(3,[1,2,3])
np.full(2,True)
np.full_like(np.arange(3),2.7)
np.zeros_like([1,2])
np.zeros_like(np.arange(3),dtype=float)
np.ones_like(np.arange(3.),shape=(2,2))
np.empty((2,0))
np.eye(3)
np.eye(2,3,1)
np.eye(3,k=-1,dtype=int)
np.identity(2)
np.diag([1,2])
np.diag([1,2],k=1)
np.diag(np.arange(9).reshape(3,3))
np.diagflat([[1,2],[3,4]])
np.tri(3)
np.tril(np.ones((3,3)))
np.triu(np.ones((3,3)),1)
np.vander([1,2,3],3)
np.meshgrid([1,2],[3,4,5])
np.meshgrid([1,2],[3,4,5],indexing='ij')
np.meshgrid([1,2],[3,4,5],sparse=True)
np.mgrid[0:2,0:3]
np.ogrid[0:2,0:3]
np.mgrid[0:1:3j]
np.r_[1:4,0,4]
np.c_[[1,2],[3,4]]
np.s_[1:2]
np.indices((2,2))
np.fromfunction(lambda i,j:i+j,(2,3))
np.fromiter((x*x for x in range(4)),float)
np.frombuffer(b'\x01\x02',dtype=np.uint8)
np.fromstring('1 2',sep=' ')
np.loadtxt(['1 2','3 4'])
np.concatenate([[1,2],[3.0]])
np.concatenate([np.ones((2,2)),np.zeros((2,2))],axis=1)
np.concatenate([np.ones((2,2)),np.zeros((2,2))],axis=None)
np.concatenate([np.ones((2,2)),np.zeros((3,3))])
np.concatenate([])
np.stack([[1,2],[3,4]],axis=-1)
np.vstack([[1,2],[3,4]])
np.hstack([[1,2],[3,4]])
np.dstack([[1,2],[3,4]])
np.column_stack([[1,2],[3,4]])
np.block([[np.eye(2),np.zeros((2,2))],[np.ones((2,2)),np.eye(2)]])
np.append([1,2],3)
np.append([[1,2]],[[3,4]],axis=0)
np.insert(np.arange(3),1,9)
np.delete(np.arange(4),1)
np.delete(np.arange(4),[0,2])
np.delete(np.arange(6).reshape(2,3),0,axis=1)
np.split(np.arange(6),2)
np.split(np.arange(5),2)
np.hsplit(np.arange(6).reshape(2,3),3)
np.tile([1,2],3)
np.tile([1,2],(2,2))
np.repeat([1,2],[2,3])
np.repeat(3,4)
np.roll(np.arange(5),2)
np.roll(np.arange(6).reshape(2,3),1)
np.roll(np.arange(6).reshape(2,3),(1,1),axis=(0,1))
np.flip(np.arange(6).reshape(2,3))
np.flipud(np.arange(6).reshape(2,3))
np.rot90(np.arange(6).reshape(2,3))
np.rot90(np.arange(6).reshape(2,3),-1)
np.pad([1,2],1)
np.pad([1,2],(1,2),mode='edge')
np.pad([1,2,3],2,mode='reflect')
np.pad([1,2,3],2,mode='symmetric')
np.pad([1,2,3],2,mode='wrap')
np.pad([1,2],1,constant_values=5)
np.pad([[1,2]],((0,1),(1,0)))
np.pad([1,2,3],2,mode='linear_ramp')
np.pad([1,2,3],2,mode='mean')
np.expand_dims([1,2],0)
np.expand_dims([1,2],(0,2))
np.squeeze([[1]])
np.atleast_1d(3)
np.atleast_2d([1,2])
np.atleast_3d([1,2])
np.ravel([[1,2],[3,4]])
np.moveaxis(np.zeros((2,3,4)),0,-1).shape
np.rollaxis(np.zeros((2,3,4)),2).shape
np.broadcast_to([1,2],(3,2))
np.broadcast_arrays([1,2],[[1],[2]])
np.broadcast_shapes((2,1),(1,3))
np.sum([1,2,3])
np.sum([[1,2],[3,4]],axis=0)
np.sum(np.array([1,2],dtype=np.int8))
np.sum(np.array([1,2],dtype=np.uint8))
np.sum(np.array([True,True]))
np.sum(np.array([1,2],dtype=np.float32))
np.sum(np.array([1,2],dtype=np.float16))
np.sum([1,2],initial=10)
np.sum([1,2],where=[True,False])
np.prod(np.array([1,2],dtype=np.int8))
np.mean(np.array([1,2],dtype=np.int8))
np.mean(np.array([1,2],dtype=np.float32))
np.mean([True,False])
np.mean([])
np.std([1,2,3,4])
np.var([1+1j,2])
np.median([1,3,2])
np.median([[1,2],[3,4]],axis=0)
np.median([])
np.percentile([1,2,3,4],[25,50])
np.percentile([1,2,3,4],50,method='lower')
np.quantile([1,2,3],0.3)
np.average([1,2,3],weights=[3,2,1])
np.nanmean([1,np.nan])
np.nansum([1,np.nan])
np.nanstd([1,np.nan,3])
np.nanmax([1,np.nan])
np.nanargmax([1,np.nan,3])
np.nanmedian([1,np.nan,3])
np.nanpercentile([1,np.nan,3],50)
np.nancumsum([1,np.nan,3])
np.max([1,np.nan])
np.max([1,2],initial=5)
np.argmax([1,3,3])
np.argmin([[3,1],[0,2]])
np.cumsum([1,2,3])
np.cumsum([[1,2],[3,4]],axis=0)
np.cumsum([True,True])
np.cumprod([1.5,2])
np.diff([1,3,6])
np.diff([1,3,6],n=2)
np.diff([1,3,6],prepend=0)
np.ediff1d([1,3,6])
np.gradient([1.,4,9])
np.trapezoid([1,2,3])
np.cross([1,0,0],[0,1,0])
np.dot([1,2],[3,4])
np.dot(2,[1,2])
np.dot([[1,2],[3,4]],[[1,0],[0,1]])
np.vdot([1j,2],[1j,2])
np.inner([[1,2]],[[3,4]])
np.outer([1,2],[3,4])
np.kron([1,2],[1,1])
np.matmul([[1,2]],[[1],[2]])
np.matmul(np.ones((2,2,3)),np.ones((3,4))).shape
np.matmul(1,2)
np.tensordot(np.ones((2,3)),np.ones((3,2)))
np.tensordot(np.ones((2,3)),np.ones((3,2)),axes=1)
np.einsum('ij,jk',np.ones((2,3)),np.ones((3,2)))
np.einsum('ii',np.eye(3))
np.einsum('ij->ji',np.arange(6).reshape(2,3))
np.einsum('i,i->',[1,2],[3,4])
np.einsum('...j->...',np.ones((2,3)))
np.linalg.norm([3,4])
np.linalg.norm([[1,2],[3,4]],'fro')
np.linalg.norm([[1,2],[3,4]],2)
np.linalg.norm([[1.,2],[3,4]],axis=0)
np.linalg.norm([3,4],np.inf)
np.linalg.norm([3,4],1)
np.linalg.inv([[1,2],[3,4]])
np.linalg.solve([[1,2],[3,4]],[1,2])
np.linalg.solve(np.ones((2,3)),[1,2])
np.linalg.det([[1,2],[3,4]])
np.linalg.eigvalsh([[2,1],[1,2]])
np.linalg.eigvals([[2,1],[1,2]])
np.linalg.matrix_rank([[1,2],[2,4]])
np.linalg.matrix_power([[1,1],[1,0]],5)
np.linalg.cholesky([[2,1],[1,2]])
np.linalg.pinv([[1,2],[3,4],[5,6]])
np.linalg.svd([[1,2],[3,4]],compute_uv=False)
np.linalg.qr([[1.,2],[3,4]])[1].shape
np.linalg.lstsq([[1.,1],[1,2],[1,3]],[1,2,3],rcond=None)[0]
np.linalg.cond([[1,2],[3,4]])
np.linalg.slogdet([[1,2],[3,4]])
np.linalg.multi_dot([np.eye(2),np.eye(2)])
np.linalg.LinAlgError
np.sort([3,1,2])
np.sort([[3,1],[2,4]],axis=0)
np.sort([[3,1],[2,4]],axis=None)
np.sort([3,np.nan,1])
np.argsort([3,1,2])
np.lexsort(([1,2,1],[1,1,0]))
np.searchsorted([1,2,3],2)
np.searchsorted([1,2,3],[0,4],side='right')
np.digitize([0.5,1.5],[0,1,2])
np.unique([3,1,1])
np.unique([3,1,1],return_index=True)
np.unique([3,1,1],return_inverse=True)
np.unique([[1,2],[1,2]],axis=0)
np.bincount([1,1,2])
np.bincount([1,1,2],weights=[.5,.5,1])
np.histogram([1,2,1],bins=3)
np.histogram2d([1,2],[1,2],bins=2)[0]
np.intersect1d([1,2],[2,3])
np.union1d([1,2],[2,3])
np.setdiff1d([1,2],[2,3])
np.isin([1,2],[2,3])
np.nonzero([0,1,2])
np.argwhere([[0,1],[1,0]])
np.flatnonzero([0,1,2])
np.count_nonzero([0,1,2])
np.count_nonzero([[0,1],[1,1]],axis=0)
np.extract([True,False],[1,2])
np.take([1,2,3],[0,2])
np.take([[1,2],[3,4]],0,axis=1)
np.take([1,2,3],[5])
np.take([1,2,3],[5],mode='clip')
np.take_along_axis(np.array([[3,1],[2,4]]),np.array([[1],[0]]),axis=1)
x=np.arange(3);; np.put_along_axis(x,np.array([0]),9,0);; x
x=np.arange(3);; np.put(x,[0],9);; x
x=np.arange(3);; np.place(x,x>1,[9]);; x
x=np.arange(3);; np.putmask(x,x>1,9);; x
x=np.arange(3);; np.copyto(x,5);; x
x=np.zeros((2,2));; np.fill_diagonal(x,1);; x
np.ix_([0,1],[1])
np.unravel_index(5,(2,3))
np.ravel_multi_index(([0,1],[1,2]),(2,3))
np.tril_indices(2)
np.triu_indices(2,1)
np.diag_indices(2)
np.interp([0.5],[0,1],[0,10])
np.convolve([1,2,3],[1,1])
np.correlate([1,2,3],[1,1])
np.polyfit([0,1,2],[1,3,5],1)
np.polyval([1,2],[0,1])
np.roots([1,-3,2])
np.cov([[1,2,3],[3,2,1]])
np.corrcoef([1,2,3],[3,2,1])
np.fft.fft([1,2,3])
np.fft.ifft([1,2,3])
np.fft.rfft([1,2,3,4])
np.fft.fft2([[1,2],[3,4]])
np.fft.fftshift([1,2,3])
np.fft.fftfreq(4)
np.angle([1j])
np.angle([1j],deg=True)
np.real(1+2j)
np.conj([1j])
np.iscomplexobj([1j])
np.isrealobj([1])
np.isscalar(3)
np.ndim([[1]])
np.shape([[1]])
np.size([[1,2]])
np.size([[1,2]],0)
np.can_cast(np.int32,np.int8)
np.can_cast('i4','f8')
np.iinfo(np.int8).max
np.issubdtype(np.int32,np.integer)
np.issubdtype(np.arange(3).dtype,np.floating)
np.deg2rad(180)
np.rad2deg(np.pi)
np.degrees(np.pi)
np.sinc([0,0.5])
np.heaviside([-1,0,1],0.5)
np.sign([-2,0,3])
np.signbit([-1.0,0])
np.copysign(1,[-1,1])
np.modf([1.5,-2.5])
np.frexp([8.0])
np.ldexp([0.5],[4])
np.floor([1.5])
np.ceil([1.5])
np.trunc([-1.5])
np.fix([-1.5])
np.floor(np.array([1,2]))
np.rint([1.5,2.5])
np.cbrt([8.0])
np.square([3])
np.reciprocal([2.0])
np.gcd(12,18)
np.lcm([4],[6])
np.i0([1.0])
np.unwrap([0,6.5])
np.logaddexp(1,2)
np.logaddexp2(1,2)
np.log1p([0])
np.expm1([0])
np.exp2([3])
np.log2([8])
np.log10([100])
np.bitwise_and([1,2],[3,3])
np.bitwise_or(1,2)
np.invert([1])
np.left_shift([1],2)
np.right_shift([4],1)
np.logical_and([1,0],[1,1])
np.logical_or([0],[0.5])
np.logical_not([0,1])
np.logical_xor([1,0],[1,1])
np.any([])
np.all([])
np.all([[1,0],[1,1]],axis=1,keepdims=True)
np.float32(3.7)
np.int64(3.7)
np.bool_(3)
np.e
np.pi
np.inf
np.nan
np.newaxis
np.euler_gamma
np.vectorize(lambda x: x*2)(np.arange(3))
np.apply_along_axis(np.sum,0,np.ones((2,3)))
np.apply_over_axes(np.sum,np.ones((2,3)),[0])
np.add.reduce([1,2,3])
np.add.accumulate([1,2,3])
np.multiply.outer([1,2],[3,4])
np.maximum.reduce([1,5,3])
np.maximum.accumulate([1,5,3])
np.logical_and.reduce([True,False])
np.add.at(np.arange(3),[0],1)
np.add.reduceat(np.arange(6),[0,3])
np.minimum.reduce([[1,2],[0,5]],axis=1)
isinstance(np.arange(3), np.ndarray)
np.array2string(np.arange(3))
np.array_str(np.arange(3))
np.typing
np.matrix([[1,2]])
np.asarray(np.arange(3),dtype=np.float32)
np.ascontiguousarray(np.arange(3))
np.asfortranarray(np.arange(3))
np.require(np.arange(3))
np.may_share_memory(np.arange(3),np.arange(3))
np.lib.stride_tricks.sliding_window_view(np.arange(5),3)
np.lib.stride_tricks.as_strided
np.packbits([1,0,1])
np.unpackbits(np.array([5],dtype=np.uint8))
list(np.ndindex(2,2))
[i for i,v in np.ndenumerate(np.eye(2)) if v]
np.trim_zeros([0,1,0])
np.msort
np.blackman(3)
np.hanning(4)
np.hamming(4)
np.kaiser(3,1)
np.bartlett(3)
np.permute_dims(np.ones((2,3)),(1,0)).shape
np.unstack(np.ones((2,3)))
np.cumulative_sum(np.arange(3))
np.astype(np.arange(3),float)
np.isdtype(np.int32,'integral')
np.bitwise_count([3])
np.matrix_transpose(np.ones((2,3))).shape
np.vecdot([1,2],[3,4])
np.nan_to_num([np.nan],nan=5)
np.spacing(1.0)
np.nextafter(1.0,2.0)
np.float_power([2],3)
np.positive([1])
np.negative([1])
np.absolute([-1])
np.fabs([-1])
np.divide([1],2)
np.true_divide([1],2)
np.floor_divide([3],2)
np.mod([3],2)
np.remainder([3],2)
np.subtract([3],2)
np.setxor1d([1,2],[2,3])
np.cumulative_prod(np.arange(1,4))
np.shares_memory(np.arange(3),np.arange(3))
"""

ASSIGNMENTS_AND_OTHERS = r"""
x=np.arange(5);; x[1]=9;; x
x=np.arange(5);; x[1:3]=[7,8];; x
x=np.arange(5);; x[::2]=0;; x
x=np.arange(5);; x[::-1]=np.arange(5)*2;; x
x=np.arange(5);; x[...]=3;; x
x=np.arange(5);; x[:]=[1];; x
x=np.arange(5);; x[[0,2]]=9;; x
x=np.arange(5);; x[[0,0]]=[1,2];; x
x=np.arange(5);; x[x>2]=0;; x
x=np.arange(5);; x[x>2]=[8,9];; x
x=np.arange(5);; x[x>2]+=10;; x
x=np.arange(5);; x[np.array([True,False,True,False,False])]=[5,6];; x
x=np.arange(6).reshape(2,3);; x[0]=9;; x
x=np.arange(6).reshape(2,3);; x[:,1]=[7,8];; x
x=np.arange(6).reshape(2,3);; x[:,[0,2]]=[[7],[8]];; x
x=np.arange(6).reshape(2,3);; x[[0,1],[1,2]]=5;; x
x=np.arange(6).reshape(2,3);; x[1,1]+=5;; x
x=np.arange(6).reshape(2,3);; x[x%2==0]=-1;; x
x=np.arange(6).reshape(2,3);; x[None,0]=1;; x
x=np.arange(6).reshape(2,3);; x[...,0]=1;; x
x=np.arange(6).reshape(2,3);; x[:,::-2]=1;; x
x=np.arange(6).reshape(2,3);; x[0]=[1,2];; x
x=np.arange(6).reshape(2,3);; x[2]=1;; x
x=np.arange(6).reshape(2,3);; x[np.array([True,False])]=5;; x
x=np.arange(6).reshape(2,3);; x[:,np.array([True,False,True])]=[[1,2],[3,4]];; x
x=np.arange(3);; x[0]=True;; x
x=np.arange(3.);; x[0]=1j;; x
x=np.arange(3.);; x[0]=np.nan;; x
x=np.arange(3.);; x[0]=[1];; x
x=np.arange(3.);; x[0]=[1,2];; x
x=np.arange(3,dtype=np.uint8);; x[0]=300;; x
x=np.arange(3,dtype=np.uint8);; x[0]=-1;; x
x=np.arange(3,dtype=np.float32);; x[:]=np.arange(3.);; x
x=np.arange(3,dtype=np.int32);; x[:]=np.arange(3);; x
x=np.arange(3,dtype=np.int32);; x[0]=np.int64(5);; x
x=np.arange(3,dtype=np.int64);; x[:]=np.arange(3,dtype=np.uint64);; x
x=np.zeros(3,dtype=bool);; x[1]=2;; x
x=np.zeros(3,dtype=bool);; x[1]=np.array(2);; x
x=np.zeros(3,dtype=bool);; x[:]=[1,0,1];; x
x=np.zeros(3,dtype=np.float32);; x+=np.arange(3.);; x.dtype.name
x=np.zeros(3,dtype=int);; x//=2;; x
x=np.zeros(3,dtype=int);; x+=True;; x.dtype.name
x=np.zeros(3,dtype=np.int8);; x+=np.arange(3);; x.dtype.name
x=np.zeros(3,dtype=np.uint8);; x-=np.ones(3,dtype=np.uint8);; x
x=np.ones(3);; x*=np.ones((2,3));; x
x=np.ones(3);; x**=2;; x
x=np.ones(3,dtype=bool);; x&=False;; x
x=np.ones(3,dtype=bool);; x|=np.array([0,1,0],dtype=bool);; x
x=np.ones(3,dtype=int);; x<<=2;; x
x=np.ones(3,dtype=int);; x@=np.ones((3,3),dtype=int);; x
x=np.ones(3);; y=x.copy();; y+=1;; x
x=np.array(5);; x[()]=3;; x
x=np.array(5);; x[...]=3;; x
x=np.array(5);; x+=1;; x
x=np.zeros((3,3));; x[np.arange(3),np.arange(3)]=1;; x
x=np.zeros((3,3));; x[np.tril_indices(3)]=1;; x
x=np.zeros((3,3));; x[np.ix_([0,2],[0,2])]=5;; x
x=np.zeros((3,3));; x[1:,1:]=x[:-1,:-1]+1;; x
x=np.zeros(5);; x[1:]=x[:-1]+1;; x
x=np.zeros((2,2));; x[:]=np.arange(4).reshape(2,2);; x
x=np.zeros((2,2));; x.flat[1]=3;; x
x=np.zeros((2,2));; x.flat[:]=[1,2,3,4];; x
x=np.zeros(3,dtype=complex);; x[0]=1j;; x
x=np.zeros((0,3));; x[:]=5;; x
x=np.zeros(3);; x[5:]=[];; x
x=np.zeros(3);; x[5:]=3;; x
x=np.zeros(3);; x[[]]=3;; x
x=np.zeros(3);; x[5]=3
x=np.zeros(3);; x[[0,5]]=3
del np.zeros(3)[0]
x=np.arange(10);; x[2:5],x[5:8]=x[5:8].copy(),x[2:5].copy();; x
x=np.arange(4);; x[0],x[1]=x[1],x[0];; x
import copy;; copy.copy(np.arange(3))
import copy;; copy.deepcopy([np.arange(3)])[0]
import copy;; x=np.arange(3);; y=copy.copy(x);; y[0]=9;; x
import pickle;; pickle.loads(pickle.dumps(np.array([1+2j])))
import pickle;; pickle.loads(pickle.dumps(np.zeros((0,3)))).shape
import pickle;; pickle.loads(pickle.dumps(np.array(3,dtype=np.float32)))
import json;; json.dumps(np.arange(3).tolist())
import json;; json.dumps(np.arange(3))
import functools;; functools.reduce(lambda a,b:a+b,[np.arange(3),np.arange(3)])
import operator;; operator.index(np.array(3))
import operator;; operator.index(np.array(3.0))
import operator;; operator.index(np.array([3]))
import itertools;; list(itertools.accumulate(np.arange(4)))
import statistics;; statistics.mean(np.arange(4).tolist())
import struct;; struct.pack('3d',*np.arange(3.))
memoryview(np.arange(3)).tolist()
memoryview(np.arange(6).reshape(2,3)).shape
memoryview(np.arange(6).reshape(2,3)).tolist()
bytes(np.arange(3,dtype=np.uint8))
bytearray(np.arange(3,dtype=np.uint8))
import array;; array.array('d',np.arange(3.))
numpy.sin(np.arange(3))
numpy.sum(np.arange(3))
numpy.mean(np.arange(3.),axis=0)
numpy.concatenate([np.arange(3),np.arange(2)])
numpy.stack([np.arange(3),np.arange(3)])
numpy.asarray(np.arange(3),dtype=float)
numpy.array(np.arange(3))
numpy.array([np.arange(3),np.arange(3)])
numpy.array([np.array(1),np.array(2)])
numpy.add(np.arange(3),numpy.arange(3))
numpy.arange(3)+np.arange(3)
numpy.ones((2,3))@np.ones((3,2))
numpy.float64(2)*np.arange(3)
numpy.dot(np.arange(3),np.arange(3))
numpy.linalg.norm(np.arange(3.))
numpy.allclose(np.arange(3),numpy.arange(3))
numpy.where(np.arange(3)>1,1,0)
numpy.isnan(np.arange(3.))
numpy.maximum.reduce(np.arange(3))
x=numpy.arange(5);; x[np.arange(2)]
x=numpy.arange(5);; x[np.array(2)]
x=numpy.arange(5);; x[np.array([True,False,True,False,True])]
x=numpy.zeros(3);; x[:]=np.arange(3);; x
x=numpy.zeros(3);; x+=np.arange(3);; x
x=numpy.zeros(3);; numpy.add(np.arange(3),1,out=x);; x
numpy.shape(np.zeros((2,3)))
numpy.ndim(np.zeros((2,3)))
numpy.size(np.zeros((2,3)))
numpy.squeeze(np.zeros((1,3))).shape
numpy.unique(np.array([1,1,2]))
numpy.fft.fft(np.arange(4.))
numpy.einsum('i,i',np.arange(3.),np.arange(3.))
numpy.isscalar(np.array(3))
numpy.iscomplexobj(np.array([1j]))
numpy.vectorize(lambda x:x+1)(np.arange(3))
numpy.broadcast_to(np.arange(3),(2,3))
numpy.full((2,),np.array(3))
numpy.zeros(np.array(3))
numpy.zeros((np.array(2),np.array(3))).shape
numpy.reshape(np.arange(6),(2,3)).shape
numpy.transpose(np.zeros((2,3))).shape
numpy.expand_dims(np.arange(3),0).shape
numpy.cumsum(np.arange(3))
numpy.sort(np.array([3,1]))
numpy.copy(np.arange(3))
numpy.clip(np.arange(5),1,3)
numpy.round(np.array([1.55]),1)
numpy.real(np.array([1j]))
numpy.array_equal(np.arange(3),[0,1,2])
numpy.median(np.arange(4.))
numpy.percentile(np.arange(5.),50)
numpy.histogram(np.arange(5.),bins=2)
numpy.interp(np.array([.5]),[0,1],[0,10])
"""


def attempt(expression, module):
    """The value of an expression, or NotImplemented if it is an error."""
    names = {"np": module, "numpy": numpy}
    *before, last = expression.split(";;")
    try:
        for statement in before:
            exec(statement.strip(), names)
        return eval(last.strip(), names)
    except Exception:  # ignored: that there is an error is the result
        return NotImplemented


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table", ["NUMBERS_AND_KEYS", "FUNCTIONS", "ASSIGNMENTS_AND_OTHERS"])
def test_expressions_have_the_results_of_numpy(table):
    wrong, count = [], 0
    for expression in globals()[table].strip().splitlines():
        with numpy.errstate(all="ignore"):
            want, got = attempt(expression, numpy), attempt(expression, tutti)
        count += 1
        if got is NotImplemented or want is NotImplemented:
            if got is not want:
                wrong.append(f"{expression}: {got!r:.80}, NumPy: {want!r:.80}")
            continue
        try:
            same_results(got, want, expression)
        except AssertionError as error:
            wrong.append(f"{expression}: {error!s:.200}")
    assert count > 100 and not wrong, "\n".join(wrong)
