"""Errors that are found when a value is computed name the line of Python that asked for it."""

import inspect
import pathlib

import numpy as np
import pytest

import tutti as tt

HERE = pathlib.Path(__file__).name


def line():
    return inspect.currentframe().f_back.f_lineno


@pytest.mark.parametrize("interpret", [False, True])
def test_offsets_that_change_after_they_were_checked(interpret):
    offsets = np.array([0, 2, 4])
    ragged = tt.Seq(offsets=offsets, content=tt.arange(4) * 1.0)
    total, asked = ragged.sum(), line()
    offsets[1] = 9
    with tt.settings(interpret=interpret), pytest.raises(tt.ShapeError) as error:
        total.evaluate()
    assert f"{HERE}:{asked})" in str(error.value)


def test_the_line_is_that_of_the_user_not_of_the_package():
    offsets = np.array([0, 2, 4])
    ragged = tt.Seq(offsets=offsets, content=tt.arange(4) * 1.0)

    def work():
        return ragged.sort(), line()

    ordered, asked = work()
    offsets[1] = -1
    with pytest.raises(tt.ShapeError, match=rf"{HERE}:{asked}\)"):
        ordered.content.evaluate()


def test_a_program_is_named_by_its_first_line():
    first = line() + 2

    @tt.program
    def endless(x):
        return tt.while_(lambda k: k >= 0, lambda k: k + 1, x)

    with tt.settings(loop_limit=100), pytest.raises(tt.Error, match=rf"{HERE}:{first}\)"):
        endless(tt.arange(3)).evaluate()


@pytest.mark.parametrize("make", [
    lambda: tt.zeros((1,) * 9), lambda: tt.ones((1,) * 9), lambda: tt.full((1,) * 9, 2.0),
    lambda: tt.empty((1,) * 9), lambda: tt.asarray(np.zeros((1,) * 9)),
    lambda: tt.from_dlpack(np.zeros((1,) * 9)), lambda: tt.asarray([[[[[[[[[1]]]]]]]]]),
    lambda: tt.expand_dims(tt.zeros((1,) * 8), axis=0), lambda: tt.zeros((1,) * 8)[None],
    lambda: tt.reshape(tt.zeros(2), (2,) + (1,) * 8),
    lambda: tt.broadcast_to(tt.zeros((1,) * 8), (2,) + (1,) * 8),
    lambda: tt.stack([tt.zeros((1,) * 8)] * 2), lambda: tt.meshgrid(*[tt.arange(2)] * 9),
    lambda: tt.tensordot(tt.zeros((1,) * 5), tt.zeros((1,) * 5), axes=0),
    lambda: tt.tile(tt.arange(2), (1,) * 9),
    lambda: tt.zeros((2,) * 8)[tt.zeros((1, 1), dtype=tt.int64)]])
def test_more_than_eight_dimensions(make):
    with pytest.raises((ValueError, IndexError), match="at most 8|8 dimensions"):
        make()
