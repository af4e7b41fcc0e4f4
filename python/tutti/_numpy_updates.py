"""Functions of NumPy that change the elements of an array: they give its object new ones, as
x[key] = v does. _numpy_names.find() looks them up when they are used."""

from . import _core
from ._core import Array
from ._manipulation import as_array, axis_of


def _package():
    import tutti
    return tutti


def _object(x, name):
    if not isinstance(x, Array):
        raise TypeError(f"{name}: an array of Tutti was expected, not {type(x).__name__}: others are "
                        "changed by their own libraries")
    return x


def _repeated(values, count):
    """The values in order, again and again, until there are enough."""
    tt, values = _package(), as_array(values).ravel()
    if values.size == 0 and count:
        raise ValueError("there are no values to put")
    return values[tt.arange(count) % values.size] if count else values[:0]


def put(x, indices, values, /):
    """x[i] = v for indices into all elements in row-major order."""
    tt, indices = _package(), as_array(indices).ravel()
    _object(x, "put").flat[indices] = _repeated(values, indices.size)


def putmask(x, mask, values, /):
    """The elements whose flag is true become the values at the same positions, repeated."""
    tt, x = _package(), _object(x, "putmask")
    x[...] = _core.where(as_array(mask), _repeated(values, x.size).reshape(x.shape), x)


def place(x, mask, values, /):
    """The elements whose flags are true become the values, one after another."""
    tt = _package()
    where = tt.nonzero(as_array(mask).ravel())[0]
    if where.size:
        _object(x, "place").flat[where] = _repeated(values, where.size)


def copyto(x, values, /, *, where=True):
    """x[...] = values, where the flags hold."""
    tt, x = _package(), _object(x, "copyto")
    if where is True:
        x[...] = values
        return
    x[...] = _core.where(tt.broadcast_to(as_array(where), x.shape),
                         tt.broadcast_to(as_array(values), x.shape), x)


def put_along_axis(x, indices, values, /, axis):
    """The opposite of take_along_axis(): values for the elements at indices of each line."""
    tt, x, indices = _package(), _object(x, "put_along_axis"), as_array(indices)
    if axis is None:
        put(x, indices, values)
        return
    axis = axis_of(axis, x.ndim, "put_along_axis")
    key = []
    for i, n in enumerate(x.shape):
        shape = [1] * x.ndim
        shape[i] = n
        key.append(indices if i == axis else tt.arange(n).reshape(shape))
    x[tuple(key)] = values


def fill_diagonal(x, values, /):
    """The elements whose indices are equal along all axes become the values, repeated."""
    tt, x = _package(), _object(x, "fill_diagonal")
    if x.ndim < 2:
        raise ValueError(f"fill_diagonal: {x.ndim} axes have no diagonal: 2 are needed")
    if x.ndim > 2 and len({*x.shape}) > 1:
        raise ValueError(f"fill_diagonal: the axes of shape {x.shape} must have one length")
    count = min(x.shape)
    if count:
        x[(tt.arange(count),) * x.ndim] = _repeated(values, count)
