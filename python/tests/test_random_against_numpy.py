"""Random programs with NumPy and with Tutti: same shapes, types and elements, and an exception where
NumPy raises one. Each case is a chain of operations on pending arrays.

TUTTI_TEST_SEED=n repeats a run, TUTTI_TEST_CASES=n makes it longer. Without a seed a fresh one is
taken; a failing case prints it. CI has a fixed one, so that it does not fail by chance."""

import os
import random
import secrets

import numpy as np
import pytest

import tutti as tt

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float32", "float64", "complex64", "complex128"]
REAL = TYPES[:11]
SEED = int(os.environ.get("TUTTI_TEST_SEED") or secrets.randbelow(10 ** 9))
CASES = int(os.environ.get("TUTTI_TEST_CASES", 60))


class Maker:
    """Random arrays, keys and arguments from one seed."""

    def __init__(self, seed):
        self.pick = random.Random(seed)
        self.numbers = np.random.default_rng(seed)

    def shape(self, most=3):
        return tuple(self.pick.choice([0, 1, 1, 2, 3, 4, 5])
                     if self.pick.random() < 0.15 else self.pick.choice([1, 2, 3, 4, 5])
                     for _ in range(self.pick.randint(0, most)))

    def array(self, shape=None, types=TYPES):
        shape = self.shape() if shape is None else shape
        dtype = np.dtype(self.pick.choice(types))
        if dtype.kind == "b":
            return np.asarray(self.numbers.random(shape) < 0.5)
        if dtype.kind in "iu":
            low = 0 if dtype.kind == "u" else -9
            return np.asarray(self.numbers.integers(low, 10, shape)).astype(dtype)
        values = self.numbers.normal(size=shape) * self.pick.choice([1.0, 10.0])
        if self.pick.random() < 0.5:
            values = np.round(values)
        if dtype.kind == "c":
            values = values + 1j * np.round(self.numbers.normal(size=shape), 2)
        return np.asarray(values).astype(dtype)

    def slice(self, extent):
        def end():
            return self.pick.choice([None, self.pick.randint(-extent - 1, extent + 1)])
        return slice(end(), end(), self.pick.choice([None, 1, 2, -1, -2, 3]))

    def key(self, shape):
        """A key of any kind that NumPy has, sometimes out of range."""
        if shape and self.pick.random() < 0.15:
            return self.numbers.random(shape) < 0.5
        key, arrays = [], 0
        for extent in shape:
            kind = self.pick.random()
            if kind < 0.25:
                low = -extent - (self.pick.random() < 0.03)
                key.append(self.pick.randint(low, max(low, extent - 1)))
            elif kind < 0.65:
                key.append(self.slice(extent))
            elif kind < 0.75 and extent and arrays < 2:
                arrays += 1
                key.append(self.numbers.integers(-extent, extent, self.pick.choice([(2,), (1,), ()])))
            elif kind < 0.8 and arrays == 0:
                arrays = 2
                key.append(self.numbers.random(extent) < 0.5)
            elif kind < 0.9 and Ellipsis not in [k for k in key if isinstance(k, type(Ellipsis))]:
                key.append(Ellipsis)
                break
            else:
                key.append(None)
                key.append(slice(None))
        return key[0] if len(key) == 1 and self.pick.random() < 0.5 else tuple(key)

    def axis(self, rank, several=True):
        if rank == 0 or self.pick.random() < 0.25:
            return None
        if several and rank > 1 and self.pick.random() < 0.3:
            return tuple(self.pick.sample(range(rank), 2))
        return self.pick.randint(-rank, rank - 1)


def to_tutti(x):
    """The same key or operand with arrays of Tutti in it."""
    if isinstance(x, tuple):
        return tuple(to_tutti(part) for part in x)
    return tt.asarray(x) if isinstance(x, np.ndarray) else x


UNARY = {"abs": "bn", "negative": "b", "sqrt": "", "exp": "", "log1p": "", "sin": "", "cos": "",
         "tanh": "", "floor": "bc", "ceil": "bc", "trunc": "bc", "round": "b", "sign": "bc",
         "isfinite": "", "isnan": "", "square": "b", "conj": "b", "real": "b", "imag": "b",
         "atan": "", "sinh": "", "cosh": "", "expm1": ""}
NUMPY_NAMES = {"atan": "arctan", "concat": "concatenate", "permute_dims": "transpose",
               "cumulative_sum": "cumsum", "pow": "power", "bitwise_left_shift": "left_shift",
               "atan2": "arctan2"}
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum",
          "minimum", "equal", "not_equal", "less", "greater_equal", "bitwise_and", "bitwise_xor",
          "hypot", "copysign", "atan2", "logical_and", "pow"]


def function(xp, name):
    return getattr(xp, name if xp is tt or hasattr(xp, name) else NUMPY_NAMES[name])


def unary(make, x):
    name = make.pick.choice([n for n, refused in UNARY.items() if x.dtype.kind not in refused])
    return name, lambda xp, a: function(xp, name)(a)


def binary(make, x):
    name = make.pick.choice(BINARY)
    kind = make.pick.random()
    if kind < 0.3:
        y = make.pick.choice([2, 3, -1, 0.5, True, 1 - 2j])
        if name in ("floor_divide", "remainder", "pow") or isinstance(y, complex) and (
                x.dtype.kind != "c"):
            y = 2
    else:
        shape = x.shape[make.pick.randint(0, x.ndim):] if x.ndim else make.shape(2)
        shape = tuple(1 if make.pick.random() < 0.2 else n for n in shape)
        y = make.array(shape, TYPES if x.dtype.kind == "c" else REAL)
    if name == "pow":  # as NumPy refuses negative powers of integers
        y = np.asarray(2) if x.dtype.kind in "iu" else 2
    first = make.pick.random() < 0.8

    def apply(xp, a):
        b = y if xp is np else to_tutti(y)
        return function(xp, name)(a, b) if first else function(xp, name)(b, a)
    return f"{name} {'' if first else 'reflected '}with {getattr(y, 'dtype', y)}", apply


def operator(make, x):
    symbol, f = make.pick.choice([("+", lambda a, b: a + b), ("-", lambda a, b: a - b),
                                  ("*", lambda a, b: a * b), ("/", lambda a, b: a / b),
                                  ("//", lambda a, b: a // b), ("%", lambda a, b: a % b),
                                  ("<", lambda a, b: a < b), ("==", lambda a, b: a == b)])
    y = make.array(x.shape if make.pick.random() < 0.7 else x.shape[1:])
    return f"{symbol} {y.dtype}", lambda xp, a: f(a, y if xp is np else to_tutti(y))


def index(make, x):
    key = make.key(x.shape)
    return f"[{key!r}]", lambda xp, a: a[key if xp is np else to_tutti(key)]


def assign(make, x):
    key = make.key(x.shape)
    try:
        part = x[key]
    except IndexError:
        return f"[{key!r}] =", lambda xp, a: a[key if xp is np else to_tutti(key)]
    value = (make.pick.choice([True]) if x.dtype.kind == "b" else 3)
    if make.pick.random() < 0.5 and not any(
            isinstance(k, np.ndarray) and k.dtype != bool
            for k in (key if isinstance(key, tuple) else (key,))):
        value = make.array(part.shape, [str(x.dtype)])

    def apply(xp, a):
        a = a.copy()
        a[key if xp is np else to_tutti(key)] = value if xp is np else to_tutti(value)
        return a
    return f"[{key!r}] = {value!r}", apply


def reduction(make, x):
    names = ["sum", "prod", "all", "any"] + (["max", "min"] if x.dtype.kind not in "c" else [])
    names += ["mean"] if x.dtype.kind in "fc" else []
    names += ["std", "var"] if x.dtype.kind == "f" else []
    name, keep = make.pick.choice(names), make.pick.random() < 0.5
    axis = make.axis(x.ndim)

    def apply(xp, a):
        return function(xp, name)(a, axis=axis, keepdims=keep)
    return f"{name} axis={axis} keepdims={keep}", apply


def extreme(make, x):
    name, axis = make.pick.choice(["argmax", "argmin"]), make.axis(x.ndim, several=False)
    return f"{name} axis={axis}", lambda xp, a: function(xp, name)(a, axis=axis)


def along(make, x):
    axis = make.pick.randint(-x.ndim, x.ndim - 1)
    name = make.pick.choice(["cumulative_sum", "sort", "argsort", "flip", "roll", "diff", "repeat",
                             "expand_dims", "concat", "stack", "take", "squeeze"])
    index_ = np.asarray([0, -1, 0])

    def apply(xp, a):
        if name in ("sort", "argsort"):
            return function(xp, name)(a, axis=axis, stable=True)
        if name in ("concat", "stack"):
            return function(xp, name)([a, a * 2 if x.dtype.kind != "b" else a], axis=axis)
        if name == "roll":
            return xp.roll(a, 2, axis=axis)
        if name == "repeat":
            return xp.repeat(a, 2, axis=axis)
        if name == "take":
            return xp.take(a, index_ if xp is np else tt.asarray(index_), axis=axis)
        return function(xp, name)(a, axis=axis)
    return f"{name} axis={axis}", apply


def arrange(make, x):
    name = make.pick.choice(["permute_dims", "reshape", "ravel", "broadcast", "tile", "where", "clip",
                             "nonzero", "unique", "tril", "astype", "newaxis", "searchsorted"])
    order = tuple(make.pick.sample(range(x.ndim), x.ndim))
    target = make.pick.choice([t for t in TYPES if (x.dtype.kind != "c" or t[0] == "c")
                               and not (x.dtype.kind == "f" and t[0] in "iu")
                               and not (x.dtype.kind == "i" and t[0] == "u")])
    shape = (2, *x.shape)

    def apply(xp, a):
        if name == "permute_dims":
            return function(xp, name)(a, order)
        if name == "reshape":
            return xp.reshape(a, (-1,) if 0 in x.shape else (1, -1))
        if name == "ravel":
            return a.ravel()
        if name == "broadcast":
            return xp.broadcast_to(a, shape)
        if name == "tile":
            return xp.tile(a, (2, 1))
        if name == "where":
            return xp.where(a != 0, a, a * 2 if x.dtype.kind != "b" else a)
        if name == "clip":
            return xp.clip(a, 1, 3) if x.dtype.kind in "iuf" else a
        if name == "nonzero":
            return xp.nonzero(a)[0] if x.ndim else a
        if name == "unique":
            return (np.unique(a) if xp is np else tt.unique_values(a)) if x.dtype.kind != "c" else a
        if name == "tril":
            return xp.tril(a, k=1) if x.ndim > 1 else a
        if name == "astype":
            return a.astype(target)
        if name == "searchsorted":
            line = xp.sort(a.ravel()) if x.dtype.kind in "iuf" else None
            return a if line is None else xp.searchsorted(line, line, side="right")
        return a[..., None]
    return f"{name} {target if name == 'astype' else order}", apply


def step_for(make, x):
    steps = [unary, binary, binary, operator, index, index, assign, reduction, arrange]
    if x.ndim and x.dtype.kind != "c":
        steps += [along, extreme] if x.size else []
    return make.pick.choice(steps)(make, x)


def attempt(f, xp, x):
    try:
        with np.errstate(all="ignore"):
            return f(xp, x), None
    except (ValueError, TypeError, IndexError, OverflowError, MemoryError, NotImplementedError) as e:
        return None, e


def is_close(got, expected, narrow, scale):
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if expected.dtype.kind not in "fc":
        return bool(np.array_equal(got, expected))
    limit = 1e-4 if narrow else 1e-10
    with np.errstate(all="ignore"):
        same = np.isclose(got, expected, rtol=limit, atol=limit * scale, equal_nan=True)
        # An infinity or NaN in one part of a product of complex numbers: the other part may be any.
        if expected.dtype.kind == "c":
            same |= ~np.isfinite(got) & ~np.isfinite(expected)
    return bool(np.all(same))


# What is different on purpose: see docs/python.md.
def is_known(name, x, error):
    if name.startswith("pow reflected"):
        return True  # negative powers of integers are 0
    if x.dtype.kind == "b" and error is not None:
        return True  # the Array API defines no arithmetic of bool
    if name.split(" ")[0] in ("max", "min", "argmax", "argmin", "sort", "argsort", "unique",
                              "maximum", "minimum", "less", "greater_equal", "<", "//", "%",
                              "floor_divide", "remainder", "sign", "logical_and"):
        return error is not None  # of complex numbers, and of numbers as bool
    return False


def run_case(seed):
    make = Maker(seed)
    x = make.array()
    ours, history, narrow = tt.asarray(x), [f"{x.dtype}{x.shape} {x.tolist()}"], False
    for _ in range(make.pick.randint(1, 5)):
        name, f = step_for(make, x)
        expected, refused = attempt(f, np, x)
        got, error = attempt(f, tt, ours)
        history.append(name)
        where = f"seed {seed}: " + "\n  ".join(history)
        if refused is not None:
            assert error is not None or is_known(name, x, None), f"{where}\nNumPy: {refused!r}, Tutti gives {got}"
            return
        if error is not None:
            assert is_known(name, x, error), f"{where}\n{error!r}, NumPy gives {expected!r}"
            return
        expected = np.asarray(expected)
        assert isinstance(got, tt.Array), f"{where}\n{got!r} is no array"
        assert got.shape == expected.shape, f"{where}\nshape {got.shape}, NumPy {expected.shape}"
        if expected.dtype.name in ("float16", "float32") and got.dtype == tt.float64:
            return  # functions of small integers are computed in float64
        assert got.dtype == expected.dtype, f"{where}\n{got.dtype}, NumPy {expected.dtype}"
        narrow = narrow or expected.dtype.name in ("float32", "complex64") or "32" in name
        if name.startswith("copysign") and not np.all(np.isfinite(x)):
            return  # NaN has no sign
        if make.pick.random() < 0.4:
            compare(got, expected, narrow, where)
        if expected.ndim > 5 or expected.size > 4000:
            break
        x, ours = expected, got
    compare(ours, x, narrow, f"seed {seed}: " + "\n  ".join(history))


def compare(got, expected, narrow, where):
    found = np.asarray(got)
    finite = expected[np.isfinite(expected)] if expected.dtype.kind in "fc" else expected
    scale = float(np.max(np.abs(finite.astype("complex128")), initial=1.0)) if finite.size else 1.0
    assert is_close(found, expected, narrow, scale), f"{where}\nTutti {found!r}\nNumPy {expected!r}"


@pytest.mark.parametrize("part", range(10))
def test_random_programs(part):
    for case in range(CASES // 10 or 1):
        try:
            run_case(SEED * 1_000_000 + part * 100_000 + case)
        except AssertionError as error:
            raise AssertionError(f"TUTTI_TEST_SEED={SEED}: {error}") from None
