"""Statistics of narrow types, numbers of Python beside arrays, and arguments that NumPy refuses."""
import numpy as np
import pytest

import tutti as tt


def same(got, expected, rtol=0.0):
    got, expected = np.asarray(got), np.asarray(expected)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(got, expected, rtol=rtol)


@pytest.mark.parametrize("dtype, values", [
    ("uint8", [200, 250]), ("int8", [-128, -126]), ("uint32", [5, 2**32 - 2]), ("int64", [1, 2, 9]),
    ("bool", [True, True, True]), ("float16", [60000, 60000])])
def test_statistics_do_not_overflow(dtype, values):
    x = np.asarray(values, dtype)
    same(tt.median(tt.asarray(x)), np.median(x.astype("float32") if dtype == "float16" else x)
         .astype("float16" if dtype == "float16" else "float64"))
    same(tt.mean(tt.asarray(x)), np.mean(x))


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (2, 0), (0, 1, 2)])
def test_medians_along_several_axes(axis):
    n = np.asarray([[[3, 1], [4, 1], [5, 9]], [[2, 6], [5, 3], [5, 8]]], "uint8")
    for keep in (False, True):
        same(tt.median(tt.asarray(n), axis=axis, keepdims=keep), np.median(n, axis=axis, keepdims=keep))
    same(tt.median(tt.asarray(3.0)), np.median(3.0))


def test_weighted_means():
    x, w = np.asarray([200, 250], "uint8"), np.asarray([200, 200], "uint8")
    same(tt.average(tt.asarray(x), weights=tt.asarray(w)), np.average(x, weights=w))
    f = np.asarray([[1, 2], [3, 5]], "float32")
    same(tt.average(tt.asarray(f), axis=1, weights=tt.asarray(f[0])), np.average(f, axis=1, weights=f[0]))


def test_half_counts_beyond_its_range():
    x = tt.full(70_000, 1.0, dtype=tt.float16)
    same(tt.mean(x), np.float16(1))
    same(tt.average(x), np.float16(1))
    same(tt.var(x), np.float16(0))
    same(tt.nanmean(x), np.float16(1))
    same(tt.nanstd(tt.asarray([60000, 60000], dtype=tt.float16)), np.float16(0))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_missing_numbers_keep_the_type(dtype):
    x = np.asarray([1, np.nan, 3], dtype)
    for name in ("nanmean", "nanvar", "nanstd"):
        same(getattr(tt, name)(tt.asarray(x)), getattr(np, name)(x))


def test_complex_deviations_are_real():
    z = np.asarray([1 + 1j, 2, 3j])
    same(tt.nanstd(tt.asarray(z)), np.nanstd(z), 1e-12)
    same(tt.nanvar(tt.asarray(z)), np.nanvar(z), 1e-12)


def test_falling_bins():
    x, bins = [0.5, 1, 2, 2.5, 5, 7], [5.0, 2, 1]
    for right in (False, True):
        same(tt.digitize(tt.asarray(x), tt.asarray(bins), right), np.digitize(x, bins, right))


def test_diagonals_of_three_axes():
    n = np.arange(27).reshape(3, 3, 3)
    x = tt.asarray(n)
    same(tt.trace(x), np.trace(n))
    same(x.trace(1), n.trace(1))
    same(tt.diagonal(x, 1), np.diagonal(n, 1))
    same(x.diagonal(-1, 2, 1), n.diagonal(-1, 2, 1))
    same(tt.linalg.trace(x), np.linalg.trace(n))
    with pytest.raises(ValueError, match="one and the same"):
        tt.trace(x, 0, 1, 1)


def test_a_number_takes_the_type_of_the_array_beside_it():
    f, i = np.asarray([1, -2, 3], "float32"), np.asarray([4, 6, 9], "int8")
    for name in ("fmax", "fmin", "fmod", "heaviside"):
        same(getattr(tt, name)(tt.asarray(f), 2), getattr(np, name)(f, 2))
    for name in ("gcd", "lcm", "fmax"):
        same(getattr(tt, name)(tt.asarray(i), 2), getattr(np, name)(i, 2))
    same(tt.gcd(6, tt.asarray(i)), np.gcd(6, i))


def test_without_an_axis_all_elements_are_meant():
    n = np.arange(1, 7).reshape(2, 3)
    x = tt.asarray(n)
    same(tt.cumprod(x), np.cumprod(n))
    same(x.cumprod(), n.cumprod())
    same(tt.take(x, [1, 5]), np.take(n, [1, 5]))


def test_bounds_and_sets_of_other_types():
    x = np.asarray([1, 2, 3])
    same(tt.clip(tt.asarray(x), [2, 2, 2], (2, 3, 2)), np.clip(x, [2, 2, 2], (2, 3, 2)))
    same(tt.intersect1d(tt.asarray(x), tt.asarray([2.0, 3.5])), np.intersect1d(x, [2.0, 3.5]))


def test_methods_that_change_the_object():
    n = np.asarray([[5, 2], [4, 3]])
    x = tt.asarray(n.copy())
    x.put([0, 3], [7, 8])
    n.put([0, 3], [7, 8])
    same(x, n)
    x.partition(1, axis=0)
    n.partition(1, axis=0)
    same(x, n)


def test_no_lines_have_no_extremes():
    for keep in (False, True):
        same(tt.argmax(tt.zeros((0, 3)), axis=1, keepdims=keep),
             np.argmax(np.zeros((0, 3)), axis=1, keepdims=keep))
    with pytest.raises(ValueError, match="no elements"):
        tt.argmin(tt.zeros((0, 3)), axis=0)


def test_close_integers_do_not_wrap_around():
    a, b = np.asarray([0, 255], "uint8"), np.asarray([255, 0], "uint8")
    same(tt.isclose(tt.asarray(a), tt.asarray(b), atol=2), np.isclose(a, b, atol=2))


@pytest.mark.parametrize("call", [
    lambda: tt.histogram(tt.asarray([1, 2, np.nan])),
    lambda: tt.histogram(tt.asarray([1.0, 2.0]), bins=[0, 2, 1]),
    lambda: tt.digitize(tt.asarray([1.0]), [1, 3, 2]),
    lambda: tt.fill_diagonal(tt.zeros((2, 3, 3)), 1),
    lambda: tt.random.exponential(tt.random.Key(1), (3,), rate=-1.0)])
def test_refused(call):
    with pytest.raises(ValueError):
        call()
