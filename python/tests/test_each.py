"""each(): functions of rows and elements, nested to any depth, against plain Python."""

import gc
import math
import os
import sys
import threading

import numpy as np
import pytest

import tutti as tt
from tutti import _core

ROWS = [[3.0, 1.0, 2.0], [], [5.0], [4.0, 4.0]]
DEEP = [[[1], [2, 3]], [], [[]], [[4, 5, 6], [], [7]]]
SEED = int(os.environ.get("TUTTI_TEST_SEED", "1"))


def quicksort(row):
    def divide(row):
        pivot = row[row.size // 2]
        return tt.concat([quicksort(row[row < pivot]), row[row == pivot], quicksort(row[row > pivot])])

    return tt.if_(row.size < 2, lambda row: row, divide, row)


@tt.program
def collatz(n):
    def step(n, k):
        return tt.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1

    return tt.while_(lambda n, k: n > 1, step, n, 0)[1]


def steps(n):
    k = 0
    while n > 1:
        n, k = n // 2 if n % 2 == 0 else 3 * n + 1, k + 1
    return k


# A function of a row of integers here, and in plain Python.
FUNCTIONS = {
    "a sum": (lambda r: r.sum(), sum),
    "a mean of neighbours": (lambda r: r * 2 - r.sum(), lambda r: [x * 2 - sum(r) for x in r]),
    "its length": (lambda r: r.size, len),
    "order": (lambda r: tt.sort(r), sorted),
    "reverse": (lambda r: r[::-1], lambda r: r[::-1]),
    "flip": (lambda r: tt.flip(r), lambda r: r[::-1]),
    "a mask": (lambda r: r[r % 2 == 0], lambda r: [x for x in r if x % 2 == 0]),
    "all but the first": (lambda r: r[1:], lambda r: r[1:]),
    "all but the last": (lambda r: r[:-1], lambda r: r[:-1]),
    "the middle": (lambda r: r[1:-1], lambda r: r[1:-1]),
    "beyond the end": (lambda r: r[:100], lambda r: r[:100]),
    "the last, if any": (lambda r: tt.if_(r.size > 0, lambda r: r[-1], lambda r: -1, r),
                         lambda r: r[-1] if r else -1),
    "running sums": (lambda r: tt.cumulative_sum(r), lambda r: np.cumsum(r).astype(int).tolist()),
    "twice": (lambda r: tt.concat([r, r + 1]), lambda r: r + [x + 1 for x in r]),
    "whether one is greater": (lambda r: (r > 5).any(), lambda r: any(x > 5 for x in r)),
    "counting": (lambda r: tt.count_nonzero(r > 3), lambda r: sum(x > 3 for x in r)),
    "all pairs": (lambda r: r.each(lambda x: (r * x).sum()), lambda r: [sum(x * y for y in r) for x in r]),
    "all pairs as rows": (lambda r: r.each(lambda x: r + x), lambda r: [[y + x for y in r] for x in r]),
    "numbers up to each": (lambda r: r.each(lambda x: tt.arange(x)), lambda r: [list(range(x)) for x in r]),
    "a range from each": (lambda r: r.each(lambda x: tt.arange(x, x + 2)), lambda r: [[x, x + 1] for x in r]),
    "a gather": (lambda r: r[tt.arange(r.size)[::-1]], lambda r: r[::-1]),
    "quicksort": (quicksort, sorted),
    "a program": (collatz, lambda r: [steps(x) for x in r]),
    "a constant": (lambda r: 7, lambda r: 7),
    "a product": (lambda r: r @ r, lambda r: sum(x * x for x in r)),
    "where": (lambda r: tt.where(r > 4, r, -r), lambda r: [x if x > 4 else -x for x in r]),
    "whole division": (lambda r: -r // 3 + r % 4, lambda r: [-x // 3 + x % 4 for x in r]),
    "a filter of a filter": (lambda r: r[r > 2][:1].sum(), lambda r: sum([x for x in r if x > 2][:1])),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("rows", [[], [[]], [[], [3]], "random"], ids=["none", "empty", "two", "random"])
def test_functions_of_rows(name, rows):
    here, plain = FUNCTIONS[name]
    if rows == "random":
        random = np.random.default_rng(SEED)
        rows = [random.integers(0, 10, random.integers(0, 9)).tolist() for _ in range(50)]
    s = tt.Seq(offsets=np.cumsum([0] + [len(r) for r in rows]),
               content=np.array([x for r in rows for x in r], dtype="int64"))
    assert s.each(here).tolist() == [plain(row) for row in rows]


def test_two_levels_and_three():
    s = tt.Seq(DEEP)
    assert s.each(lambda m: m.each(lambda r: r.sum())).tolist() == [[sum(r) for r in m] for m in DEEP]
    assert s.each(lambda m: m * 2).tolist() == [[[2 * x for x in r] for r in m] for m in DEEP]
    assert s.each(lambda m: m.flatten()).tolist() == [[x for r in m for x in r] for m in DEEP]
    assert s.each(lambda m: m.lengths).tolist() == [[len(r) for r in m] for m in DEEP]
    assert s.each(lambda m: m.flatten().sum()).tolist() == [sum(map(sum, m)) for m in DEEP]
    assert s.each(lambda m: m.each(lambda r: r - m.flatten().sum())).tolist() == [
        [[x - sum(map(sum, m)) for x in r] for r in m] for m in DEEP]
    deeper = tt.Seq([DEEP, [], DEEP[2:]])
    assert deeper.depth == 4
    assert deeper.each(lambda d: d.each(lambda m: m.each(lambda r: r.size))).tolist() == [
        [[len(r) for r in m] for m in d] for d in [DEEP, [], DEEP[2:]]]


def test_several_operands_and_results():
    s = tt.Seq(ROWS)
    assert s.each(lambda x, y: x * y, s).tolist() == [[9, 1, 4], [], [25], [16, 16]]
    assert s.each(lambda r, k, c: r - k + c, tt.arange(4), 10).tolist() == [[13, 11, 12], [], [13], [11, 11]]
    sizes, greatest = s.each(lambda r: (r.size, tt.if_(r.size > 0, lambda: r.max(), lambda: 0.0)))
    assert sizes.tolist() == [3, 0, 1, 2] and greatest.tolist() == [3, 0, 5, 4]
    assert s.each(lambda r, t: t[:1], tt.Seq([[1], [2, 3], [], [4]])).tolist() == [[1], [2], [], [4]]


def test_vectors_have_it_too():
    assert tt.arange(4).each(lambda n: tt.arange(n)).tolist() == [[], [0], [0, 1], [0, 1, 2]]
    x = tt.asarray([1.5, 2.5])
    assert x.each(lambda v: v * 2).tolist() == [3.0, 5.0]
    table = tt.asarray([10, 20, 30])
    indices = tt.asarray([2, 0])
    assert indices.each(lambda i: table[i]).tolist() == [30, 10]  # an array from outside
    assert indices.each(lambda i: table[i:]).tolist() == [[30], [10, 20, 30]]
    assert indices.each(lambda i: table[:2].sum() + i).tolist() == [32, 30]


def test_values_from_outside_and_types():
    s = tt.Seq([[1, 2], [3]])
    outer = tt.asarray(0.5)
    result = s.each(lambda r: r * outer)
    assert result.dtype == tt.float64 and result.tolist() == [[0.5, 1.0], [1.5]]
    assert s.each(lambda r: r / 2).dtype == tt.float64
    assert s.each(lambda r: r.astype(tt.float32) * 2.0).dtype == tt.float32
    assert s.each(lambda r: r > 1).dtype == tt.bool
    mixed = s.each(lambda r: tt.if_(r.size > 1, lambda: r.sum(), lambda: 0.5))
    assert mixed.dtype == tt.float64 and mixed.tolist() == [3.0, 0.5]


def test_statistics_of_rows():
    result = tt.Seq(ROWS).each(lambda r: (r.mean(), r.std(), r.argmax(), r.min()))
    for i in (0, 2, 3):
        row = np.array(ROWS[i])
        expected = row.mean(), row.std(), row.argmax(), row.min()
        assert [float(part[i]) for part in result] == pytest.approx(expected)
    assert math.isnan(float(result[0][1]))


BAD = {
    "a number is read": (lambda r: float(r.sum()), TypeError, "where"),
    "a branch of Python": (lambda r: r if r.size > 1 else r * 2, TypeError, "if_"),
    "a length": (lambda r: range(len(r)), TypeError, "x.size"),
    "a shape": (lambda r: r.shape, TypeError, "each"),
    "NumPy": (lambda r: np.asarray(r), TypeError, "each"),
    "a list": (lambda r: r.tolist(), TypeError, "each"),
    "out of range": (lambda r: r[10], ValueError, r"no element 10 in a sequence of 3, for element \[0\]"),
    "of a matrix": (lambda r: r + tt.zeros((2, 2)), TypeError, "one axis"),
    "an exception": (lambda r: {}["mine"], KeyError, "mine"),
    "no array": (lambda r: "text", TypeError, "expected"),
    "nothing": (lambda r: None, TypeError, "expected"),
    "a float as an index": (lambda r: r[0.5], IndexError, "integer"),
    "a new axis": (lambda r: r[None], IndexError, "key"),
    "a step": (lambda r: r[::2], IndexError, "step"),
    "unequal lengths": (lambda r: r + r[1:], ValueError, "do not go together"),
    "no flag": (lambda r: tt.if_(r.size, lambda: 1, lambda: 2), TypeError, "bool"),
    "unequal sides": (lambda r: tt.if_(r.size > 1, lambda: (1, 2), lambda: 2), ValueError, "values"),
    "an update": (lambda r: r.at[0].set(1), TypeError, "where"),
    "reshape": (lambda r: r.reshape(2, 2), TypeError, "each"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_in_each(name):
    function, error, text = BAD[name]
    s = tt.Seq(ROWS)
    with pytest.raises(error, match=text):
        s.each(function).tolist()
    assert not _core.is_in_each()
    assert s.each(lambda r: r.sum()).tolist() == [6, 0, 5, 8]  # the next one is as if nothing had been


def test_errors_name_the_line():
    first = sys._getframe().f_lineno
    with pytest.raises(tt.ShapeError, match=rf"test_each.py:{first + 2}\)"):
        tt.Seq(ROWS).each(lambda r: r[7]).tolist()


def test_rows_that_do_not_fit():
    with pytest.raises(ValueError):
        tt.Seq(ROWS).each(lambda x, y: x, tt.Seq([[1.0]])).tolist()
    with pytest.raises(TypeError):
        tt.Seq(offsets=[0, 2], content=np.zeros((2, 3))).each(lambda r: r)


def test_a_value_that_leaves_its_each():
    kept = []
    tt.Seq(ROWS).each(lambda r: kept.append(r) or r.sum()).evaluate()
    assert "one for each element" in repr(kept[0])
    with pytest.raises((TypeError, ValueError)):
        kept[0].tolist()


def test_many_repetitions_do_not_grow():
    content = np.arange(6.0)
    offsets = np.array([0, 3, 3, 4, 6])

    def work():
        for _ in range(150):
            s = tt.Seq(offsets=offsets, content=content)
            s.each(lambda r: r - r.sum()).tolist()
            with pytest.raises(KeyError):
                s.each(lambda r: {}[r.size is None])
            with pytest.raises(ValueError):
                s.each(lambda r: r[9]).tolist()

    work()
    gc.collect()
    count, used = sys.getrefcount(content), tt.statistics()["bytes_in_use"]
    work()
    gc.collect()
    assert sys.getrefcount(content) <= count
    assert tt.statistics()["bytes_in_use"] == used


def test_threads():
    failures = []

    def work(k):
        s = tt.Seq([[k, k + 1], [], [k]])
        for _ in range(20):
            if s.each(lambda r: r.each(lambda x: x * r.size).sum()).tolist() != [2 * (2 * k + 1), 0, k]:
                failures.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_extreme_index_of_an_empty_row_is_minus_one_inside_and_outside():
    s = tt.Seq([[3, 9, 1], [], [5], []])
    for name, expected in (("argmax", [1, -1, 0, -1]), ("argmin", [2, -1, 0, -1])):
        assert getattr(s, name)().tolist() == expected
        assert s.each(lambda row, name=name: getattr(row, name)()).tolist() == expected
    assert tt.Seq([[[1, 2], []], []]).argmax().tolist() == [[1, -1], []]
