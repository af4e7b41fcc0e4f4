"""Methods of Array that need no speed: they call the functions of the package."""

from . import _core, _functions, _ordering, _reductions
from ._core import Array
from ._manipulation import reshape, squeeze


def _package():
    import tutti
    return tutti


class _At:
    """x.at[key]: the elements at a key, to make a changed array from."""

    __slots__ = ("_array", "_key")

    def __init__(self, array, key=None):
        self._array, self._key = array, key

    def __getitem__(self, key):
        return _At(self._array, key)

    def set(self, values):
        """The array with these elements at the key; of several for one index, the last."""
        return _core.update_item(self._array, self._key, values, "set")

    def add(self, values):
        """The array with the values added; several for one index are all added."""
        return _core.update_item(self._array, self._key, values, "add")

    def min(self, values):
        """The array with the least of the element and the values."""
        return _core.update_item(self._array, self._key, values, "min")

    def max(self, values):
        """The array with the greatest of the element and the values."""
        return _core.update_item(self._array, self._key, values, "max")

    def get(self):
        """The elements at the key."""
        return self._array[self._key]


class _Flat:
    """x.flat: the elements in row-major order; what is assigned to them is assigned to x."""

    __slots__ = ("_array",)

    def __init__(self, array):
        self._array = array

    def __getitem__(self, key):
        return self._array.ravel()[key]

    def __setitem__(self, key, values):
        line = self._array.ravel()
        line[key] = values
        self._array[...] = line.reshape(self._array.shape)

    def __len__(self):
        return self._array.size

    def __iter__(self):
        return iter(self._array.ravel())


def _take(self, indices, axis=None, out=None, mode="raise"):
    """The elements at indices along an axis, or of all in row-major order."""
    result = _package().take(self, _core.as_array(indices), axis=axis, mode=mode)
    return result if out is None else _core.stored_in(result, out, "take")


def _astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True, *, device=None):
    """The elements converted; NumPy's other parameters have no meaning here."""
    result = _core.astype(self, dtype)
    return result if device is None else result.to_device(device)


def _sort(self, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """Puts the elements of this object in order, as NumPy does; tt.sort(x) returns a new array."""
    self[...] = _package().sort(self, axis=axis, descending=descending)


def _matmul(self, other):
    if not isinstance(other, Array) and hasattr(other, "toarray") and hasattr(other, "__rmatmul__"):
        return NotImplemented  # a sparse matrix of SciPy
    return _package().matmul(self, other)


def _fill(self, value):
    """Gives all elements of this object one value."""
    self[...] = value


def _by_name(name):
    def call(self, *args, **kwargs):
        return getattr(_package(), name)(self, *args, **kwargs)
    call.__name__ = name
    call.__doc__ = f"tutti.{name}() of this array."
    return call


def _partition(self, kth, axis=-1):
    """Puts the kth least element of this object at its place: all are put in order."""
    self[...] = _package().partition(self, kth, axis)


for _name in ("repeat", "swapaxes", "searchsorted", "put", "cumsum", "cumprod", "choose",
              "argpartition", "diagonal", "trace"):
    setattr(Array, _name, _by_name(_name))


def _is_by_columns(order):
    if order not in ("C", "A", "K", "F"):
        raise ValueError(f"the order of elements is 'C' or 'F', not {order!r}")
    return order == "F"


def _reshape(self, *shape, order="C", copy=None):
    """The same elements in the same order under another shape; one extent may be -1. With the order
    "F", the first axis is the one that changes fastest."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    return reshape(self, shape, order)


def _reversed_axes(self):
    rank = self.ndim
    return _core.transpose(self, range(rank - 1, -1, -1)) if rank else self


def _transpose(self, *axes):
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = tuple(axes[0] or ())
    return _package().permute_dims(self, axes or tuple(range(self.ndim))[::-1])


def _flatten(self, order="C"):
    """The elements along one axis, in the order of rows or, with "F", of columns."""
    if _is_by_columns(order):
        return self.T.flatten()
    if _core.is_lifted(self):
        return _core.lifted_flatten(self) if _core.lifted_depth(self) > 1 else self
    return self.reshape(-1)


def _len(self):
    if _core.is_lifted(self):
        raise TypeError("len() inside of each(): it is another one for each element; use x.size")
    if self.ndim == 0:
        raise TypeError("len() of an array of rank 0")
    return self.shape[0]


def _iterate(self):
    if self.ndim == 0:
        raise TypeError("an array of rank 0 cannot be iterated over")
    # The numbers of a vector are read one by one. A short one may be unpacked into variables only.
    if self.ndim == 1 and self.size > 16 and not _core.is_capturing():
        _core.evaluate([self])
    return (self[i] for i in range(self.shape[0]))


def _truth(self):
    if not _core.is_lifted(self) and self.size != 1:
        raise ValueError(f"the truth of an array of shape {self.shape} is not defined: "
                         "use any() or all()")
    return bool(self.item())


def _number_of(self, kind):
    if not _core.is_lifted(self) and self.size != 1:
        raise TypeError(f"{kind}() of an array of shape {self.shape}: only an array with one element is a number")
    return self.item()


def _integer(self):
    if self.dtype.kind not in "iu" or self.ndim:
        raise TypeError(f"an array of {self.dtype.name} of shape {self.shape} is no index: "
                        "only an integer of rank 0 is one")
    return self.item()


def _round_number(self, digits=None):
    """round(x): as NumPy, an array; of rank 0 and without digits, an int."""
    if self.ndim == 0 and digits is None:
        return round(self.item())
    return _package().round(self, digits or 0)


def _each(self, function, *others):
    """The function applied to every element of a vector, in parallel: tt.Seq.each() says how.

    >>> import tutti as tt
    >>> tt.arange(1, 4).each(lambda n: tt.arange(n) * n).tolist()
    [[0], [0, 2], [0, 3, 6]]
    """
    from ._seq import each
    return each(function, self, *others)


def _format(self, text):
    if _core.is_lifted(self):
        return repr(self)
    if self.ndim == 0 and text:
        return format(self.item(), text)
    if text:
        raise TypeError(f"the format {text!r} is for one number, and the array has the shape "
                        f"{self.shape}")
    return str(self)


def _array_ufunc(self, ufunc, method, *inputs, out=None, **kwargs):
    """NumPy's functions on arrays: computed by Tutti where it has the function, else by NumPy."""
    ours = out is None or isinstance(out[0], Array)
    own = getattr(_package(), ufunc.__name__, None) if method == "__call__" and ours else None
    if own is not None and (out is None or len(out) == 1) and kwargs.keys() <= {"where"}:
        result = own(*inputs, **kwargs) if out is None else own(*inputs, out=out[0], **kwargs)
        return result
    if ours and out is not None:
        raise TypeError(f"numpy.{ufunc.__name__}: the elements of arrays of Tutti are not written by NumPy: "
                        "y[...] = result does it")
    import numpy
    inputs = [numpy.asarray(x) if isinstance(x, Array) else x for x in inputs]
    if out is not None:
        kwargs["out"] = out
    return getattr(ufunc, method)(*inputs, **kwargs)


def _as_numpy(self, dtype=None, copy=None):
    """For numpy.asarray(): the elements, read-only and not copied if NumPy needs no other type."""
    result = _core.to_numpy_again(self)
    if dtype is not None and result.dtype != dtype:
        if copy is False:
            raise ValueError(f"the elements are {self.dtype.name}: {dtype} needs a copy")
        return result.astype(dtype)
    return result.copy() if copy else result


def _repr(self):
    if _core.is_lifted(self):
        kind = "sequences of " * _core.lifted_depth(self)
        return f"<{kind}{self.dtype.name}, one for each element>"
    if self.size > 1000:
        return f"Array(shape={self.shape}, dtype={self.dtype.name})"
    try:
        import numpy
    except ImportError:
        return f"Array({self.tolist()}, dtype={self.dtype.name})"
    text = numpy.array2string(_core.to_numpy(self), separator=", ", prefix="Array(")
    if 0 in self.shape:
        return f"Array([], shape={self.shape}, dtype={self.dtype.name})"
    return f"Array({text}, dtype={self.dtype.name})"


def _str(self):
    if _core.is_lifted(self):
        return repr(self)
    try:
        import numpy
    except ImportError:
        return str(self.tolist())
    return numpy.array_str(_core.to_numpy(self))


def _device_of(self):
    return _core.device_of(self)


def _to_device(self, device, /, *, stream=None):
    """Evaluates, and brings the elements to a device; they can still be used anywhere."""
    if stream is not None:
        raise ValueError("to_device: streams are chosen by Tutti; pass none")
    _core.move_to(self, str(device))
    return self


def _dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """The elements as a DLPack capsule: read-only, not copied, on the host unless asked for."""
    device = "cpu"
    if dl_device is not None:
        if not isinstance(dl_device, tuple) or len(dl_device) != 2:
            raise ValueError(f"__dlpack__: a device is a pair of a type and a number, not {dl_device!r}")
        kind, number = (int(part) for part in dl_device)
        if kind not in (1, 2):
            raise BufferError(f"elements cannot be lent on a device of type {kind}")
        device = "cpu" if kind == 1 else f"cuda:{number}"
    elif _core.device_of(self) != "cpu":
        device = _core.device_of(self)
    if stream is not None and (device == "cpu" or not isinstance(stream, int) or stream == 0
                               or stream < -1):
        raise ValueError(f"__dlpack__: there is no stream {stream!r} on {device}: it is None on the "
                         "CPU, on a GPU also -1, 1, 2 or the address of a stream")
    if copy is False and self.dtype.kind == "c":
        raise BufferError("complex elements are two arrays: to interleave them needs a copy")
    array = _core.copied(self) if copy else self
    capsule = _core.to_dlpack(array, max_version, device)
    if device != "cpu":
        _core.synchronize()  # the consumer may use any stream
    return capsule


def _dlpack_device(self):
    return _core.dlpack_device(_core.device_of(self))


def _cuda_interface(self):
    device = _core.device_of(self)
    if not device.startswith("cuda"):
        raise AttributeError("the array is not on a GPU: it has no __cuda_array_interface__")
    address = _core.address_of(self, device)
    _core.synchronize()
    if self.dtype.kind == "c":
        raise AttributeError("complex elements are two arrays: use __dlpack__, which joins them")
    code = {"b": "|b", "i": "<i", "u": "<u", "f": "<f"}[self.dtype.kind]
    return {"shape": self.shape, "typestr": f"{code}{self.dtype.itemsize}",
            "data": (address, True), "strides": None, "version": 3}


def _namespace(self, *, api_version=None):
    if api_version is not None and api_version not in ("2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"version {api_version} of the Array API is not supported")
    return _package()


def _reduce_for_copy(self):
    try:
        return _package().asarray, (_core.to_numpy(self),)
    except ImportError:  # NumPy is not installed
        return _from_list, (self.ravel().tolist(), self.dtype, self.shape)


def _from_list(elements, dtype, shape):
    return _core.as_array_of(elements, dtype).reshape(shape)


def _arrow_array(self, type=None):
    """For pyarrow.array(): the elements of a vector without a copy, flags but for that."""
    import pyarrow
    if self.ndim != 1:
        raise ValueError(f"an Arrow array has one axis, not {self.ndim}: use ravel(), or tt.Seq for rows")
    return pyarrow.array(_core.to_numpy(self), type=type)


def _jax_array(self):
    """For JAX's functions: its array over the elements."""
    import jax
    return jax.dlpack.from_dlpack(self)


def _set_part(self, values, is_real):
    if self.dtype.kind != "c":
        if not is_real:
            raise TypeError(f"elements of type {self.dtype.name} have no imaginary parts to set")
        self[...] = values
        return
    part = self.real if is_real else self.imag
    part = part.at[...].set(values)
    self[...] = _core.complex_of(part, self.imag) if is_real else _core.complex_of(self.real, part)


def _set_real(self, values):
    _set_part(self, values, True)


def _set_imag(self, values):
    _set_part(self, values, False)


def _set_flat(self, values):
    self[...] = _package().resize(values, self.shape)


Array.__arrow_array__, Array.__jax_array__ = _arrow_array, _jax_array
Array.at = property(_At, doc="x.at[key].set(v), .add(v), .min(v), .max(v): a changed array.")
Array.real = property(lambda self: _core.real(self), _set_real, doc="The real parts.")
Array.imag = property(lambda self: _core.imag(self), _set_imag, doc="The imaginary parts.")
Array.conj = Array.conjugate = lambda self: _core.conj(self)
Array.T = property(_reversed_axes, doc="The array with its axes reversed.")
Array.mT = property(lambda self: _package().matrix_transpose(self))
Array.device = property(_device_of, doc="Where the elements are, or will be computed.")
Array.nbytes = property(lambda self: self.size * self.dtype.itemsize)
Array.itemsize = property(lambda self: self.dtype.itemsize)
Array.evaluate = lambda self: (_core.evaluate([self]), self)[1]
Array.evaluate.__doc__ = "Computes the elements now; the array stays as it is."
Array.reshape, Array.transpose, Array.flatten, Array.ravel = (_reshape, _transpose, _flatten,
                                                              _flatten)
Array.copy = lambda self, order="C": Array.__pos__(self)
Array.numpy = lambda self: _core.to_numpy(self)
Array.numpy.__doc__ = "A read-only NumPy array over the elements, without a copy."
Array.dot = lambda self, other, out=None: _package().dot(self, other, out=out)
Array.to_device, Array.each = _to_device, _each
Array.lengths = property(lambda self: _core.lifted_lengths(self),
                         doc="Inside of each(): the lengths of a sequence of sequences.")
for _name in ("sum", "prod", "mean", "std", "var", "max", "min", "all", "any", "argmax", "argmin"):
    setattr(Array, _name, getattr(_reductions, _name))
Array.argsort, Array.nonzero = _ordering.argsort, _ordering.nonzero
Array.squeeze, Array.round, Array.clip = squeeze, _functions.round, _functions.clip
Array.__neg__ = lambda self: _core.negative(self)
Array.__pos__ = lambda self: _core.as_array(self)
Array.__abs__ = lambda self: _core.abs(self)
Array.__invert__ = lambda self: _core.bitwise_invert(self)
Array.__matmul__ = _matmul
Array.__rmatmul__ = lambda self, other: _package().matmul(_core.as_array(other), self)
Array.__divmod__ = lambda self, other: (self // other, self % other)
Array.__rdivmod__ = lambda self, other: (other // self, other % self)
Array.__len__, Array.__iter__, Array.__bool__ = _len, _iterate, _truth
Array.__float__ = lambda self: float(_number_of(self, "float"))
Array.__int__ = lambda self: int(_number_of(self, "int"))
Array.__complex__ = lambda self: complex(_number_of(self, "complex"))
Array.__index__ = _integer
Array.__contains__ = lambda self, value: bool(_package().any(self == value))
Array.__array__ = _as_numpy
Array.__repr__ = _repr
Array.__str__ = _str
Array.__dlpack__, Array.__dlpack_device__ = _dlpack, _dlpack_device
Array.__cuda_array_interface__ = property(_cuda_interface)
Array.__array_namespace__ = _namespace
Array.__array_priority__ = 1000  # numpy_array + array is an array of Tutti
Array.__array_ufunc__ = _array_ufunc
Array.__round__, Array.__format__ = _round_number, _format
Array.astype, Array.take, Array.sort, Array.fill = _astype, _take, _sort, _fill
Array.partition = _partition
Array.tobytes = lambda self, order="C": bytes(self.T if _is_by_columns(order) else self)
Array.compress = lambda self, condition, axis=None, out=None: _package().compress(
    condition, self, axis, out=out)
Array.flat = property(_Flat, _set_flat, doc="The elements in row-major order, to read and to update.")
Array.__hash__ = None
Array.__reduce__ = _reduce_for_copy
Array.__copy__ = lambda self: _core.as_array(self)
Array.__deepcopy__ = lambda self, memo: self[...]
