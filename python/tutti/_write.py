"""Programs that write elements at places which they compute: Write is an index and a value, and
scatter() applies the writes of all elements to an array."""

import math

from . import _core
from ._creation import asarray
from ._manipulation import broadcast_shapes, broadcast_to, stack

_MAX_RANK = 8
_INDEX_LIMIT = 2**31 - 1


class Write:
    """A value for the element at an index, an integer or a tuple of one for each axis.

    A program returns one Write, or a tuple of several, for each element; scatter() applies them.
    An index outside of the array writes nothing, and neither does a Write where `where` is false.
    Outside of programs, index and value are whole arrays.

    >>> import tutti as tt
    >>> @tt.program
    ... def deposit(x):                       # the weight of each point goes to two cells
    ...     cell = tt.floor(x).astype("int64")
    ...     return tt.Write(cell, cell + 1 - x), tt.Write(cell + 1, x - cell)
    >>> tt.scatter(tt.zeros(4), deposit(tt.asarray([0.25, 2.5, 0.5])), "add")
    Array([1.25, 0.75, 0.5 , 0.5 ], dtype=float64)
    """

    __slots__ = ("index", "value")

    def __init__(self, index, value, where=True):
        given = tuple(index) if isinstance(index, (tuple, list)) else (index,)
        if not 1 <= len(given) <= _MAX_RANK:
            raise ValueError(f"Write: an index has an integer for each axis, 1 to {_MAX_RANK}; "
                             f"{len(given)} were given")
        self.index = tuple(map(_small_index, given))
        if where is not True:
            self.index = (_core.where(_flag(where), self.index[0], -1), *self.index[1:])
        self.value = asarray(value)

    def __repr__(self):
        return f"Write({', '.join(map(repr, self.index))}, {self.value!r})"


def _small_index(given):
    """An index as int32; one that does not fit becomes -1, which is outside of every array."""
    index = asarray(given)
    if index.dtype.kind not in "iu":
        raise TypeError(f"Write: an index is an integer, not {index.dtype.name}; convert it with "
                        "astype()")
    if index.dtype.name in ("int64", "uint64", "uint32"):
        index = _core.where((index >= 0) & (index < _INDEX_LIMIT), index, -1) \
            if index.dtype.kind == "i" else _core.where(index < _INDEX_LIMIT, index, _INDEX_LIMIT)
    return _core.astype(index, _core.int32)


def _flag(where):
    flag = asarray(where)
    if flag.dtype.name != "bool":
        raise TypeError(f"Write: `where` is bool, not {flag.dtype.name}")
    return flag


def taken_apart(result):
    """What a program returns, with the index and value of each Write in its place; and how long
    each index is, none if there are no writes."""
    single = isinstance(result, Write)
    writes = (result,) if single else result if isinstance(result, (tuple, list)) else ()
    if not any(isinstance(w, Write) for w in writes):
        return result, None
    if not all(isinstance(w, Write) for w in writes):
        raise TypeError("program: Writes and other values are returned together: a program that "
                        "writes returns nothing else")
    parts = [part for w in writes for part in (*w.index, w.value)]
    return tuple(parts), (single, tuple(len(w.index) for w in writes))


def put_together(parts, layout):
    """The inverse of taken_apart() for the arrays that the program gave."""
    single, lengths = layout
    writes, parts = [], list(parts)
    for n in lengths:
        write = Write.__new__(Write)
        write.index, write.value = tuple(parts[:n]), parts[n]
        del parts[:n + 1]
        writes.append(write)
    return writes[0] if single else tuple(writes)


def scatter(x, writes, /, how="set"):
    """A new array: x with the elements that a program writes (see Write).

    `how` says what becomes of several writes to one element: "set" keeps the last and "first" the
    first, in the order of the elements and then of the tuple; "add", "min" and "max" combine all of
    them with what was there.

    >>> import tutti as tt
    >>> tt.scatter(tt.zeros(3), tt.Write(tt.asarray([0, 2, 2, 5]), 1.0), "add")
    Array([1., 0., 2.], dtype=float64)
    """
    x = asarray(x)
    writes = (writes,) if isinstance(writes, Write) else tuple(writes)
    if not writes:
        return x
    if _core.is_lifted(x) or any(isinstance(w, Write) and any(map(_core.is_lifted, (*w.index, w.value)))
                                 for w in writes):
        raise TypeError("scatter: elements are not written inside of each(): write those of all rows "
                        "outside of it")
    for w in writes:
        if not isinstance(w, Write):
            raise TypeError(f"scatter: Writes are expected, not {type(w).__name__}; a program "
                            "returns tt.Write(index, value)")
        if len(w.index) != x.ndim:
            raise ValueError(f"scatter: an index has {len(w.index)} integers, and the array "
                             f"{x.ndim} axes")
    shape = broadcast_shapes(*(part.shape for w in writes for part in (*w.index, w.value)))
    # An axis for the writes of an element is added, and one is needed in any case.
    line = shape if 0 < len(shape) < _MAX_RANK else (math.prod(shape),)

    def together(parts):
        parts = [broadcast_to(p, shape).reshape(line) for p in parts]
        return parts[0] if len(parts) == 1 else stack(parts, axis=-1)

    indices = [together([w.index[axis] for w in writes]) for axis in range(x.ndim)]
    return _core.scatter(x, indices, together([w.value for w in writes]), how)

