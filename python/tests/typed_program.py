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
assert_type(tt.scatter(tt.zeros(3), tt.Write(tt.arange(2), 1.0), "add"), Array)
assert_type(tt.linspace(start=0, stop=1, num=5, endpoint=False), Array)
assert_type(tt.median(a=x, axis=0, keepdims=True, out=tt.zeros(1)), Array)
assert_type(tt.std(x, where=x > 0.5, ddof=1), Array)
assert_type(tt.polyfit(x, y=x, deg=1, w=tt.ones(5)), Array)
assert_type(tt.average(x, weights=x, returned=True), tuple[Array, Array])
assert_type(tt.add(x, 1, dtype=tt.float32, out=None, where=True), Array)
assert_type(tt.sqrt(x, dtype="float32"), Array)
assert_type(tt.concat([x, x], axis=0, dtype=tt.float32), Array)
assert_type(tt.linalg.qr(a=tt.eye(2), mode="reduced").Q, Array)
assert_type(tt.fft.fft(a=x, n=8, norm=None), Array)
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
    tt.median(x, axes=0)  # call-arg
    tt.linspace(0, 1, number=5)  # call-overload
    tt.scatter(x, tt.Write(0, 1.0), "multiply")  # arg-type
