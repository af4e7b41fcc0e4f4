"""Random numbers with the same bits on every device, lazily: each is computed from a key and the
number of its element, where it is used (Philox4x32-10). One key gives the same numbers each time.

>>> import tutti as tt
>>> key = tt.random.Key(42)
>>> x = tt.random.normal(key.split(0), (1000, 1000))
>>> abs(float(tt.mean(x))) < 0.01
True
"""

import operator

from . import _core
from ._creation import arange
from ._manipulation import as_array, broadcast_shapes, reshape
from ._ordering import argsort, take

__all__ = ["Generator", "Key", "bernoulli", "bits", "choice", "default_rng", "exponential",
           "integers", "normal", "permutation", "shuffle", "uniform"]

_LOW = 0xFFFFFFFF
_FOR_NUMBERS, _FOR_KEYS = 0, 1


class Key:
    """What random numbers are computed from: 64 bits.

    >>> import tutti as tt
    >>> tt.random.Key(1).split(0) == tt.random.Key(1).split(1)
    False
    """

    __slots__ = ("value",)

    def __init__(self, seed):
        if isinstance(seed, bool) or not hasattr(seed, "__index__"):
            raise TypeError(f"a seed is an int, not {type(seed).__name__}")
        seed = operator.index(seed)
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"a seed is from 0 to 2**64 - 1, not {seed}")
        self.value = seed

    def split(self, number):
        """The key with a number of its own, independent of this one and of others made from it."""
        words = _philox([number & _LOW, number >> 32 & _LOW, 0, _FOR_KEYS], self.value, _product)
        return Key(words[0] | words[1] << 32)

    def __eq__(self, other):
        return isinstance(other, Key) and other.value == self.value

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"Key({self.value:#x})"


def _product(a, factor):
    return a * factor >> 32, a * factor & _LOW


def _array_product(a, factor):
    product = _core.astype(a, _core.uint64) * factor
    return (_core.astype(product >> 32, _core.uint32),
            _core.astype(product & _LOW, _core.uint32))


def _philox(counter, key, product):
    low, high = key & _LOW, key >> 32
    for _ in range(10):
        high0, low0 = product(counter[0], 0xD2511F53)
        high2, low2 = product(counter[2], 0xCD9E8D57)
        counter = [high2 ^ counter[1] ^ low, low2, high0 ^ counter[3] ^ high, low0]
        low, high = (low + 0x9E3779B9) & _LOW, (high + 0xBB67AE85) & _LOW
    return counter


def _shape_of(shape):
    """A shape from an integer, from several or from None, which is that of one number."""
    if shape is None:
        return ()
    if isinstance(shape, (tuple, list)):
        return tuple(map(operator.index, shape))
    return (operator.index(shape),)


def _shape_with(shape, *parameters):
    """The shape that is given, or the one of parameters that are arrays."""
    parts = [as_array(x).shape for x in parameters if not isinstance(x, (int, float))]
    if shape is None or not parts:
        return _shape_of(broadcast_shapes(*parts) if shape is None else shape)
    shape = _shape_of(shape)
    if broadcast_shapes(shape, *parts) != shape:
        raise ValueError(f"random numbers of shape {shape} have parameters of the shapes "
                         f"{', '.join(map(str, parts))}")
    return shape


class _Numbering:
    """The words of each element's block, of which several elements share one."""

    def __init__(self, key, shape, shift):
        if not isinstance(key, Key):
            raise TypeError(f"random numbers take a Key, not {type(key).__name__}: "
                            "tt.random.Key(seed)")
        self.shape = _shape_of(shape)
        count = 1
        for extent in self.shape:
            count *= extent
        if count > 0x7FFFFFFF:
            raise ValueError(f"random numbers of shape {self.shape}: at most 2**31 - 1 at once")
        self.number = _core.astype(arange(count, dtype=_core.int32), _core.uint32)
        zero = self.number ^ self.number
        self.words = _philox([self.number >> shift, zero, zero, zero ^ _FOR_NUMBERS], key.value,
                             _array_product)

    def has_bit(self, bit):
        return (self.number & bit) != 0

    def shaped(self, x):
        return x if len(self.shape) == 1 else reshape(x, self.shape)


def _bits(key, shape):
    n = _Numbering(key, shape, 2)
    first, second = n.has_bit(1), n.has_bit(2)
    w = n.words
    return n, _core.where(second, _core.where(first, w[3], w[2]), _core.where(first, w[1], w[0]))


def _bits64(key, shape):
    n = _Numbering(key, shape, 1)
    second = n.has_bit(1)
    high = _core.where(second, n.words[2], n.words[0])
    low = _core.where(second, n.words[3], n.words[1])
    return n, _joined(high, low)


def _is_single(dtype, name):
    if dtype not in (_core.float32, _core.float64):
        raise TypeError(f"{name} gives float32 or float64, not {dtype}")
    return dtype == _core.float32


def _inside(word):
    """Between 0 and 1, neither of them."""
    return (_core.astype(word >> 9, _core.float32) + 0.5) * 2.0 ** -23


def _inside64(wide):
    return (_core.astype(wide >> 12, _core.float64) + 0.5) * 2.0 ** -52


def _joined(high, low):
    return _core.astype(high, _core.uint64) << 32 | _core.astype(low, _core.uint64)


def bits(key, shape):
    """32 random bits for each element, as uint32.

    >>> import tutti as tt
    >>> [hex(int(word)) for word in tt.random.bits(tt.random.Key(0), 2)]
    ['0x6627e8d5', '0xe169c58d']
    """
    numbering, words = _bits(key, shape)
    return numbering.shaped(words)


def uniform(key, shape=(), low=0.0, high=1.0, dtype=_core.float32):
    """Numbers from low up to high, which only rounding can reach."""
    shape = _shape_with(shape, low, high)
    if _is_single(dtype, "uniform"):
        numbering, words = _bits(key, shape)
        u = _core.astype(words >> 8, dtype) * 2.0 ** -24
    else:
        numbering, words = _bits64(key, shape)
        u = _core.astype(words >> 11, dtype) * 2.0 ** -53
    u = numbering.shaped(u)
    if isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return u if (low, high) == (0.0, 1.0) else u * (high - low) + low
    low, high = _core.as_array_of(low, dtype), _core.as_array_of(high, dtype)
    return u * (high - low) + low


def integers(key, low, high, shape=(), dtype=_core.int64):
    """Integers from low up to, not including, high; at most 2**32 different ones.

    >>> import tutti as tt
    >>> x = tt.random.integers(tt.random.Key(3), 1, 7, 1000)
    >>> int(tt.min(x)), int(tt.max(x))
    (1, 6)
    """
    low, high = operator.index(low), operator.index(high)
    if not 0 < high - low <= 1 << 32:
        raise ValueError(f"integers from {low} to {high}: there must be at least one and at most "
                         "2**32 of them")
    numbering, words = _bits(key, shape)
    chosen = _core.astype(words, _core.uint64) * (high - low) >> 32
    return numbering.shaped(_core.astype(_core.astype(chosen, _core.int64) + low, dtype))


def normal(key, shape=(), mean=0.0, deviation=1.0, dtype=_core.float32):
    """The normal distribution, by the method of Box and Muller."""
    shape = _shape_with(shape, mean, deviation)
    if _is_single(dtype, "normal"):
        numbering = _Numbering(key, shape, 2)
        w, second = numbering.words, numbering.has_bit(2)
        radius = _inside(_core.where(second, w[2], w[0]))
        angle = _inside(_core.where(second, w[3], w[1]))
    else:
        numbering = _Numbering(key, shape, 1)
        w = numbering.words
        radius, angle = _inside64(_joined(w[0], w[1])), _inside64(_joined(w[2], w[3]))
    angle = angle * 6.283185307179586
    unit = _core.where(numbering.has_bit(1), _core.sin(angle), _core.cos(angle))
    x = _core.sqrt(_core.log(radius) * -2.0) * unit
    x = numbering.shaped(x)
    if isinstance(mean, (int, float)) and isinstance(deviation, (int, float)):
        return x * deviation + mean
    return x * _core.as_array_of(deviation, dtype) + _core.as_array_of(mean, dtype)


def exponential(key, shape=(), rate=1.0, dtype=_core.float32):
    """Waiting times of events that happen at a rate, above 0."""
    shape = _shape_with(shape, rate)
    if not isinstance(rate, (int, float)):
        rate = _core.as_array_of(rate, dtype)
    if not (rate > 0 if isinstance(rate, (int, float)) else bool((rate > 0).all())):
        raise ValueError(f"exponential: a rate of {rate} is not above 0")
    if _is_single(dtype, "exponential"):
        numbering, words = _bits(key, shape)
        u = _inside(words)
    else:
        numbering, words = _bits64(key, shape)
        u = _inside64(words)
    return numbering.shaped(_core.log(u)) / -rate


def bernoulli(key, probability, shape=()):
    """Flags that are set with a probability, to 2**-32."""
    if not 0.0 <= probability <= 1.0:
        raise ValueError(f"a probability is between 0 and 1, not {probability}")
    numbering, words = _bits(key, shape)
    limit = int(probability * 2.0 ** 32)
    return numbering.shaped(_core.astype(words, _core.uint64) < limit)


def permutation(key, count):
    """The numbers from 0 to count - 1 in any order."""
    return argsort(_bits64(key, count)[1])


def shuffle(key, x):
    """The elements along the first axis in any order."""
    x = _core.as_array(x)
    return take(x, permutation(key, x.shape[0]), axis=0)


def choice(key, x, count):
    """Elements along the first axis, each drawn from all of them."""
    x = _core.as_array(x)
    if x.shape[0] == 0:
        raise ValueError("choice from an array without elements")
    return take(x, integers(key, 0, x.shape[0], count), axis=0)


class Generator:
    """Random numbers in the manner of numpy.random.default_rng(): each call takes the next key. The
    numbers are others than NumPy's. Distributions that only NumPy has are drawn by NumPy on the host,
    from the same keys.

    >>> import tutti as tt
    >>> generator = tt.random.default_rng(1)
    >>> generator.normal(size=(2, 3)).shape
    (2, 3)
    >>> generator.poisson(3.0, size=4).dtype
    tutti.int64
    """

    __slots__ = ("_key", "_calls")

    def __init__(self, seed):
        self._key, self._calls = seed if isinstance(seed, Key) else Key(seed), 0

    def _next(self):
        self._calls += 1
        return self._key.split(self._calls)

    def __getattr__(self, name):
        from ._numpy_itself import Computed
        try:
            import numpy
        except ImportError:
            numpy = None
        if name.startswith("_") or name in ("bit_generator", "spawn", "bytes") or not hasattr(
                getattr(getattr(numpy, "random", None), "Generator", None), name):
            raise AttributeError(f"a generator of Tutti has no {name}()")
        return Computed(getattr(numpy.random.Generator(numpy.random.Philox(self._next().value)), name))

    def random(self, size=None, dtype=_core.float64):
        """Numbers from 0 to before 1."""
        return uniform(self._next(), size, dtype=_core.DType(dtype))

    def uniform(self, low=0.0, high=1.0, size=None):
        """Numbers from low to before high."""
        return uniform(self._next(), size, low, high, _core.float64)

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Numbers of a normal distribution."""
        return normal(self._next(), size, loc, scale, _core.float64)

    def standard_normal(self, size=None, dtype=_core.float64):
        """Numbers of the normal distribution of mean 0 and deviation 1."""
        return normal(self._next(), size, dtype=_core.DType(dtype))

    def exponential(self, scale=1.0, size=None):
        """Numbers of an exponential distribution of this mean."""
        rate = 1.0 / (scale if isinstance(scale, (int, float)) else as_array(scale))
        return exponential(self._next(), size, rate, _core.float64)

    def integers(self, low, high=None, size=None, dtype=_core.int64, endpoint=False):
        """Integers from low to before high, or from 0 to before low; with endpoint, also the end."""
        low, high = (0, low) if high is None else (low, high)
        if any(as_array(x).ndim for x in (low, high)):
            return self.__getattr__("integers")(low, high, size, dtype=_core.DType(dtype), endpoint=endpoint)
        return integers(self._next(), low, operator.index(high) + bool(endpoint), _shape_of(size), dtype)

    def permutation(self, x):
        """The integers before x, or the rows of an array, in a random order."""
        if hasattr(x, "__index__") and as_array(x).ndim == 0:
            return permutation(self._next(), operator.index(x))
        return shuffle(self._next(), x)

    def shuffle(self, x):
        """Puts the rows of this object in a random order."""
        if not isinstance(x, _core.Array):
            raise TypeError(f"shuffle: an array of Tutti was expected, not {type(x).__name__}: permutation() "
                            "takes others")
        x[...] = shuffle(self._next(), x)

    def choice(self, a, size=None, replace=True, p=None):
        """Elements along the first axis, or integers before a: each as often as chance has it, or, with
        replace=False, at most once. With probabilities p, NumPy draws them."""
        if hasattr(a, "__index__") and as_array(a).ndim == 0:
            a = arange(operator.index(a))
        options = a if _is_of_objects(a) else as_array(a)
        a = arange(len(options)) if options is a else options
        shape, count = _shape_of(size), 1
        for extent in shape:
            count *= extent
        if p is not None:
            index = self.__getattr__("choice")(a.shape[0], shape, replace, p)
        elif replace:
            index = integers(self._next(), 0, a.shape[0], shape)
        elif count > a.shape[0]:
            raise ValueError(f"choice: {count} different ones of {a.shape[0]} elements")
        else:
            index = reshape(permutation(self._next(), a.shape[0])[:count], shape)
        if options is not a:
            return _objects_at(options, index)
        return take(a, index, axis=0)


def _is_of_objects(a):
    """Whether it is a list of text and the like, of which NumPy makes an array."""
    return isinstance(a, (list, tuple)) and any(isinstance(x, (str, bytes)) for x in a)


def _objects_at(options, index):
    """One of the options for one index; else an array of NumPy."""
    if index.ndim == 0:
        return options[int(index)]
    import numpy
    return numpy.asarray(options)[numpy.asarray(index)]


def default_rng(seed=None):
    """A generator from a seed; without one, from the system's entropy."""
    if seed is None:
        import secrets
        seed = secrets.randbits(64)
    return Generator(seed)


def __getattr__(name):
    """NumPy's functions of one global state, which Tutti has not."""
    if name in ("seed", "rand", "randn", "randint", "random", "random_sample", "standard_normal", "beta",
                "gamma", "poisson", "binomial", "RandomState", "get_state", "set_state"):
        raise AttributeError(f"tutti.random has no {name}() and no global state: make a generator with "
                             "rng = tt.random.default_rng(seed), then rng.random(3), rng.normal(size=3), "
                             "rng.integers(0, 10, 3) and others")
    raise AttributeError(f"module 'tutti.random' has no attribute {name!r}")
