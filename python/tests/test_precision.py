"""tt.precision: rounding of operations in a with statement."""
import numpy as np
import pytest

import tutti as tt


def values():
    x = np.linspace(1, 2, 1001, dtype=np.float32)
    return x, (x[::-1] * np.float32(1.1)).copy(), x * np.float32(0.7)


def fused(a, b, c):
    # A product of two floats is exact in double. The sum may be rounded twice, which is rare.
    return (a.astype(np.float64) * b.astype(np.float64) + c).astype(np.float32)


def test_contracted_sums_round_once():
    a, b, c = values()
    x, y, z = map(tt.asarray, (a, b, c))
    plain = np.asarray(x * y + z)
    with tt.precision("contracted"):
        once = x * y + z
    assert np.array_equal(plain, a * b + c)
    assert np.mean(np.asarray(once) == fused(a, b, c)) > 0.999
    assert not np.array_equal(np.asarray(once), plain)


def test_scopes_nest_and_end_with_an_exception():
    a, b, c = values()
    x, y, z = map(tt.asarray, (a, b, c))
    with pytest.raises(ZeroDivisionError):
        with tt.precision("fast"):
            with tt.precision("exact"):
                assert np.array_equal(np.asarray(x * y + z), a * b + c)
            assert not np.array_equal(np.asarray(x * y + z), a * b + c)
            1 / 0
    assert np.array_equal(np.asarray(x * y + z), a * b + c)


def test_a_program_keeps_its_precision():
    a, b, c = values()
    with tt.precision("contracted"):
        @tt.program
        def f(x, y, z):
            return x * y + z
        first = np.asarray(f(a, b, c))
    assert not np.array_equal(first, a * b + c)


def test_bad_names():
    with pytest.raises(ValueError, match="'quick' is not 'exact', 'contracted' or 'fast'"):
        tt.precision("quick")
    scope = tt.precision("fast")
    with scope:
        with pytest.raises(RuntimeError, match="entered already"):
            scope.__enter__()
