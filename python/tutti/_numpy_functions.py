"""Functions that NumPy has and the Array API has not: making, joining, choosing, searching. Each is
composed of functions of the package. _numpy_names.find() looks them up when they are used."""

import builtins

from . import _core
from ._manipulation import as_array, axis_of


def _package():
    import tutti
    return tutti


# ---- making arrays


def array(obj, /, dtype=None, *, copy=True, ndmin=0, order="K", device=None):
    """An array of its own, as in NumPy: changes of obj do not reach it. asarray() copies nothing."""
    tt = _package()
    if copy and isinstance(obj, _core.Array):
        obj, copy = +obj, None  # elements never change: another object is enough
    elif copy and isinstance(obj, (list, tuple, range)):
        copy = None
    result = tt.asarray(obj, dtype=dtype, copy=copy, device=device)
    return result if result.ndim >= ndmin else result.reshape((1,) * (ndmin - result.ndim)
                                                             + result.shape)


def copy(x, /):
    """Another object with the same elements: updates of the one are not those of the other."""
    return array(x)


def identity(n, /, dtype=None):
    """A square matrix with 1 on its diagonal."""
    return _package().eye(n, dtype=dtype)


def tri(rows, columns=None, /, k=0, dtype=None):
    """A matrix of 1 on and below a diagonal, 0 above."""
    tt = _package()
    ones = tt.ones((rows, rows if columns is None else columns), dtype=dtype)
    return tt.tril(ones, k=k)


def diag(x, /, k=0):
    """A matrix with the elements of a vector on a diagonal, or the diagonal of a matrix."""
    tt, x = _package(), as_array(x)
    if x.ndim == 2:
        return tt.linalg.diagonal(x, offset=k)
    if x.ndim != 1:
        raise ValueError(f"diag: a vector or a matrix is needed, not an array of {x.ndim} axes")
    n = x.size + builtins.abs(k)
    line = tt.arange(x.size)
    matrix = tt.zeros((n, n), dtype=x.dtype)
    return matrix.at[line + builtins.max(-k, 0), line + builtins.max(k, 0)].set(x)


def diagonal(x, /, offset=0, axis1=0, axis2=1):
    """The elements of a diagonal of two axes, the first ones by default, along the last axis of the
    result; linalg.diagonal() takes the last two axes."""
    tt, x = _package(), as_array(x)
    rows, columns = axis_of(axis1, x.ndim, "diagonal"), axis_of(axis2, x.ndim, "diagonal")
    if rows == columns:
        raise ValueError("diagonal: the two axes are one and the same")
    others = [i for i in range(x.ndim) if i not in (rows, columns)]
    return tt.linalg.diagonal(tt.permute_dims(x, [*others, rows, columns]), offset=offset)


def trace(x, /, offset=0, axis1=0, axis2=1):
    """The sum of a diagonal of two axes, the first ones by default; linalg.trace() takes the last."""
    return _package().sum(diagonal(x, offset, axis1, axis2), axis=-1)


def vander(x, /, N=None, increasing=False):
    """The powers of the elements of a vector, one row for each."""
    tt, x = _package(), as_array(x)
    count = x.size if N is None else N
    powers = [tt.ones_like(x)]
    for _ in range(1, count):
        powers.append(powers[-1] * x)
    columns = powers[:count] if increasing else powers[:count][::-1]
    return tt.stack(columns, axis=1) if columns else tt.zeros((x.size, 0), dtype=x.dtype)


def indices(dimensions, /, dtype=None):
    """The coordinates of all elements of a shape, one array for each axis."""
    tt = _package()
    grids = tt.meshgrid(*(tt.arange(n) for n in dimensions), indexing="ij")
    result = tt.stack(grids)
    return result if dtype is None else result.astype(dtype)


def logspace(start, stop, /, num=50, *, endpoint=True, base=10.0, dtype=None):
    """Powers of a base whose exponents have equal distances."""
    tt = _package()
    return tt.astype(tt.pow(float(base), tt.linspace(start, stop, num, endpoint=endpoint)),
                     tt.float64 if dtype is None else dtype)


def geomspace(start, stop, /, num=50, *, endpoint=True, dtype=None):
    """Numbers from start to stop, each the same multiple of the one before."""
    import math
    tt = _package()
    if start == 0 or stop == 0 or (start < 0) != (stop < 0):
        raise ValueError("geomspace: start and stop have one sign and are not 0")
    sign = -1.0 if start < 0 else 1.0
    exponents = tt.linspace(math.log10(sign * start), math.log10(sign * stop), num,
                            endpoint=endpoint)
    values = sign * tt.pow(10.0, exponents)
    if num > 0:
        values = values.at[0].set(float(start))
    if num > 1 and endpoint:
        values = values.at[-1].set(float(stop))
    return tt.astype(values, tt.float64 if dtype is None else dtype)


class _Grid:
    """mgrid[0:2, 0:1:5j]: coordinates of a grid; a complex step counts points."""

    def __init__(self, dense):
        self._dense = dense

    def __getitem__(self, key):
        tt = _package()
        axes = [self._axis(part) for part in (key if isinstance(key, tuple) else (key,))]
        if not isinstance(key, tuple):
            return axes[0]
        if not self._dense:
            return tuple(axis.reshape([-1 if i == k else 1 for k in range(len(axes))])
                         for i, axis in enumerate(axes))
        dtype = tt.result_type(*axes)
        return tt.astype(tt.stack(tt.meshgrid(*axes, indexing="ij")), dtype)

    @staticmethod
    def _axis(part):
        tt = _package()
        start = 0 if part.start is None else part.start
        if isinstance(part.step, complex):
            return tt.linspace(start, part.stop, int(builtins.abs(part.step)))
        return tt.arange(start, part.stop, 1 if part.step is None else part.step)


mgrid, ogrid = _Grid(True), _Grid(False)


def ix_(*vectors):
    """Index arrays for the rows and columns of a part: x[ix_([0, 2], [1, 3])]."""
    tt = _package()
    result = []
    for axis, vector in enumerate(vectors):
        vector = as_array(vector)
        if vector.dtype == _core.bool:
            vector = tt.nonzero(vector)[0]
        result.append(vector.reshape([-1 if i == axis else 1 for i in range(len(vectors))]))
    return tuple(result)


# ---- shapes and parts


def _with_axes(rank, arrays):
    found = []
    for x in arrays:
        x = as_array(x)
        if x.ndim == 0:
            x = x.reshape((1,) * rank)
        elif x.ndim == 1 and rank > 1:
            x = x[None, :] if rank == 2 else x[None, :, None]
        elif x.ndim == 2 and rank == 3:
            x = x[:, :, None]
        found.append(x)
    return found[0] if len(found) == 1 else tuple(found)


def atleast_1d(*arrays):
    """The arrays, with an axis if they have none."""
    return _with_axes(1, arrays)


def atleast_2d(*arrays):
    """The arrays, with leading axes of extent 1 where they have less than two."""
    return _with_axes(2, arrays)


def atleast_3d(*arrays):
    """The arrays with at least three axes, as NumPy arranges them."""
    return _with_axes(3, arrays)


def flipud(x, /):
    """The rows in reverse order."""
    return _package().flip(x, axis=0)


def fliplr(x, /):
    """The columns in reverse order."""
    return _package().flip(x, axis=1)


def rot90(x, /, k=1, axes=(0, 1)):
    """The array turned by k quarters, from the first axis towards the second."""
    tt, x = _package(), as_array(x)
    a, b = (axis_of(axis, x.ndim, "rot90") for axis in axes)
    k %= 4
    if k == 2:
        return tt.flip(x, axis=(a, b))
    if k == 1:
        return tt.swapaxes(tt.flip(x, axis=b), a, b)
    return tt.flip(tt.swapaxes(x, a, b), axis=b) if k == 3 else x


def resize(x, new_shape, /):
    """The elements in row-major order, repeated as often as a shape needs."""
    tt, x = _package(), as_array(x)
    shape = (new_shape,) if isinstance(new_shape, int) else tuple(new_shape)
    size = 1
    for extent in shape:
        size *= extent
    if x.size == 0:
        return tt.zeros(shape, dtype=x.dtype)
    return x.ravel()[tt.arange(size) % x.size].reshape(shape)


def array_split(x, parts, /, axis=0):
    """The array cut along an axis into parts that differ by one element at most."""
    x = as_array(x)
    if isinstance(parts, int):
        if parts < 1:
            raise ValueError("array_split: at least one part is needed")
        size, longer = divmod(x.shape[axis], parts)
        parts = [size * i + builtins.min(i, longer) for i in range(1, parts)]
    return _package().split(x, parts, axis=axis)


def hsplit(x, parts, /):
    """The array cut into columns; a vector into parts."""
    x = as_array(x)
    return _package().split(x, parts, axis=1 if x.ndim > 1 else 0)


def vsplit(x, parts, /):
    """The array cut into rows."""
    return _package().split(x, parts, axis=0)


def append(x, values, /, axis=None):
    """The array with values behind it; without an axis, both in row-major order."""
    return _package().concat([x, values], axis=axis)


def _line(x, axis, name):
    """The array and an axis of it; without one, all elements in row-major order."""
    x = as_array(x)
    return (x.ravel(), 0) if axis is None else (x, axis_of(axis, x.ndim, name))


def delete(x, obj, /, axis=None):
    """The array without the elements at the indices along an axis."""
    tt = _package()
    x, axis = _line(x, axis, "delete")
    extent = x.shape[axis]
    if isinstance(obj, slice):
        removed = set(range(extent)[obj])
    else:
        obj = as_array(obj)
        if obj.dtype == _core.bool:
            obj = tt.nonzero(obj)[0]
        removed = {range(extent)[i] for i in obj.ravel().tolist()}
    kept = [i for i in range(extent) if i not in removed]
    index = tt.asarray(kept, dtype=tt.int64) if kept else tt.zeros(0, dtype=tt.int64)
    return tt.take(x, index, axis=axis)


def insert(x, obj, values, /, axis=None):
    """The array with values before an index, or before several, along an axis."""
    tt = _package()
    x, axis = _line(x, axis, "insert")
    values = tt.astype(as_array(values), x.dtype)
    extent, front = x.shape[axis], (slice(None),) * axis
    single = isinstance(obj, int)
    at = [obj] if single else as_array(obj).tolist()
    for i in at:
        if not -extent <= i <= extent:
            raise IndexError(f"insert: index {i} is out of range for axis {axis} with {extent} "
                             "elements")
    at = [i + extent if i < 0 else i for i in at]
    if single:  # all values before one index
        rank = x.ndim
        while values.ndim < rank:
            values = values[None] if values.ndim or rank == 1 else values.reshape((1,) * rank)
        if rank > 1 and values.ndim == rank and as_array(values).shape[axis] != 1:
            values = tt.moveaxis(values, 0, axis)
        shape = list(x.shape)
        shape[axis] = values.shape[axis]
        values = tt.broadcast_to(values, tuple(shape))
        i = at[0]
        return tt.concat([x[front + (slice(0, i),)], values, x[front + (slice(i, None),)]],
                         axis=axis)
    order = sorted(range(len(at)), key=lambda k: at[k])
    shape = list(x.shape)
    shape[axis] = len(at)
    values = tt.broadcast_to(values, tuple(shape))
    pieces, begin = [], 0
    for k in order:
        pieces += [x[front + (slice(begin, at[k]),)], values[front + (slice(k, k + 1),)]]
        begin = at[k]
    return tt.concat([*pieces, x[front + (slice(begin, None),)]], axis=axis)


def unravel_index(indices, shape, /):
    """The coordinates of elements by their numbers in row-major order."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    rest, result = as_array(indices), []
    for extent in reversed(shape):
        result.append(rest % extent)
        rest = rest // extent
    return tuple(reversed(result))


def ravel_multi_index(coordinates, shape, /):
    """The numbers of elements in row-major order by their coordinates."""
    result = as_array(0)
    for index, extent in zip(coordinates, shape):
        result = result * extent + as_array(index)
    return result


# ---- choosing


def select(conditions, choices, /, default=0):
    """For each element, the choice of the first condition that holds."""
    tt = _package()
    if len(conditions) != len(choices):
        raise ValueError(f"select: {len(conditions)} conditions for {len(choices)} choices")
    result = default
    for condition, choice in zip(reversed(conditions), reversed(choices)):
        result = tt.where(condition, choice, result)
    return as_array(result)


def choose(index, choices, /):
    """For each element, that of the choice whose number the index has."""
    tt, index = _package(), as_array(index)
    if index.size and not builtins.bool(((index >= 0) & (index < len(choices))).all()):
        raise ValueError(f"choose: an index is not one of the {len(choices)} choices")
    result = as_array(choices[0])
    for i, choice in enumerate(choices[1:], 1):
        result = tt.where(index == i, choice, result)
    return result


def piecewise(x, conditions, functions, /):
    """For each element, the function or number of the last condition that holds."""
    tt, x = _package(), as_array(x)
    functions = list(functions)
    if len(functions) not in (len(conditions), len(conditions) + 1):
        raise ValueError(f"piecewise: {len(functions)} functions for {len(conditions)} conditions")
    values = [f(x) if callable(f) else f for f in functions]
    result = values[-1] if len(functions) > len(conditions) else 0
    for condition, value in zip(conditions, values):
        result = tt.where(condition, value, result)
    return tt.astype(as_array(result) * tt.ones_like(x), x.dtype)


def compress(condition, x, /, axis=None):
    """The elements along an axis where the condition holds."""
    x, axis = _line(x, axis, "compress")
    index = _package().nonzero(_core.astype(as_array(condition), _core.bool))[0]
    return _package().take(x, index, axis=axis)


def extract(condition, x, /):
    """The elements where the condition holds, in row-major order."""
    x = as_array(x)
    return x.ravel()[_core.astype(as_array(condition), _core.bool).ravel()]


def isin(x, values, /):
    """Whether each element is one of the values."""
    tt, x, values = _package(), as_array(x), as_array(values).ravel()
    if values.size == 0:
        return tt.zeros(x.shape, dtype=_core.bool)
    dtype = tt.result_type(x, values)
    ordered = tt.sort(values.astype(dtype))
    x = x.astype(dtype)
    at = tt.minimum(tt.searchsorted(ordered, x), values.size - 1)
    return ordered[at] == x


def intersect1d(a, b, /):
    """The different elements that both have, in order."""
    tt, a, b = _package(), as_array(a), as_array(b)
    a = tt.unique_values(a.astype(tt.result_type(a, b)))
    return a[isin(a, b)]


def union1d(a, b, /):
    """The different elements that one of them has, in order."""
    tt = _package()
    return tt.unique_values(tt.concat([as_array(a).ravel(), as_array(b).ravel()]))


def setdiff1d(a, b, /):
    """The different elements of a that b has not, in order."""
    a = _package().unique_values(a)
    return a[~isin(a, b)]


def setxor1d(a, b, /):
    """The different elements that exactly one of them has, in order."""
    return union1d(setdiff1d(a, b), setdiff1d(b, a))


def lexsort(keys, /):
    """The indices that order elements by the last key, among equals by the one before, and so on."""
    tt = _package()
    keys = [as_array(key) for key in keys]
    if not keys:
        raise ValueError("lexsort: no keys were given")
    order = tt.argsort(keys[0])
    for key in keys[1:]:
        order = order[tt.argsort(key[order])]
    return order


def digitize(x, bins, /, right=False):
    """The interval between bins that each element lies in, counted from 1."""
    tt, bins = _package(), as_array(bins)
    side = "left" if right else "right"
    falling = bins.size > 1 and builtins.bool(bins[0] > bins[-1])
    rising = tt.flip(bins) if falling else bins
    if not builtins.bool(tt.all(rising[1:] >= rising[:-1])):
        raise ValueError("digitize: the bins must increase or decrease")
    at = tt.searchsorted(rising, x, side=side)
    return bins.size - at if falling else at


def argpartition(x, kth, /, axis=-1):
    """Indices that put the kth least element at its place: those of the whole order."""
    return _package().argsort(x, axis=axis)


def partition(x, kth, /, axis=-1):
    """The kth least element at its place: the whole order."""
    return _package().sort(x, axis=axis)
