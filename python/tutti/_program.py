"""@program: functions over single elements, with loops and branches that depend on them."""

import functools

from . import _core
from ._creation import asarray
from ._manipulation import broadcast_shapes
from ._write import put_together, taken_apart


class Program:
    """A function over elements, applied to all elements of arrays in parallel.

    It is called once for each combination of element types, with symbols in place of elements.
    Operators and functions of elements are recorded; if_ and while_ decide for each element.

    >>> import tutti as tt
    >>> @tt.program
    ... def collatz(n):
    ...     odd = lambda n, k: (tt.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1)
    ...     n, steps = tt.while_(lambda n, k: n > 1, odd, n, 0)
    ...     return steps
    >>> collatz(tt.arange(1, 8))
    Array([ 0,  1,  7,  2,  5,  8, 16], dtype=int64)
    """

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function, self._captured = function, {}

    def __call__(self, *arrays):
        arrays = [asarray(a) for a in arrays]
        if not any(map(_core.is_lifted, arrays)):
            arrays = _broadcast(arrays)
        types = tuple(a.dtype for a in arrays)
        captured = self._captured.get(types)
        if captured is None:
            captured = self._captured[types] = self._capture(types)
        handle, layout = captured
        result = _core.run_program(handle, arrays)
        return result if layout is None else put_together(result, layout)

    def _capture(self, types):
        """The captured function, and how its results are put together to Writes, or None."""
        layout = None

        @functools.wraps(self._function)
        def flat(*symbols):
            nonlocal layout
            result, layout = taken_apart(self._function(*symbols))
            return result

        return _core.capture(flat, list(types)), layout


def _broadcast(arrays):
    """Arrays of one shape, as operators would make them; numbers stay numbers."""
    shapes = {a.shape for a in arrays if a.ndim}
    if len(shapes) <= 1:
        return arrays
    shape = list(broadcast_shapes(*shapes))
    return [_core.broadcast_to(a, shape) if a.ndim else a for a in arrays]


def program(function):
    """A function over single elements as one over arrays; see Program."""
    return Program(function)


def _unpacked(values):
    return values[0] if len(values) == 1 else values


def while_(condition, body, *state):
    """In a program: body(*state) gives the next state, as long as condition(*state) holds."""
    return _unpacked(_core.while_loop(condition, body, state))


def if_(condition, then, otherwise=None, *state):
    """In a program: then(*state) or otherwise(*state) gives the state; without one, it stays.

    Inside of each(), every instance takes the side that its condition selects, and a side that none
    takes is not run: functions may be recursive.

    >>> import tutti as tt
    >>> def quicksort(row):
    ...     def divide(row):
    ...         pivot = row[row.size // 2]
    ...         return tt.concat([quicksort(row[row < pivot]), row[row == pivot],
    ...                           quicksort(row[row > pivot])])
    ...     return tt.if_(row.size < 2, lambda row: row, divide, row)
    >>> tt.Seq([[3, 1, 2], [], [5, 4]]).each(quicksort).tolist()
    [[1, 2, 3], [], [4, 5]]
    """
    if _core.is_lifted(condition):
        return _core.if_each(condition, then, otherwise, state)
    return _unpacked(_core.if_else(condition, then, otherwise, state))
