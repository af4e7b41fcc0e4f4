"""Small programs as a user of NumPy writes them, each a function of the module: the results of NumPy and
Tutti have the same shapes, types and values."""

import inspect
import math

import numpy
import pytest

import tutti
from compare import same_results

# ruff: noqa: E501


def normalise_columns(np):
    x = np.array([[1.0, 2, 3], [4, 5, 7], [0, 1, 2]])
    return (x - x.mean(axis=0)) / x.std(axis=0)


def distances(np):
    p = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    return np.sqrt(((p[:, None, :] - p[None, :, :]) ** 2).sum(axis=-1))


def sieve(np):
    flags = np.ones(50, dtype=bool)
    flags[:2] = False
    for i in range(2, 8):
        if flags[i]:
            flags[i * i::i] = False
    return np.nonzero(flags)[0]


def running_mean(np):
    x = np.array([1.0, 4, 2, 8, 5, 7])
    c = np.cumsum(np.insert(x, 0, 0.0))
    return (c[3:] - c[:-3]) / 3


def histogram_by_hand(np):
    x = np.array([0, 1, 1, 3, 2, 1, 7])
    return np.bincount(x), np.bincount(x, minlength=10)


def moving_window(np):
    x = np.arange(10)
    return np.convolve(x, np.ones(3) / 3, mode="valid")


def polynomial(np):
    return np.polyval([1.0, -2.0, 3.0], np.array([0.0, 1.0, 2.0]))


def trapezoid(np):
    x = np.linspace(0, math.pi, 101)
    return np.trapezoid(np.sin(x), x)


def masks(np):
    x = np.arange(12).reshape(3, 4)
    x[x % 2 == 0] *= -1
    x[1, x[1] > 4] = 100
    return x, x[x > 0].sum(), np.where(x > 5), np.any(x < 0, axis=1)


def in_place(np):
    x = np.zeros((3, 3))
    x += 1
    x[1] -= 3
    x[:, 2] *= 4
    x[0, 0] /= 8
    x[-1, ::2] **= 2
    return x


def fancy(np):
    x = np.arange(20).reshape(4, 5)
    return x[[0, 2]], x[[0, 2], [1, 3]], x[np.ix_([0, 1], [2, 4])], x[:, [4, 0]], x[..., -1]


def sorting(np):
    x = np.array([3, 1, 2, 3, 0])
    i = np.argsort(x, kind="stable")
    return np.sort(x)[::-1], i, x[i], np.unique(x), np.unique(x, return_counts=True)


def lexicographic(np):
    names, ages = np.array([2, 1, 2, 0]), np.array([30, 20, 10, 40])
    return np.lexsort((ages, names))


def linear_system(np):
    a = np.array([[3.0, 1], [1, 2]])
    b = np.array([9.0, 8])
    x = np.linalg.solve(a, b)
    return x, a @ x, np.linalg.inv(a), np.linalg.det(a), np.allclose(a @ x, b)


def least_squares(np):
    x = np.arange(5.0)
    a = np.vstack([x, np.ones(len(x))]).T
    return np.linalg.lstsq(a, 2 * x + 1, rcond=None)[0]


def norms(np):
    x = np.array([[1.0, -2], [3, 4]])
    return np.linalg.norm(x), np.linalg.norm(x, axis=1), np.linalg.norm(x, ord=1), np.trace(x)


def spectrum(np):
    t = np.arange(16) / 16
    s = np.fft.fft(np.sin(2 * np.pi * 3 * t))
    return np.abs(s), np.fft.fftfreq(16, d=1 / 16), np.argmax(np.abs(s[:8]))


def outer_products(np):
    a, b = np.arange(3), np.arange(4)
    return np.outer(a, b), a[:, np.newaxis] + b, np.dot(a, a), np.inner(a, a)


def stacking(np):
    a, b = np.zeros(3), np.ones(3)
    return np.vstack((a, b)), np.hstack((a, b)), np.column_stack((a, b)), np.concatenate([a, b]), np.stack((a, b), axis=1)


def splitting(np):
    x = np.arange(9)
    return np.split(x, 3), np.array_split(x, 2), np.split(x, [2, 5])


def promotion(np):
    i8, u8, f4 = np.array([1], dtype=np.int8), np.array([2], dtype=np.uint8), np.array([1.5], dtype=np.float32)
    return i8 + u8, i8 * f4, u8 / 2, u8 // 2, i8 + 1, f4 + 1.0, (i8 == 1) + 1, np.array([True]) + np.array([True]), np.mean(u8), np.sum(u8), np.array([1, 2]) ** 2, np.array([1, 2]) ** -1.0


def casts(np):
    x = np.array([1.7, -1.7, 2.5])
    return x.astype(int), x.astype("int32"), np.round(x), np.rint(x), np.floor(x), x.astype(bool), np.int32(x[0])


def clipping(np):
    x = np.linspace(-2, 2, 5)
    return np.clip(x, -1, 1), x.clip(0), np.maximum(x, 0), np.abs(x), np.sign(x)


def statistics(np):
    x = np.array([[1.0, 5, 3], [2, 2, 8]])
    return np.median(x), np.median(x, axis=1), np.percentile(x, 50), np.quantile(x, [0.25, 0.75]), np.var(x, ddof=1), np.average(x, weights=[1, 2, 3], axis=1), np.ptp(x), np.cov(x), np.corrcoef(x)


def nans(np):
    x = np.array([1.0, np.nan, 3.0])
    return np.isnan(x), np.nansum(x), np.nanmean(x), np.nanmax(x), np.nan_to_num(x), np.isfinite(x)


def broadcasting(np):
    a = np.arange(6).reshape(2, 3, 1)
    b = np.arange(4)
    return (a + b).shape, np.broadcast_to(b, (2, 4)), np.broadcast_shapes((2, 1), (1, 3)), (a * b).sum(axis=(0, 2))


def shapes(np):
    x = np.arange(24).reshape(2, 3, 4)
    return x.T.shape, x.transpose(1, 0, 2).shape, np.moveaxis(x, 0, -1).shape, x.reshape(-1).shape, np.squeeze(x[:1]).shape, np.expand_dims(x, 0).shape, x.swapaxes(0, 1).shape, np.atleast_2d(np.arange(3)).shape, x.ndim, x.size, len(x), np.ravel(x).shape


def flips(np):
    x = np.arange(6).reshape(2, 3)
    return np.flip(x), np.flipud(x), np.fliplr(x), np.rot90(x), np.roll(x, 1), np.roll(x, 1, axis=0), np.tile(x, (2, 1)), np.repeat(x, 2, axis=1), np.pad(x, 1), np.pad(x, ((0, 1), (2, 0)), mode="edge"), np.diff(x), np.tril(x), np.triu(x, k=1)


def game_of_life(np):
    g = np.zeros((6, 6), dtype=int)
    g[1, 2] = g[2, 3] = g[3, 1] = g[3, 2] = g[3, 3] = 1
    for _ in range(3):
        n = sum(np.roll(np.roll(g, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        g = ((n == 3) | ((g == 1) & (n == 2))).astype(int)
    return g


def mandelbrot(np):
    y, x = np.mgrid[-1:1:5j, -2:1:7j]
    c = x + 1j * y
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=int)
    for _ in range(10):
        inside = np.abs(z) < 2
        z[inside] = z[inside] ** 2 + c[inside]
        count += inside
    return count


def gradient(np):
    x = np.array([1.0, 2, 4, 7, 11])
    return np.gradient(x), np.gradient(x, 2.0), np.ediff1d(x)


def interpolate(np):
    return np.interp([0.5, 1.5, 9.0], [0.0, 1, 2], [10.0, 20, 30]), np.searchsorted([1, 2, 3], [0, 2, 5]), np.digitize([0.5, 2.5], [1, 2, 3])


def sets(np):
    a, b = np.array([1, 2, 3, 2]), np.array([2, 3, 5])
    return np.intersect1d(a, b), np.union1d(a, b), np.setdiff1d(a, b), np.isin(a, b)


def logic(np):
    a, b = np.array([True, False, True]), np.array([True, True, False])
    return a & b, a | b, ~a, a ^ b, np.logical_and(a, b), np.all(a), a.any(), np.count_nonzero(a), np.array_equal(a, b)


def printing(np):
    return str(np.arange(3) / 3), f"{np.arange(4).sum()}", "%.2f" % np.mean(np.arange(4)), f"{np.array(2.5):.1f}", str(np.zeros((2, 2))), str(np.array([True])), str(np.arange(2000)), str(np.array([1e-10, 1.0])), f"{np.float32(1.5)}"


def iteration(np):
    x = np.arange(6).reshape(2, 3)
    return [int(v) for row in x for v in row], [row.tolist() for row in x], sum(x[0]), max(x[1]), [a + b for a, b in zip(x[0], x[1])], list(enumerate(x[0]))[1][0], dict(zip(x[0].tolist(), x[1].tolist()))


def flat_access(np):
    x = np.arange(6).reshape(2, 3)
    return x.flat[4], [int(v) for v in x.flat], x.flatten(), np.unravel_index(4, x.shape), np.ravel_multi_index((1, 1), x.shape), x.item(1, 2), x.max(), x.argmax(), x.cumsum(), x.prod(axis=0)


def matrices(np):
    a = np.eye(3) + np.diag([1.0, 2], k=1)
    return a, np.diag(a), np.diagonal(a), np.linalg.matrix_rank(a), np.linalg.eigvalsh(a + a.T), np.kron(np.eye(2), np.ones((1, 2))), np.cross([1.0, 0, 0], [0.0, 1, 0]), np.einsum("ij,jk->ik", a, a), np.linalg.matrix_power(a, 3), np.identity(2), np.full((2, 2), 7), np.vander([1, 2, 3], 3), np.tri(3)


def meshes(np):
    x, y = np.meshgrid(np.linspace(0, 1, 3), np.linspace(0, 1, 2))
    return x, y, np.indices((2, 2)), np.hypot(x, y), np.arctan2(y, x), np.logspace(0, 2, 3), np.geomspace(1, 8, 4), np.arange(0, 1, 0.25), np.arange(5, 0, -2)


def select(np):
    x = np.arange(6)
    return np.select([x < 2, x < 4], [x, x * 10], default=-1), np.choose([0, 1, 0], [[1, 2, 3], [10, 20, 30]]), np.piecewise(x * 1.0, [x < 3], [-1.0, 1.0]), np.take(x, [1, 3]), np.compress([True, False, True], x), np.extract(x > 3, x), np.argwhere(x > 3), np.flatnonzero(x > 3)


def k_means(np):
    p = np.array([[0.0, 0], [0, 1], [10, 10], [10, 11]])
    c = p[[0, 3]].copy()
    for _ in range(3):
        d = np.linalg.norm(p[:, None] - c[None], axis=2)
        label = d.argmin(axis=1)
        for k in range(2):
            c[k] = p[label == k].mean(axis=0)
    return c, label


def gauss_seidel(np):
    x = np.zeros((4, 4))
    x[0, :] = 1.0
    for _ in range(5):
        x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return x


def softmax(np):
    x = np.array([[1.0, 2, 3], [1, 2, 1000]])
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def one_hot(np):
    labels = np.array([0, 2, 1])
    out = np.zeros((labels.size, labels.max() + 1))
    out[np.arange(labels.size), labels] = 1
    return out, np.eye(3)[labels]


def scalars(np):
    x = np.float64(2.0)
    return x * 3, np.sqrt(2), np.pi, np.sin(0.5), np.array(5), np.array(5)[()], int(np.array([5])[0]), x.dtype, np.int64(3) + 1, np.add(1, 2)


def bits(np):
    x = np.array([1, 2, 4, 255], dtype=np.uint8)
    return x << 1, x >> 1, x & 3, x | 8, x ^ 1, ~x, np.left_shift(x, 2), np.bitwise_and(x, 6)


def dtype_things(np):
    x = np.zeros(3, dtype="f4")
    return x.dtype, x.dtype.itemsize, np.result_type(np.int8, np.float32), float(np.finfo(np.float32).eps), np.iinfo(np.int16).max, np.can_cast(np.int32, np.int64), x.nbytes, x.itemsize, np.dtype("int64"), x.dtype == np.float32, x.dtype == "float32", x.dtype.name, np.zeros(2, dtype="i4").dtype, np.zeros(2, dtype="<i4").dtype, np.empty(0).dtype


def structure(np):
    x = np.array([[1, 2], [3, 4]])
    y = x.copy()
    y[0, 0] = 9
    z = np.copy(x)
    z.fill(3)
    w = np.array(x, copy=True)
    w[:] = x.T
    return x, y, z, w, np.asarray([1, 2]), np.ascontiguousarray(x.T), np.append(x, [[5, 6]], axis=0), np.delete(x, 0, axis=1), np.insert([1, 2], 1, 7), np.resize(np.arange(3), 5)


def view_semantics(np):
    x = np.arange(6)
    x[2:5] = x[1:4]
    x[[0, 1]] = x[[1, 0]]
    return x


def complexes(np):
    z = np.array([1 + 2j, 3 - 1j])
    return z.real, z.imag, np.conj(z), np.abs(z), np.angle(z), z * 1j, z.sum(), np.exp(1j * np.pi * np.arange(3)), np.vdot(z, z), np.iscomplexobj(z), z ** 2, z / 2


def roots(np):
    return np.polyfit([0.0, 1, 2, 3], [1.0, 3, 7, 13], 2), np.cbrt(27.0), np.power(2, 10), np.mod(-3, 2), np.fmod(-3, 2), np.divmod(7, 2), np.gcd(12, 18), np.lcm(4, 6), np.floor_divide(7, 2), np.square(3), np.reciprocal(4.0), np.deg2rad(180.0), np.degrees(np.pi), np.log2(8), np.log1p(0.0), np.exp2(3.0), np.heaviside(0.0, 0.5), np.sinc(0.5), np.trunc(-1.5)


def gather_and_scatter(np):
    x = np.arange(6.0)
    y = np.array(x)
    y[0] = 9.0
    z = x.copy()
    z.flat[::2] = -1.0
    x.flat[1] = 7.0
    return x, y, z, np.array([x, y]), np.array(x, ndmin=2)


def reflections(np):
    x = np.arange(5)
    return (np.pad(x, 2, mode="reflect"), np.pad(x, (1, 7), mode="symmetric"), np.pad(x, 2, mode="wrap"),
            np.pad(x.reshape(1, 5), ((0, 0), (1, 2)), mode="constant", constant_values=3))


def histograms(np):
    x = np.array([0.5, 1.5, 1.6, 3.0, 2.0])
    return (np.histogram(x, bins=3), np.histogram(x, bins=[0.0, 1.0, 2.0, 3.0]), np.histogram(x, 2, range=(1, 2)),
            np.histogram(x, bins=4, density=True))


def more_norms(np):
    x = np.arange(8.0).reshape(2, 2, 2) + 1
    return (np.linalg.norm(x[0], 2), np.linalg.norm(x[0], "nuc"), np.linalg.norm(x, axis=(1, 2)), np.linalg.norm(x[0, 0], np.inf),
            np.linalg.norm(x[0], axis=0, keepdims=True), np.linalg.norm(x))


def gradients_of_two_axes(np):
    x = np.arange(12.0).reshape(3, 4) ** 2
    return (*np.gradient(x), *np.gradient(x, 2.0, 0.5), np.gradient(x, axis=1), np.gradient(x[0], np.array([0.0, 1, 3, 6])))


def inserted_and_deleted(np):
    x = np.arange(6).reshape(2, 3)
    return (np.insert(x, 1, 9, axis=1), np.insert(x, [0, 2], 7, axis=1), np.delete(x, [0, 2], axis=1), np.delete(x, slice(0, 2)),
            np.delete(x, -1), np.append(x, 5), np.insert(x, 3, [7, 8]))


def quantiles(np):
    x = np.array([[3.0, 1, 2, 9], [5, 4, np.nan, 6]])
    return (np.quantile(x[0], 0.3), np.quantile(x, [0.1, 0.5], axis=1), np.percentile(x, 25, axis=0), np.nanstd(x, axis=1, ddof=1),
            np.nanvar(x), np.nanprod(x), np.nanargmax(x, axis=1), np.nanmean(x, axis=0))


def correlations(np):
    x = np.array([1, 2, 4, 7, 3])
    return [np.correlate(x, [1, 2], mode) for mode in ("valid", "same", "full")] + [
        np.convolve(x, [1, 0, 2], mode) for mode in ("valid", "same", "full")] + [
        np.convolve(np.arange(30), np.arange(20.0) - 3)]


def training(np):
    rng = numpy.random.default_rng(6)
    x, y = np.asarray(rng.normal(size=(8, 10))), np.asarray(rng.integers(0, 3, 8))
    w1, b1 = np.asarray(rng.normal(size=(10, 16))) * 0.3, np.zeros(16)
    w2, b2 = np.asarray(rng.normal(size=(16, 3))), np.zeros(3)
    losses = []
    for _ in range(5):
        h = x @ w1 + b1
        a = np.maximum(h, 0)
        scores = a @ w2 + b2
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        losses.append(float(-np.log(p[np.arange(8), y]).mean()))
        d = p.copy()
        d[np.arange(8), y] -= 1
        d /= 8
        da = d @ w2.T
        da[h <= 0] = 0
        for parameter, gradient in ((w2, a.T @ d), (b2, d.sum(axis=0)), (w1, x.T @ da), (b1, da.sum(axis=0))):
            parameter -= 0.1 * gradient
    return losses, w1, b2


def tables(np):
    rng = numpy.random.default_rng(3)
    key, day = np.asarray(rng.integers(0, 6, 100)), np.asarray(rng.integers(0, 5, 100))
    value = np.asarray(rng.normal(size=100)).round(2)
    groups, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    mean = np.bincount(inverse, weights=value) / count
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.r_[True, key[order][1:] != key[order][:-1]])
    pivot = np.zeros((6, 5))
    np.add.at(pivot, (key, day), value)
    left = np.array([3, 1, 7, 5])
    place = np.minimum(np.searchsorted(groups, left), len(groups) - 1)
    joined = np.where(groups[place] == left, mean[place], np.nan)
    missing = value.copy()
    missing[::7] = np.nan
    return (mean, np.add.reduceat(value[order], starts), pivot, np.histogram2d(key, day, bins=(6, 5))[0], joined,
            np.nanmedian(missing), np.nanpercentile(missing, 30), [part.sum() for part in np.array_split(value, 7)],
            np.apply_along_axis(np.ptp, 1, pivot), np.take_along_axis(pivot, np.argsort(pivot, axis=1), axis=1))


def graphs(np):
    rng = numpy.random.default_rng(4)
    edges = rng.random((12, 12)) < 0.25
    numpy.fill_diagonal(edges, False)
    edges = np.asarray(edges)
    weights = np.where(edges, np.asarray(rng.integers(1, 10, (12, 12))), 10**6).astype(float)
    np.fill_diagonal(weights, 0)
    for k in range(12):
        weights = np.minimum(weights, weights[:, k, None] + weights[None, k, :])
    level, front, step = np.full(12, -1), np.zeros(12, bool), 0
    level[0], front[0] = 0, True
    while front.any():
        step += 1
        front = (front @ edges) & (level < 0)
        level[front] = step
    both = edges | edges.T
    laplacian = np.diag(both.sum(1)) - both
    triangles = int(np.trace(np.linalg.matrix_power(both.astype(int), 3)) // 6)
    return weights, level, triangles, np.nonzero(edges), np.linalg.eigvalsh(laplacian.astype(float))


PROGRAMS = [f for f in list(globals().values()) if inspect.isfunction(f) and f.__module__ == __name__]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_results_are_those_of_numpy(program):
    with numpy.errstate(all="ignore"):
        want = program(numpy)
    same_results(program(tutti), want, program.__name__)


def test_every_name_of_numpy_is_found():
    from tutti import _numpy_names
    for name in _numpy_names.names():
        assert getattr(tutti, name) is not None
    with pytest.raises(AttributeError, match="neither has NumPy"):
        tutti.no_such_function


@pytest.mark.parametrize("wrong, error", [
    (lambda tt: tt.select([tt.arange(3) > 1], []), ValueError), (lambda tt: tt.choose([5], [[1], [2]]), ValueError),
    (lambda tt: tt.quantile([1.0], 2.0), ValueError), (lambda tt: tt.interp(1.0, [0.0, 1.0], [1.0]), ValueError),
    (lambda tt: tt.convolve([], [1]), ValueError), (lambda tt: tt.pad([1], 1, mode="other"), ValueError),
    (lambda tt: tt.gradient([1.0]), ValueError), (lambda tt: tt.insert([1], 5, 0), IndexError),
    (lambda tt: tt.delete([1], 5), IndexError), (lambda tt: tt.gcd(1.5, 2), TypeError),
    (lambda tt: tt.linalg.lstsq(tt.eye(3), tt.ones(2)), ValueError), (lambda tt: tt.zeros(2, dtype=">f4"), TypeError),
    (lambda tt: tt.zeros(2, dtype="f3"), TypeError), (lambda tt: tt.arange(3).item(3), IndexError)])
def test_bad_input(wrong, error):
    with pytest.raises(error):
        wrong(tutti)
