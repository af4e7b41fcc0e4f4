"""Programs that write elements at places which they compute, against plain loops."""

import numpy as np
import pytest

import tutti as tt
from compare import same


def loop(base, elements, writes, how):
    """The writes of all elements, one after the other."""
    result, written = base.copy(), np.zeros(base.shape, bool)
    for element in elements:
        for index, value in writes(*element):
            if not all(0 <= i < n for i, n in zip(index, base.shape)):
                continue
            old = result[index]
            result[index] = {"set": value, "first": old if written[index] else value, "add": old + value,
                             "min": min(old, value), "max": max(old, value)}[how]
            written[index] = True
    return result


@pytest.mark.parametrize("how", ["set", "first", "add", "min", "max"])
def test_several_writes_of_an_element(how):
    rng = np.random.default_rng(1)
    place, x = rng.integers(-3, 100, 300), rng.integers(0, 1000, 300)

    @tt.program
    def program(place, x):
        return (tt.Write(place % 7, x), tt.Write(x % 7, 10 * x, where=x % 3 == 0),
                tt.Write(place, tt.where(x > 500, -x, x)))

    def writes(place, x):
        return [((place % 7,), x), *([((x % 7,), 10 * x)] if x % 3 == 0 else []),
                ((place,), -x if x > 500 else x)]

    base = np.full(9, 400)
    same(tt.scatter(tt.asarray(base), program(place, x), how),
         loop(base, zip(place, x), writes, how))


@pytest.mark.parametrize("kind", ["float32", "float64", "int16", "complex64"])
def test_images(kind):
    rows, columns = np.asarray([0, 1, 0, 5, -1]), np.asarray([1, 2, 1, 0, 0])

    @tt.program
    def paint(r, c):
        return tt.Write((r, c), 1), tt.Write((r + 1, c), 2)

    want = np.zeros((2, 3), kind)
    for r, c in zip(rows, columns):
        for i, v in ((r, 1), (r + 1, 2)):
            if 0 <= i < 2:
                want[i, c] += v
    same(tt.scatter(tt.zeros((2, 3), dtype=kind), paint(rows, columns), "add"), want)


def test_loops_and_branches_choose_the_place():
    @tt.program
    def steps(n):
        n, k = tt.while_(lambda n, k: n > 1, lambda n, k: (tt.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1), n, 0)
        at, weight = tt.if_(k < 8, lambda a, w: (k, w), lambda a, w: (a, 10), 0, 1)
        return tt.Write(at, weight)

    lengths = [0, 1, 7, 2, 5, 8, 16, 3]
    want = np.zeros(9, int)
    for k in lengths:
        want[k if k < 8 else 0] += 1 if k < 8 else 10
    same(tt.scatter(tt.zeros(9, dtype=int), steps(tt.arange(1, 9)), "add"), want)


@pytest.mark.parametrize("kind", [int, "int8", "int32", "uint8", "uint32", "uint64"])
def test_indices_of_every_type(kind):
    @tt.program
    def mark(i):
        return tt.Write(i, 1.0)

    given = np.asarray([0, 2, 2, 7, 100]).astype(kind)
    assert tt.scatter(tt.zeros(3), mark(given), "add").tolist() == [1, 0, 2]


def test_indices_that_do_not_fit_write_nothing():
    @tt.program
    def mark(i):
        return tt.Write(i, 1.0)

    for kind, far in (("int64", [2**32, 2**31, -2**31, -2**63, -1, 2**63 - 1]), ("uint32", [2**32 - 1, 2**31]),
                      ("uint64", [2**64 - 1, 2**32])):
        assert tt.scatter(tt.zeros(3), mark(np.asarray([1, *far], kind)), "add").tolist() == [0, 1, 0]


def test_inputs_of_every_rank():
    @tt.program
    def two(i):
        return tt.Write(i, 1.0), tt.Write(i + 1, 10.0)

    for shape in ((), (1,), (1, 1), (1,) * 7, (1,) * 8):
        assert tt.scatter(tt.zeros(3), two(tt.zeros(shape, dtype=int)), "add").tolist() == [1, 10, 0]
    assert tt.scatter(tt.zeros(3), two(tt.zeros((0, 4), dtype=int)), "add").tolist() == [0, 0, 0]
    assert tt.scatter(tt.zeros(3), two(tt.zeros((4, 2), dtype=int)), "add").tolist() == [8, 80, 0]


def test_a_write_that_depends_on_no_element():
    @tt.program
    def count(x):
        return tt.Write(1, 1)

    assert tt.scatter(tt.zeros(3, dtype=int), count(tt.arange(5)), "add").tolist() == [0, 5, 0]


def test_writes_of_whole_arrays():
    writes = tt.Write(([0, 1, 5], 2), [1.0, 2.0, 3.0], where=[True, False, True])
    assert tt.scatter(tt.zeros((2, 3)), writes).tolist() == [[0, 0, 1], [0, 0, 0]]
    assert tt.scatter(tt.zeros((2, 3)), []).tolist() == [[0] * 3] * 2


def test_the_array_that_is_written_to_stays():
    x = tt.zeros(3)
    assert tt.scatter(x, tt.Write(1, 5.0)).tolist() == [0, 5, 0]
    assert x.tolist() == [0, 0, 0]


def test_what_does_not_fit_is_refused():
    @tt.program
    def mark(i):
        return tt.Write(i, 1.5)

    @tt.program
    def mixed(i):
        return tt.Write(i, 1), i

    x = tt.arange(3)
    for call, error, text in (
            (lambda: tt.scatter(tt.zeros(3, dtype=int), mark(x)), TypeError, "float64 are written to elements of type int64"),
            (lambda: tt.scatter(tt.zeros((3, 3)), mark(x)), ValueError, "1 integers, and the array 2 axes"),
            (lambda: mark(x * 1.0), TypeError, "an index is an integer, not float64"),
            (lambda: tt.Write(x, 1, where=x), TypeError, "`where` is bool, not int64"),
            (lambda: tt.Write((), 1), ValueError, "0 were given"),
            (lambda: mixed(x), TypeError, "returned together"),
            (lambda: tt.scatter(tt.zeros(3), mark(x), "multiply"), ValueError, "one of set, first, add, min and max"),
            (lambda: tt.scatter(tt.zeros(3), [x]), TypeError, "Writes are expected, not Array"),
            (lambda: tt.scatter(tt.zeros(3, dtype="complex64"), mark(x), "max"), TypeError, "no order"),
            (lambda: tt.Seq([[0, 1]]).each(lambda r: tt.scatter(tt.zeros(3), tt.Write(r, 1.0))), TypeError,
             "not written inside of each"),
            (lambda: tt.scatter(tt.zeros(2), tt.Write(tt.arange(2), tt.zeros(3))), ValueError, "do not fit")):
        with pytest.raises(error, match=text):
            call()
    same(tt.scatter(tt.zeros(3), mark(x)), np.full(3, 1.5))  # nothing is being captured any more
