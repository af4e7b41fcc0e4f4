"""What is known of types, devices and the package, as the Array API asks for it."""

import dataclasses

from . import _core
from ._core import Array, DType

_FLOATS = (_core.float16, _core.float32, _core.float64)
_COMPLEX = (_core.complex64, _core.complex128)
_SIGNED = (_core.int8, _core.int16, _core.int32, _core.int64)
_UNSIGNED = (_core.uint8, _core.uint16, _core.uint32, _core.uint64)
_KINDS = {"bool": (_core.bool,), "signed integer": _SIGNED, "unsigned integer": _UNSIGNED,
          "integral": _SIGNED + _UNSIGNED, "real floating": _FLOATS, "complex floating": _COMPLEX,
          "numeric": _SIGNED + _UNSIGNED + _FLOATS + _COMPLEX}


@dataclasses.dataclass(frozen=True)
class FloatInfo:
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclasses.dataclass(frozen=True)
class IntegerInfo:
    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(x):
    return x.dtype if isinstance(x, Array) else DType(x)


def finfo(type, /):
    """What is known of a floating-point type, or of the parts of a complex one: bits, eps, max,
    min, smallest_normal."""
    dtype = _dtype_of(type)
    dtype = {_core.complex64: _core.float32, _core.complex128: _core.float64}.get(dtype, dtype)
    if dtype.kind != "f":
        raise ValueError(f"finfo: {dtype.name} is no floating-point type")
    digits, exponent = {2: (10, 15), 4: (23, 127), 8: (52, 1023)}[dtype.itemsize]
    most = (2 - 2.0 ** -digits) * 2.0 ** exponent
    return FloatInfo(8 * dtype.itemsize, 2.0 ** -digits, most, -most, 2.0 ** (1 - exponent), dtype)


def iinfo(type, /):
    """What is known of an integer type: bits, max, min."""
    dtype = _dtype_of(type)
    bits = 8 * dtype.itemsize
    if dtype.kind == "i":
        return IntegerInfo(bits, 2 ** (bits - 1) - 1, -2 ** (bits - 1), dtype)
    if dtype.kind == "u":
        return IntegerInfo(bits, 2 ** bits - 1, 0, dtype)
    raise ValueError(f"iinfo: {dtype.name} is no integer type")


def isdtype(dtype, kind):
    """Whether a type is another one, or of a kind such as "integral" or "real floating"."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: there is no kind {kind!r}")
        return DType(dtype) in _KINDS[kind]
    return DType(dtype) == DType(kind)


def astype(x, dtype, /, *, copy=True, device=None):
    """The elements converted. Floats become integers by truncation; NaN becomes 0."""
    x = _core.as_array(x)
    result = _core.astype(x, dtype)
    return result if device is None else result.to_device(device)


def can_cast(from_, to, /):
    """Whether the promotion of two types gives the second one."""
    return _core.promote(DType(_dtype_of(from_)), DType(to)) == DType(to)


def _is_number(x):
    return isinstance(x, (bool, int, float, complex))


def result_type(*arrays_and_dtypes):
    """The type of elements that an operation of all of these has; numbers adapt to arrays."""
    numbers = [x for x in arrays_and_dtypes if _is_number(x)]
    types = [_dtype_of(x) for x in arrays_and_dtypes if not _is_number(x)]
    if not types:
        types = [_core.as_array(x).dtype for x in numbers]
    if not types:
        raise ValueError("result_type: nothing was given")
    result = types[0]
    for dtype in types[1:]:
        result = _core.promote(result, dtype)
    for number in numbers:
        result = (_core.full([0], 0, result) + type(number)(0)).dtype
    return result


class _Information:
    """What __array_namespace_info__() returns."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self):
        return _core.device()

    def devices(self):
        return [name for name, _ in _core.devices()]

    def default_dtypes(self, *, device=None):
        return {"real floating": _core.float64, "complex floating": _core.complex128,
                "integral": _core.int64, "indexing": _core.int64}

    def dtypes(self, *, device=None, kind=None):
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        return {dtype.name: dtype for k in kinds for dtype in _KINDS[k]
                if dtype != _core.float16}  # not a type of the standard


def __array_namespace_info__():
    """What the Array API asks of a library: capabilities, devices, types."""
    return _Information()
