"""Captured functions: loops and branches for each element, and what cannot be captured."""

import numpy as np
import pytest
from compare import same

import tutti as tt


@tt.program
def mandelbrot(x, y):
    def step(a, b, k):
        return a * a - b * b + x, 2.0 * a * b + y, k + 1

    _, _, count = tt.while_(lambda a, b, k: (a * a + b * b < 4.0) & (k < 50), step, x * 0, y * 0, 0)
    return count


def test_numbers_of_a_vector_from_outside():
    """A loop over a vector is one over numbers, which a program may use; it reads none of them."""
    for factors in (tt.asarray([1.0, 2.0, 3.0]), tt.arange(1, 4) * 1.0):
        @tt.program
        def polynomial(x):
            result = 0.0
            for factor in factors:
                result = result * x + factor
            return result
        assert polynomial(tt.asarray([1.0, 2.0])).tolist() == [6.0, 11.0]
        assert tt.Seq([[1.0], [2.0]]).each(lambda r: sum(r * f for f in factors).sum()).tolist() == [6.0, 12.0]


def test_loops_that_depend_on_elements():
    x, y = np.meshgrid(np.linspace(-2, 1, 31), np.linspace(-1, 1, 21))
    expected = np.zeros(x.shape, dtype="int64")
    a, b = np.zeros_like(x), np.zeros_like(y)
    for _ in range(50):
        inside = a * a + b * b < 4
        expected += inside
        a, b = np.where(inside, a * a - b * b + x, a), np.where(inside, 2 * a * b + y, b)
    same(mandelbrot(tt.asarray(x), tt.asarray(y)), expected)


def test_values_change_together():
    @tt.program
    def fibonacci(n):
        a, b, _ = tt.while_(lambda a, b, k: k > 0, lambda a, b, k: (b, a + b, k - 1), 0, 1, n)
        return a

    assert fibonacci(tt.arange(10)).tolist() == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_branches():
    @tt.program
    def f(x):
        x, sign = tt.if_(x < 0, lambda x, s: (-x, -1), lambda x, s: (x + 1, s), x, 1)
        return x, sign

    values, signs = f(tt.asarray([-2.0, 3.0]))
    assert values.tolist() == [2.0, 4.0] and signs.tolist() == [-1, 1]


def test_one_capture_for_each_type():
    calls = []

    @tt.program
    def twice(x):
        calls.append(x.dtype)
        return x * 2

    for _ in range(3):
        assert twice(tt.asarray([1, 2])).tolist() == [2, 4]
        assert twice(tt.asarray([1.5])).tolist() == [3.0]
    assert calls == [tt.int64, tt.float64]


def test_what_cannot_be_captured():
    @tt.program
    def decides(x):
        return x if x > 0 else -x

    @tt.program
    def fails(x):
        raise KeyError("mine")

    @tt.program
    def outside(x):
        return x + tt.arange(3)

    @tt.program
    def changes_type(x):
        return tt.while_(lambda k: k < 3, lambda k: k + 0.5, 0)

    x = tt.arange(3)
    with pytest.raises(TypeError, match="where"):
        decides(x)
    with pytest.raises(KeyError, match="mine"):
        fails(x)
    with pytest.raises((TypeError, tt.Error)):
        outside(x).evaluate()
    with pytest.raises(TypeError, match=r"indexed by an element.*give it the elements"):
        tt.program(lambda i: x[i])(x)
    with pytest.raises(TypeError, match="the function gives None"):
        tt.program(lambda i: None)(x)
    with pytest.raises(TypeError, match="cast"):
        changes_type(x)
    with pytest.raises(tt.Error):
        tt.while_(lambda k: k < 3, lambda k: k + 1, 0)
    assert (x + 1).tolist() == [1, 2, 3]  # nothing is being captured any more


def test_arguments_broadcast_as_those_of_operators():
    @tt.program
    def sums(x, y):
        return x + 10 * y

    for shapes in (((3, 1), (4,)), ((2, 3), (3,)), ((1,), (5,)), ((2, 1, 4), (3, 1)), ((), (3,))):
        x, y = (np.arange(np.prod(shape), dtype="float64").reshape(shape) for shape in shapes)
        same(sums(tt.asarray(x), tt.asarray(y)), x + 10 * y)
    with pytest.raises(ValueError, match="do not fit"):
        sums(tt.arange(3), tt.arange(4))
