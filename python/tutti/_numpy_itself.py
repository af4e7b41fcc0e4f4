"""What only NumPy has: its functions on arrays of Tutti. The elements are lent to NumPy without a
copy, the function runs at once and on the host, and the arrays among its results become arrays of
Tutti over the same memory."""

import types

from . import _core
from ._core import Array, DType


def to_numpy(x):
    """An argument for NumPy: arrays, element types, and those in lists and tuples."""
    if isinstance(x, Array):
        return _core.to_numpy(x)
    if isinstance(x, DType):
        return x.dtype
    if type(x) in (list, tuple):
        return type(x)(map(to_numpy, x))
    return x


def from_numpy(x):
    """A result of NumPy; text, dates, objects and records stay as they are."""
    import numpy
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        known = x.dtype.kind in "biufc" and x.dtype.isnative and x.dtype.itemsize <= 16 \
            and x.dtype not in (numpy.longdouble, numpy.clongdouble)
        return _core.as_array(x) if known and type(x) is not numpy.matrix else x
    if isinstance(x, numpy.dtype):
        return DType(x) if x.kind in "biufc" else x
    if type(x) in (list, tuple):
        return type(x)(map(from_numpy, x))
    if isinstance(x, tuple) and hasattr(x, "_make"):
        return x._make(map(from_numpy, x))
    return x


class Computed:
    """A function of NumPy, or an object such as numpy.r_ that is indexed."""

    def __init__(self, of):
        self._of = of
        self.__name__ = getattr(of, "__name__", type(of).__name__)
        self.__doc__ = of.__doc__

    def __call__(self, *args, **kwargs):
        return from_numpy(self._of(*map(to_numpy, args),
                                   **{name: to_numpy(x) for name, x in kwargs.items()}))

    def __getitem__(self, key):
        return from_numpy(self._of[to_numpy(key)])

    def __getattr__(self, name):  # reduce() and others of a ufunc
        if name.startswith("__"):
            raise AttributeError(name)
        return _usable(getattr(self._of, name))

    def __repr__(self):
        return f"<{self.__name__} of NumPy>"


def _usable(value):
    # Modules, types and constants are used as they are: their functions take arrays of Tutti, too.
    if isinstance(value, (types.ModuleType, type, str, int, float, type(None))):
        return value
    return Computed(value)


def find(module, name):
    """A name of a module of NumPy ("numpy", "numpy.linalg"); AttributeError if there is none."""
    ours = module.replace("numpy", "tutti", 1)
    if name.startswith("_"):
        raise AttributeError(f"module {ours!r} has no attribute {name!r}")
    import importlib
    try:
        theirs = importlib.import_module(module)
    except ImportError:
        raise AttributeError(f"module {ours!r} has no attribute {name!r}; what only NumPy has needs "
                             "NumPy to be installed") from None
    if not hasattr(theirs, name):
        raise AttributeError(f"module {ours!r} has no attribute {name!r}, and neither has NumPy")
    return _usable(getattr(theirs, name))
