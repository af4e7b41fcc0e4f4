"""Names that NumPy has and the Array API has not: tt.concatenate, tt.arcsin, tt.vstack. They are
looked up when they are used, so that they cost nothing before."""

import builtins
import importlib
import math
import types

from . import _core
from ._manipulation import as_array, axes_of
from ._numpy_arguments import completed
from ._reductions import narrowed, widened

# NumPy's name: the name here.
ALIASES = {
    "absolute": "abs", "amax": "max", "amin": "min", "arccos": "acos", "arccosh": "acosh",
    "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh",
    "asanyarray": "asarray", "ascontiguousarray": "asarray",
    "bitwise_not": "bitwise_invert", "concatenate": "concat", "conjugate": "conj",
    "invert": "bitwise_invert", "left_shift": "bitwise_left_shift",
    "mod": "remainder", "power": "pow", "product": "prod", "right_shift": "bitwise_right_shift",
    "around": "round", "rint": "round", "true_divide": "divide", "ndarray": "Array", "ufunc": "Ufunc",
    "bool_": "bool", "dtype": "DType", "double": "float64", "single": "float32",
    "half": "float16", "intp": "int64", "int_": "int64", "cdouble": "complex128",
    "csingle": "complex64", "row_stack": "vstack", "in1d": "isin",
}


def transpose(x, /, axes=None):
    """The array with its axes reversed, or in the order given."""
    return as_array(x).transpose() if axes is None else _package().permute_dims(x, axes)


def ravel(x, /, order="C"):
    """All elements in one axis, in the order of rows or, with "F", of columns."""
    return as_array(x).ravel(order)


def cumsum(x, /, axis=None, dtype=None):
    """The sums of all elements up to each one, along an axis or over all elements."""
    x = as_array(x)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis)
    return _package().cumulative_sum(x, axis=axis, dtype=dtype)


def cumprod(x, /, axis=None, dtype=None):
    """The products of all elements up to each one, along an axis or over all elements."""
    x = as_array(x)
    x, axis = (x.ravel(), 0) if axis is None else (x, axis)
    return _package().cumulative_prod(x, axis=axis, dtype=dtype)


def dot(a, b):
    """The product of matrices and vectors; of numbers, their product."""
    a, b = as_array(a), as_array(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim <= 2 and b.ndim <= 2:
        return _package().matmul(a, b)
    return _package().tensordot(a, b, axes=([a.ndim - 1], [builtins.max(b.ndim - 2, 0)]))


def _at_least_2(x):
    x = as_array(x)
    return x if x.ndim > 1 else x.reshape(1, -1)


def vstack(arrays, /):
    """Arrays below each other; vectors are rows."""
    return _package().concat([_at_least_2(a) for a in arrays], axis=0)


def hstack(arrays, /):
    """Arrays beside each other."""
    arrays = [as_array(a) for a in arrays]
    arrays = [a if a.ndim else a.reshape(1) for a in arrays]
    return _package().concat(arrays, axis=0 if arrays and arrays[0].ndim == 1 else 1)


def column_stack(arrays, /):
    """Vectors as the columns of a matrix."""
    arrays = [as_array(a) for a in arrays]
    return _package().concat([a.reshape(-1, 1) if a.ndim == 1 else a for a in arrays], axis=1)


def cross(a, b, /, *, axis=-1):
    """The cross product of vectors of three elements along an axis."""
    return _package().linalg.cross(as_array(a), as_array(b), axis=axis)


def split(x, parts, /, axis=0):
    """The array cut along an axis: into a number of equal parts, or before given indices."""
    x = as_array(x)
    extent = x.shape[axis]
    if hasattr(parts, "__index__") and as_array(parts).ndim == 0:
        parts = int(parts)
        if parts < 1 or extent % parts:
            raise ValueError(f"split: {extent} elements are no {parts} equal parts")
        parts = [extent // parts * i for i in range(1, parts)]
    ends = [0, *parts, extent]
    front = (slice(None),) * (axis % x.ndim)
    return [x[front + (slice(a, b),)] for a, b in zip(ends[:-1], ends[1:])]


def isclose(a, b, /, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements differ by at most atol + rtol * abs(b)."""
    a, b = as_array(a), as_array(b)
    if b.dtype.kind not in "fc":  # differences of integers wrap around
        b = _core.astype(b, _core.float64)
    near = (_core.abs(a - b) <= atol + rtol * _core.abs(b)) & _core.isfinite(b)
    near = near | (a == b)
    return near | (_core.isnan(a) & _core.isnan(b)) if equal_nan else near


def allclose(a, b, /, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close: see isclose()."""
    return builtins.bool(_package().all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a, b, /):
    """Whether shapes and elements are equal."""
    a, b = as_array(a), as_array(b)
    return a.shape == b.shape and builtins.bool(_package().all(a == b))


def shape(x, /):
    """The extents of an array."""
    return as_array(x).shape


def ndim(x, /):
    """How many axes an array has."""
    return as_array(x).ndim


def size(x, /, axis=None):
    """How many elements an array has, or how many along an axis."""
    x = as_array(x)
    return x.size if axis is None else x.shape[axis]


def fabs(x, /):
    """The absolute values as floating-point numbers."""
    return _core.abs(x if as_array(x).dtype.kind == "f" else _core.astype(as_array(x), _core.float64))


def unique(x, /, return_index=False, return_inverse=False, return_counts=False, axis=None):
    """The different elements in order, and what is asked for of each; NumPy computes those of an axis."""
    if axis is not None:
        from ._numpy_itself import find as find_in_numpy
        return find_in_numpy("numpy", "unique")(x, return_index, return_inverse, return_counts, axis)
    found = _package().unique_all(as_array(x))
    asked = [found.values]
    asked += [found.indices] if return_index else []
    asked += [found.inverse_indices] if return_inverse else []
    asked += [found.counts] if return_counts else []
    return asked[0] if len(asked) == 1 else tuple(asked)


def argwhere(x, /):
    """The indices of the elements that are not zero, one row for each."""
    return _package().stack(_package().nonzero(x), axis=1)


def flatnonzero(x, /):
    """The indices of the elements that are not zero, in row-major order."""
    return _package().nonzero(as_array(x).ravel())[0]


def bincount(x, /, weights=None, minlength=0):
    """How often each integer from 0 on occurs, or the sum of its weights."""
    tt, x = _package(), as_array(x)
    if x.size and x.dtype.kind not in "biu":
        raise TypeError(f"bincount: integers are counted, not elements of type {x.dtype.name}")
    count = builtins.max(int(tt.max(x)) + 1 if x.size else 0, minlength)
    start = tt.zeros(count, dtype=tt.int64 if weights is None else tt.float64)
    if not x.size:
        return start
    if builtins.bool((x < 0).any()):
        raise ValueError("bincount: negative integers are not counted")
    ones = tt.ones(x.shape, dtype=tt.int64) if weights is None else tt.astype(weights, tt.float64)
    return start.at[x].add(ones)


def median(x, /, axis=None, *, keepdims=False):
    """The middle of the elements in order, along an axis or of all; NaN if one is NaN."""
    tt, x = _package(), as_array(x)
    axes = axes_of(axis, x.ndim, "median")
    others = [i for i in range(x.ndim) if i not in axes]
    shape, n = [x.shape[i] for i in others], math.prod(x.shape[i] for i in axes)
    if n == 0:  # as the mean of no elements
        return tt.mean(x, axis=axis, keepdims=keepdims)
    line = tt.permute_dims(x, others + axes) if x.ndim else x
    ordered = tt.sort(line.reshape([*shape, n]), axis=-1)
    middle = [widened(ordered[..., i]) for i in ((n - 1) // 2, n // 2)]
    result = narrowed((middle[0] + middle[1]) / 2, x)
    if x.dtype.kind == "f":
        result = tt.where(tt.isnan(ordered[..., n - 1]), tt.nan, result)
    return result.reshape([1 if i in axes else m for i, m in enumerate(x.shape)]) if keepdims else result


def ptp(x, /, axis=None, *, keepdims=False):
    """The greatest element minus the least."""
    tt, x = _package(), as_array(x)
    return tt.max(x, axis=axis, keepdims=keepdims) - tt.min(x, axis=axis, keepdims=keepdims)


def average(x, /, axis=None, weights=None):
    """The mean, with weights for the elements."""
    tt, x = _package(), as_array(x)
    if weights is None:
        return tt.mean(x, axis=axis)
    weights = as_array(weights)
    dtype = tt.result_type(x, weights) if x.dtype.kind in "fc" else tt.result_type(weights, tt.float64)
    x, weights = x.astype(dtype), weights.astype(dtype)
    if weights.shape != x.shape and axis is not None:
        shape = [1] * x.ndim
        shape[axis] = -1
        weights = tt.reshape(weights, shape)
    total = tt.sum(tt.broadcast_to(weights, x.shape), axis=axis)
    return tt.sum(x * weights, axis=axis) / total


def _package():
    import tutti
    return tutti


def names():
    """All of NumPy's names that find() knows."""
    return sorted({*ALIASES, *(name for module in _modules() for name in vars(module)
                               if _is_public(module, name))})


def _modules():
    # Not "from . import": it asks the package, which asks find().
    return [importlib.import_module(f"tutti.{name}")
            for name in ("_numpy_names", "_numpy_functions", "_numpy_numbers", "_numpy_updates")]


def _is_public(module, name):
    value = vars(module)[name]
    own = getattr(value, "__module__", None) == module.__name__
    return own and not name.startswith("_") and name not in ("find", "names")


def find(name):
    """The function of that name, for tutti.__getattr__(); None if NumPy is to be asked."""
    if name in ALIASES:
        return getattr(_package(), ALIASES[name])
    for module in _modules():
        if name in vars(module) and _is_public(module, name):
            value = vars(module)[name]
            return completed(value) if isinstance(value, types.FunctionType) else value
    return None
