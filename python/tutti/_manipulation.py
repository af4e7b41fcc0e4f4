"""Functions that arrange elements anew."""

import builtins
import operator

from . import _core


class AxisError(ValueError, IndexError):
    """An axis that an array does not have; a ValueError and an IndexError, as NumPy's."""


def as_array(x):
    """An array of what is given; arrays as they are."""
    return x if type(x) is _core.Array else _core.as_array(x)


def axis_of(axis, rank, name):
    """A checked axis, counted from 0."""
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise AxisError(f"{name}: axis {axis} of an array with {rank} axes")
    return axis % rank


def axes_of(axis, rank, name):
    """All axes, one or several, checked and counted from 0."""
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [axis_of(a, rank, name) for a in given]
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: an axis is named twice")
    return axes


def reshape(a, shape, order="C", *, copy=None):
    """The same elements in the same order under another shape; one extent may be -1. With the order
    "F", the first axis is the one that changes fastest.

    >>> import tutti as tt
    >>> tt.reshape(tt.arange(6), (2, -1)).shape
    (2, 3)
    """
    x = as_array(a)
    shape = [shape] if not isinstance(shape, (tuple, list)) else list(shape)
    if order == "F":
        return reshape(x.T, shape[::-1]).T
    if order not in ("C", "A"):
        raise ValueError(f"reshape: the order of elements is 'C' or 'F', not {order!r}")
    if shape.count(-1) > 1:
        raise ValueError("reshape: one extent may be -1, not several")
    if -1 in shape:
        known = 1
        for extent in shape:
            known *= extent if extent != -1 else 1
        if known == 0 or x.size % known:
            raise ValueError(f"reshape: {x.size} elements do not fit into {tuple(shape)}")
        shape[shape.index(-1)] = x.size // known
    return _core.reshape(x, shape)


def broadcast_shapes(*shapes):
    """The shape that arrays of these shapes are broadcast to."""
    rank = builtins.max((len(s) for s in shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for i, extent in enumerate(reversed(shape)):
            known = result[rank - 1 - i]
            if extent != known and 1 not in (extent, known):
                raise ValueError(f"the shapes {', '.join(map(str, shapes))} do not fit together")
            result[rank - 1 - i] = known if extent == 1 else extent
    return tuple(result)


def broadcast_to(x, /, shape):
    """The array repeated along axes of extent 1, and along new leading axes, to a shape."""
    x = as_array(x)
    return _core.broadcast_to(x, list(shape))


def broadcast_arrays(*arrays):
    """The arrays, all broadcast to one shape."""
    arrays = [as_array(a) for a in arrays]
    shape = list(broadcast_shapes(*(a.shape for a in arrays)))
    return [_core.broadcast_to(a, shape) for a in arrays]


def permute_dims(x, /, axes):
    """Axis k of the result is axis axes[k] of the array."""
    x = as_array(x)
    if len(axes) != x.ndim:
        raise ValueError(f"permute_dims: {len(axes)} axes for an array of {x.ndim}")
    return _core.transpose(x, [axis_of(a, x.ndim, "permute_dims") for a in axes]) if x.ndim else x


def moveaxis(x, source, destination, /):
    """The array with some axes at other positions; the others keep their order."""
    x = as_array(x)
    source = axes_of(source, x.ndim, "moveaxis")
    destination = axes_of(destination, x.ndim, "moveaxis")
    if len(source) != len(destination):
        raise ValueError("moveaxis: as many axes go as come")
    order = [axis for axis in range(x.ndim) if axis not in source]
    for target, axis in sorted(zip(destination, source)):
        order.insert(target, axis)
    return permute_dims(x, order)


def swapaxes(x, axis1, axis2, /):
    """The array with two axes exchanged."""
    x = as_array(x)
    order = list(range(x.ndim))
    a, b = axis_of(axis1, x.ndim, "swapaxes"), axis_of(axis2, x.ndim, "swapaxes")
    order[a], order[b] = b, a
    return permute_dims(x, order)


def expand_dims(x, /, axis=0):
    """The array with a new axis of extent 1, or with several: axes of the result."""
    x = as_array(x)
    if isinstance(axis, (tuple, list)):
        rank = x.ndim + len(axis)
        for a in sorted(axis_of(a, rank, "expand_dims") for a in axis):
            x = expand_dims(x, a)
        return x
    rank = x.ndim + 1
    if not -rank <= axis < rank:
        raise AxisError(f"expand_dims: axis {axis} of an array with {x.ndim} axes")
    return _core.add_axis(x, axis % rank, 1)


def squeeze(x, /, axis=None):
    """The array without axes of extent 1: those given, or all."""
    x = as_array(x)
    axes = ([i for i, extent in enumerate(x.shape) if extent == 1] if axis is None
            else axes_of(axis, x.ndim, "squeeze"))
    for axis in sorted(axes, reverse=True):
        if x.shape[axis] != 1:
            raise ValueError(f"squeeze: axis {axis} has {x.shape[axis]} elements, not 1")
        x = _core.drop_axis(x, axis)
    return x


def flip(x, /, axis=None):
    """The elements in reverse order along the axes given, or along all."""
    x = as_array(x)
    if _core.is_lifted(x):
        return x[::-1]
    axes = axes_of(axis, x.ndim, "flip")
    return x[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(x.ndim))]


def roll(x, /, shift, axis=None):
    """The elements moved along axes; those that leave at one end enter at the other."""
    x = as_array(x)
    if axis is None:
        return _core.reshape(roll(_core.reshape(x, [x.size]), shift, axis=0), list(x.shape))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    if len(shifts) != len(axes):
        raise ValueError("roll: as many shifts as axes are needed")
    by = [0] * x.ndim
    for a, s in zip(axes, shifts):
        by[axis_of(a, x.ndim, "roll")] += s
    by = [b % extent if extent else 0 for b, extent in zip(by, x.shape)]
    return _core.roll(x, by) if x.size else x


def _mirrored(extent, before, after, with_edge):
    """The indices that a padded axis takes when it is reflected at its ends."""
    period = 2 * extent if with_edge else builtins.max(2 * extent - 2, 1)
    found = []
    for i in range(-before, extent + after):
        i %= period
        found.append(i if i < extent else period - 1 - i if with_edge else period - i)
    return _core.as_array(found)


def _pairs(given, rank, name):
    """A number for both sides of all axes, a pair for all axes, or a pair for each."""
    given = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(given, (tuple, list)):
        return [(given, given)] * rank
    given = [_pairs(part, 1, name)[0] if isinstance(part, (tuple, list)) and len(part) == 1 else
             part.tolist() if hasattr(part, "tolist") else part for part in given]
    if len(given) == 2 and not isinstance(given[0], (tuple, list)):
        return [tuple(given)] * rank
    if len(given) == 1:
        given = given[0] if isinstance(given[0], (tuple, list)) else (given[0], given[0])
        return [tuple(given)] * rank
    if len(given) != rank or builtins.any(not isinstance(p, (tuple, list)) or len(p) != 2 for p in given):
        raise ValueError(f"pad: the {name} {given} are no pairs for an array of {rank} axes")
    return [tuple(pair) for pair in given]


def _padded_with(x, width, values):
    """Numbers around an array, axis by axis: they may differ, and have all their digits."""
    for axis, (sides, ends) in enumerate(zip(width, _pairs(values, x.ndim, "values"))):
        shape = list(x.shape)
        parts = []
        for count, value in zip(sides, ends):
            shape[axis] = count
            parts.append(_core.full(shape, value, x.dtype))
        x = _core.concat([parts[0], x, parts[1]], axis)
    return x


def pad(x, width, /, mode=None, *, value=0, constant_values=None):
    """Elements around an array: a number, or by NumPy's mode "edge", "wrap", "reflect" or
    "symmetric" its own."""
    x = as_array(x)
    width = [tuple(operator.index(n) for n in pair) for pair in _pairs(width, x.ndim, "widths")]
    if builtins.any(n < 0 for pair in width for n in pair):
        raise ValueError(f"pad: a width of {width} is negative")
    value = value if constant_values is None else constant_values
    if mode in ("reflect", "symmetric"):
        for axis, (before, after) in enumerate(width):
            if before or after:
                index = _mirrored(x.shape[axis], before, after, mode == "symmetric")
                x = _core.take_unchecked(x, index, axis)
        return x
    if mode not in (None, "constant", "edge", "wrap"):
        return _padded_by_numpy(x, width, mode)
    constant = mode in (None, "constant")
    if constant and value != 0 if isinstance(value, (int, float)) else constant:
        return _padded_with(x, width, value)
    return _core.pad(x, [w[0] for w in width], [w[1] for w in width], 0 if constant else mode)


def _padded_by_numpy(x, width, mode):
    from ._numpy_itself import find
    if not isinstance(mode, str) or mode not in ("linear_ramp", "mean", "median", "maximum",
                                                 "minimum"):
        raise ValueError(f"pad: there is no mode {mode!r}: it is one of constant, edge, wrap, "
                         "reflect, symmetric; linear_ramp, mean, median, maximum and minimum are "
                         "computed by NumPy")
    return find("numpy", "pad")(x, width, mode)


def concat(arrays, /, axis=0):
    """Arrays one behind the other along an axis.

    >>> import tutti as tt
    >>> tt.concat([tt.arange(2), tt.arange(3)])
    Array([0, 1, 0, 1, 2], dtype=int64)
    """
    arrays = [as_array(a) for a in arrays]
    if not arrays:
        raise ValueError("concat: no arrays were given")
    if builtins.any([_core.is_lifted(a) for a in arrays]):  # inside of each()
        return _core.concat(_of_one_type(arrays), 0)
    if axis is None:
        arrays, axis = [_core.reshape(a, [a.size]) for a in arrays], 0
    first = arrays[0].shape
    axis = axis_of(axis, len(first), "concat")
    for a in arrays[1:]:
        shape = a.shape
        if shape != first and (len(shape) != len(first) or shape[:axis] != first[:axis]
                               or shape[axis + 1:] != first[axis + 1:]):
            raise ValueError(f"concat: the shapes {first} and {shape} do not fit along axis {axis}")
    return _core.concat(_of_one_type(arrays), axis)


def _of_one_type(arrays):
    """The arrays in the type of all of them together."""
    dtype, mixed = arrays[0].dtype, False
    for a in arrays[1:]:
        if a.dtype is not dtype:
            dtype, mixed = _core.promote(dtype, a.dtype), True
    return [_core.astype(a, dtype) for a in arrays] if mixed else arrays


def stack(arrays, /, axis=0):
    """Arrays of one shape one behind the other along a new axis."""
    arrays = [as_array(a) for a in arrays]
    if not arrays:
        raise ValueError("stack: no arrays were given")
    shape = arrays[0].shape
    for a in arrays[1:]:
        if a.shape != shape:
            raise ValueError(f"stack: the arrays have different shapes: {shape} and {a.shape}")
    rank = len(shape) + 1
    if not -rank <= axis < rank:
        raise AxisError(f"stack: axis {axis} of a result with {rank} axes")
    return _core.stack(_of_one_type(arrays), axis % rank)


def unstack(x, /, axis=0):
    """The parts of an array along an axis, as a tuple."""
    x = as_array(x)
    axis = axis_of(axis, x.ndim, "unstack")
    front = (slice(None),) * axis
    return tuple(x[front + (i,)] for i in range(x.shape[axis]))


def tile(x, repetitions, /):
    """The array repeated along every axis."""
    x = as_array(x)
    repetitions = tuple(repetitions) if isinstance(repetitions, (tuple, list)) else (repetitions,)
    rank = builtins.max(x.ndim, len(repetitions))
    shape = (1,) * (rank - x.ndim) + x.shape
    repetitions = (1,) * (rank - len(repetitions)) + repetitions
    x = _core.reshape(x, list(shape))
    if 0 in repetitions or x.size == 0:
        return _core.full([s * r for s, r in zip(shape, repetitions)], 0, x.dtype)
    return _core.pad(x, [0] * rank, [s * (r - 1) for s, r in zip(shape, repetitions)], "wrap")


def repeat(x, repeats, /, axis=None):
    """Each element repeated, as often as given for all or for each."""
    x = as_array(x)
    from ._creation import arange, asarray
    if axis is None:
        x, axis = _core.reshape(x, [x.size]), 0
    axis = axis_of(axis, x.ndim, "repeat")
    if isinstance(repeats, int):
        if repeats < 0:
            raise ValueError("repeat: a negative number of repetitions")
        index = arange(x.shape[axis] * repeats) // builtins.max(repeats, 1)
        return _core.take_unchecked(x, index, axis)
    counts = _core.astype(asarray(repeats), _core.int64)
    if counts.ndim == 0 or counts.size == 1:
        return repeat(x, int(counts.item()), axis=axis)
    if counts.shape != (x.shape[axis],):
        raise ValueError("repeat: one number of repetitions for each element is needed")
    offsets = _core.pad(_core.scan("sum", counts, None, False), [1], [0], 0)
    total = int(offsets[-1].item())
    return _core.take_unchecked(x, _core.element_segments(offsets, total), axis)
