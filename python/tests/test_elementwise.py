"""Operators and functions against NumPy, over all types of elements and their mixtures."""

import json
import operator
import warnings

import numpy as np
import pytest
from compare import same

import tutti as tt

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
              operator.mod]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


def sample(dtype, shape=(3, 4), seed=0):
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    least = 0 if dtype.startswith("u") else -9
    return random.integers(least, 10, shape).astype(dtype)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("b", ["bool", "int8", "int32", "int64", "uint8", "uint64", *FLOATS])
@pytest.mark.parametrize("a", ["int8", "int16", "int64", "uint8", "uint32", "float16", "float32"])
def test_types_mix_as_in_numpy(a, b):
    x, y = sample(a, seed=1), sample(b, seed=2)
    same(tt.asarray(x) + tt.asarray(y), x + y)
    same(tt.asarray(x) * tt.asarray(y), x * y)
    same(tt.asarray(x) < tt.asarray(y), x < y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
@pytest.mark.parametrize("op", ARITHMETIC)
def test_arithmetic(op, dtype):
    x, y = sample(dtype, seed=3), sample(dtype, seed=4)
    if np.dtype(dtype).kind in "iu":
        y[y == 0] = 3
    expected = op(x, y)
    if op is operator.truediv and np.dtype(dtype).kind in "iu":
        expected = expected.astype("float64")  # NumPy divides int8 in float16
        expected = x.astype("float64") / y
    same(op(tt.asarray(x), tt.asarray(y)), expected)


@pytest.mark.parametrize("op", COMPARISONS)
def test_comparisons_with_numbers(op):
    x = sample("int32")
    same(op(tt.asarray(x), 3), op(x, 3))
    same(op(tt.asarray(x), 2.5), op(x, 2.5))


def test_numbers_adapt_to_arrays():
    x = tt.asarray(np.ones(3, "float32"))
    assert (x + 1).dtype == tt.float32
    assert (x + 1.5).dtype == tt.float32
    assert (2 ** x).dtype == tt.float32
    n = tt.asarray(np.ones(3, "int8"))
    assert (n + 1).dtype == tt.int8
    assert (n + 1.5).dtype == tt.float64
    assert (tt.asarray([True]) + 1).dtype == tt.int64
    with pytest.raises(OverflowError, match="300 does not fit into int8"):
        n + 300


def test_reflected_operators_and_numpy_operands():
    x = np.arange(4.0)
    same(10 - tt.asarray(x), 10 - x)
    same(2 ** tt.asarray(x), 2 ** x)
    same(tt.asarray(x) + x, x + x)
    same(x + tt.asarray(x), x + x)


def test_integer_powers():
    base, exponent = np.arange(-4, 5), np.arange(9)
    same(tt.asarray(base) ** tt.asarray(exponent), base ** exponent)
    same(tt.asarray(base) ** 3, base ** 3)
    small = np.arange(5, dtype="uint8")
    same(tt.asarray(small) ** tt.asarray(small), small ** small)


def test_floor_division_and_remainder_of_every_sign():
    values = np.array([-7.5, -3.0, -0.0, 0.0, 2.0, 7.5, np.nan])
    x, y = np.meshgrid(values, values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(tt.asarray(x) // tt.asarray(y), x // y)
        same(tt.asarray(x) % tt.asarray(y), x % y)
        n = np.arange(-7, 8)
        a, b = np.meshgrid(n, n[n != 0])
        same(tt.asarray(a) // tt.asarray(b), a // b)
        same(tt.asarray(a) % tt.asarray(b), a % b)


def test_floor_division_of_infinities_follows_the_standard():
    inf = float("inf")
    found = tt.asarray([inf, -inf, -1.0, 1.0]) // tt.asarray([2.0, 2.0, inf, -inf])
    assert [str(x) for x in found.tolist()] == ["inf", "-inf", "-0.0", "-0.0"]


UNARY = {"sqrt": np.sqrt, "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos,
         "tan": np.tan, "tanh": np.tanh, "log1p": np.log1p, "expm1": np.expm1, "atan": np.arctan,
         "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round": np.round, "abs": np.abs,
         "sign": np.sign, "negative": np.negative, "isnan": np.isnan, "isfinite": np.isfinite,
         "square": np.square, "reciprocal": np.reciprocal, "sinh": np.sinh, "cbrt": np.cbrt}


@pytest.mark.parametrize("name", UNARY)
def test_functions(name):
    x = np.array([0.25, 0.5, 1.0, 1.75, 2.5])
    for dtype in ("float32", "float64"):
        same(getattr(tt, name)(tt.asarray(x.astype(dtype))), UNARY[name](x.astype(dtype)))


def test_functions_of_integers():
    n = np.arange(1, 5)
    same(tt.sqrt(tt.asarray(n)), np.sqrt(n))
    same(tt.floor(tt.asarray(n)), n)
    same(tt.isnan(tt.asarray(n)), np.isnan(n))
    same(~tt.asarray(n), ~n)
    same(-tt.asarray(n), -n)
    same(abs(tt.asarray(-n)), n)
    same(tt.bitwise_count(tt.asarray(n)), np.bitwise_count(n))


def test_bits_and_flags():
    a, b = sample("uint8", seed=5), sample("uint8", seed=6)
    for op in (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift):
        same(op(tt.asarray(a), tt.asarray(b)), op(a, b))
    p, q = sample("bool", seed=7), sample("bool", seed=8)
    for op in (operator.and_, operator.or_, operator.xor):
        same(op(tt.asarray(p), tt.asarray(q)), op(p, q))
    same(~tt.asarray(p), ~p)
    same(tt.logical_not(tt.asarray(p)), ~p)


def test_where_clip_and_extremes():
    x = np.linspace(-2, 2, 9)
    same(tt.where(tt.asarray(x) > 0, tt.asarray(x), 0.0), np.where(x > 0, x, 0.0))
    same(tt.clip(tt.asarray(x), -1, 1), np.clip(x, -1, 1))
    same(tt.maximum(tt.asarray(x), 0.5), np.maximum(x, 0.5))
    same(tt.hypot(tt.asarray(x), 1.0), np.hypot(x, 1.0))


def test_broadcasting():
    a, b = np.arange(3.0).reshape(3, 1), np.arange(4.0)
    same(tt.asarray(a) * tt.asarray(b), a * b)
    with pytest.raises(ValueError, match=r"\{3\} and \{4\}"):
        tt.zeros(3) + tt.zeros(4)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, 7, 62, -1, -2, 0.5, 2.0, -1.0, 1.5, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
def test_powers_with_numbers(dtype, exponent):
    x = np.array([0, 1, 2, 3, 7, 100], dtype=dtype)
    if np.dtype(dtype).kind != "f" and isinstance(exponent, int) and exponent < 0:
        pytest.skip("an error in NumPy")
    with np.errstate(all="ignore"):
        expected = x ** exponent
        same(tt.asarray(x) ** exponent, expected, ulps=16)
        same(tt.pow(tt.asarray(x), exponent), expected, ulps=16)


def test_squares_are_products():
    """Not only nearly: NumPy computes them so."""
    x = np.random.default_rng(1).random(1000) * 100
    assert np.array_equal(tt.asarray(x) ** 2, x * x)
    assert np.array_equal(tt.asarray(x) ** 0.5, np.sqrt(x))
    assert "pow" not in tt.explain(tt.asarray(x) ** 2)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nextafter_is_that_of_numpy(dtype):
    integer = {"float16": "uint16", "float32": "uint32", "float64": "uint64"}[dtype]
    random = np.random.default_rng(1)
    bits = np.arange(1 << 16, dtype="uint16") if dtype == "float16" else random.integers(
        0, np.iinfo(integer).max, 200_000, dtype=integer, endpoint=True)
    with np.errstate(over="ignore"):
        powers = np.ldexp(np.ones(2200, dtype=dtype), np.arange(-1100, 1100))
    x = np.concatenate([bits.view(dtype), powers, -powers, np.zeros(1, dtype), -np.zeros(1, dtype),
                        random.integers(0, 2000, 500).astype(integer).view(dtype)])
    for towards in (np.inf, -np.inf, 0.0, 1.0, np.nan):
        y = np.full_like(x, towards)
        with np.errstate(all="ignore"):
            expected = np.nextafter(x, y)
        result = np.asarray(tt.nextafter(tt.asarray(x), tt.asarray(y)))
        wrong = ~((result == expected) | (np.isnan(result) & np.isnan(expected)))
        assert not wrong.any(), (x[wrong][:5], result[wrong][:5], expected[wrong][:5])
        moved = ~np.isnan(expected) & (x != y)
        assert np.array_equal(np.signbit(result)[moved], np.signbit(expected)[moved])


def test_explain_has_four_formats():
    x = tt.asarray(np.ones((8, 16), np.float32))
    y = tt.sum(tt.exp(x), axis=1) / 3
    kernels = json.loads(tt.explain(y, format="json"))["kernels"]
    assert "exp" in kernels[0]["operations"]
    assert tt.explain(y, format="dot").startswith("digraph")
    assert "<svg" in tt.explain(y, format="html")
    with pytest.raises(ValueError, match="format is"):
        tt.explain(y, format="pdf")


IN_PLACE = {"+=": "__iadd__", "-=": "__isub__", "*=": "__imul__", "/=": "__itruediv__", "//=": "__ifloordiv__",
            "%=": "__imod__", "**=": "__ipow__", "&=": "__iand__", "|=": "__ior__", "^=": "__ixor__",
            "<<=": "__ilshift__", ">>=": "__irshift__"}


@pytest.mark.parametrize("sign", IN_PLACE)
@pytest.mark.parametrize("types", [("float32", "float64"), ("int8", "int64"), ("int64", "uint8"), ("float64", "int32"),
                                   ("bool", "bool"), ("int32", "float32"), ("complex64", "complex128")])
def test_in_place_operators_keep_shape_and_type(sign, types):
    x, y = np.asarray([1, 1, 0], types[0]), np.asarray([1, 2, 3], types[1])
    a = tt.array(x)
    try:
        expected = getattr(x, IN_PLACE[sign])(y)
    except (TypeError, ValueError):
        with pytest.raises(TypeError):
            getattr(a, IN_PLACE[sign])(tt.asarray(y))
        return
    same(getattr(a, IN_PLACE[sign])(tt.asarray(y)), expected)


def test_in_place_operators_that_would_change_an_array():
    x = tt.arange(3)
    with pytest.raises(TypeError, match="float64, x of type int64: write x = x / y"):
        x /= 2
    with pytest.raises(ValueError, match=r"shape \{2, 3\}, x has \{3\}: write x = x \* y"):
        x *= tt.ones((2, 3), dtype=tt.int64)
    x += True
    same(x, np.arange(3) + 1)
    grown = tt.program(lambda v: add_half(v))(x)
    same(grown, np.arange(3) + 1.5)
    same(tt.Seq([[1, 2], []]).each(lambda r: add_half(r)).content, np.asarray([1.5, 2.5]))


def test_in_place_operators_change_the_object():
    def descend(parameters, gradient):
        parameters -= gradient

    x = tt.ones((2, 3), dtype=tt.float32)
    other, row = x, x[0]
    descend(x, tt.ones(3))
    same(x, np.zeros((2, 3), "float32"))
    assert other is x
    same(row, np.ones(3, "float32"))  # parts that were taken before stay, as for x[key] = v
    for each in (x, tt.zeros(2, dtype=complex)):
        each += 1
    same(x, np.ones((2, 3), "float32"))
    flags = tt.asarray([True, False])
    kept = flags
    flags |= [False, True]
    same(kept, np.ones(2, bool))
    before = total = tt.ones(3).sum()  # a number, as that of NumPy
    total += 1
    assert (float(before), float(total)) == (3, 4)
    whole = tt.arange(3)
    same_elements = tt.nan_to_num(whole)
    same_elements += 1
    same(whole, np.arange(3))


def add_half(v):
    v += 0.5  # a variable of a program or of each() takes any type
    return v


def test_conditions_of_numbers():
    for flags in ([1, 0, 2], [0.0, -0.0, 3.5], np.asarray([0, 1j, 0])):
        same(tt.where(flags, [1, 2, 3], 7), np.where(flags, [1, 2, 3], 7))


def test_ranges_are_operands():
    same(tt.arange(3) + range(3), np.arange(3) * 2)
    same(range(3) - tt.ones(3), np.arange(3) - 1.0)
    same(tt.asarray([range(2), range(2)]), np.asarray([range(2), range(2)]))
