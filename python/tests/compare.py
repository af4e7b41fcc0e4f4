"""Comparison with NumPy: the same shape, the same type, elements equal or nearly so."""

import math

import numpy as np

import tutti as tt


def same(result, expected, *, ulps=8):
    assert isinstance(result, tt.Array), type(result)
    found, expected = np.asarray(result), np.asarray(expected)
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert found.dtype == expected.dtype, (found.dtype, expected.dtype)
    if found.dtype.kind == "f":
        tolerance = ulps * np.finfo(found.dtype).eps
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(found, expected)


def same_results(got, want, where):
    """Compares structure, shapes, types and values of whatever a program returns."""
    if isinstance(want, (tuple, list)):
        assert isinstance(got, (tuple, list)) and len(got) == len(want), where
        for i, (a, b) in enumerate(zip(got, want)):
            same_results(a, b, f"{where}[{i}]")
    elif isinstance(want, (np.ndarray, np.generic)):
        got = np.asarray(got)
        assert (got.dtype, got.shape) == (want.dtype, want.shape), where
        tolerance = 1e-6 if want.dtype in (np.float32, np.complex64) else 1e-3 if want.dtype == np.float16 else 1e-12
        assert np.allclose(got, want, rtol=tolerance, atol=tolerance / 100, equal_nan=True), (where, got, want)
    elif isinstance(want, float) and isinstance(got, float):
        assert math.isclose(got, want, rel_tol=1e-12) or got != got and want != want, where
    else:
        assert got == want, (where, got, want)
