"""Creation, manipulation, reductions, ordering and products against NumPy."""

import numpy as np
import pytest
from compare import same

import tutti as tt

X = np.random.default_rng(3).random((3, 4, 5)).astype("float32")
N = np.random.default_rng(4).integers(-5, 6, (4, 6))


@pytest.mark.parametrize("arguments", [(5,), (2, 7), (7, 2), (1, 10, 3), (10, 1, -3), (0, 1, 0.25),
                                       (0.5, 4.0)])
def test_arange(arguments):
    same(tt.arange(*arguments), np.arange(*arguments))


def test_creation():
    same(tt.linspace(-1, 2, 7), np.linspace(-1, 2, 7))
    same(tt.linspace(0, 1, 4, endpoint=False), np.linspace(0, 1, 4, endpoint=False))
    same(tt.eye(3, 4, k=1), np.eye(3, 4, k=1))
    same(tt.full((2, 2), 7), np.full((2, 2), 7))
    same(tt.zeros((0, 3)), np.zeros((0, 3)))
    same(tt.tril(tt.asarray(N), k=-1), np.tril(N, k=-1))
    same(tt.triu(tt.asarray(N)), np.triu(N))
    same(tt.triu(tt.asarray(N), k=2 ** 40), np.triu(N, k=2 ** 40))
    same(tt.eye(3, k=-2 ** 40), np.eye(3, k=-2 ** 40))
    for mine, theirs in zip(tt.meshgrid(tt.arange(2), tt.arange(3)),
                            np.meshgrid(np.arange(2), np.arange(3))):
        same(mine, theirs)
    same(tt.asarray([[1, 2], [3, 4]], dtype=tt.float32), np.asarray([[1, 2], [3, 4]], "float32"))
    same(tt.asarray([tt.arange(2), tt.arange(2)]), np.asarray([[0, 1], [0, 1]]))


def test_manipulation():
    x = tt.asarray(X)
    same(tt.permute_dims(x, (2, 0, 1)), X.transpose(2, 0, 1))
    same(x.T, X.T)
    same(x.reshape(5, -1), X.reshape(5, -1))
    same(tt.moveaxis(x, 0, -1), np.moveaxis(X, 0, -1))
    same(tt.expand_dims(x, axis=1), X[:, None])
    same(tt.squeeze(tt.expand_dims(x, axis=1), 1), X)
    same(tt.flip(x, axis=(0, 2)), np.flip(X, (0, 2)))
    same(tt.roll(x, 2, axis=1), np.roll(X, 2, axis=1))
    same(tt.roll(x, -3), np.roll(X, -3))
    same(tt.tile(x, (2, 1)), np.tile(X, (2, 1)))
    same(tt.repeat(x, 2, axis=0), np.repeat(X, 2, axis=0))
    same(tt.repeat(tt.arange(3), tt.asarray([2, 0, 3])), np.repeat(np.arange(3), [2, 0, 3]))
    same(tt.broadcast_to(tt.arange(3), (2, 3)), np.broadcast_to(np.arange(3), (2, 3)))
    same(tt.pad(tt.arange(3), 1), np.pad(np.arange(3), 1))
    assert [a.shape for a in tt.unstack(x)] == [(4, 5)] * 3


@pytest.mark.parametrize("axis", [0, 1, 2, -1, None])
def test_concat_and_stack(axis):
    x = tt.asarray(X)
    same(tt.concat([x, x, 2 * x], axis=axis), np.concatenate([X, X, 2 * X], axis=axis))
    if axis is not None:
        same(tt.stack([x, x + 1], axis=axis), np.stack([X, X + 1], axis=axis))


def test_many_pieces():
    pieces = [tt.arange(i, i + 2) for i in range(40)]
    same(tt.concat(pieces), np.concatenate([np.arange(i, i + 2) for i in range(40)]))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), -1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_reductions(axis, keepdims):
    x, arguments = tt.asarray(X), {"axis": axis, "keepdims": keepdims}
    for name in ("sum", "prod", "max", "min", "mean", "std", "var"):
        same(getattr(tt, name)(x, **arguments), getattr(np, name)(X, **arguments), ulps=64)
    same(tt.any(x > 0.9, **arguments), np.any(X > 0.9, **arguments))
    same(tt.all(x > 0.1, **arguments), np.all(X > 0.1, **arguments))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions_that_ignore_nan(axis):
    values = np.array([[1, np.nan, 3], [np.nan, -5, np.inf]], "float32")
    same(tt.nanmax(tt.asarray(values), axis=axis), np.nanmax(values, axis=axis))
    same(tt.nanmin(tt.asarray(values), axis=axis), np.nanmin(values, axis=axis))
    same(tt.nanmax(tt.asarray([3, 7])), np.nanmax([3, 7]))


def test_sums_of_narrow_integers_have_room():
    same(tt.sum(tt.asarray(np.full(1000, 100, "int8"))), np.sum(np.full(1000, 100, "int8")))
    same(tt.sum(tt.asarray([True, True])), np.sum([True, True]))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_arguments_of_extremes(axis):
    same(tt.argmax(tt.asarray(N), axis=axis), np.argmax(N, axis=axis))
    same(tt.argmin(tt.asarray(N), axis=axis), np.argmin(N, axis=axis))


@pytest.mark.parametrize("axis", [0, 1])
def test_scans_and_orders(axis):
    n = tt.asarray(N)
    same(tt.cumulative_sum(n, axis=axis), np.cumsum(N, axis=axis))
    same(tt.cumulative_prod(n, axis=axis), np.cumprod(N, axis=axis))
    same(tt.sort(n, axis=axis), np.sort(N, axis=axis))
    same(tt.argsort(n, axis=axis), np.argsort(N, axis=axis, kind="stable"))
    same(tt.diff(n, axis=axis), np.diff(N, axis=axis))


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_top_k(k):
    """NumPy has no stable descending sort: the order of the negated elements is one."""
    for axis in (0, 1):
        greatest = np.argsort(-N, axis=axis, kind="stable").take(range(k), axis=axis)
        least = np.argsort(N, axis=axis, kind="stable").take(range(k), axis=axis)
        same(tt.top_k(tt.asarray(N), k, axis=axis).indices, greatest)
        found = tt.top_k(tt.asarray(N), k, axis=axis, mode="smallest")
        same(found.indices, least)
        same(found.values, np.take_along_axis(N, least, axis=axis))
    line = N.ravel()
    order = np.argsort(-line, kind="stable")[:k]
    same(tt.top_k(tt.asarray(line), k).indices, order)
    same(tt.top_k(tt.asarray(line), k).values, line[order])


def test_top_k_refuses_what_makes_no_sense():
    x = tt.arange(3)
    for k in (-1, 4):
        with pytest.raises(ValueError, match=f"{k} of 3 elements"):
            tt.top_k(x, k)
    with pytest.raises(ValueError, match="'largest' or 'smallest'"):
        tt.top_k(x, 1, mode="greatest")
    with pytest.raises(TypeError):
        tt.top_k(x, 1.5)


def test_searching_and_sets():
    line = np.sort(N.ravel())
    same(tt.searchsorted(tt.asarray(line), tt.asarray(N)), np.searchsorted(line, N))
    for mine, theirs in zip(tt.nonzero(tt.asarray(N)), np.nonzero(N)):
        same(mine, theirs)
    for mine, theirs in zip(tt.unique_all(tt.asarray(N)), np.unique_all(N)):
        same(mine, theirs)
    same(tt.unique_values(tt.asarray(N)), np.unique(N))


@pytest.mark.parametrize("a, b", [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)),
                                  ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((4,), (2, 4, 3)),
                                  ((2, 1, 3, 4), (5, 4, 2))])
def test_matmul(a, b):
    x, y = np.random.default_rng(5).random(a), np.random.default_rng(6).random(b)
    same(tt.asarray(x) @ tt.asarray(y), x @ y, ulps=64)


def test_other_products():
    x, y = np.random.default_rng(7).random((3, 4, 5)), np.random.default_rng(8).random((4, 5, 2))
    same(tt.tensordot(tt.asarray(x), tt.asarray(y)), np.tensordot(x, y), ulps=64)
    same(tt.outer(tt.arange(3), tt.arange(2)), np.outer(np.arange(3), np.arange(2)))
    same(tt.vecdot(tt.asarray(x), tt.asarray(x)), np.vecdot(x, x), ulps=64)


def test_what_does_not_fit():
    for wrong in (lambda: tt.zeros((2, 3)) @ tt.zeros((2, 3)),
                  lambda: tt.zeros(6).reshape(4, 2),
                  lambda: tt.concat([tt.zeros((2, 3)), tt.zeros((2, 4))]),
                  lambda: tt.max(tt.zeros(0)),
                  lambda: tt.zeros(-1),
                  lambda: tt.zeros((1,) * 9),
                  lambda: bool(tt.zeros(2))):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: tt.sum(tt.zeros(3), axis=1), lambda: tt.flip(tt.zeros(3), axis=-2)):
        with pytest.raises(IndexError):
            wrong()
    for wrong in (lambda: -tt.asarray([True]), lambda: tt.asarray([1.5]) & 1,
                  lambda: tt.asarray("text"), lambda: tt.asarray([1j]) < 1j,
                  lambda: tt.asarray(3.0) + "x"):
        with pytest.raises(TypeError):
            wrong()


def test_information():
    assert tt.finfo(tt.float32).eps == np.finfo("float32").eps
    assert tt.iinfo(tt.uint8).max == 255
    assert tt.isdtype(tt.int8, "integral") and not tt.isdtype(tt.float32, "bool")
    assert tt.result_type(tt.int8, tt.uint8) == tt.int16
    assert tt.result_type(tt.float32, 2.5) == tt.result_type(tt.float32, 1) == tt.float32
    assert tt.result_type(tt.int8, 2.5) == tt.result_type(1, 2.5) == tt.float64
    assert tt.zeros(1).__array_namespace__() is tt
    assert np.dtype(tt.float32) == np.float32 and tt.float32 == np.float32 == tt.float32
    assert "cpu" in tt.devices()


def test_settings_and_devices():
    before = tt.settings()["small_work"]
    with tt.settings(small_work=7) as now:
        assert now["small_work"] == 7
    assert tt.settings()["small_work"] == before
    assert tt.settings()["wait_for_compiler"] in (False, True)
    with pytest.raises(ValueError, match="no setting 'speed'"):
        tt.settings(speed=1)
    with tt.use("cpu"):
        assert tt.device() == "cpu"
    with pytest.raises(tt.DeviceError, match="tpu"):
        tt.use("tpu")
