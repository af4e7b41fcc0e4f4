"""Complex numbers, Fourier transforms and linear algebra, against NumPy."""

import copy
import pickle

import numpy as np
import pytest

import tutti as tt

RANDOM = np.random.default_rng(20261118)
TYPES = ["complex64", "complex128"]


def given(shape, dtype="complex128"):
    return (RANDOM.normal(size=shape) * 2 + 1j * RANDOM.normal(size=shape)).astype(dtype)


def close(result, expected, factor=64):
    found, expected = np.asarray(result), np.asarray(expected)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    if found.dtype == bool:
        return np.testing.assert_array_equal(found, expected)
    limit = factor * np.finfo(found.dtype).eps
    np.testing.assert_allclose(found, expected, rtol=limit, atol=limit)


NAMES = {"acos": "arccos", "asin": "arcsin", "atan": "arctan", "acosh": "arccosh",
         "asinh": "arcsinh", "atanh": "arctanh"}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", "sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan "
                         "sinh cosh tanh asinh acosh atanh reciprocal sign negative abs isnan isinf "
                         "isfinite conj real imag square round".split())
def test_functions(name, dtype):
    z = given((4, 5), dtype)
    close(getattr(tt, name)(tt.asarray(z)), getattr(np, NAMES.get(name, name))(z))


@pytest.mark.parametrize("name", "sqrt exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh "
                         "atanh log1p".split())
def test_branch_cuts_and_large_numbers(name):
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 1e308, -1e300, 1e-300]
    z = np.asarray([complex(x, y) for x in parts for y in parts])
    with np.errstate(all="ignore"):
        expected = getattr(np, NAMES.get(name, name))(z)
    usual = np.isfinite(expected)
    found = np.asarray(getattr(tt, name)(tt.asarray(z)))[usual]
    np.testing.assert_allclose(found, expected[usual], rtol=1e-12, atol=1e-300)
    assert np.array_equal(np.signbit(found.imag), np.signbit(expected[usual].imag))


@pytest.mark.parametrize("dtype", TYPES)
def test_arithmetic(dtype):
    a, b = given((3, 4), dtype), given((4,), dtype)
    x, y = tt.asarray(a), tt.asarray(b)
    for got, expected in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b),
                          (x == y, a == b), (x != x, a != a), (-x, -a), (abs(x), abs(a)),
                          (2 * x, 2 * a), (x / 2j, a / np.asarray(2j, dtype)),
                          (1 / y, 1 / b), (x ** 3, a ** 3), (x ** -1, a ** -1)):
        close(got, expected)
    close(x ** y, a ** b, 512)
    assert (tt.asarray([1.5], dtype=tt.float32) * 1j).dtype == tt.complex64
    assert (tt.asarray([1]) * 1j).dtype == tt.complex128
    assert (x + tt.asarray([1.0])).dtype == tt.complex128


def test_a_quotient_does_not_overflow():
    z = np.asarray([1e300 + 1e300j, 3e-300 - 2e-300j])
    close(tt.asarray(z) / tt.asarray(z), np.asarray([1 + 0j, 1 + 0j]))


def test_parts_and_copies():
    z = given((3, 4))
    x = tt.asarray(z)
    close(x.real, z.real)
    close(x.imag, z.imag)
    close(x.conj().T, z.conj().T)
    close(pickle.loads(pickle.dumps(x)), z)
    close(copy.deepcopy(x), z)
    close(np.from_dlpack(x), z)
    close(np.asarray(memoryview(x)), z)
    close(tt.asarray(z[::-1, ::2]), z[::-1, ::2])
    close(tt.asarray([[1 + 2j, 3], [4.5, True]]), np.asarray([[1 + 2j, 3], [4.5, True]]))
    assert x[0, 0].item() == z[0, 0] == complex(x[0, 0])
    assert x.tolist() == z.tolist()
    assert repr(tt.asarray([1j])) == "Array([0.+1.j], dtype=complex128)"
    close(tt.angle(x), np.angle(z))


def test_memory_of_numpy_is_viewed():
    z = given(1000)
    before = tt.statistics()["buffers_allocated"]
    x = tt.asarray(z)
    assert tt.statistics()["buffers_allocated"] == before
    total = tt.sum(x.real)
    close(total, z.real.sum())


def test_arrangement_indexing_and_updates():
    z = given((3, 4))
    x = tt.asarray(z)
    close(tt.concat([x, x.conj()]), np.concatenate([z, z.conj()]))
    close(tt.roll(x, 1, axis=1), np.roll(z, 1, axis=1))
    close(x[x.real > 0], z[z.real > 0])
    close(x[tt.asarray([2, 0]), :], z[[2, 0], :])
    close(tt.where(x.imag > 0, x, 0), np.where(z.imag > 0, z, 0))
    changed, expected = x.copy(), z.copy()
    changed[1], expected[1] = 5, 5
    changed[:, 2], expected[:, 2] = 1j, 1j
    close(changed, expected)
    close(x.at[0].add(1j), np.concatenate([z[:1] + 1j, z[1:]]))
    close(tt.linspace(0, 1j, 5), np.linspace(0, 1j, 5))
    close(tt.tril(x), np.tril(z))


def test_reductions():
    z = given((5, 6, 7))
    x = tt.asarray(z)
    for axis in (None, 0, -1, (0, 2)):
        close(tt.sum(x, axis=axis), z.sum(axis=axis))
        close(tt.mean(x, axis=axis), z.mean(axis=axis))
        close(tt.prod(x, axis=axis, keepdims=True), z.prod(axis=axis, keepdims=True), 4096)
    close(tt.cumulative_sum(x, axis=1), np.cumsum(z, axis=1))
    close(tt.cumulative_prod(x, axis=2), np.cumprod(z, axis=2), 4096)
    assert bool(tt.any(x)) and int(tt.count_nonzero(x)) == z.size


def test_what_complex_numbers_have_not():
    x = tt.asarray([1j, 2.0])
    for wrong in (lambda: x < x, lambda: tt.floor(x), lambda: tt.sort(x), lambda: tt.max(x),
                  lambda: x.astype(tt.float64), lambda: float(x[0]), lambda: x // 2,
                  lambda: tt.ones(2).at[0].set(1j), lambda: tt.argmax(x),
                  lambda: tt.program(lambda a: a + 1)(x)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(IndexError):
        tt.arange(3)[x]


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [None, 5, 8, 11])
def test_transforms(n, norm):
    z = given((3, 8))
    x = tt.asarray(z)
    for name, a, b in (("fft", x, z), ("ifft", x, z), ("rfft", x.real, z.real), ("irfft", x, z),
                       ("hfft", x, z), ("ihfft", x.real, z.real)):
        close(getattr(tt.fft, name)(a, n=n, norm=norm), getattr(np.fft, name)(b, n=n, norm=norm), 512)


def test_transforms_of_several_axes():
    z = given((4, 6, 5))
    x = tt.asarray(z)
    close(tt.fft.fftn(x, axes=(0, 2)), np.fft.fftn(z, axes=(0, 2)), 512)
    close(tt.fft.ifftn(x), np.fft.ifftn(z), 512)
    close(tt.fft.rfftn(x.real), np.fft.rfftn(z.real), 512)
    close(tt.fft.irfftn(x), np.fft.irfftn(z, axes=(0, 1, 2)), 512)
    close(tt.fft.fftshift(x, axes=1), np.fft.fftshift(z, axes=1))
    close(tt.fft.ifftshift(x), np.fft.ifftshift(z))
    close(tt.fft.fftfreq(7, d=0.1), np.fft.fftfreq(7, d=0.1))
    close(tt.fft.rfftfreq(8, d=0.1), np.fft.rfftfreq(8, d=0.1))
    assert tt.fft.fft(tt.ones(4, dtype=tt.float32)).dtype == tt.complex64
    for wrong in (lambda: tt.fft.fft(x, norm="other"), lambda: tt.fft.fft(x, n=0),
                  lambda: tt.fft.irfft(tt.ones(1))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        tt.fft.rfft(x)


SHAPES = [(4, 4), (2, 3, 3), (5, 3), (3, 5), (1, 1), (6, 1), (2, 0, 3), (11, 11)]


def matrices(shape, kind):
    return given(shape) if kind == "c" else given(shape).real.copy()


def adjoint(a):
    return np.swapaxes(np.asarray(a).conj(), -1, -2)


@pytest.mark.parametrize("kind", "fc")
@pytest.mark.parametrize("shape", SHAPES)
def test_decompositions(shape, kind):
    a = matrices(shape, kind)
    x = tt.asarray(a)
    for mode in ("reduced", "complete"):
        q, r = tt.linalg.qr(x, mode=mode)
        close(q @ r, a, 1024)
        size = np.eye(q.shape[-1], dtype=a.dtype)
        close(adjoint(q) @ np.asarray(q), np.broadcast_to(size, (*shape[:-2], *size.shape)), 1024)
        assert np.array_equal(np.tril(np.asarray(r), -1), np.zeros(r.shape, a.dtype))
    for full in (False, True):
        u, s, vh = (np.asarray(part) for part in tt.linalg.svd(x, full_matrices=full))
        k = min(shape[-2:])
        close(u[..., :k] * s[..., None, :] @ vh[..., :k, :], a, 4096)
        size = np.eye(u.shape[-1], dtype=a.dtype)
        close(adjoint(u) @ u, np.broadcast_to(size, (*shape[:-2], *size.shape)), 4096)
    close(tt.linalg.svdvals(x), np.linalg.svd(a, compute_uv=False), 4096)
    close(tt.linalg.pinv(x), np.linalg.pinv(a), 65536)
    if a.size:
        for ord in ("fro", "nuc", 1, 2, np.inf, -1, -2, -np.inf):
            close(tt.linalg.matrix_norm(x, ord=ord), np.linalg.norm(a, ord=ord, axis=(-2, -1)), 4096)
        assert np.array_equal(tt.linalg.matrix_rank(x), np.linalg.matrix_rank(a))


@pytest.mark.parametrize("kind", "fc")
@pytest.mark.parametrize("shape", [s for s in SHAPES if s[-1] == s[-2]])
def test_square_matrices(shape, kind):
    a, b = matrices(shape, kind), matrices(shape, kind)
    x = tt.asarray(a)
    symmetric, positive = a + adjoint(a), a @ adjoint(a) + np.eye(shape[-1])
    values, vectors = (np.asarray(part) for part in tt.linalg.eigh(tt.asarray(symmetric)))
    close(values, np.linalg.eigvalsh(symmetric), 4096)
    close(symmetric @ vectors, vectors * values[..., None, :], 8192)
    close(tt.linalg.cholesky(tt.asarray(positive)), np.linalg.cholesky(positive), 4096)
    close(tt.linalg.det(x), np.linalg.det(a), 65536)
    for got, expected in zip(tt.linalg.slogdet(x), np.linalg.slogdet(a)):
        close(got, expected, 65536)
    close(tt.linalg.inv(x) @ x, np.broadcast_to(np.eye(shape[-1], dtype=a.dtype), shape), 1 << 20)
    close(a @ np.asarray(tt.linalg.solve(x, tt.asarray(b))), b, 1 << 20)
    close(tt.linalg.matrix_power(x, 3), np.linalg.matrix_power(a, 3), 4096)
    close(tt.linalg.trace(x), np.trace(a, axis1=-2, axis2=-1))


def test_matrices_without_full_rank():
    zero = tt.linalg.svd(tt.zeros((4, 3)))
    close(zero.S, np.zeros(3))
    close(adjoint(zero.U) @ np.asarray(zero.U), np.eye(4))
    one = np.outer([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
    assert int(tt.linalg.matrix_rank(tt.asarray(one))) == 1
    close(tt.linalg.pinv(tt.asarray(one)), np.linalg.pinv(one), 1024)
    close(tt.linalg.svdvals(tt.asarray(one) * 1e200)[:1], np.linalg.svd(one * 1e200)[1][:1])


def test_products():
    a, b = given((2, 3, 4)), given((4, 5))
    x, y = tt.asarray(a), tt.asarray(b)
    close(x @ y, a @ b)
    close(tt.vecdot(x, x), np.sum(a.conj() * a, axis=-1))
    close(tt.tensordot(x, y, axes=1), np.tensordot(a, b, axes=1))
    close(tt.einsum("bij,jk->bik", x, y), a @ b)
    close(tt.einsum("ij,jk", y.real, y.real.T), b.real @ b.real.T)
    close(tt.linalg.cross(x[..., :3], x[..., 1:]), np.cross(a[..., :3], a[..., 1:]))
    close(tt.linalg.vector_norm(x, axis=(0, 2)), np.sqrt(np.sum(np.abs(a) ** 2, axis=(0, 2))))
