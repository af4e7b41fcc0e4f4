"""Sorting, searching and sets. Sorting is stable; NaNs are last; -0 equals +0."""

import collections
import operator

from . import _core
from ._manipulation import as_array, axis_of

TopK = collections.namedtuple("TopK", "values indices")
UniqueAll = collections.namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = collections.namedtuple("UniqueCounts", "values counts")
UniqueInverse = collections.namedtuple("UniqueInverse", "values inverse_indices")


def _line(x, axis, name):
    """The array and an axis of it; without one, all elements in row-major order."""
    x = as_array(x)
    if _core.is_lifted(x):
        return x, 0
    if axis is None:
        return _core.reshape(x, [x.size]), 0
    return x, axis_of(axis, x.ndim, name)


def sort(x, /, axis=-1, kind=None, *, descending=False, stable=True):
    """The elements in order along an axis; every `kind` of NumPy is this stable one.

    >>> import tutti as tt
    >>> tt.sort(tt.asarray([3, 1, 2]))
    Array([1, 2, 3], dtype=int64)
    """
    x, axis = _line(x, axis, "sort")
    return _core.sort_along(x, axis, descending)


def argsort(x, /, axis=-1, kind=None, *, descending=False, stable=True):
    """The indices of the elements in order along an axis."""
    x, axis = _line(x, axis, "argsort")
    return _core.astype(_core.arg_sort_along(x, axis, descending), _core.int64)


def searchsorted(x1, x2, /, side="left", *, sorter=None):
    """Where the elements of x2 would be inserted into the sorted vector x1."""
    x1 = as_array(x1)
    x2 = as_array(x2)
    if side not in ("left", "right"):
        raise ValueError("searchsorted: the side is 'left' or 'right'")
    if sorter is not None:
        x1 = x1[sorter]
    dtype = _core.promote(x1.dtype, x2.dtype)
    found = _core.search_sorted(_core.astype(x1, dtype), _core.astype(x2, dtype), side == "right")
    return _core.astype(found, _core.int64)


def nonzero(x, /):
    """The indices of the elements that are not zero, one vector for each axis."""
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("nonzero: the array has no axes")
    return tuple(_core.nonzero(x))


def take(x, indices, /, axis=None, *, mode="raise"):
    """The elements at indices along an axis. An index that is out of range is an error; with mode
    "clip" it counts as the nearest one, with "wrap" as the rest of its division."""
    x = as_array(x)
    if axis is None:
        x, axis = _core.reshape(x, [x.size]), 0
    axis = axis_of(axis, x.ndim, "take")
    if mode == "wrap":
        indices = as_array(indices) % x.shape[axis]
    elif mode == "clip":
        indices = _core.minimum(_core.maximum(as_array(indices), 0), x.shape[axis] - 1)
    elif mode != "raise":
        raise ValueError(f"take: a mode is 'raise', 'clip' or 'wrap', not {mode!r}")
    return x[(slice(None),) * axis + (indices,)]


def take_along_axis(x, indices, /, axis=-1):
    """For each index the element of its own row along an axis."""
    x = as_array(x)
    indices = as_array(indices)
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
    x = as_array(x)
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


def _unique_all(x):
    """The different elements, where each is first, which of them each is, and their counts."""
    if x.dtype.kind != "c":
        return _core.unique_all(x)
    # Complex numbers in the order of their real parts, then of their imaginary parts.
    line = _core.reshape(x, [x.size])
    order = argsort(_core.imag(line))
    order = order[argsort(_core.real(line)[order])]
    ordered = line[order]
    begins = ordered[1:] != ordered[:-1]
    begins = _core.concat([_core.full([min(x.size, 1)], True, _core.bool), begins], 0)
    group = _core.scan_along("sum", _core.astype(begins, _core.int64), 0, False) - 1
    values = ordered[begins]
    inverse = _core.full([x.size], 0, _core.int64).at[order].set(group)
    counts = _core.full([values.size], 0, _core.int64).at[group].add(1)
    return values, order[begins], _core.reshape(inverse, list(x.shape)), counts


def unique_values(x, /):
    """The different elements, in order."""
    x = as_array(x)
    return _unique_all(x)[0]


def unique_all(x, /):
    """The different elements, where each is first, which of them each element is, and their counts."""
    x = as_array(x)
    values, *indices = _unique_all(x)
    return UniqueAll(values, *(_core.astype(i, _core.int64) for i in indices))


def unique_counts(x, /):
    """The different elements, and how many of each there are."""
    result = unique_all(x)
    return UniqueCounts(result.values, result.counts)


def unique_inverse(x, /):
    """The different elements, and which of them each element is."""
    result = unique_all(x)
    return UniqueInverse(result.values, result.inverse_indices)
