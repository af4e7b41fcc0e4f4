"""Functions that make arrays."""

import builtins
import math
import operator
import sys

from . import _core
from ._core import Array, DType
from ._manipulation import as_array


_NUMBERS = (builtins.bool, int, float, complex)
_COPIED = (*_NUMBERS, list, tuple)


def _shape(shape):
    if isinstance(shape, (tuple, list)):
        return [operator.index(extent) for extent in shape]
    return [operator.index(shape)]


def _check_device(device):
    if device is not None and str(device) not in [name for name, _ in _core.devices()]:
        raise ValueError(f"there is no device {device!r}: tt.devices() lists them")


def _placed(array, device):
    if device is None:
        return array
    _check_device(device)
    return array.to_device(device)


def _holds_arrays(items):
    others = {*map(type, items)}.difference(_NUMBERS)  # numbers are many, and their types few
    return builtins.any(isinstance(x, (list, tuple)) and _holds_arrays(x)
                        or hasattr(x, "dtype") or isinstance(x, range)
                        for x in (items if others else ()) if type(x) in others)


def _is_of_numpy(items, numpy):
    """Whether the items, also those of lists in them, are NumPy's arrays and numbers."""
    known = (numpy.generic, numpy.ndarray, range, int, float, complex)
    return builtins.all(issubclass(kind, known) or issubclass(kind, (list, tuple)) for kind in {*map(type, items)}) \
        and builtins.all(_is_of_numpy(x, numpy) for x in items if isinstance(x, (list, tuple)))


def _stacked(items):
    """An array of a list that holds arrays."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and _is_of_numpy(items, numpy):
        try:
            return _core.as_array(numpy.asarray(items))
        except ValueError:  # different shapes, which stack() says
            pass
    from ._manipulation import stack
    return stack([asarray(x) for x in items])


def asarray(obj, /, dtype=None, order=None, *, device=None, copy=None):
    """An array of what is given: numbers, nested lists, NumPy arrays, anything with __dlpack__.

    Memory of others is viewed, not copied: it must not change while arrays computed from it are
    pending. copy=True copies it. `order` is NumPy's, and has no meaning here.

    >>> asarray([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if isinstance(obj, Array) and not copy and device is None and dtype in (None, obj.dtype):
        return obj  # updates of the one are updates of the other
    if isinstance(obj, range):
        return arange(obj.start, obj.stop, obj.step, dtype=dtype, device=device)
    if isinstance(obj, (list, tuple)) and _holds_arrays(obj):
        result = _stacked(obj)
    elif dtype is not None and isinstance(obj, _COPIED):
        result = _core.as_array_of(obj, dtype)
    else:
        result = _core.as_array(obj)
    if copy and not isinstance(obj, _COPIED):
        result = _core.copied(result)
    if dtype is not None:
        wanted = DType(dtype)
        if copy is False and wanted != result.dtype:
            raise ValueError(f"the elements are {result.dtype.name}: {wanted.name} needs a copy")
        result = _core.astype(result, wanted)
    if copy is False and isinstance(obj, _COPIED):
        raise ValueError("numbers and lists are always copied")
    return _placed(result, device)


def from_dlpack(x, /, *, device=None, copy=None):
    """An array over the memory of another library, without a copy."""
    result = _core.from_dlpack(x)
    return _placed(_core.copied(result) if copy else result, device)


def full(shape, fill_value, dtype=None, order="C", *, device=None):
    """All elements the same; nothing is stored."""
    if not isinstance(fill_value, _NUMBERS):
        values = as_array(fill_value)
        if values.ndim:
            values = values if dtype is None else _core.astype(values, dtype)
            return _placed(_core.broadcast_to(values, _shape(shape)), device)
        fill_value = values.item()
    return _placed(_core.full(_shape(shape), fill_value, dtype), device)


def zeros(shape, dtype=None, order="C", *, device=None):
    """All elements 0.

    >>> zeros((2, 3)).dtype
    tutti.float64
    """
    return full(shape, 0, dtype=_core.float64 if dtype is None else dtype, device=device)


def ones(shape, dtype=None, order="C", *, device=None):
    """All elements 1."""
    return full(shape, 1, dtype=_core.float64 if dtype is None else dtype, device=device)


def empty(shape, dtype=None, order="C", *, device=None):
    """As zeros(): there is no memory without contents."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x, /, fill_value, dtype=None, *, device=None, shape=None):
    """An array of the shape and type of x, where no others are given, with all elements the same."""
    x = as_array(x)
    return full(x.shape if shape is None else shape, fill_value, dtype=x.dtype if dtype is None else dtype,
                device=device)


def zeros_like(x, /, dtype=None, *, device=None, shape=None):
    """An array of the shape and type of x with all elements 0."""
    return full_like(x, 0, dtype=dtype, device=device, shape=shape)


def ones_like(x, /, dtype=None, *, device=None, shape=None):
    """An array of the shape and type of x with all elements 1."""
    return full_like(x, 1, dtype=dtype, device=device, shape=shape)


def empty_like(x, /, dtype=None, *, device=None, shape=None):
    """As zeros_like(): there is no memory without contents."""
    return full_like(x, 0, dtype=dtype, device=device, shape=shape)


def _counter(count, dtype):
    return _core.astype(_core.index([count], 0), dtype)


def _range_in_each(start, stop, step, dtype):
    """arange() with another number of elements for each instance of each()."""
    if not isinstance(step, int) or step != 1:
        raise ValueError("arange: inside of each() the step is 1")
    if stop is None:
        start, stop = 0, start
    count = _core.maximum(stop - start, 0)
    if count.dtype.kind not in "iu":
        raise TypeError(f"arange: inside of each() the ends are integers, not {count.dtype.name}")
    values = _core.lifted_range(count) + start
    return values if dtype is None else _core.astype(values, dtype)


def _as_number(x):
    return operator.index(x) if as_array(x).dtype.kind in "iu" else float(x)


def arange(start, /, stop=None, step=1, dtype=None, *, device=None):
    """Numbers from start to before stop.

    >>> arange(3)
    Array([0, 1, 2], dtype=int64)
    """
    if _core.is_lifted(start) or _core.is_lifted(stop):
        return _range_in_each(start, stop, step, dtype)
    if stop is None:
        start, stop = 0, start
    start, stop, step = (x if isinstance(x, (int, float)) else _as_number(x) for x in (start, stop, step))
    if step == 0:
        raise ValueError("arange: the step is 0")
    integers = builtins.all(isinstance(x, int) for x in (start, stop, step))
    if dtype is None:
        dtype = _core.int64 if integers else _core.float64
    dtype = DType(dtype)
    if integers:
        count = builtins.max(0, -((start - stop) // step))
    else:
        count = builtins.max(0, math.ceil((stop - start) / step))
    if count >= 1 << 63:
        raise ValueError(f"arange: {count} elements are more than an array can have")
    work = _core.float64 if dtype.kind == "f" else _core.int64
    if dtype.kind == "u" and dtype.itemsize == 8:
        work = dtype
    if work.kind != "f" and not integers:
        return _placed(_core.astype(_counter(count, _core.float64) * float(step) + float(start),
                                    dtype), device)
    number = float if work.kind == "f" else int
    values = _counter(count, work) * number(step) + number(start)
    return _placed(_core.astype(values, dtype), device)


def linspace(start, stop, /, num=50, *, dtype=None, device=None, endpoint=True, retstep=False):
    """num numbers from start to stop, at equal distances; with retstep, also the distance. Ends that
    are arrays give a first axis of num."""
    if retstep:
        parts = num - 1 if endpoint else num
        numbers = linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
        return numbers, (stop - start) / parts if parts > 0 else math.nan
    if not isinstance(start, _NUMBERS) or not isinstance(stop, _NUMBERS):
        start, stop = as_array(start), as_array(stop)
        if start.ndim or stop.ndim:
            part = linspace(0.0, 1.0, num, endpoint=endpoint)
            part = part.reshape((num,) + (1,) * builtins.max(start.ndim, stop.ndim))
            values = _core.where(part == 1.0, stop, start + part * (stop - start))
            return _placed(values if dtype is None else _core.astype(values, dtype), device)
        start, stop = start.item(), stop.item()
    complex_ends = isinstance(start, complex) or isinstance(stop, complex)
    if dtype is None:
        dtype = _core.complex128 if complex_ends else _core.float64
    dtype = DType(dtype)
    if num < 0:
        raise ValueError("linspace: the number of elements is negative")
    if dtype.kind == "c":
        part = _core.float32 if dtype == _core.complex64 else _core.float64
        ends = complex(start), complex(stop)
        real, imag = (linspace(getattr(ends[0], name), getattr(ends[1], name), num, dtype=part,
                               endpoint=endpoint) for name in ("real", "imag"))
        return _placed(_core.complex_of(real, imag), device)
    if complex_ends:
        raise TypeError(f"linspace: complex ends for elements of type {dtype.name}")
    parts = num - 1 if endpoint else num
    counter = _counter(num, _core.float64)
    step = (stop - start) / parts if parts > 0 else 0.0
    values = counter * float(step) + float(start)
    if endpoint and num > 1:
        values = _core.where(counter == float(num - 1), float(stop), values)
    return _placed(_core.astype(values, dtype), device)


def eye(n_rows, n_cols=None, /, k=0, dtype=None, *, device=None):
    """1 on a diagonal, 0 elsewhere."""
    shape = [n_rows, n_rows if n_cols is None else n_cols]
    k = builtins.max(-shape[0], builtins.min(k, shape[1]))
    diagonal = _core.index(shape, 1) - _core.index(shape, 0) == k
    return _placed(_core.astype(diagonal, _core.float64 if dtype is None else dtype), device)


def _triangle(x, k, upper):
    if x.ndim < 2:
        raise ValueError(f"a triangle of an array of {x.ndim} axes: at least 2 are needed")
    return _core.triangle(x, builtins.max(-x.shape[-2], builtins.min(k, x.shape[-1])), upper)


def tril(x, /, k=0):
    """The matrix, or matrices, with 0 above the k-th diagonal."""
    x = as_array(x)
    return _triangle(x, k, False)


def triu(x, /, k=0):
    """The matrix, or matrices, with 0 below the k-th diagonal."""
    x = as_array(x)
    return _triangle(x, k, True)


def meshgrid(*arrays, indexing="xy", sparse=False, copy=True):
    """The coordinates of a grid, one array for each axis; sparse ones have extent 1 along the others.
    Elements never change, so copy has no meaning."""
    if indexing not in ("xy", "ij"):
        raise ValueError("meshgrid: indexing is 'xy' or 'ij'")
    arrays = [as_array(a) for a in arrays]
    if builtins.any(a.ndim > 1 for a in arrays):
        raise ValueError("meshgrid: the arrays must have rank 0 or 1")
    arrays = [a if a.ndim == 1 else _core.reshape(a, [1]) for a in arrays]
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[0], order[1] = 1, 0
    shape = [0] * len(arrays)
    for axis, a in zip(order, arrays):
        shape[axis] = a.shape[0]
    result = []
    for axis, a in zip(order, arrays):
        own = [1] * len(arrays)
        own[axis] = a.shape[0]
        line = _core.reshape(a, own)
        result.append(line if sparse else _core.broadcast_to(line, shape))
    return result
