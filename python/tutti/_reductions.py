"""Reductions, scans and statistics. Sums of floating-point numbers follow a tree that depends on
the shape alone: the same bits on every device and with any number of threads."""

import builtins

from . import _core
from ._core import DType
from ._manipulation import as_array, axes_of, axis_of


def _kept(result, x, axes, keepdims):
    if not keepdims:
        return result
    return _core.reshape(result, [1 if i in axes else n for i, n in enumerate(x.shape)])


def _accumulated(dtype):
    """What sums and products are taken in: integers in 64 bits, as the Array API says."""
    if dtype.kind in "bi":
        return _core.int64
    return _core.uint64 if dtype.kind == "u" else dtype


def _reduced(name, x, axis, keepdims):
    return _core.reduce_axes(name, x, axis, keepdims)


def _complex_product(x, axes):
    """The product of complex elements along axes, by halves: a tree that depends on the shape."""
    for axis in sorted(axes, reverse=True):
        front = (slice(None),) * axis
        if x.shape[axis] == 0:
            x = _core.full([1 if i == axis else n for i, n in enumerate(x.shape)], 1, x.dtype)
        while x.shape[axis] > 1:
            half, rest = divmod(x.shape[axis], 2)
            product = x[front + (slice(0, half),)] * x[front + (slice(half, 2 * half),)]
            if rest:
                last = x[front + (slice(2 * half, None),)]
                first = product[front + (slice(0, 1),)] * last
                product = _core.concat([first, product[front + (slice(1, None),)]], axis)
            x = product.evaluate() if x.size > 4096 else product
        x = _core.drop_axis(x, axis)
    return x


def _product(x, axis, dtype, keepdims):
    if (x.dtype if dtype is None else DType(dtype)).kind == "c":
        x = x if dtype is None else _core.astype(x, dtype)
        axes = axes_of(axis, x.ndim, "prod")
        return _kept(_complex_product(x, axes), x, axes, keepdims)
    return _core.total("prod", x, axis, dtype, keepdims)


def _chosen(x, where, neutral):
    """The elements whose flags hold, the others replaced by one that changes no result."""
    return x if where is True else _core.where(where, x, _core.as_array_of(neutral, x.dtype))


def _stored(result, out, name):
    return result if out is None else _core.stored_in(result, out, name)


def sum(a, axis=None, dtype=None, out=None, *, keepdims=False, initial=None, where=True):
    """The sum along one axis, several or all; of the elements whose flags hold, and of a number.

    >>> import tutti as tt
    >>> float(tt.sum(tt.ones((2, 3))))
    6.0
    """
    x = as_array(a)
    total = _core.total("sum", x if where is True else _chosen(x, where, 0), axis, dtype, keepdims)
    if initial is not None:
        total = total + initial
    return total if out is None else _core.stored_in(total, out, "sum")


def prod(a, axis=None, dtype=None, out=None, *, keepdims=False, initial=None, where=True):
    """The product along one axis, several or all; of the elements whose flags hold, and of a number."""
    total = _product(_chosen(as_array(a), where, 1), axis, dtype, keepdims)
    return _stored(total if initial is None else total * initial, out, "prod")


def _extreme(name, x, axis, keepdims, initial=None, where=True):
    if where is not True:
        if initial is None:
            raise ValueError(f"{name}: with flags, an initial number is needed: all may be false")
        x = _chosen(x, where, initial)
    if initial is not None:
        limit = _core.maximum if name == "max" else _core.minimum
        return limit(_reduced(name, x, axis, keepdims), initial)
    if _core.is_lifted(x):  # an empty sequence gives the least or greatest number of its type
        return _reduced(name, x, axis, keepdims)
    if x.size == 0:
        axes = axes_of(axis, x.ndim, name)
        if builtins.any(x.shape[a] == 0 for a in axes):
            raise ValueError(f"{name}: there are no elements along the axes {tuple(axes)}")
    return _reduced(name, x, axis, keepdims)


def max(a, axis=None, out=None, *, keepdims=False, initial=None, where=True):
    """The greatest element along one axis, several or all; NaN if one is NaN."""
    return _stored(_extreme("max", as_array(a), axis, keepdims, initial, where), out, "max")


def min(a, axis=None, out=None, *, keepdims=False, initial=None, where=True):
    """The least element along one axis, several or all; NaN if one is NaN."""
    return _stored(_extreme("min", as_array(a), axis, keepdims, initial, where), out, "min")


def nanmax(x, /, axis=None, *, keepdims=False):
    """The greatest element along one axis, several or all, where NaN counts as missing.

    >>> import tutti as tt
    >>> float(tt.nanmax(tt.asarray([1.0, float("nan"), 3.0])))
    3.0
    """
    x = as_array(x)
    return _extreme("nanmax", x, axis, keepdims)


def nanmin(x, /, axis=None, *, keepdims=False):
    """The least element along one axis, several or all, where NaN counts as missing."""
    x = as_array(x)
    return _extreme("nanmin", x, axis, keepdims)


def _flags(x):
    return x if x.dtype == _core.bool else x != 0


def all(a, axis=None, out=None, *, keepdims=False, where=True):
    """Whether all elements hold, along one axis, several or all; or those whose flags hold."""
    x = _chosen(_flags(as_array(a)), where, True)
    return _stored(_reduced("all", x, axis, keepdims), out, "all")


def any(a, axis=None, out=None, *, keepdims=False, where=True):
    """Whether an element holds, along one axis, several or all; or one of those whose flags hold."""
    x = _chosen(_flags(as_array(a)), where, False)
    return _stored(_reduced("any", x, axis, keepdims), out, "any")


def count_nonzero(x, /, axis=None, *, keepdims=False):
    """How many elements are not zero, along one axis, several or all."""
    x = as_array(x)
    return sum(_flags(x), axis=axis, keepdims=keepdims)


def _floating(x):
    return x if x.dtype.kind in "fc" else _core.astype(x, _core.float64)


def widened(x):
    """Numbers to compute statistics of: half has neither the range nor the counts of their sums."""
    x = _floating(x)
    return _core.astype(x, _core.float32) if x.dtype == _core.float16 else x


def narrowed(result, x):
    """A result in half, if that is the type of the elements that it comes from."""
    return _core.astype(result, _core.float16) if x.dtype == _core.float16 else result


def _count(x, axis):
    if _core.is_lifted(x):
        return x.size
    if axis is None:
        return x.size
    count = 1
    for a in axes_of(axis, x.ndim, "mean"):
        count *= x.shape[a]
    return count


def _divided(total, count):
    if _core.is_lifted(total):
        return total / _core.astype(count, total.dtype)
    return total / (float(count) if count else float("nan"))


def mean(a, axis=None, dtype=None, out=None, *, keepdims=False, where=True):
    """The arithmetic mean along one axis, several or all; or of the elements whose flags hold."""
    x = as_array(a) if dtype is None else _core.astype(as_array(a), dtype)
    total = sum(widened(x), axis=axis, keepdims=keepdims, where=where)
    if where is True:
        result = _divided(total, _count(x, axis))
    else:
        there = _core.broadcast_to(_core.astype(as_array(where), _core.bool), list(x.shape))
        result = total / _core.astype(sum(there, axis=axis, keepdims=keepdims),
                                      _core.promote(total.dtype, _core.float32))
    return _stored(narrowed(result, x), out, "mean")


def var(a, axis=None, dtype=None, out=None, ddof=None, *, correction=0.0, keepdims=False, where=True):
    """The variance along one axis, several or all; the divisor is the count less the correction,
    which NumPy calls ddof. With flags, that of the elements whose flags hold."""
    x = as_array(a) if dtype is None else _core.astype(as_array(a), dtype)
    variance = _variance(widened(x), axis, correction if ddof is None else ddof, keepdims, where)
    return _stored(narrowed(variance, x), out, "var")


def _variance(x, axis, correction, keepdims, where):
    centred = x - mean(x, axis=axis, keepdims=True, where=where)
    if x.dtype.kind == "c":
        centred = _core.abs(centred)
    squares = centred * centred
    if where is not True:
        there = _core.broadcast_to(_core.astype(as_array(where), _core.bool), list(x.shape))
        degrees = sum(there, axis=axis, keepdims=keepdims) - correction
        return sum(squares, axis=axis, keepdims=keepdims, where=there) / _core.astype(
            _core.where(degrees > 0, degrees, 0), squares.dtype)
    degrees = _count(x, axis) - correction
    if _core.is_lifted(x):
        degrees = _core.where(degrees > 0, degrees, 0)
    elif degrees < 0:
        degrees = 0
    return _divided(sum(squares, axis=axis, keepdims=keepdims), degrees)


def std(a, axis=None, dtype=None, out=None, ddof=None, *, correction=0.0, keepdims=False, where=True):
    """The standard deviation: the square root of var()."""
    x = as_array(a) if dtype is None else _core.astype(as_array(a), dtype)
    variance = _variance(widened(x), axis, correction if ddof is None else ddof, keepdims, where)
    return _stored(narrowed(_core.sqrt(variance), x), out, "std")


def _arg(name, x, axis, keepdims):
    """The first index of the extreme; a NaN is one."""
    if _core.is_lifted(x):
        return _core.astype(_core.extreme_along(name, x, 0)[0], _core.int64)
    whole = axis is None
    if x.size == 0:
        lines = () if whole else axes_of(axis, x.ndim, f"arg{name}")
        if whole or builtins.any(x.shape[a] == 0 for a in lines):
            raise ValueError(f"arg{name}: there are no elements")
        shape = [1 if i in lines else n for i, n in enumerate(x.shape) if keepdims or i not in lines]
        return _core.full(shape, 0, _core.int64)
    line = _core.reshape(x, [x.size]) if whole else x
    axis_ = 0 if whole else axis_of(axis, x.ndim, f"arg{name}")
    result = _core.astype(_core.extreme_along(name, line, axis_)[0], _core.int64)
    if not keepdims:
        return result
    return _core.reshape(result, [1 if whole or i == axis_ else m for i, m in enumerate(x.shape)])


def argmax(a, axis=None, out=None, *, keepdims=False):
    """The index of the first greatest element, along an axis or in row-major order."""
    return _stored(_arg("max", as_array(a), axis, keepdims), out, "argmax")


def argmin(a, axis=None, out=None, *, keepdims=False):
    """The index of the first least element, along an axis or in row-major order."""
    return _stored(_arg("min", as_array(a), axis, keepdims), out, "argmin")


def _complex_running_product(x, axis):
    """Each step multiplies by what stands twice as far in front: log2(n) steps."""
    front, distance = (slice(None),) * axis, 1
    while distance < x.shape[axis]:
        product = x[front + (slice(distance, None),)] * x[front + (slice(0, -distance),)]
        x = _core.concat([x[front + (slice(0, distance),)], product], axis).evaluate()
        distance *= 2
    return x


def _cumulative(name, x, axis, dtype, include_initial):
    if _core.is_lifted(x) and not include_initial:
        x = _core.astype(x, _accumulated(x.dtype) if dtype is None else dtype)
        return _core.scan_along(name, x, 0, False)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"cumulative_{name}: an axis must be given for {x.ndim} axes")
        axis = 0
    axis = axis_of(axis, x.ndim, f"cumulative_{name}")
    dtype = _accumulated(x.dtype) if dtype is None else DType(dtype)
    x = _core.astype(x, dtype)

    if name == "prod" and dtype.kind == "c":
        result = _complex_running_product(x, axis)
    else:
        result = _core.scan_along(name, x, axis, False)
    if not include_initial:
        return result
    before, after = [0] * x.ndim, [0] * x.ndim
    before[axis] = 1
    return _core.pad(result, before, after, 0 if name == "sum" else 1)


def cumulative_sum(x, /, axis=None, *, dtype=None, include_initial=False):
    """The sums of all elements up to each one along an axis."""
    x = as_array(x)
    return _cumulative("sum", x, axis, dtype, include_initial)


def cumulative_prod(x, /, axis=None, *, dtype=None, include_initial=False):
    """The products of all elements up to each one along an axis."""
    x = as_array(x)
    return _cumulative("prod", x, axis, dtype, include_initial)


def diff(x, /, n=1, axis=-1, *, prepend=None, append=None):
    """The n-th differences of neighbours along an axis."""
    x = as_array(x)
    from ._manipulation import concat
    axis = axis_of(axis, x.ndim, "diff")
    ends = [1 if i == axis else n for i, n in enumerate(x.shape)]
    parts = [as_array(a) for a in (prepend, x, append) if a is not None]
    x = concat([a if a.ndim else _core.broadcast_to(a, ends) for a in parts], axis=axis)
    front = (slice(None),) * axis
    for _ in range(n):
        after, before = x[front + (slice(1, None),)], x[front + (slice(None, -1),)]
        x = after != before if x.dtype == _core.bool else after - before
    return x
