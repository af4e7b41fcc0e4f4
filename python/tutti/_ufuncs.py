"""Element-wise functions of two operands as objects with NumPy's methods: tt.add(x, y),
tt.maximum.accumulate(x), tt.subtract.outer(x, y)."""

from . import _core
from ._manipulation import as_array, axis_of


def _package():
    import tutti
    return tutti


# The function: its reduction and its scan.
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
               "logical_and": "all", "logical_or": "any"}
_BITS = ("bitwise_and", "bitwise_or", "bitwise_xor")
_UPDATES = {"add": "add", "maximum": "max", "minimum": "min"}


class Ufunc:
    """A function of two arrays, element by element.

    >>> import tutti as tt
    >>> tt.multiply([1, 2], 3), tt.maximum.accumulate([1, 3, 2])
    (Array([3, 6], dtype=int64), Array([1, 3, 3], dtype=int64))
    """

    def __init__(self, function):
        self._function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = "tutti"

    def __call__(self, x1, x2, /, out=None, *, where=True, dtype=None):
        result = self._function(x1, x2) if dtype is None else self._computed_in(dtype, x1, x2)
        if where is not True:
            result = _core.with_flags(result, where, out)
        return result if out is None else _core.stored_in(result, out, self.__name__)

    def __repr__(self):
        return f"<function tutti.{self.__name__}>"

    def __reduce__(self):
        return self.__name__

    def _computed_in(self, dtype, x1, x2):
        """The function of elements that are converted before, as NumPy's dtype= says."""
        dtype = _core.DType(dtype)
        kinds = "biufc"
        for x in map(as_array, (x1, x2)):
            if kinds.index(x.dtype.kind) > kinds.index(dtype.kind):
                raise TypeError(f"{self.__name__}: elements of type {x.dtype.name} are not computed in "
                                f"{dtype.name}: cast them with astype() first")
        result = self._function(_core.astype(as_array(x1), dtype), _core.astype(as_array(x2), dtype))
        if result.dtype != dtype:
            raise TypeError(f"{self.__name__}: the result of elements of type {dtype.name} is "
                            f"{result.dtype.name}")
        return result

    def _of_numpy(self, method):
        from ._numpy_itself import find
        names = {"atan2": "arctan2", "pow": "power", "bitwise_left_shift": "left_shift",
                 "bitwise_right_shift": "right_shift"}
        return getattr(find("numpy", names.get(self.__name__, self.__name__)), method)

    def reduce(self, x, /, axis=0, *, dtype=None, keepdims=False):
        """All elements along an axis combined into one."""
        name, x = self.__name__, as_array(x)
        if dtype is not None:
            x = _core.astype(x, dtype)
        if name in _REDUCTIONS:
            if name.startswith("logical"):
                x = _core.astype(x, _core.bool)
            return getattr(_package(), _REDUCTIONS[name])(x, axis=axis, keepdims=keepdims)
        if name in _BITS and x.dtype.kind in "iu":
            return _core.reduce_axes(name, x, axis, keepdims)
        return self._of_numpy("reduce")(x, axis=axis, keepdims=keepdims)

    def accumulate(self, x, /, axis=0, *, dtype=None):
        """All elements up to each one along an axis combined."""
        tt, x = _package(), as_array(x)
        if self.__name__ in ("add", "multiply"):
            scan = tt.cumulative_sum if self.__name__ == "add" else tt.cumulative_prod
            return scan(x, axis=axis, dtype=dtype)
        if dtype is not None:
            x = _core.astype(x, dtype)
        if self.__name__ in ("maximum", "minimum") and x.dtype.kind in "iuf" and x.size:
            axis = axis_of(axis, x.ndim, f"{self.__name__}.accumulate")
            return _core.scan_along(_REDUCTIONS[self.__name__], x, axis, False)
        return self._of_numpy("accumulate")(x, axis=axis)

    def outer(self, x1, x2, /):
        """The function of each element of x1 and each of x2."""
        x1, x2 = as_array(x1), as_array(x2)
        return self(x1.reshape(x1.shape + (1,) * x2.ndim), x2)

    def reduceat(self, x, indices, /, axis=0):
        """Reductions of parts of an axis; NumPy computes them, see tt.Seq for ragged rows."""
        return self._of_numpy("reduceat")(x, indices, axis=axis)

    def at(self, x, indices, values, /):
        """The elements at indices combined with values, again for each repeated index."""
        if not isinstance(x, _core.Array):
            raise TypeError(f"{self.__name__}.at: an array of Tutti was expected, not {type(x).__name__}: "
                            "others are changed by their own libraries")
        if self.__name__ == "subtract" and x.dtype.kind in "if":
            _package().add.at(x, indices, -as_array(values))
        elif self.__name__ in _UPDATES:
            x[...] = _core.update_item(x, indices, values, _UPDATES[self.__name__])
        else:
            changed = _core.to_numpy(x).copy()
            self._of_numpy("at")(changed, indices, values)
            x[...] = changed
