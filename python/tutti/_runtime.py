"""Devices, settings, counters, and what would run."""

import contextlib

from . import _core


def devices():
    """The devices of this machine, the CPU first: names and descriptions."""
    return dict(_core.devices())


def device():
    """The name of the device that computes."""
    return _core.device()


class _Using(contextlib.AbstractContextManager):
    def __init__(self, before):
        self._before = before

    def __exit__(self, *exception):
        _core.use(self._before)


def use(name):
    """Computes on a device from now on; as a context manager, until its end."""
    before = _core.device()
    _core.use(name)
    return _Using(before)


def precision(name):
    """How operations in a with statement round: "exact", "contracted" or "fast".

    Under "contracted" a sum with a product rounds once, with the same bits on every device. "fast"
    also lets a GPU use approximate functions.

    >>> import tutti as tt
    >>> x = tt.asarray([0.1], dtype=tt.float32)
    >>> with tt.precision("contracted"):
    ...     y = x * 3 - tt.asarray([0.3], dtype=tt.float32)
    >>> float(y[0]) == float((x * 3 - tt.asarray([0.3], dtype=tt.float32))[0])
    False
    """
    return _core.PrecisionScope(name)


def _arrays_of(given, name):
    """The arrays of arguments: themselves, those of a Seq, and those in lists and tuples."""
    from ._seq import Seq
    found = []
    for x in given:
        if isinstance(x, _core.Array):
            found.append(x)
        elif isinstance(x, Seq):
            found += _arrays_of((x.offsets, x.content), name)
        elif isinstance(x, (list, tuple)):
            found += _arrays_of(x, name)
        else:
            raise TypeError(f"{name}: arrays and Seqs were expected, not {type(x).__name__}")
    return found


def evaluate(*arrays):
    """Computes several arrays together: what they share is computed once."""
    _core.evaluate(_arrays_of(arrays, "evaluate"))


def explain(*arrays, format="text"):
    """What would run to compute the arrays: kernels, what was fused, what is read and written.

    format is "text", "json", "dot" (for Graphviz) or "html" (a page of its own).

    >>> import tutti as tt
    >>> "multiply" in tt.explain(tt.asarray([1.0, 2.0]) * 2 + 1)
    True
    """
    if format not in ("text", "json", "dot", "html"):
        raise ValueError(f'explain: format is "text", "json", "dot" or "html", not {format!r}')
    return _core.explain(_arrays_of(arrays, "explain"), format)


class _Settings(dict):
    def __init__(self, before):
        super().__init__(_core.settings())
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _core.change_settings(self._before)


def settings(**changes):
    """All settings, after these changes; as a context manager, until its end.

    >>> import tutti as tt
    >>> with tt.settings(reproducible=True) as now:
    ...     now["reproducible"]
    True
    """
    before = _core.settings()
    if changes:
        _core.change_settings(changes)
    return _Settings(before)


def statistics():
    """Counters since the start of the process."""
    return _core.statistics()


synchronize = _core.synchronize
trim_pool = _core.trim_pool
clear_kernel_cache = _core.clear_kernel_cache
