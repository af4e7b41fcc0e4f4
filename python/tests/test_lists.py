"""Numbers and lists of Python as arrays: the types that they get, and integers that do not fit."""

import numpy as np
import pytest
from compare import same

import tutti as tt


@pytest.mark.parametrize("numbers, dtype", [
    (2 ** 63, None), ([2 ** 63], None), ([1, 2 ** 64 - 1], None), ([-1, 2 ** 63], None), ([2 ** 63, 1.5], None),
    ([2 ** 64 - 1], "uint64"), ([2 ** 70], "float64"), ([1.7, -1.7], "int32"), ([0, 2], "bool"), ([1, 2.5], "complex64"),
    ([0j, 1j], "bool"), (2 ** 64 - 1, "uint64"), ([True, 2], "int8"), ([], "int8"), ([[1, 2], [3, 4]], "float16")])
def test_large_integers_and_numbers_of_a_type(numbers, dtype):
    same(tt.asarray(numbers, dtype=dtype), np.asarray(numbers, dtype=dtype))


@pytest.mark.parametrize("numbers, dtype", [([300], "uint8"), ([-1], "uint8"), (300, "int8"), ([2 ** 63], "int64"), ([[1], [-1]], "uint64"),
                                            ([2 ** 64], None)])
def test_integers_that_do_not_fit(numbers, dtype):
    with pytest.raises(OverflowError, match="does not fit into"):
        tt.asarray(numbers, dtype=dtype)


def test_complex_numbers_of_a_real_type():
    with pytest.raises(TypeError, match="float64"):
        tt.asarray([1j], dtype="float64")
    same(tt.uint64(2 ** 64 - 1), np.uint64(2 ** 64 - 1))
    with pytest.raises(OverflowError):
        tt.int8(300)


def test_numbers_and_arrays_of_numpy_in_lists():
    rows = np.arange(6.0).reshape(2, 3)
    for given in (list(rows[0]), list(rows), [rows[0], [1, 2, 3]], [np.float32(1), np.float32(2)], [np.int8(1), 2],
                  [[np.float64(1), 2], (3, 4.5)], [range(3), rows[0]], (np.bool_(True), False), [np.int64(1), 2.5]):
        got, want = tt.asarray(given), np.asarray(given)
        assert (got.dtype, got.shape, got.tolist()) == (want.dtype, want.shape, want.tolist())
    with pytest.raises(ValueError, match="different shapes"):
        tt.asarray([np.arange(2), np.arange(3)])
    with pytest.raises(TypeError, match="elements of lists"):
        tt.asarray([1.0, "a"])


def test_elements_are_read_where_they_are():
    """Reading the numbers of an array one by one makes no plan for each."""
    x = tt.asarray(np.arange(2000.0)) * 3
    before = tt.statistics()["evaluations"]
    assert [float(v) for v in x] == [3.0 * i for i in range(2000)]
    assert sum(float(x[i]) for i in range(0, 2000, 7)) == sum(3.0 * i for i in range(0, 2000, 7))
    assert tt.statistics()["evaluations"] - before == 1
    before = tt.statistics()["evaluations"]
    low, high = tt.asarray([1.0, 2.0]) * 2
    assert tt.statistics()["evaluations"] == before and (float(low), float(high)) == (2, 4)
    element = x[5]
    x[5] = 1
    y = (tt.arange(6).reshape(2, 3) % 2 == 0).evaluate()
    assert float(element) == 15 == float(element + 0) and float(x[5]) == 1
    assert y[1, -1].item() is False and y[-1, 1].item() is True and y.item(0, 0) is True and y.item(5) is False
