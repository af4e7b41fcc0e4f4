"""A program for type checkers: tests/test_types.py checks it and the stubs. It is run, too. Lines that must
not pass the checker end with the code of its error."""

from typing import TYPE_CHECKING, assert_type

import numpy as np

import tutti as tt
from tutti import Array, DType, Seq


def smooth(x: Array, weight: float = 0.5) -> Array:
    y = x * weight + (1 - weight) * tt.roll(x, 1)
    y[0] = x[0]
    return tt.where(y > 0, y, 0.0)


@tt.program
def halvings(n: Array) -> Array:
    count: Array
    _, count = tt.while_(lambda n, k: n >= 1.0, lambda n, k: (n / 2, k + 1), n, 0)
    return count


x = tt.linspace(0, 1, 5)
assert_type(x, Array)
assert_type(x.shape, tuple[int, ...])
assert_type(x.dtype, DType)
assert_type(x + 1, Array)
assert_type(1 - x, Array)
assert_type(x > 0.5, Array)
assert_type(x[1:, None], Array)
assert_type(x.at[0].set(3.0), Array)
assert_type(x.sum(axis=0), Array)
assert_type(x @ x, Array)
assert_type(float(x.sum()), float)
assert_type(smooth(x), Array)
assert_type(tt.nonzero(x), tuple[Array, ...])
assert_type(tt.where(x > 0), tuple[Array, ...])
assert_type(tt.linalg.svd(tt.eye(2)).S, Array)
assert_type(tt.fft.fft(x), Array)
assert_type(tt.random.uniform(tt.random.Key(1), (2, 3)), Array)
assert_type(tt.vstack([x, x]), Array)
assert_type(tt.allclose(x, x), bool)
assert_type(tt.explain(x), str)
assert_type(tt.asarray(np.arange(3.0)), Array)
assert_type(tt.finfo(tt.float32).eps, float)
assert_type(Seq([[1, 2], []]).lengths, Array)
assert_type(Seq([[1, 2], []]).sort(), Seq)
Seq([[1, 2], []]).each(lambda row: row - row.sum())
assert_type(tt.random.default_rng(1).normal(size=3), Array)
assert_type(tt.ranks.part_of(x).begin, int)
x.flat[0] = 1.0
assert_type(len(x), int)
halvings(x)

with tt.settings(reproducible=True), tt.use("cpu"):
    tt.evaluate(x)
for row in tt.eye(2):
    assert_type(row, Array)

if TYPE_CHECKING:
    tt.no_such_function(x)  # attr-defined
    tt.sum(x, axes=0)  # call-arg
    x.no_such_method()  # attr-defined
    tt.reshape(x)  # call-arg
    tt.explain(x) + 1  # operator
    tt.linspace("a", 1, num="b")  # call-overload
    Seq([[1]]).no_such_method()  # attr-defined
    tt.random.uniform(42)  # arg-type
    tt.vstack(x, x)  # call-arg
