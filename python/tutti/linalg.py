"""Linear algebra: the linalg extension of the Array API standard. Matrices lie in the last two axes,
any number of them in the axes before. Factorisations compute at once, with the same bits on every
device.

>>> import tutti as tt
>>> a = tt.asarray([[2.0, 1.0], [1.0, 3.0]])
>>> tt.linalg.solve(a, tt.asarray([3.0, 5.0]))
Array([0.8, 1.4], dtype=float64)
>>> tt.linalg.eigvalsh(tt.asarray([[0.0, 1j], [-1j, 0.0]]))
Array([-1.,  1.], dtype=float64)
"""

import collections

from . import _core
from ._manipulation import axes_of, axis_of
from ._products import matmul, matrix_transpose, outer, tensordot, vecdot
from ._reductions import max as _max
from ._reductions import min as _min
from ._reductions import sum as _sum

__all__ = ["cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul",
           "lstsq", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "norm", "outer",
           "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]

QRResult = collections.namedtuple("QRResult", "Q R")
SVDResult = collections.namedtuple("SVDResult", "U S Vh")
EighResult = collections.namedtuple("EighResult", "eigenvalues eigenvectors")
SlogdetResult = collections.namedtuple("SlogdetResult", "sign logabsdet")


def _floating(x, name):
    """Elements that matrices are factorised in: integers become float64."""
    x = _core.as_array(x)
    if x.dtype == _core.bool:
        raise TypeError(f"{name}: elements of type bool are not taken")
    if x.dtype == _core.float16:
        return _core.astype(x, _core.float32)
    return x if x.dtype.kind in "fc" else _core.astype(x, _core.float64)


def _matrices(x, name, square=False):
    x = _floating(x, name)
    if x.ndim < 2 or square and x.shape[-1] != x.shape[-2]:
        raise ValueError(f"{name}: {'square ' if square else ''}matrices are needed, "
                         f"not an array of the shape {x.shape}")
    return x


def _adjoint(x):
    return _core.conj(matrix_transpose(x))


def cholesky(x, /, *, upper=False):
    """The lower triangle L with L @ conj(L.mT) = x, or its adjoint; NaN if there is none."""
    lower = _core.cholesky(_matrices(x, "cholesky", square=True))
    return _adjoint(lower) if upper else lower


def cross(x1, x2, /, *, axis=-1):
    """The cross product of vectors of three elements along an axis."""
    from ._information import result_type
    dtype = result_type(x1, x2)
    x1, x2 = _core.astype(x1, dtype), _core.astype(x2, dtype)
    rank = min(x1.ndim, x2.ndim)
    if not -rank <= axis < 0:
        axis_of(axis, rank, "cross")
        if x1.ndim != x2.ndim:
            raise ValueError("cross: an axis of arrays of different rank is counted from the end")
        axis -= x1.ndim
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"cross: {x1.shape[axis]} and {x2.shape[axis]} elements along the axis, "
                         "both must have 3")
    def part(x, i):
        return x[(Ellipsis, i) + (slice(None),) * (-axis - 1)]
    parts = [part(x1, (i + 1) % 3) * part(x2, (i + 2) % 3)
             - part(x1, (i + 2) % 3) * part(x2, (i + 1) % 3) for i in range(3)]
    return _core.stack(parts, parts[0].ndim + 1 + axis)


def det(x, /):
    """The determinant."""
    return _core.determinant(_matrices(x, "det", square=True))


def slogdet(x, /):
    """The sign of the determinant, and the logarithm of its absolute value."""
    x = _matrices(x, "slogdet", square=True)
    factors, sign = _core.lu(x)
    along = _core.diagonal(factors, 0)
    size = _core.abs(along)
    logarithm = _sum(_core.log(size), axis=-1)
    from ._reductions import prod
    return SlogdetResult(prod(_core.sign(along), axis=-1) * sign, logarithm)


def solve(x1, x2, /):
    """The x with x1 @ x = x2; a vector x2 is one column. Singular matrices give infinities and NaN.
    """
    x1 = _matrices(x1, "solve", square=True)
    x2 = _floating(x2, "solve")
    dtype = _core.promote(x1.dtype, x2.dtype)
    x1, x2 = _core.astype(x1, dtype), _core.astype(x2, dtype)
    vector = x2.ndim == 1
    if vector:
        x2 = _core.reshape(x2, [x2.size, 1])
    if x2.ndim < 2 or x2.shape[-2] != x1.shape[-1]:
        raise ValueError(f"solve: a right side of the shape {x2.shape} for matrices of the shape "
                         f"{x1.shape}")
    from ._manipulation import broadcast_shapes
    batch = list(broadcast_shapes(x1.shape[:-2], x2.shape[:-2]))
    x1 = _core.broadcast_to(x1, batch + list(x1.shape[-2:]))
    x2 = _core.broadcast_to(x2, batch + list(x2.shape[-2:]))
    result = _core.solve(x1, x2)
    return _core.drop_axis(result, result.ndim - 1) if vector else result


def _identity_like(x):
    from ._creation import eye
    return _core.broadcast_to(eye(x.shape[-1], dtype=x.dtype), list(x.shape))


def inv(x, /):
    """The inverse; of a singular matrix, infinities and NaN."""
    x = _matrices(x, "inv", square=True)
    return _core.solve(x, _identity_like(x))


def qr(x, /, *, mode="reduced"):
    """x = Q @ R with orthonormal columns of Q and R upper triangular; with the mode "r", R alone."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError("qr: the mode is 'reduced', 'complete' or 'r'")
    if mode == "r":
        return _core.qr(_matrices(x, "qr"), False)[1]
    return QRResult(*_core.qr(_matrices(x, "qr"), mode == "complete"))


def svd(x, /, full_matrices=True, *, compute_uv=True):
    """x = U @ diag(S) @ Vh with orthonormal U and Vh, and S in descending order; without U and Vh, S."""
    if not compute_uv:
        return svdvals(x)
    return SVDResult(*_core.svd(_matrices(x, "svd"), full_matrices))


def svdvals(x, /):
    """The singular values, in descending order."""
    return svd(x, full_matrices=False).S


def eigh(x, /):
    """The eigenvalues of symmetric or Hermitian matrices in ascending order, and the eigenvectors
    as columns."""
    return EighResult(*_core.eigh(_matrices(x, "eigh", square=True)))


def eigvalsh(x, /):
    """The eigenvalues of symmetric or Hermitian matrices, in ascending order."""
    return eigh(x).eigenvalues


def diagonal(x, /, *, offset=0):
    """The elements of a diagonal of the last two axes: the main one, or `offset` to the right."""
    x = _core.as_array(x)
    if x.ndim < 2:
        raise ValueError(f"diagonal: an array with {x.ndim} axes is no matrix")
    if not -x.shape[-2] < offset < x.shape[-1]:  # beside the matrix
        return _core.full([*x.shape[:-2], 0], 0, x.dtype)
    return _core.diagonal(x, offset)


def trace(x, /, *, offset=0, dtype=None):
    """The sum of a diagonal of the last two axes."""
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def matrix_power(x, n, /):
    """The matrix multiplied by itself n times; its inverse for negative n."""
    x = _core.as_array(x)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"matrix_power: square matrices are needed, not an array of the shape "
                         f"{x.shape}")
    if n == 0:
        return _identity_like(x)
    if n < 0:
        x, n = inv(x), -n
    result, square = None, x
    while True:
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
        if n == 0:
            return result
        square = matmul(square, square)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norm of the elements along an axis, several or all."""
    x = _floating(x, "vector_norm")
    axes = tuple(axes_of(axis, x.ndim, "vector_norm"))
    size = _core.abs(x)
    if ord == float("inf"):
        return _max(size, axis=axes, keepdims=keepdims) if axes else size
    if ord == -float("inf"):
        return _min(size, axis=axes, keepdims=keepdims) if axes else size
    if ord == 0:
        return _sum(_core.astype(size != 0, size.dtype), axis=axes, keepdims=keepdims)
    if ord == 1:
        return _sum(size, axis=axes, keepdims=keepdims)
    if ord == 2:
        return _core.sqrt(_sum(size * size, axis=axes, keepdims=keepdims))
    return _sum(size ** float(ord), axis=axes, keepdims=keepdims) ** (1.0 / ord)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices: "fro", "nuc", 1, -1, 2, -2, inf or -inf."""
    x = _matrices(x, "matrix_norm")
    if ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord in ("nuc", 2, -2):
        values = svdvals(x)
        result = (_sum(values, axis=-1) if ord == "nuc" else
                  _max(values, axis=-1) if ord == 2 else _min(values, axis=-1))
    elif ord in (1, -1, float("inf"), -float("inf")):
        sums = _sum(_core.abs(x), axis=-2 if ord in (1, -1) else -1)
        result = _max(sums, axis=-1) if ord > 0 else _min(sums, axis=-1)
    else:
        raise ValueError(f"matrix_norm: there is no norm {ord!r}")
    return _core.reshape(result, list(result.shape) + [1, 1]) if keepdims else result


def _cutoff(x, values, rtol):
    """The singular values below this count as 0."""
    from ._information import finfo
    if rtol is None:
        rtol = max(x.shape[-2:]) * finfo(values.dtype).eps
    most = _max(values, axis=-1, keepdims=True)
    if isinstance(rtol, _core.Array) and rtol.ndim:
        rtol = _core.reshape(rtol, list(rtol.shape) + [1])
    return most * rtol


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are greater than rtol times the greatest."""
    x = _matrices(x, "matrix_rank")
    values = svdvals(x)
    if values.shape[-1] == 0:
        return _core.full(list(x.shape[:-2]), 0, _core.int64)
    return _sum(values > _cutoff(x, values, rtol), axis=-1)


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse: singular values below rtol times the greatest count as 0."""
    x = _matrices(x, "pinv")
    if 0 in x.shape:
        return _core.full(list(matrix_transpose(x).shape), 0, x.dtype)
    u, values, vh = svd(x, full_matrices=False)
    kept = values > _cutoff(x, values, rtol)
    inverse = _core.where(kept, 1.0 / _core.where(kept, values, 1.0), 0.0)
    columns = _core.reshape(inverse, [*inverse.shape[:-1], 1, inverse.shape[-1]])
    scaled = _adjoint(vh) * columns
    return matmul(scaled, _adjoint(u))


def norm(x, /, ord=None, axis=None, keepdims=False):
    """NumPy's norm: of all elements, of vectors along an axis, or of matrices along two."""
    x = _floating(x, "norm")
    if axis is None and (ord is None or x.ndim == 1):
        return vector_norm(x, ord=2 if ord is None else ord, keepdims=keepdims)
    axes = tuple(axes_of(axis, x.ndim, "norm"))
    if len(axes) == 1:
        return vector_norm(x, axis=axes, ord=2 if ord is None else ord, keepdims=keepdims)
    if len(axes) != 2:
        raise ValueError(f"norm: {len(axes)} axes; a norm is of vectors or of matrices")
    from ._manipulation import moveaxis
    result = matrix_norm(moveaxis(x, axes, (-2, -1)), ord="fro" if ord is None else ord)
    if not keepdims:
        return result
    return _core.reshape(result, [1 if i in axes else n for i, n in enumerate(x.shape)])


def lstsq(a, b, /, rcond=None):
    """The x with the least norm of a @ x - b. As in NumPy: the solution, the sums of the squared
    errors, the rank of a and its singular values."""
    a, b = _matrices(a, "lstsq"), _floating(b, "lstsq")
    if a.ndim != 2 or b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(f"lstsq: a matrix of the shape {a.shape} and a right side of the shape "
                         f"{b.shape} do not fit")
    dtype = _core.promote(a.dtype, b.dtype)
    a, b = _core.astype(a, dtype), _core.astype(b, dtype)
    rank = int(matrix_rank(a, rtol=rcond).item())
    solution = matmul(pinv(a, rtol=rcond), b)
    errors = _core.abs(matmul(a, solution) - b)
    full = rank == a.shape[1] < a.shape[0]
    residuals = (_sum(errors * errors, axis=0, keepdims=b.ndim == 1) if full
                 else _core.full([0], 0, errors.dtype))
    return solution, residuals, rank, svdvals(a)


def __getattr__(name):
    """What only NumPy has: cond(), eig(), LinAlgError. NumPy computes it."""
    from ._numpy_itself import find
    return find("numpy.linalg", name)
