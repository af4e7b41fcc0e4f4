"""Arguments as users of NumPy give them, by its names and with its options; each line is evaluated with both
modules. Before, most of them raised."""

import numpy
import pytest

import tutti
from compare import same_results

# ruff: noqa: E501

LINES = r"""
np.linspace(start=0, stop=1, num=3)
np.linspace([0, 1], [2, 3], 3, axis=1)
np.arange(start=1, stop=4)
np.arange(np.int32(4))
np.arange(np.uint8(1), np.int64(7), np.int16(2))
np.sum(a=x), np.mean(a=x, axis=0), np.max(a=x), np.std(a=x, ddof=1), np.all(a=x > 0)
np.quantile(x, q=.5), np.percentile(x, q=[25, 50], axis=1)
np.quantile(x.astype('f4'), [.5]), np.quantile(x.astype('f4'), .5), np.percentile(x.astype('f4'), [10, 20])
np.swapaxes(x, axis1=0, axis2=1), np.moveaxis(x, source=0, destination=1)
np.tile(x, reps=2), np.tile(A=x, reps=(1, 2)), np.pad(x, pad_width=1), np.roll(x, shift=1, axis=0)
np.split(x, indices_or_sections=2), np.split(np.arange(6), np.int64(3)), np.eye(N=3, M=2)
np.expand_dims(a=x, axis=0), np.searchsorted([1, 2, 3], v=2), np.full_like(a=x, fill_value=2)
np.isin(x, test_elements=[1, 2]), np.isin([1, 2], [2], invert=True)
np.select(condlist=[x > 3, x > 1], choicelist=[x, -x], default=9), np.piecewise(x, condlist=[x < 2, x >= 2], funclist=[1, 2])
np.take(x, indices=[0], axis=1), np.repeat(x, repeats=2, axis=1), np.reshape(x, shape=(3, 2)), np.stack(arrays=[x, x])
np.clip(a=x, a_min=1, a_max=3), np.polyfit(x=[0, 1, 2], y=[0, 1, 4], deg=2), np.interp(x=.5, xp=[0, 1], fp=[0, 2])
np.outer(a=[1, 2], b=[3]), np.tensordot(a=x, b=x.T, axes=1), np.dot(a=x, b=x.T), np.insert(arr=[1, 2], obj=1, values=5)
np.full((2,), 3, order='F'), np.zeros((2, 2), order='F'), np.einsum('ij->j', x, optimize=True)
np.zeros_like(x, np.int32), np.ones_like(x, 'i2'), np.full_like(x, 2, int)
np.average(x, axis=0, returned=True), np.average(x, axis=1, keepdims=True), np.cov(x, bias=True)
np.gradient(x[0], edge_order=2), np.polyfit([0., 1, 2, 3], [0, 1, 4, 9.1], 2, w=[1, 2, 1, 1]), np.ediff1d([1, 2, 4], to_end=[0])
np.intersect1d([1, 2, 3], [2, 3], return_indices=True), np.interp([7.], [0, 5], [0, 1], period=6), np.histogram(x, bins='auto')
np.nanmean(x, where=x > 1), np.mean(x, where=x > 1), np.mean(x, axis=0, dtype=np.float32), np.std(x, where=x > 1)
np.any(x > 3, axis=0, where=[True, False, True]), np.all(x > 0, where=x > 1), np.ptp(x, axis=0, keepdims=True)
np.sum(x, axis=0, out=np.zeros(3)), np.max(x, 0, np.zeros(3)), np.cumsum(x, out=np.zeros(6)), np.median(x, axis=0, out=np.zeros(3))
np.matmul(x, x.T, out=np.zeros((2, 2))), np.dot(x, x.T, out=np.zeros((2, 2))), np.take(x, [1], axis=1, out=np.zeros((2, 1)))
np.clip(x, 1, 2, out=np.zeros((2, 3))), np.round(x, 1, np.zeros((2, 3))), x.clip(1, 2, out=np.zeros((2, 3))), x.max(1, np.zeros(2))
np.sum(x, out=np.zeros(4))
np.reshape(x, (3, 2), order='F'), np.ravel(x, order='F'), x.reshape(3, 2, order='F'), x.flatten('F'), x.tobytes('F')
np.linalg.qr(x, mode='r').shape, np.linalg.eigh(x @ x.T, UPLO='U').eigenvalues, np.linalg.inv(a=x @ x.T + np.eye(2)), np.fft.fft(a=x)
np.divide(1, x - 1, out=np.zeros((2, 3)), where=x != 1), np.log(x, out=np.full((2, 3), -1.), where=x > 1)
np.sqrt(x, where=x > 1, out=np.zeros((2, 3))), np.add(x, 1, where=[True, False, True], out=np.ones((2, 3)))
np.logical_not(x, out=np.zeros((2, 3), bool)), np.multiply(x[0], [[1], [2]], where=[[True], [False]], out=np.zeros((2, 3)))
np.square(x, out=np.zeros((2, 3))), np.square(x, where=x > 1, out=np.ones((2, 3))), np.heaviside(x - 1, .5, where=x > 1, out=np.ones((2, 3)))
np.fabs(-x, where=[True, False, True], out=np.zeros((2, 3))), np.conjugate(x, out=np.zeros((2, 3))), np.histogram(x, bins=[0, 1, 5], weights=x)
np.exp(x, where=False, out=np.ones((2, 3))), np.subtract(x, 1, where=True)
y = np.ones((2, 3));; np.divide(1., x - 1, where=x != 1, out=y);; y
y = np.ones(3);; np.multiply.at(y, [1, 1], 3);; np.divide.at(y, [0], 2.);; y
y = np.zeros(3);; numpy.add(np.ones(3), 1, out=y);; y
np.pad(np.asarray([1 + 1j]), 1, constant_values=2j), np.pad([2**62 + 1], 1, constant_values=2**62 + 1)
np.pad([1., 2], 1, constant_values=(3, 4)), np.pad(x, ((1, 0), (0, 2)), constant_values=((1, 2), (3, 4))), np.pad([1, 2], np.int64(1))
np.pad([1], -1)
x[(0, 1), (1, 2)], x[:, (0, 2)], x[range(2)], x[:, range(0, 3, 2)], x[memoryview(numpy.asarray([1, 0]))], x[numpy.True_], x[..., ()].shape
y = np.zeros((3, 3));; y[(0, 1), (1, 2)] = 5;; y[range(2), 2] = 7;; y
np.sum(x, axis=2)
x.sum(axis=1.5)
np.flip(x, 1.5)
np.argmax(x, axis=(0, 1))
np.cumsum(x, axis=())
float(x)
int(x)
np.nanargmax(x, axis=0, keepdims=True), x.dot(2), np.ones((2, 2, 2)).dot(np.ones((2, 2, 2)))
f @ f, f.dot(f), np.matmul(f, [True, False]), np.einsum('ij,jk->ik', f, f), np.tensordot(f, f, axes=1), np.inner(f, f), np.vdot(f[0], f[1])
f // True, f << f, f % f[:1, :1], np.power(f, f)
z = np.asarray([1 + 1j, 2]);; z.real = [5, 6];; z.imag = 0;; z
z = np.arange(4);; z.flat = 7;; z
x.compress([True, False], axis=0), np.asarray([0, 1]).choose([[1, 2], [3, 4]]), x.argpartition(1)[:, 1]
np.ones(2) ** 10**400
np.arange(3) ** 10**400
np.ones(2) + 10**400
np.linspace(0, 1, 5, False), np.linspace(0, 1, 5, False, True)
np.nan_to_num([1., np.nan], True, 7.), np.cross([1., 2, 3], [4., 5, 6], -1)
np.cross([[1., 2, 3]], [[4., 5, 6]], 1, 1, 1)
np.cov([[1., 2, 4], [3, 1, 8]], None, True, True), np.polyfit([0., 1, 2, 3], [0, 1, 4, 9.1], 2, None, False, [1, 2, 1, 1])
np.histogram([1., 2, 5], 3, (0, 6), True), np.median([[1., 2, 4]], 1, None, False, True)
np.geomspace(1, 8, 4, False), np.take([1, 2, 3], [5], 0, None, 'clip'), np.nanstd([1., 2, 5], 0, None, None, 1)
np.percentile([[1., 2, 5]], 30, 1, None, False, 'linear', True)
np.linalg.svd(np.eye(2), True, False), np.isin([1, 2], [2], False, True), np.trace([[1, 2], [3, 4]], 0, 0, 1, 'f4')
np.full_like([1, 2], 3, float, 'C'), np.unique([3, 1, 1], False, False, True), np.concatenate([[1], [2]], 0, None)
np.zeros_like([1, 2], 'f4', 'C', True, (3,)), np.ptp([[1, 2]], 1, None, True), np.cumsum([1, 2], 0, 'f4', None)
np.vstack([[1], [2]], 5)
np.dot([1], [2], None, 7)
np.sort([3, 1], 0, None, None, 3)
np.argsort([3, 1], 0, None, None)
x.std(where=x > 1), x.var(axis=0, where=x > 1)
x.repeat(repeats=2, axis=1), x.swapaxes(0, 1)
np.asarray([1., 2, 3]).searchsorted(v=2., side='right', sorter=None), x.cumsum(axis=0, dtype='f4', out=None)
x.argsort(axis=0, kind='stable'), x.argmax(axis=0, keepdims=True), x.max(axis=0, keepdims=True, initial=3, where=x > 1)
x.squeeze(axis=None), x.round(decimals=1), x.clip(min=1, max=2), x.clip(1), x.clip(max=2)
x.take(indices=[0], axis=1, mode='clip'), x.trace(offset=1, axis1=0, axis2=1, dtype='f4'), x.diagonal(offset=1)
x.astype(dtype='f4', order='K', casting='unsafe', subok=True, copy=True), x.flatten(order='F'), x.ravel(order='C'), x.reshape(6, order='C', copy=None)
x.reshape((3, 2), copy=True), x.tolist(), x.tobytes(order='C'), x.nonzero()[0], x.copy(order='C'), x.transpose(1, 0), x.transpose((1, 0))
x.compress(condition=[True, False], axis=0), x.dot(x.T), x.conj(), x.any(axis=0, keepdims=True), x.all(where=x > 0), x.item(1), x.sum(0, 'f4')
x.argpartition(kth=0, axis=1)[:, 0], x.mean(dtype='f4', axis=1, keepdims=True), x.prod(initial=2.)
np.add(x, 1, dtype='f4'), np.sqrt(x, dtype='f4'), np.sqrt([1, 2], dtype=np.float32), np.multiply([1, 2], 3, dtype=float), np.abs([-1, 2], dtype='i4')
np.divide([1, 2], [2, 1], dtype='f4', out=None), np.add([1., 2], 1, dtype=complex)
np.add(x, 1, dtype=int)
np.sqrt(x, dtype=int)
np.sqrt([1, 2], dtype=int)
np.divide([1, 2], [2, 1], dtype=int)
np.less([1, 2], [2, 1], dtype=float)
np.fft.fft([1., 2, 3], norm=None), np.fft.ifft([1., 2, 3], None, 0, None), np.fft.hfft([1., 2, 3], norm=None), np.fft.ihfft([1., 2, 3], norm=None)
np.divmod([5., 7], [2., 3], out=(np.zeros(2), np.zeros(2)))
"""


def results(line, np):
    names = {"np": np, "numpy": numpy, "x": np.asarray([[1., 2, 4], [3, 1, 8]]),
             "f": np.asarray([[True, False], [True, True]])}
    *before, last = line.split(";;")
    for statement in before:
        exec(statement.strip(), names)
    return eval(last.strip(), names)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_line(line):
    try:
        want = results(line, numpy)
    except Exception as error:
        kind = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        with pytest.raises(kind):
            results(line, tutti)
        return
    same_results(results(line, tutti), want, line)


def test_axis_errors_are_those_of_numpy():
    for call in (lambda: tutti.sum(tutti.ones(2), axis=1), lambda: tutti.flip(tutti.ones(2), 1),
                 lambda: tutti.expand_dims(tutti.ones(2), 5), lambda: tutti.sort(tutti.ones(2), axis=3)):
        with pytest.raises(tutti.AxisError, match="axis [135] of an array with 1 ax"):
            call()
    assert issubclass(tutti.AxisError, ValueError) and issubclass(tutti.AxisError, IndexError)


def test_arguments_that_nobody_knows():
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        tutti.median(tutti.ones(2), foo=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        tutti.linspace(0, 1, foo=1)
    with pytest.raises(TypeError, match="array of Tutti"):
        tutti.sum(tutti.ones(2), out=numpy.zeros(()))


def test_functions_can_be_pickled():
    import pickle
    for function in (tutti.linspace, tutti.median, tutti.sum, tutti.fft.fft, tutti.add):
        assert pickle.loads(pickle.dumps(function)) is function
