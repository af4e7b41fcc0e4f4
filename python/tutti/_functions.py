"""Element-wise functions that are made of others."""

import builtins

from . import _core
from ._core import Array
from ._manipulation import as_array


def square(x, /):
    """x * x."""
    x = _core.as_array(x)
    return x * x


def positive(x, /):
    """+x: the elements as they are."""
    x = as_array(x)
    if x.dtype == _core.bool:
        raise TypeError("positive: elements of type bool are not taken")
    return _core.as_array(x)


def signbit(x, /):
    """Whether the sign is set, also of -0 and of NaN."""
    x = as_array(x)
    if x.dtype.kind != "f":
        raise TypeError(f"signbit: elements of type {x.dtype.name} are not taken")
    return _core.copysign(_core.full([], 1.0, x.dtype), x) < 0


def round(x, /, decimals=0, out=None):
    """The nearest integral values, halves to even; with decimals, that many digits behind the
    point.

    >>> import tutti as tt
    >>> tt.round(tt.asarray([0.125, 2.5]), 2)
    Array([0.12, 2.5 ], dtype=float64)
    """
    x = as_array(x)
    if out is not None:
        return _core.stored_in(round(x, decimals), out, "round")
    if decimals == 0 or x.dtype.kind in "iu" and decimals > 0:
        return _core.round(x)
    if x.dtype.kind in "iu":
        power = 10 ** -decimals
        return _core.astype(_core.round(x / power), x.dtype) * power
    power = 10.0 ** builtins.abs(decimals)
    return _core.round(x * power) / power if decimals > 0 else _core.round(x / power) * power


def clip(x, /, min=None, max=None, out=None, *, a_min=None, a_max=None):
    """The elements, not below min and not above max, which NumPy calls a_min and a_max as well.

    >>> import tutti as tt
    >>> tt.clip(tt.arange(5), 1, 3)
    Array([1, 1, 2, 3, 3], dtype=int64)
    """
    x = as_array(x)
    dtype = x.dtype
    min, max = a_min if min is None else min, a_max if max is None else max
    for bound, limit in ((min, _core.maximum), (max, _core.minimum)):
        if bound is None:
            continue
        if not isinstance(bound, (Array, int, float)):
            bound = as_array(bound)
        if not isinstance(bound, Array) and dtype.kind in "iu":
            from ._information import iinfo
            info = iinfo(dtype)
            if isinstance(bound, float):
                x, dtype = limit(x, bound), _core.float64  # the type of integers and floats together
                continue
            bound = builtins.min(builtins.max(bound, info.min), info.max)
        x = limit(x, bound)
    result = _core.astype(x, dtype)
    return result if out is None else _core.stored_in(result, out, "clip")


def _numeric(x, name):
    x = _core.as_array(x)
    if x.dtype == _core.bool:
        raise TypeError(f"{name}: elements of type bool are not taken")
    return x


def real(x, /):
    """The real parts.

    >>> import tutti as tt
    >>> tt.real(tt.asarray([1 + 2j, 3.0]))
    Array([1., 3.], dtype=float64)
    """
    return _core.real(_numeric(x, "real"))


def imag(x, /):
    """The imaginary parts; zeros for real elements."""
    return _core.imag(_numeric(x, "imag"))


def conj(x, /):
    """The elements with their imaginary parts negated; real ones as they are."""
    return _core.conj(_numeric(x, "conj"))


def angle(z, /, deg=False):
    """The angles of complex numbers, from -pi to pi, or in degrees."""
    z = as_array(z)
    z = _core.astype(z, _core.promote(z.dtype, _core.complex64))
    radians = _core.atan2(_core.imag(z), _core.real(z))
    return radians * 57.29577951308232 if deg else radians


def isreal(x, /):
    """Whether the imaginary part of an element is 0."""
    x = as_array(x)
    return _core.imag(x) == 0 if x.dtype.kind == "c" else _core.full(list(x.shape), True, _core.bool)


def iscomplex(x, /):
    """Whether the imaginary part of an element is not 0."""
    return _core.logical_not(isreal(x))
