"""Discrete Fourier transforms: the fft extension of the Array API standard, along any axis, of any
length. The bits are the same on every device.

>>> import tutti as tt
>>> tt.fft.fft(tt.asarray([1.0, 0.0, 0.0, 0.0]))
Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
"""

from . import _core
from ._core import DType
from ._manipulation import axes_of, axis_of, roll

__all__ = ["fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft",
           "fftfreq", "rfftfreq", "fftshift", "ifftshift", "fft2", "ifft2", "rfft2", "irfft2"]


def _factor(norm, n, inverse):
    """What a transform is multiplied by; inverse ones have been divided by n already."""
    if norm is None:
        norm = "backward"
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    power = {"backward": 0.0, "ortho": 0.5, "forward": 1.0}[norm]
    return float(n) ** (power if inverse else -power) if power else 1.0


def _swapped(norm):
    return {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)


def _scaled(x, factor):
    return x if factor == 1.0 else x * factor


def _as_complex(x):
    x = _core.as_array(x)
    if x.dtype.kind == "c":
        return x
    return _core.astype(x, _core.complex64 if x.dtype in (_core.float32, _core.float16)
                        else _core.complex128)


def _as_real(x, name):
    x = _core.as_array(x)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: the elements are real numbers, not {x.dtype.name}; use fft()")
    if x.dtype in (_core.float32, _core.float64):
        return x
    return _core.astype(x, _core.float32 if x.dtype == _core.float16 else _core.float64)


def _resized(x, n, axis):
    """The first n elements along an axis, with zeros behind them where there are fewer."""
    extent = x.shape[axis]
    if n < 1:
        raise ValueError(f"a transform of {n} elements: at least one is needed")
    if n < extent:
        return x[(slice(None),) * axis + (slice(0, n),)]
    if n == extent:
        return x
    after = [0] * x.ndim
    after[axis] = n - extent
    return _core.pad(x, [0] * x.ndim, after, 0)


def _along(x, n, axis, norm, inverse, name):
    x = _as_complex(x)
    axis = axis_of(axis, x.ndim, name)
    x = _resized(x, x.shape[axis] if n is None else n, axis)
    return _scaled(_core.fft(x, axis, inverse), _factor(norm, x.shape[axis], inverse))


def fft(x, /, n=None, axis=-1, norm="backward"):
    """The transform along an axis: sums of x[j] exp(-2 pi i j k / n)."""
    return _along(x, n, axis, norm, False, "fft")


def ifft(x, /, n=None, axis=-1, norm="backward"):
    """The inverse transform along an axis."""
    return _along(x, n, axis, norm, True, "ifft")


def _sizes(x, s, axes, name, last=None):
    """The axes to transform and the length of each; `last` is that of the last one by default."""
    if axes is None:
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    axes = axes_of(tuple(axes), x.ndim, name)
    sizes = list(s) if s is not None else [x.shape[a] for a in axes]
    if last is not None and s is None and axes:
        sizes[-1] = last(sizes[-1])
    if len(sizes) != len(axes):
        raise ValueError(f"{name}: {len(sizes)} lengths for {len(axes)} axes")
    return list(zip(axes, sizes))


def fftn(x, /, s=None, axes=None, norm="backward"):
    """The transform along several axes, or all."""
    x = _core.as_array(x)
    for axis, n in _sizes(x, s, axes, "fftn"):
        x = fft(x, n=n, axis=axis, norm=norm)
    return _as_complex(x)


def ifftn(x, /, s=None, axes=None, norm="backward"):
    """The inverse transform along several axes, or all."""
    x = _core.as_array(x)
    for axis, n in _sizes(x, s, axes, "ifftn"):
        x = ifft(x, n=n, axis=axis, norm=norm)
    return _as_complex(x)


def rfft(x, /, n=None, axis=-1, norm="backward"):
    """The first n // 2 + 1 elements of the transform of n real numbers: the others are their
    conjugates."""
    x = _as_real(x, "rfft")
    axis = axis_of(axis, x.ndim, "rfft")
    x = _resized(x, x.shape[axis] if n is None else n, axis)
    return _scaled(_core.real_fft(x, axis), _factor(norm, x.shape[axis], False))


def irfft(x, /, n=None, axis=-1, norm="backward"):
    """n real numbers from the first n // 2 + 1 elements of their transform; n is even unless it is
    given."""
    x = _as_complex(x)
    axis = axis_of(axis, x.ndim, "irfft")
    n = 2 * (x.shape[axis] - 1) if n is None else n
    if n < 1:
        raise ValueError(f"irfft: a transform of {n} elements: at least one is needed")
    x = _resized(x, n // 2 + 1, axis)
    return _scaled(_core.inverse_real_fft(x, n, axis), _factor(norm, n, True))


def rfftn(x, /, s=None, axes=None, norm="backward"):
    """The transform of real numbers along several axes, or all; the last one as rfft()."""
    x = _core.as_array(x)
    plan = _sizes(x, s, axes, "rfftn")
    if not plan:
        raise ValueError("rfftn: at least one axis is needed")
    axis, n = plan.pop()
    x = rfft(x, n=n, axis=axis, norm=norm)
    for axis, n in plan:
        x = fft(x, n=n, axis=axis, norm=norm)
    return x


def irfftn(x, /, s=None, axes=None, norm="backward"):
    """Real numbers from their transform along several axes, or all; the last one as irfft()."""
    x = _core.as_array(x)
    plan = _sizes(x, s, axes, "irfftn", last=lambda m: 2 * (m - 1))
    if not plan:
        raise ValueError("irfftn: at least one axis is needed")
    last, count = plan.pop()
    for axis, n in plan:
        x = ifft(x, n=n, axis=axis, norm=norm)
    return irfft(x, n=count, axis=last, norm=norm)


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """n real numbers: the transform of a signal whose other half is the conjugate of the first."""
    return irfft(_core.conj(_as_complex(x)), n=n, axis=axis, norm=_swapped(norm))


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """The inverse of hfft(): the first n // 2 + 1 elements."""
    return _core.conj(rfft(x, n=n, axis=axis, norm=_swapped(norm)))


def _frequencies(name, numbers, n, d, dtype, device):
    dtype = _core.float64 if dtype is None else DType(dtype)
    if dtype.kind != "f":
        raise TypeError(f"{name}: frequencies are floating-point numbers, not {dtype.name}")
    result = _core.astype(_core.astype(numbers, _core.float64) / (n * float(d)), dtype)
    return result if device is None else result.to_device(device)


def fftfreq(n, /, d=1.0, *, dtype=None, device=None):
    """The frequencies of the elements of a transform, for samples at a distance of d.

    >>> fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64)
    """
    k = _core.astype(_core.index([n], 0), _core.int64)
    return _frequencies("fftfreq", _core.where(k < (n + 1) // 2, k, k - n), n, d, dtype, device)


def rfftfreq(n, /, d=1.0, *, dtype=None, device=None):
    """The frequencies of the elements of rfft(), for samples at a distance of d."""
    return _frequencies("rfftfreq", _core.index([n // 2 + 1], 0), n, d, dtype, device)


def _turned(x, axes, back, name):
    x = _core.as_array(x)
    axes = axes_of(axes, x.ndim, name)
    return roll(x, tuple(-(x.shape[a] // 2) if back else x.shape[a] // 2 for a in axes),
                axis=tuple(axes)) if axes else x


def fftshift(x, /, axes=None):
    """The element of frequency 0 moved to the middle, along axes or all."""
    return _turned(x, axes, False, "fftshift")


def ifftshift(x, /, axes=None):
    """The inverse of fftshift()."""
    return _turned(x, axes, True, "ifftshift")


def fft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """The transform along two axes."""
    return fftn(x, s=s, axes=axes, norm=norm)


def ifft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """The inverse transform along two axes."""
    return ifftn(x, s=s, axes=axes, norm=norm)


def rfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """The transform of real elements along two axes: the half that determines the rest."""
    return rfftn(x, s=s, axes=axes, norm=norm)


def irfft2(x, /, s=None, axes=(-2, -1), norm="backward"):
    """The inverse of rfft2()."""
    return irfftn(x, s=s, axes=axes, norm=norm)
