"""Element-wise functions that are made of others."""

import builtins

from . import _core
from ._core import Array


def square(x, /):
    """x * x."""
    return x * x


def positive(x, /):
    """+x: the elements as they are."""
    if x.dtype == _core.bool:
        raise TypeError("positive: elements of type bool are not taken")
    return _core.as_array(x)


def signbit(x, /):
    """Whether the sign is set, also of -0 and of NaN."""
    if x.dtype.kind != "f":
        raise TypeError(f"signbit: elements of type {x.dtype.name} are not taken")
    return _core.copysign(_core.full([], 1.0, x.dtype), x) < 0


def clip(x, /, min=None, max=None):
    """The elements, not below min and not above max.

    >>> import tutti as tt
    >>> tt.clip(tt.arange(5), 1, 3)
    Array([1, 1, 2, 3, 3], dtype=int64)
    """
    dtype = x.dtype
    for bound, limit in ((min, _core.maximum), (max, _core.minimum)):
        if bound is None:
            continue
        if not isinstance(bound, Array) and dtype.kind in "iu":
            from ._information import iinfo
            info = iinfo(dtype)
            if isinstance(bound, float):
                raise TypeError("clip: a float limits integers; cast the array first")
            bound = builtins.min(builtins.max(bound, info.min), info.max)
        x = limit(x, bound)
    return _core.astype(x, dtype)


def real(x, /):
    """The elements as they are: there are no complex numbers."""
    return x


conj = real


def imag(x, /):
    """Zeros: there are no complex numbers."""
    return _core.full(list(x.shape), 0, x.dtype)


def isreal(x, /):
    """True for every element: there are no complex numbers."""
    return _core.full(list(x.shape), True, _core.bool)
