"""Sorting, searching and sets. Sorting is stable; NaNs are last; -0 equals +0."""

import collections
import operator

from . import _core
from ._manipulation import axis_of
from ._reductions import along_last

TopK = collections.namedtuple("TopK", "values indices")
UniqueAll = collections.namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = collections.namedtuple("UniqueCounts", "values counts")
UniqueInverse = collections.namedtuple("UniqueInverse", "values inverse_indices")


def _row_offsets(rows, length):
    """Where each row begins in the vector of all."""
    if rows == 1:
        return None
    return _core.astype(_core.index([rows + 1], 0), _core.int64) * length


def _sorted_rows(x, descending):
    line = _core.reshape(x, [x.size])
    length = x.shape[-1]
    rows = x.size // length
    result = _core.sort(line, line, _row_offsets(rows, length), descending)
    return _core.reshape(result, list(x.shape))


def _permuted_rows(x, descending):
    line = _core.reshape(x, [x.size])
    length = x.shape[-1]
    rows = x.size // length
    order = _core.sort_permutation(line, _row_offsets(rows, length), descending)
    return _core.reshape(_core.astype(order, _core.int64) % length, list(x.shape))


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """The elements in order along an axis.

    >>> import tutti as tt
    >>> tt.sort(tt.asarray([3, 1, 2]))
    Array([1, 2, 3], dtype=int64)
    """
    axis = axis_of(axis, x.ndim, "sort")
    return along_last(x, axis, lambda y: _sorted_rows(y, descending)) if x.size else x


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The indices of the elements in order along an axis."""
    axis = axis_of(axis, x.ndim, "argsort")
    if x.size == 0:
        return _core.astype(x, _core.int64)
    return along_last(x, axis, lambda y: _permuted_rows(y, descending))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where the elements of x2 would be inserted into the sorted vector x1."""
    if side not in ("left", "right"):
        raise ValueError("searchsorted: the side is 'left' or 'right'")
    if sorter is not None:
        x1 = x1[sorter]
    dtype = _core.promote(x1.dtype, x2.dtype)
    found = _core.search_sorted(_core.astype(x1, dtype), _core.astype(x2, dtype), side == "right")
    return _core.astype(found, _core.int64)


def nonzero(x, /):
    """The indices of the elements that are not zero, one vector for each axis."""
    if x.ndim == 0:
        raise ValueError("nonzero: the array has no axes")
    return tuple(_core.nonzero(x))


def take(x, indices, /, *, axis=None):
    """The elements at indices along an axis."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take: an axis must be given for {x.ndim} axes")
        axis = 0
    axis = axis_of(axis, x.ndim, "take")
    return x[(slice(None),) * axis + (indices,)]


def take_along_axis(x, indices, /, *, axis=-1):
    """For each index the element of its own row along an axis."""
    axis = axis_of(axis, x.ndim, "take_along_axis")
    shape = list(indices.shape)
    key = tuple(indices if i == axis else _core.index(shape, i) for i in range(x.ndim))
    return x[key]


def top_k(x, k, /, *, axis=-1, mode="largest"):
    """The k greatest elements along an axis, in order, and their indices; with mode="smallest" the
    least. A vector is not sorted as a whole.

    >>> import tutti as tt
    >>> tt.top_k(tt.asarray([3, 1, 4, 1, 5]), 2)
    TopK(values=Array([5, 4], dtype=int64), indices=Array([4, 2], dtype=int64))
    """
    if mode not in ("largest", "smallest"):
        raise ValueError("top_k: the mode is 'largest' or 'smallest'")
    axis = axis_of(axis, x.ndim, "top_k")
    k = operator.index(k)
    length = x.shape[axis]
    if not 0 <= k <= length:
        raise ValueError(f"top_k: {k} of {length} elements; ask for 0 to {length}")
    if x.ndim == 1:
        indices = _core.astype(_core.top_k(x, k, mode == "largest"), _core.int64)
    else:
        order = argsort(x, axis=axis, descending=mode == "largest")
        indices = order[(slice(None),) * axis + (slice(0, k),)]
    return TopK(take_along_axis(x, indices, axis=axis), indices)


def _unique(x):
    """Sorted elements, where each came from, and which are the first of their value."""
    line = _core.reshape(x, [x.size])
    order = _core.astype(_core.sort_permutation(line, None, False), _core.int64)
    values = line[order]
    _core.evaluate([order, values])
    first = _core.index([x.size], 0) == 0
    if x.size > 1:
        before = _core.pad(values[:-1], [1], [0], "edge")
        first = first | (values != before)
    return values, order, first


def unique_values(x, /):
    """The different elements, in order."""
    if x.size == 0:
        return _core.reshape(x, [0])
    values, _, first = _unique(x)
    return values[first]


def unique_all(x, /):
    """The different elements, where each is first, which of them each element is, and their counts."""
    if x.size == 0:
        empty = _core.full([0], 0, _core.int64)
        return UniqueAll(_core.reshape(x, [0]), empty,
                         _core.full(list(x.shape), 0, _core.int64), empty)
    values, order, first = _unique(x)
    starts = _core.nonzero(first)[0]
    number = _core.scan("sum", _core.astype(first, _core.int64), None, False) - 1
    inverse = _core.update_item(_core.full([x.size], 0, _core.int64), order, number, "set")
    ends = _core.pad(starts[1:], [0], [1], float(x.size)) if starts.size else starts
    return UniqueAll(values[first], order[starts], _core.reshape(inverse, list(x.shape)),
                     ends - starts)


def unique_counts(x, /):
    """The different elements, and how many of each there are."""
    result = unique_all(x)
    return UniqueCounts(result.values, result.counts)


def unique_inverse(x, /):
    """The different elements, and which of them each element is."""
    result = unique_all(x)
    return UniqueInverse(result.values, result.inverse_indices)
