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
