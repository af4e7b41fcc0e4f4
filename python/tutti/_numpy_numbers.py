"""Functions of numbers that NumPy has and the Array API has not: statistics, polynomials,
interpolation, products. Each is composed of functions of the package."""

import builtins
import math

from . import _core
from ._manipulation import as_array, axes_of, axis_of
from ._reductions import narrowed, widened


def _package():
    import tutti
    return tutti


def _floating(x):
    x = as_array(x)
    return x if x.dtype.kind in "fc" else _core.astype(x, _core.float64)


def _operands(a, b):
    """Two operands in one type: a number of Python takes that of the array beside it."""
    a, b = (x if isinstance(x, (int, float, complex)) else as_array(x) for x in (a, b))
    dtype = _package().result_type(a, b)
    return tuple(_core.as_array_of(x, dtype) for x in (a, b))


# ---- NaN as missing


def _present(x):
    """The elements with 0 for NaN, and which they are."""
    x = as_array(x)
    if x.dtype.kind not in "fc":
        return x, _package().ones(x.shape, dtype=_core.bool)
    there = ~_core.isnan(x)
    return _core.where(there, x, 0.0), there


def nansum(x, /, axis=None, *, keepdims=False):
    """The sum along axes, where NaN counts as 0."""
    return _package().sum(_present(x)[0], axis=axis, keepdims=keepdims)


def nanprod(x, /, axis=None, *, keepdims=False):
    """The product along axes, where NaN counts as 1."""
    x, there = _present(x)
    return _package().prod(_core.where(there, x, 1), axis=axis, keepdims=keepdims)


def nanmean(x, /, axis=None, *, keepdims=False):
    """The mean along axes of the elements that are not NaN."""
    tt, x = _package(), as_array(x)
    values, there = _present(x)
    total = tt.sum(widened(values), axis=axis, keepdims=keepdims)
    return narrowed(total / _counted(there, 0, total, axis, keepdims), x)


def _counted(there, less, total, axis, keepdims):
    """How many there are, in the type of the total that is divided by it."""
    count = _package().sum(there, axis=axis, keepdims=keepdims) - less
    return _core.astype(count, _core.float64 if total.dtype.kind == "c" else total.dtype)


def nanvar(x, /, axis=None, *, ddof=0, keepdims=False):
    """The variance along axes of the elements that are not NaN."""
    x = as_array(x)
    return narrowed(_nan_variance(widened(x), axis, ddof, keepdims), x)


def _nan_variance(x, axis, ddof, keepdims):
    values, there = _present(x)
    centred = _core.where(there, values - nanmean(x, axis=axis, keepdims=True), 0.0)
    if x.dtype.kind == "c":
        centred = _core.abs(centred)
    total = _package().sum(centred * centred, axis=axis, keepdims=keepdims)
    return total / _counted(there, ddof, total, axis, keepdims)


def nanstd(x, /, axis=None, *, ddof=0, keepdims=False):
    """The standard deviation along axes of the elements that are not NaN."""
    x = as_array(x)
    return narrowed(_core.sqrt(_nan_variance(widened(x), axis, ddof, keepdims)), x)


def nanargmax(x, /, axis=None, *, keepdims=False):
    """The index of the first greatest element that is not NaN."""
    x, there = _present(x)
    return _package().argmax(_core.where(there, x, -math.inf), axis=axis, keepdims=keepdims)


def nanargmin(x, /, axis=None, *, keepdims=False):
    """The index of the first least element that is not NaN."""
    x, there = _present(x)
    return _package().argmin(_core.where(there, x, math.inf), axis=axis, keepdims=keepdims)


def nan_to_num(x, /, *, nan=0.0, posinf=None, neginf=None):
    """The elements with numbers for NaN and infinities."""
    x = as_array(x)
    if x.dtype.kind == "c":
        return _core.complex_of(nan_to_num(x.real, nan=nan, posinf=posinf, neginf=neginf),
                                nan_to_num(x.imag, nan=nan, posinf=posinf, neginf=neginf))
    if x.dtype.kind != "f":
        return _core.as_array(x)  # an object of its own
    limits = _package().finfo(x.dtype)
    x = _core.where(_core.isnan(x), nan, x)
    x = _core.where(x == math.inf, limits.max if posinf is None else posinf, x)
    return _core.where(x == -math.inf, limits.min if neginf is None else neginf, x)


# ---- statistics


def _by_numpy(name, x, q, axis, keepdims, method):
    from ._numpy_itself import find
    return find("numpy", name)(x, q, axis=axis, keepdims=keepdims, method=method)


def quantile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """The value below which a part q of the elements lies, with linear interpolation; NumPy computes
    the others of its methods."""
    if method != "linear":
        return _by_numpy("quantile", x, q, axis, keepdims, method)
    tt, x = _package(), _floating(x)
    if not isinstance(q, (int, float)):  # a number of Python takes the type of the elements
        x = x.astype(tt.result_type(x, as_array(q), tt.float16))
    q = as_array(q)
    if not builtins.bool(((q >= 0) & (q <= 1)).all()):
        raise ValueError("quantile: the parts lie between 0 and 1")
    axes = axes_of(axis, x.ndim, "quantile")
    kept = [1 if i in axes else n for i, n in enumerate(x.shape)]
    others = [i for i in range(x.ndim) if i not in axes]
    line = tt.permute_dims(x, others + axes) if x.ndim else x
    shape = [x.shape[i] for i in others]
    line = line.reshape([*shape, -1])
    n = line.shape[-1]
    if n == 0:
        raise ValueError("quantile: there are no elements")
    ordered = tt.sort(line, axis=-1)
    parts = []
    for part in q.ravel().tolist():
        at = part * (n - 1)
        low = builtins.min(int(at), n - 1)
        high = builtins.min(low + 1, n - 1)
        a, b, t = ordered[..., low], ordered[..., high], at - low
        parts.append(b - (b - a) * (1 - t) if t >= 0.5 else a + (b - a) * t)
    result = tt.stack(parts)
    if x.dtype.kind == "f":
        result = tt.where(tt.isnan(ordered[..., n - 1]), math.nan, result)
    return result.reshape([*q.shape, *(kept if keepdims else shape)])


def percentile(x, q, /, axis=None, *, keepdims=False, method="linear"):
    """quantile() in hundredths."""
    if method != "linear":
        return _by_numpy("percentile", x, q, axis, keepdims, method)
    q = q / 100 if isinstance(q, (int, float)) else as_array(q) / 100
    return quantile(x, q, axis=axis, keepdims=keepdims)


def cov(x, y=None, /, rowvar=True, *, ddof=1):
    """The covariances of the rows, each a variable, its columns the observations."""
    tt, x = _package(), _floating(x)
    x = x if x.ndim > 1 else x[None, :]
    x = x if rowvar else x.T
    if y is not None:
        y = _floating(y)
        y = y if y.ndim > 1 else y[None, :]
        x = tt.concat([x, y if rowvar else y.T])
    centred = x - tt.mean(x, axis=1, keepdims=True)
    result = centred @ tt.conj(centred).T / float(x.shape[1] - ddof)
    return result[0, 0] if result.size == 1 else result


def corrcoef(x, y=None, /, rowvar=True):
    """The correlations of the rows: covariances divided by both standard deviations."""
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    deviations = _core.sqrt(_package().linalg.diagonal(c))
    return c / (deviations[:, None] * deviations[None, :])


def histogram(x, /, bins=10, range=None, *, weights=None, density=False):
    """How many elements each interval has, and the edges; the last interval has its upper edge."""
    tt, x = _package(), as_array(x).ravel()
    if isinstance(bins, str):
        from ._numpy_itself import find
        bins = find("numpy", "histogram_bin_edges")(x, bins, range, weights)
    if as_array(bins).ndim == 0:
        bins = int(bins)
        if range is None:
            range = (float(tt.min(x)), float(tt.max(x))) if x.size else (0.0, 1.0)
        low, high = range
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError(f"histogram: the range from {low} to {high} is not finite")
        if low == high:
            low, high = low - 0.5, high + 0.5
        if bins < 1:
            raise ValueError(f"histogram: {bins} intervals: at least one is needed")
        edges = tt.linspace(low, high, bins + 1)
        given = edges
    else:
        given = as_array(bins)
        edges = _floating(given)
        if edges.size > 1 and not builtins.bool(tt.all(edges[1:] >= edges[:-1])):
            raise ValueError("histogram: the edges must not decrease")
    count = edges.size - 1
    x = _floating(x)
    at = tt.where(x == edges[-1], count - 1, tt.searchsorted(edges, x, side="right") - 1)
    inside = (x >= edges[0]) & (x <= edges[-1])
    if weights is None:
        start, ones = tt.zeros(count, dtype=tt.int64), inside.astype(tt.int64)
    else:
        weights = as_array(weights).ravel()
        start, ones = tt.zeros(count, dtype=weights.dtype), tt.where(inside, weights, 0)
    counts = start.at[tt.clip(at, 0, count - 1)].add(ones) if x.size else start
    if density:
        counts = counts / tt.diff(edges) / tt.sum(counts)
    return counts, given


# ---- differences, integrals, interpolation


def ediff1d(x, /):
    """The differences of neighbours in row-major order."""
    return _package().diff(as_array(x).ravel())


def gradient(x, /, *spacing, axis=None):
    """Central differences, at the ends one-sided; one array for each axis."""
    tt, x = _package(), _floating(x)
    axes = axes_of(axis, x.ndim, "gradient")
    if len(spacing) not in (0, 1, len(axes)):
        raise ValueError(f"gradient: {len(spacing)} distances for {len(axes)} axes")
    steps = [1.0] * len(axes) if not spacing else [*spacing] * (len(axes) if len(spacing) == 1 else 1)
    parts = [_gradient_along(tt, x, a, step) for a, step in zip(axes, steps)]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _gradient_along(tt, x, axis, step):
    n, front = x.shape[axis], (slice(None),) * axis
    if n < 2:
        raise ValueError(f"gradient: axis {axis} has {n} elements, at least 2 are needed")

    def part(begin, end):
        return x[front + (slice(begin, end),)]

    step = as_array(step)
    if step.ndim == 0:
        inner = (part(2, None) - part(0, -2)) / (2.0 * step)
        first, last = (part(1, 2) - part(0, 1)) / step, (part(n - 1, n) - part(n - 2, n - 1)) / step
        return tt.concat([first, inner, last], axis=axis)
    if step.shape != (n,):
        raise ValueError(f"gradient: {step.shape} positions for {n} elements")
    gaps = tt.diff(_floating(step)).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    before, after = gaps[front + (slice(0, -1),)], gaps[front + (slice(1, None),)]
    inner = (part(0, -2) * (-after / (before * (before + after)))
             + part(1, -1) * ((after - before) / (before * after))
             + part(2, None) * (before / (after * (before + after))))
    first = (part(1, 2) - part(0, 1)) / gaps[front + (slice(0, 1),)]
    last = (part(n - 1, n) - part(n - 2, n - 1)) / gaps[front + (slice(n - 2, None),)]
    return tt.concat([first, inner, last], axis=axis)


def trapezoid(y, /, x=None, dx=1.0, axis=-1):
    """The integral along an axis by the rule of trapezoids."""
    tt, y = _package(), _floating(y)
    axis = axis_of(axis, y.ndim, "trapezoid")
    front = (slice(None),) * axis
    widths = dx
    if x is not None:
        x = as_array(x)
        widths = tt.diff(x, axis=-1 if x.ndim == 1 else axis)
        if x.ndim == 1:
            widths = widths.reshape([-1 if i == axis else 1 for i in range(y.ndim)])
    pairs = y[front + (slice(1, None),)] + y[front + (slice(None, -1),)]
    return tt.sum(widths * pairs / 2.0, axis=axis)


def interp(x, xp, fp, /, left=None, right=None):
    """Linear interpolation between points with ascending xp; outside, the value of the end."""
    tt, x, xp, fp = _package(), _floating(x), _floating(xp), _floating(fp)
    if xp.ndim != 1 or xp.shape != fp.shape or xp.size == 0:
        raise ValueError(f"interp: {xp.shape} points and {fp.shape} values do not fit")
    at = tt.clip(tt.searchsorted(xp, x, side="right") - 1, 0, builtins.max(xp.size - 2, 0))
    after = tt.minimum(at + 1, xp.size - 1)
    x0, y0 = xp[at], fp[at]
    slope = (fp[after] - y0) / (xp[after] - x0)
    inside = tt.where(x == xp[after], fp[after], slope * (x - x0) + y0)
    result = tt.where(x < xp[0], fp[0] if left is None else left, inside)
    return tt.where(x > xp[-1], fp[-1] if right is None else right,
                    tt.where(x == xp[-1], fp[-1], result))


def convolve(a, v, /, mode="full"):
    """The convolution of two vectors: "full", "same" or "valid"."""
    tt, a, v = _package(), as_array(a), as_array(v)
    if a.ndim != 1 or v.ndim != 1 or not a.size or not v.size:
        raise ValueError("convolve: two vectors with elements are needed")
    if mode not in ("full", "same", "valid"):
        raise ValueError("convolve: the mode is 'full', 'same' or 'valid'")
    if v.size > a.size:
        a, v = v, a
    dtype = tt.result_type(a, v)
    n, m = a.size, v.size
    padded = tt.pad(a.astype(dtype), m - 1)
    count = n + m - 1
    if m <= 16:  # unrolled: one kernel
        result = padded[m - 1:m - 1 + count] * v[0]
        for k in range(1, m):
            result = result + padded[m - 1 - k:m - 1 - k + count] * v[k]
    else:
        windows = padded[tt.arange(count)[:, None] + tt.arange(m)[None, :]]
        result = windows @ tt.flip(v.astype(dtype))
    if mode == "same":
        begin = (m - 1) // 2
        return result[begin:begin + n]
    return result[m - 1:n] if mode == "valid" else result


def correlate(a, v, /, mode="valid"):
    """The correlation of two vectors: a convolution with the second in reverse order."""
    tt, a, v = _package(), as_array(a), as_array(v)
    if v.size > a.size:
        return tt.flip(convolve(tt.conj(tt.flip(v)), a, mode)) if mode != "full" else convolve(
            a, tt.conj(tt.flip(v)), mode)
    return convolve(a, tt.conj(tt.flip(v)), mode)


# ---- polynomials


def polyval(p, x, /):
    """The polynomial with these coefficients, that of the highest power first."""
    p = as_array(p)
    x = as_array(x)
    result = _package().zeros_like(x)
    for i in range(p.size):
        result = result * x + p[i]
    return result


def polyfit(x, y, degree, /):
    """The coefficients of the polynomial with the least squares of errors."""
    from ._numpy_functions import vander
    tt = _package()
    left = vander(_floating(x), degree + 1)
    scale = tt.sqrt(tt.sum(left * left, axis=0))
    fitted = tt.linalg.lstsq(left / scale, _floating(y))[0]
    return (fitted.T / scale).T


# ---- products and elementary functions


def inner(a, b, /):
    """The sums of products along the last axes."""
    tt, a, b = _package(), as_array(a), as_array(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    return tt.tensordot(a, b, axes=([a.ndim - 1], [b.ndim - 1]))


def vdot(a, b, /):
    """The sum of products of all elements, those of a conjugated."""
    return _package().vecdot(as_array(a).ravel(), as_array(b).ravel())


def kron(a, b, /):
    """Each element of a times all of b."""
    tt, a, b = _package(), as_array(a), as_array(b)
    rank = builtins.max(a.ndim, b.ndim)
    a, b = a.reshape((1,) * (rank - a.ndim) + a.shape), b.reshape((1,) * (rank - b.ndim) + b.shape)
    left = a.reshape([n for extent in a.shape for n in (extent, 1)])
    right = b.reshape([n for extent in b.shape for n in (1, extent)])
    return (left * right).reshape([m * n for m, n in zip(a.shape, b.shape)])


def fmod(a, b, /):
    """The remainder with the sign of a, as in C."""
    tt, (a, b) = _package(), _operands(a, b)
    rest = tt.remainder(tt.abs(a), tt.abs(b))
    return tt.where(a < 0, -rest, rest)


def divmod(a, b, /, out=None):
    """The quotient, rounded down, and the remainder."""
    a = as_array(a)
    results = a // b, a % b
    if out is None:
        return results
    return tuple(x if into is None else _core.stored_in(x, into, "divmod") for x, into in zip(results, out))


def gcd(a, b, /):
    """The greatest common divisor of integers."""
    tt = _package()
    global _gcd
    if _gcd is None:
        @tt.program
        def _gcd(x, y):
            return tt.while_(lambda x, y: y != 0, lambda x, y: (y, x % y), tt.abs(x), tt.abs(y))[0]
    a, b = _operands(a, b)
    if a.dtype.kind not in "iu":
        raise TypeError(f"gcd: elements of type {a.dtype.name} are not taken, only integers")
    return _gcd(a, b)


_gcd = None


def lcm(a, b, /):
    """The least common multiple of integers."""
    tt, (a, b) = _package(), _operands(a, b)
    divisor = gcd(a, b)
    return tt.abs(a // tt.where(divisor == 0, 1, divisor) * b)


def deg2rad(x, /):
    """Degrees as radians."""
    return _floating(x) * (math.pi / 180)


def rad2deg(x, /):
    """Radians as degrees."""
    return _floating(x) * (180 / math.pi)


radians, degrees = deg2rad, rad2deg


def heaviside(x, middle, /):
    """0 for negative elements, 1 for positive ones, and a value for 0."""
    tt, (x, middle) = _package(), _operands(_floating(x), middle)
    return tt.where(tt.isnan(x), x, tt.where(x < 0, 0.0, tt.where(x > 0, 1.0, middle)))


def sinc(x, /):
    """sin(pi x) / (pi x), and 1 at 0."""
    tt = _package()
    y = math.pi * _floating(x)
    return tt.where(y == 0, 1.0, tt.sin(y) / tt.where(y == 0, 1.0, y))


def fmax(a, b, /):
    """The greater element; of a number and NaN, the number."""
    tt, (a, b) = _package(), _operands(a, b)
    return tt.where(tt.isnan(a), b, tt.where(tt.isnan(b), a, tt.maximum(a, b)))


def fmin(a, b, /):
    """The lesser element; of a number and NaN, the number."""
    tt, (a, b) = _package(), _operands(a, b)
    return tt.where(tt.isnan(a), b, tt.where(tt.isnan(b), a, tt.minimum(a, b)))


def iscomplexobj(x, /):
    """Whether the elements are of a complex type."""
    return as_array(x).dtype.kind == "c"


def isrealobj(x, /):
    """Whether the elements are of a real type."""
    return not iscomplexobj(x)


def array_equiv(a, b, /):
    """Whether elements are equal after broadcasting."""
    tt = _package()
    try:
        return builtins.bool(tt.all(as_array(a) == as_array(b)))
    except ValueError:
        return False
