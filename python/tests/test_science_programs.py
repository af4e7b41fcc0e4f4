"""Programs of science, finance and statistics as users of NumPy write them, each a function of the module: the
results of NumPy and Tutti have the same shapes, types and values."""

import inspect
import math

import numpy
import pytest

import tutti
from compare import same_results

# ruff: noqa: E501


def black_scholes(np):
    s = np.linspace(80, 120, 50)
    k = 100.0
    r = 0.05
    v = 0.2
    t = np.linspace(0.1, 2, 50)[:, None]
    from math import sqrt, pi

    d1 = (np.log(s / k) + (r + v * v / 2) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)

    def N(x):
        return 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    call = s * N(d1) - k * np.exp(-r * t) * N(d2)
    return call, call.mean(axis=0), np.argmax(call, axis=1)


def binomial_tree(np):
    n = 64
    dt = 1 / n
    u = math.exp(0.2 * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(0.05 * dt) - d) / (u - d)
    j = np.arange(n + 1)
    s = 100 * u**j * d ** (n - j)
    v = np.maximum(s - 100, 0)
    for i in range(n - 1, -1, -1):
        v = math.exp(-0.05 * dt) * (p * v[1:] + (1 - p) * v[:-1])
    return v[0], v.shape


def markov(np):
    P = np.array([[0.9, 0.1, 0], [0.2, 0.7, 0.1], [0, 0.3, 0.7]])
    x = np.array([1.0, 0, 0])
    for _ in range(50):
        x = x @ P
    return x, np.linalg.matrix_power(P, 8)


def sobel(np):
    im = np.add.outer(np.arange(20) ** 2, np.arange(20) ** 2).astype(float)
    p = np.pad(im, 1, mode="edge")
    gx = p[1:-1, 2:] - p[1:-1, :-2]
    gy = p[2:, 1:-1] - p[:-2, 1:-1]
    m = np.hypot(gx, gy)
    m /= m.max()
    return m, (m > 0.5).sum(), np.where(m > 0.9)[0]


def histogram_equalisation(np):
    im = ((np.arange(400) ** 2) % 256).reshape(20, 20).astype(np.uint8)
    h = np.bincount(im.ravel(), minlength=256)
    c = h.cumsum()
    c = (c - c.min()) * 255 / (c.max() - c.min())
    c = c.astype(np.uint8)
    return c[im]


def threshold(np):
    im = (np.arange(100) * 37 % 101).reshape(10, 10)
    b = im > 50
    im2 = im.copy()
    im2[b] = 255
    im2[~b] = 0
    return im2, b.sum(axis=0), np.count_nonzero(b), im[b].mean()


def principal_components(np):
    x = np.stack([np.arange(30.0), np.arange(30.0) * 2 + np.sin(np.arange(30)), np.cos(np.arange(30))], 1)
    x = x - x.mean(0)
    cov = x.T @ x / (len(x) - 1)
    w, v = np.linalg.eigh(cov)
    return w, abs(v), cov.diagonal(), x.std(0, ddof=1)


def logistic_regression(np):
    X = np.stack([np.sin(np.arange(40)), np.cos(np.arange(40) * 0.7)], 1)
    y = (X[:, 0] + X[:, 1] > 0).astype(float)
    w = np.zeros(2)
    b = 0.0
    for _ in range(30):
        p = 1 / (1 + np.exp(-(X @ w + b)))
        g = p - y
        w -= 0.1 * (X.T @ g) / len(y)
        b -= 0.1 * g.mean()
    return w, b, ((p > 0.5) == y).mean()


def back_propagation(np):
    X = np.arange(12.0).reshape(4, 3) / 10
    W1 = np.ones((3, 5)) * 0.1
    W2 = np.ones((5, 2)) * 0.2
    h = np.maximum(0, X @ W1)
    z = h @ W2
    e = np.exp(z - z.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    y = np.array([0, 1, 1, 0])
    loss = -np.log(p[np.arange(4), y]).mean()
    d = p.copy()
    d[np.arange(4), y] -= 1
    d /= 4
    return loss, h.T @ d, (d @ W2.T * (h > 0)), d.sum(0)


def runge_kutta(np):
    f = lambda y: np.stack([y[1], -y[0]])
    y = np.array([1.0, 0.0])
    h = 0.1
    out = []
    for _ in range(20):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(y)
    return np.array(out), np.stack(out)[-1]


def wave_equation(np):
    n = 50
    u = np.exp(-(((np.arange(n) - 25) / 5.0) ** 2))
    v = u.copy()
    for _ in range(30):
        w = np.empty_like(u)
        w[1:-1] = 2 * u[1:-1] - v[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
        w[0] = w[-1] = 0
        v, u = u, w
    return u


def gray_scott(np):
    U = np.ones((16, 16))
    V = np.zeros((16, 16))
    U[6:10, 6:10] = 0.5
    V[6:10, 6:10] = 0.25
    L = lambda Z: np.roll(Z, 1, 0) + np.roll(Z, -1, 0) + np.roll(Z, 1, 1) + np.roll(Z, -1, 1) - 4 * Z
    for _ in range(10):
        r = U * V * V
        U += 0.16 * L(U) - r + 0.06 * (1 - U)
        V += 0.08 * L(V) + r - 0.122 * V
    return U, V


def mandelbrot_by_masks(np):
    y, x = np.meshgrid(np.linspace(-1, 1, 10), np.linspace(-2, 1, 12), indexing="ij")
    c = x + 1j * y
    z = np.zeros(c.shape, dtype=complex)
    n = np.zeros(c.shape, int)
    for i in range(10):
        m = np.abs(z) <= 2
        z[m] = z[m] ** 2 + c[m]
        n[m] += 1
    return n


def bodies(np):
    p = np.stack([np.sin(np.arange(8.0)), np.cos(np.arange(8.0) * 2), np.arange(8.0) / 8], 1)
    m = np.ones((8, 1))
    v = np.zeros((8, 3))
    for _ in range(3):
        d = p[None] - p[:, None]
        r2 = (d**2).sum(-1) + 0.01
        a = (d * (r2**-1.5)[..., None] * m[None]).sum(1)
        v += 0.01 * a
        p += 0.01 * v
    return p, v


def low_pass(np):
    t = np.arange(64) / 64
    x = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 20 * t)
    X = np.fft.rfft(x)
    f = np.fft.rfftfreq(64, 1 / 64)
    X[f > 10] = 0
    return np.fft.irfft(X), np.abs(X).argmax()


def spectrogram(np):
    x = np.sin(np.arange(128) * 0.5)
    w = np.hanning(32)
    fr = np.stack([x[i : i + 32] * w for i in range(0, 97, 16)])
    return np.abs(np.fft.rfft(fr, axis=1))


def pagerank(np):
    A = (np.arange(36).reshape(6, 6) * 7 % 5 == 0).astype(float)
    A /= np.maximum(A.sum(0), 1)
    r = np.ones(6) / 6
    for _ in range(20):
        r = 0.85 * A @ r + 0.15 / 6
    return r, np.argsort(-r)


def shortest_paths(np):
    d = (np.arange(36).reshape(6, 6) * 11 % 17 + 1).astype(float)
    np.fill_diagonal(d, 0)
    for k in range(6):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return d


def levenshtein(np):
    a, b = "kitten", "sitting"
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
    return d, int(d[-1, -1])


def elimination_with_pivots(np):
    a = np.array([[2.0, 1, -1], [-3, -1, 2], [-2, 1, 2]])
    b = np.array([8.0, -11, -3])
    n = 3
    for i in range(n):
        p = i + np.argmax(np.abs(a[i:, i]))
        a[[i, p]] = a[[p, i]]
        b[[i, p]] = b[[p, i]]
        for j in range(i + 1, n):
            f = a[j, i] / a[i, i]
            a[j, i:] -= f * a[i, i:]
            b[j] -= f * b[i]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


def returns_and_drawdown(np):
    p = 100 * np.exp(np.cumsum(np.sin(np.arange(50)) * 0.01))
    r = np.diff(p) / p[:-1]
    dd = 1 - p / np.maximum.accumulate(p)
    lr = np.log(p[1:] / p[:-1])
    return (
        r.mean() / r.std() * np.sqrt(252),
        dd.max(),
        np.percentile(r, 5),
        lr.sum(),
        (r > 0).mean(),
        np.cov(r[:-1], r[1:]),
        np.corrcoef(r[:-1], r[1:])[0, 1],
    )


def groups_by_key(np):
    k = np.array([2, 1, 2, 0, 1, 2])
    v = np.arange(6.0)
    u, inv, c = np.unique(k, return_inverse=True, return_counts=True)
    s = np.bincount(inv, weights=v)
    o = np.argsort(k, kind="stable")
    return u, inv, c, s / c, v[o], np.add.reduceat(v[o], np.concatenate([[0], np.cumsum(c)[:-1]]))


def gray_code(np):
    x = np.arange(8, dtype=np.uint8)
    b = (x[:, None] >> np.arange(3, dtype=np.uint8)) & 1
    return b, (b * 2 ** np.arange(3)).sum(1), x ^ (x >> 1), np.bitwise_xor.reduce(x)


def great_circles(np):
    lat = np.deg2rad(np.array([10.0, 20, 30]))
    lon = np.radians(np.array([5.0, 15, 25]))
    d = (
        np.sin((lat[:, None] - lat) / 2) ** 2
        + np.cos(lat)[:, None] * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    )
    return 2 * 6371 * np.arcsin(np.sqrt(d))


def rotation(np):
    a = np.pi / 6
    R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    p = np.array([[1, 0], [0, 1], [1, 1]])
    return p @ R.T, R @ p.T, np.linalg.det(R), np.allclose(R @ R.T, np.eye(2))


def control_flow(np):
    x = np.arange(5)
    out = []
    for v in x:
        if v > 2:
            out.append(v * 2)
        elif v == 1:
            out.append(-v)
    while x.sum() > 3:
        x = x // 2
    return np.array(out), x, x.any() and not x.all(), bool(x[0]) or 5, max(x.max(), 3)


PROGRAMS = [f for f in list(globals().values()) if inspect.isfunction(f) and f.__module__ == __name__]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_results_are_those_of_numpy(program):
    with numpy.errstate(all="ignore"):
        want = program(numpy)
    same_results(program(tutti), want, program.__name__)
