"""Seq: ragged data, a sequence of sequences of any depth.

The elements of all rows lie in one array, the content; offsets say where each row begins. That is
the layout of Awkward and Arrow, so both are viewed without a copy.
"""

import itertools

from . import _core
from ._core import Array
from ._creation import asarray


def _lengths_and_content(rows):
    rows = list(rows) if hasattr(rows, "__iter__") and not isinstance(rows, str) else None
    if rows is None or any(isinstance(row, str) or not hasattr(row, "__len__") for row in rows):
        raise TypeError("Seq: a list of rows was expected, each a list; for a vector of numbers there "
                        "is tt.asarray")
    lengths = [len(row) for row in rows]
    return lengths, list(itertools.chain.from_iterable(rows))


def _offsets_of(lengths):
    counts = _core.astype(_core.as_array(lengths) if len(lengths) else _core.full([0], 0, _core.int64),
                          _core.int64)
    if counts.size == 0:
        return _core.full([1], 0, _core.int64)
    return _core.pad(_core.scan("sum", counts, None, False), [1], [0], 0)


def each(function, *operands):
    """The function applied to all elements of vectors, rows of Seqs, or sequences inside of each()."""
    result = _core.each(lambda *elements: _lifted(function(*elements)),
                        [_lifted(x) for x in operands])
    if _core.is_in_each():
        return result
    return tuple(map(_from_levels, result)) if isinstance(result, tuple) else _from_levels(result)


def _lifted(x):
    """A Seq in the form that each() takes; tuples part by part, others as they are."""
    if isinstance(x, tuple):
        return tuple(map(_lifted, x))
    if not isinstance(x, Seq):
        return x
    lengths = []
    while isinstance(x, Seq):
        lengths.insert(0, x.lengths)
        x = x.content
    return _core.from_levels(x, lengths)


def _from_levels(value):
    content, lengths = _core.to_levels(value)
    for level in reversed(lengths):
        content = Seq._of(_core.pad(_core.scan("sum", _core.astype(level, _core.int64), None, False),
                                    [1], [0], 0), content)
    return content


def _numbers_of_arrow(array):
    """The numbers of an array of PyArrow, which has no missing ones. Flags are bits: they are copied."""
    if str(array.type) == "bool":
        return asarray(array.cast("uint8").to_numpy()) != 0
    try:
        return asarray(array.to_numpy(zero_copy_only=True))
    except ValueError:  # text, flags in bits: NumPy has another form of them
        raise TypeError(f"from_arrow: elements of type {array.type} are not stored as numbers are; cast "
                        "them first") from None


class Seq:
    """A sequence whose rows have different lengths.

    >>> s = Seq([[1, 2], [], [3, 4, 5]])
    >>> s.lengths
    Array([2, 0, 3], dtype=int64)
    >>> s.sum()
    Array([ 3,  0, 12], dtype=int64)
    >>> s.each(lambda x: x * 10).tolist()
    [[10, 20], [], [30, 40, 50]]
    """

    __slots__ = ("offsets", "content")

    def __init__(self, rows=None, *, offsets=None, content=None):
        if rows is None:
            self.offsets = asarray(offsets)
            self.content = content if isinstance(content, Seq) else asarray(content)
            self._check()
            return
        lengths, inner = _lengths_and_content(rows)
        deep = inner and isinstance(inner[0], (list, tuple))
        if any(isinstance(x, (list, tuple)) != bool(deep) for x in inner):
            raise ValueError("Seq: all rows must have the same depth")
        self.content = Seq(inner) if deep else asarray(inner)
        self.offsets = _offsets_of(lengths)

    def _check(self):
        if self.offsets.ndim != 1 or self.offsets.dtype.kind not in "iu" or not self.offsets.size:
            raise ValueError("Seq: offsets are a vector of integers, one more than rows")
        if self.offsets.dtype not in (_core.int32, _core.int64):
            self.offsets = _core.astype(self.offsets, _core.int64)
        steps = self.offsets[1:] - self.offsets[:-1]
        first, last = self.offsets[0].item(), self.offsets[-1].item()
        falling = steps.size and bool((steps < 0).any())
        if first < 0 or last > len(self.content) or falling:
            raise ValueError(f"Seq: the offsets from {first} to {last} do not ascend within "
                             f"{len(self.content)} elements")
        if first or last != len(self.content):  # a part of a longer content
            self.content = self.content[first:last]
            self.offsets = self.offsets - first

    @classmethod
    def from_arrow(cls, array):
        """A list array of PyArrow, without a copy; a chunked one of a single chunk."""
        if hasattr(array, "chunks"):
            array = array.combine_chunks()
        if hasattr(array, "flatten") and hasattr(array.type, "list_size") and not array.null_count:
            inner = array.flatten()  # lists of one length have no offsets
            offsets = _core.astype(_core.index([len(array) + 1], 0), _core.int64) * array.type.list_size
            return cls._of(offsets, cls._inner_of_arrow(inner))
        if not hasattr(array, "offsets"):
            raise TypeError(f"from_arrow: a list array was expected, not {type(array).__name__}")
        inner = array.values
        if array.null_count:
            raise ValueError("from_arrow: missing values have no counterpart; fill or drop them")
        return cls(offsets=asarray(array.offsets.to_numpy(zero_copy_only=True)),
                   content=cls._inner_of_arrow(inner))

    @classmethod
    def _inner_of_arrow(cls, inner):
        if inner.null_count:
            raise ValueError("from_arrow: missing values have no counterpart; fill or drop them")
        return cls.from_arrow(inner) if hasattr(inner, "values") else _numbers_of_arrow(inner)

    @classmethod
    def from_awkward(cls, array):
        """An array of Awkward, without a copy where its lists are in order."""
        layout = getattr(array, "layout", array)
        if type(layout).__name__ == "IndexedArray":
            layout = layout.project()
        if type(layout).__name__ == "NumpyArray" and layout.data.ndim > 1:
            layout = layout.to_RegularArray()
        if not hasattr(layout, "offsets") and not hasattr(layout, "to_ListOffsetArray64"):
            raise TypeError(f"from_awkward: an array of lists was expected, not a "
                            f"{type(layout).__name__}; missing values are to be filled or dropped")
        if type(layout).__name__ != "ListOffsetArray":
            layout = layout.to_ListOffsetArray64(False)
        inner = layout.content
        if layout.parameter("__array__") is not None:
            raise TypeError(f"from_awkward: elements of type {layout.parameter('__array__')} have no "
                            "counterpart; convert them to numbers")
        if type(inner).__name__ in ("ListOffsetArray", "ListArray", "RegularArray", "IndexedArray"):
            content = cls.from_awkward(inner)
        elif type(inner).__name__ in ("NumpyArray", "EmptyArray"):
            content = asarray(inner.to_NumpyArray("float64").data if inner.length == 0 and not
                              hasattr(inner, "data") else inner.data)
        else:
            raise TypeError(f"from_awkward: a {type(inner).__name__} in lists has no counterpart: "
                            "missing values are to be filled or dropped, records are taken field by field")
        return cls(offsets=asarray(layout.offsets.data), content=content)

    def to_awkward(self):
        """An array of Awkward over the same memory."""
        import awkward
        inner = self.content
        layout = (inner.to_awkward().layout if isinstance(inner, Seq)
                  else awkward.contents.NumpyArray(inner.numpy()))
        offsets = awkward.index.Index64(_core.astype(self.offsets, _core.int64).numpy())
        return awkward.Array(awkward.contents.ListOffsetArray(offsets, layout))

    def to_arrow(self):
        """A large list array of PyArrow over the same memory."""
        import pyarrow
        inner = self.content
        values = (inner.to_arrow() if isinstance(inner, Seq) else pyarrow.array(inner.numpy()))
        offsets = pyarrow.array(_core.astype(self.offsets, _core.int64).numpy())
        return pyarrow.LargeListArray.from_arrays(offsets, values)

    def __len__(self):
        return self.offsets.size - 1

    @property
    def depth(self):
        """How many levels there are: 2 for rows of numbers."""
        return 1 + (self.content.depth if isinstance(self.content, Seq) else 1)

    @property
    def dtype(self):
        """The type of the elements."""
        return self.content.dtype

    @property
    def lengths(self):
        """How many elements each row has."""
        return self.offsets[1:] - self.offsets[:-1]

    def tolist(self):
        """The elements as a nested list."""
        content, offsets = self.content.tolist(), self.offsets.tolist()
        return [content[a:b] for a, b in zip(offsets[:-1], offsets[1:])]

    def __getitem__(self, key):
        if isinstance(key, Seq):  # flags or indices for each row
            return each(lambda row, of_row: row[of_row], self, key)
        if isinstance(key, (Array, list)) or hasattr(key, "__array__") and getattr(key, "ndim", 0):
            return self._rows(key)
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                return self._rows(asarray(range(start, stop, step)))
            return Seq(offsets=self.offsets[start:max(start, stop) + 1], content=self.content)
        try:
            row = range(len(self))[key]
        except IndexError:
            raise IndexError(f"Seq: there is no row {key} among {len(self)}") from None
        except TypeError:
            raise TypeError(f"Seq: rows are named by integers, slices, vectors of integers or bool, and Seqs, not "
                            f"{type(key).__name__}") from None
        begin, end = self.offsets[row].item(), self.offsets[row + 1].item()
        return self.content[begin:end]

    def _rows(self, key):
        """The rows at indices, or those whose flags are true."""
        starts, lengths = self.offsets[:-1][key], self.lengths[key]
        if starts.ndim != 1:
            raise IndexError(f"Seq: rows are named by a vector, not by an array of {starts.ndim} axes")
        offsets = _offsets_of(lengths)
        count = offsets[-1].item()
        row = _core.element_segments(offsets, count)
        within = _core.astype(_core.index([count], 0), _core.int64) - _core.take_unchecked(offsets, row, 0)
        places = within + _core.take_unchecked(starts, row, 0)
        inner = (self.content._rows(places) if isinstance(self.content, Seq)
                 else _core.take_unchecked(self.content, places, 0))
        return Seq._of(offsets, inner)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def each(self, function, *others):
        """The function applied to every row, in parallel: it is called once, for all rows together.

        Inside, a row is a sequence: element-wise operators and functions, reductions, sort(),
        cumulative_sum(), indices, masks and slices apply to each row, and a number for each row combines
        with its elements. Rows may be divided by if_() and have each() themselves. Others are Seqs of
        as many rows, arrays with a number for each row, or single numbers.

        >>> s = Seq([[1.0, 3.0], [], [2.0, 4.0, 9.0]])
        >>> s.each(lambda row: row - row.mean()).tolist()
        [[-1.0, 1.0], [], [-3.0, -1.0, 4.0]]
        >>> s.each(lambda row: row[row > 2].sum())
        Array([ 3.,  0., 13.], dtype=float64)
        """
        return each(function, self, *others)

    @classmethod
    def _of(cls, offsets, content):
        result = cls.__new__(cls)
        result.offsets, result.content = offsets, content
        return result

    def _reduced(self, name):
        if isinstance(self.content, Seq):
            return Seq._of(self.offsets, self.content._reduced(name))
        content = self.content
        if name in ("any", "all"):
            content = _core.astype(content, _core.bool)
        if name in ("sum", "prod") and content.dtype.kind in "biu":
            content = _core.astype(content, _core.uint64 if content.dtype.kind == "u"
                                   else _core.int64)
        return _core.segmented_reduce(name, content, self.offsets)

    def sum(self):
        """The sum of each innermost row."""
        return self._reduced("sum")

    def prod(self):
        """The product of each innermost row."""
        return self._reduced("prod")

    def max(self):
        """The greatest of each innermost row; of an empty one, the least of the type."""
        return self._reduced("max")

    def min(self):
        """The least of each innermost row; of an empty one, the greatest of the type."""
        return self._reduced("min")

    def mean(self):
        """The mean of each innermost row; NaN for an empty one."""
        return self.each(lambda row: row.mean() if self.depth == 2 else row.each(lambda r: r.mean()))

    def any(self):
        """Whether an element of each innermost row holds, which a number that is not 0 does."""
        return self._reduced("any")

    def all(self):
        """Whether all elements of each innermost row hold."""
        return self._reduced("all")

    def argmin(self):
        """The index of the least element within each row; -1 for an empty row."""
        return self._extreme_index("min")

    def argmax(self):
        """The index of the greatest element within each row; -1 for an empty row."""
        return self._extreme_index("max")

    def _extreme_index(self, name):
        if isinstance(self.content, Seq):
            return Seq._of(self.offsets, self.content._extreme_index(name))
        n = len(self.content)
        segment = _core.element_segments(self.offsets, n)
        best = _core.segmented_reduce(name, self.content, self.offsets)
        position = _core.astype(_core.index([n], 0), _core.int64)
        starts = _core.astype(self.offsets[:-1], _core.int64)
        lengths = _core.astype(self.lengths, _core.int64)
        hit = self.content == _core.take_unchecked(best, segment, 0)
        first = _core.segmented_reduce("min", _core.where(hit, position, n), self.offsets)
        return _core.where(lengths > 0, first - starts, lengths - 1)

    def sort(self, *, descending=False):
        """Each innermost row in order."""
        inner = (self.content.sort(descending=descending) if isinstance(self.content, Seq)
                 else _core.sort(self.content, self.content, self.offsets, descending))
        return Seq._of(self.offsets, inner)

    def cumulative_sum(self):
        """The running sums of each innermost row."""
        inner = (self.content.cumulative_sum() if isinstance(self.content, Seq)
                 else _core.scan("sum", self.content, self.offsets, False))
        return Seq._of(self.offsets, inner)

    def flatten(self):
        """All elements, without their rows."""
        return self.content

    def evaluate(self):
        """Computes the elements and offsets now."""
        self.content.evaluate()
        self.offsets.evaluate()
        return self

    def _operated(self, other, function):
        if isinstance(other, (bool, int, float, complex)):
            return Seq._of(self.offsets, function(self.content, other))
        if isinstance(other, Seq) and other.offsets is self.offsets and other.depth == self.depth == 2:
            return Seq._of(self.offsets, function(self.content, other.content))
        if isinstance(other, (Seq, Array, list)) or hasattr(other, "__dlpack__"):
            return each(function, self, other if isinstance(other, Seq) else asarray(other))
        return NotImplemented

    def __neg__(self):
        return Seq._of(self.offsets, -self.content)

    def __abs__(self):
        return Seq._of(self.offsets, abs(self.content))

    def __invert__(self):
        return Seq._of(self.offsets, ~self.content)

    def __bool__(self):
        raise ValueError("the truth of a Seq is not defined: use len(), any() or all()")

    __hash__ = None

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        import tutti
        if method != "__call__" or kwargs:
            raise TypeError(f"numpy.{ufunc.__name__}: a Seq takes plain calls; use each()")
        own = getattr(tutti, ufunc.__name__)
        if len(inputs) == 1:
            return Seq._of(self.offsets, own(self.content))
        return each(own, *(x if isinstance(x, Seq) else asarray(x) for x in inputs))

    def __array__(self, dtype=None, copy=None):
        raise TypeError("a Seq is no array: its rows have lengths of their own. s.each(f) applies a "
                        "function to each row, s.flatten() is the array of all elements")

    def __arrow_array__(self, type=None):
        array = self.to_arrow()
        return array if type is None else array.cast(type)

    def __repr__(self):
        if len(self) > 20 or len(self.content) > 200:
            return f"Seq({len(self)} rows, {len(self.content)} elements)"
        return f"Seq({self.tolist()})"


def _operators():
    """Operators with numbers, with a number for each row, and with Seqs of the same lengths."""
    import operator

    def of(function):
        return (lambda self, other: self._operated(other, function),
                lambda self, other: self._operated(other, lambda a, b: function(b, a)))

    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor",
                 "lshift", "rshift"):
        plain, reflected = of(getattr(operator, name))
        setattr(Seq, f"__{name.strip('_')}__", plain)
        setattr(Seq, f"__r{name.strip('_')}__", reflected)
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(Seq, f"__{name}__", of(getattr(operator, name))[0])


_operators()
