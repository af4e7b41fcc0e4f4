"""Comparison with NumPy: the same shape, the same type, elements equal or nearly so."""

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
