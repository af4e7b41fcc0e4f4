"""What users of NumPy write: its functions on arrays of Tutti, its scalars, methods and names."""

import math
import warnings

import numpy as np
import pytest

import tutti as tt
from compare import same

N = np.arange(6.0).reshape(2, 3)


def array():
    return tt.asarray(N)


def test_functions_of_numpy_compute_here():
    x = array()
    for got, expected in ((np.sin(x), np.sin(N)), (np.add(N, x), N + N), (N + x, N + N),
                          (N * x, N * N), (x - N, N - N), (np.maximum(x, 2), np.maximum(N, 2)),
                          (N @ x.T, N @ N.T), (N < x, N < N), (np.arctan2(x, N), np.arctan2(N, N))):
        same(got, expected)
    for got, expected in ((np.sum(x), np.sum(N)), (np.mean(x, axis=0), np.mean(N, axis=0)),
                          (np.max(x), np.max(N)), (np.std(x, ddof=1), np.std(N, ddof=1)),
                          (np.round(x, 1), np.round(N, 1)), (np.cumsum(x), np.cumsum(N)),
                          (np.reshape(x, (3, 2)), N.reshape(3, 2)), (np.clip(x, 1, 3), np.clip(N, 1, 3)),
                          (np.transpose(x), N.T), (np.argmax(x), np.argmax(N))):
        np.testing.assert_allclose(got, expected)


def test_what_only_numpy_has_is_computed_by_numpy():
    x = array()
    np.testing.assert_array_equal(np.add.reduce(x), np.add.reduce(N))
    np.testing.assert_array_equal(np.spacing(x), np.spacing(N))
    copy = N.copy()
    copy += x
    np.testing.assert_array_equal(copy, 2 * N)
    np.sqrt(x, out=copy)
    np.testing.assert_array_equal(copy, np.sqrt(N))


def test_scalars_of_numpy_have_a_type_of_their_own():
    single = tt.ones(2, dtype=tt.float32)
    assert (single * np.float64(2)).dtype == tt.float64 == (np.float64(2) * single).dtype
    assert (single * np.float32(2)).dtype == tt.float32 == (single * 2.0).dtype
    assert (tt.ones(2, dtype=tt.int8) + np.int8(1)).dtype == tt.int8
    assert (single == np.bool_(True)).dtype == tt.bool
    assert tt.asarray([np.float32(1), np.float32(2)]).dtype == tt.float32
    assert tt.asarray([N, N]).shape == (2, 2, 3)
    assert tt.float32(3).dtype == tt.float32


def test_lists_are_operands():
    x = array()
    same(x + [1, 2, 3], N + [1, 2, 3])
    same([1, 2, 3] * x, [1, 2, 3] * N)
    same(tt.sum([1, 2, 3]), np.sum([1, 2, 3]))
    same(tt.concat([x, N]), np.concatenate([N, N]))
    same(tt.asarray(range(2, 9, 3)), np.arange(2, 9, 3))


@pytest.mark.parametrize("value", [-1, 300, 2 ** 70, -2 ** 70])
def test_comparison_with_integers_that_do_not_fit(value):
    for dtype in ("uint8", "int8", "uint64", "int64"):
        a = np.asarray([0, 1, 100], dtype=dtype)
        x = tt.asarray(a)
        for got, expected in ((x == value, a == value), (x != value, a != value),
                              (x < value, a < value), (x >= value, a >= value),
                              (value > x, value > a), (value <= x, value <= a)):
            same(got, expected)
    same(-1 / tt.asarray([2], dtype=tt.uint8), -1 / np.asarray([2.0]))


def test_methods_with_arguments_of_numpy():
    x = array()
    same(x.sum(0), N.sum(0))
    same(x.mean((0, 1)), N.mean((0, 1)))
    same(x.std(ddof=1), N.std(ddof=1))
    same(x.cumprod(axis=0), N.cumprod(axis=0))
    same(x.repeat(2, axis=0), N.repeat(2, axis=0))
    same(x.swapaxes(0, 1), N.swapaxes(0, 1))
    same(x.take([0, 5]), N.take([0, 5]))
    same((x / 3).round(2), (N / 3).round(2))
    same(x.diagonal(), N.diagonal())
    assert x.tobytes() == N.tobytes()
    assert [float(v) for v in x.flat] == list(N.flat)
    with pytest.raises(TypeError):
        x.sum(out=N)
    same(x.reshape(3, 2, order="F"), N.reshape(3, 2, order="F"))
    same(x.ravel("F"), N.ravel("F"))
    with pytest.raises(ValueError, match="'C' or 'F'"):
        x.reshape(3, 2, order="X")


def test_methods_that_change_the_object():
    x = tt.asarray([3, 1, 2])
    kept = x[...]
    assert x.sort() is None and x.tolist() == [1, 2, 3] and kept.tolist() == [3, 1, 2]
    x.fill(7)
    assert x.tolist() == [7, 7, 7]


def test_numbers_and_text():
    x = tt.asarray(2.567)
    assert round(x) == 3 and math.isclose(float(round(x, 1)), 2.6)
    assert f"{x:.2f}" == "2.57" and "%.1f" % x == "2.6"
    same(round(array() / 3, 2), np.round(N / 3, 2))
    same(divmod(7, tt.asarray([2, 3]))[1], np.asarray([1, 1]))
    with pytest.raises(TypeError):
        f"{array():.2f}"


def test_names_of_numpy():
    x = array()
    for got, expected in ((tt.concatenate([x, x]), np.concatenate([N, N])),
                          (tt.arcsin(x / 9), np.arcsin(N / 9)), (tt.power(x, 2), N ** 2),
                          (tt.vstack([x[0], x]), np.vstack([N[0], N])),
                          (tt.hstack([x, x]), np.hstack([N, N])), (tt.cumsum(x), np.cumsum(N)),
                          (tt.transpose(x), N.T), (tt.dot(x, x.T), N @ N.T),
                          (tt.unique([3, 1, 3]), np.unique([3, 1, 3])),
                          (tt.bincount([1, 3, 1]), np.bincount([1, 3, 1])),
                          (tt.median(x, axis=1), np.median(N, axis=1)),
                          (tt.argwhere(x > 2), np.argwhere(N > 2)),
                          (tt.isclose(x, x + 1e-9), np.isclose(N, N + 1e-9)),
                          (tt.column_stack([x[0], x[1]]), np.column_stack([N[0], N[1]])),
                          (tt.split(x, 3, axis=1)[1], np.split(N, 3, axis=1)[1]),
                          (tt.average(x, axis=1, weights=[1, 2, 3]),
                           np.average(N, axis=1, weights=[1, 2, 3]))):
        same(got, expected)
    assert tt.allclose(x, N) and tt.array_equal(x, N)


def test_generator():
    first, again = tt.random.default_rng(5), tt.random.default_rng(5)
    assert first.random(3).tolist() == again.random(3).tolist() != first.random(3).tolist()
    numbers = np.asarray(first.normal(2.0, 0.5, size=10_000))
    assert abs(numbers.mean() - 2) < 0.05 and abs(numbers.std() - 0.5) < 0.05
    dice = np.asarray(first.integers(1, 7, size=1000))
    assert dice.min() == 1 and dice.max() == 6
    assert sorted(first.permutation(10).tolist()) == list(range(10))
    assert set(first.choice([4, 5], 50).tolist()) == {4, 5}


def test_other_libraries():
    scipy = pytest.importorskip("scipy")
    import scipy.ndimage
    x = array()
    np.testing.assert_allclose(scipy.ndimage.gaussian_filter(np.asarray(x), 1.0),
                               scipy.ndimage.gaussian_filter(N, 1.0))
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = pandas.DataFrame({"a": np.asarray(x[0]), "b": np.asarray(x[1])})
    same(tt.asarray(frame["a"].to_numpy()), N[0])
    same(tt.asarray(frame["a"]), N[0])


def test_objects_that_give_an_array_of_numpy():
    class Column:
        def __array__(self, dtype=None, copy=None):
            return N[0]

    same(tt.asarray(Column()), N[0])
    same(tt.sum(Column()), N[0].sum())


class Sparse:
    """What operators see of a sparse matrix of SciPy: it has a type of elements, and no memory of all of them."""

    dtype = np.dtype("float64")

    def toarray(self):
        return np.eye(3)

    def __rmatmul__(self, other):
        return np.asarray(other) @ self.toarray()


def test_products_with_sparse_matrices_are_theirs():
    np.testing.assert_array_equal(array() @ Sparse(), N)
    with pytest.raises(TypeError, match="x.toarray"):
        tt.asarray(Sparse())
