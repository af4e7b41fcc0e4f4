"""Random numbers have the bits of C++ and the published vectors, and their distributions."""

import numpy as np
import pytest

import tutti as tt

N = 200_000


def test_published_vector():
    words = np.asarray(tt.random.bits(tt.random.Key(0), 8))
    assert [hex(w) for w in words[:4]] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    # The second block, as random_bits of C++ gives it.
    assert [hex(w) for w in words[4:]] == ["0xf8e4cca4", "0x5cb200db", "0xb1a574eb", "0x97eff67"]


def test_shape_and_splitting():
    key = tt.random.Key(7)
    flat = np.asarray(tt.random.bits(key, 60))
    assert np.array_equal(np.asarray(tt.random.bits(key, (3, 4, 5))).ravel(), flat)
    keys = {key.split(i) for i in range(100)}
    assert len(keys) == 100 and key not in keys
    assert float(tt.random.uniform(key)) == flat[0] // 256 * 2.0 ** -24


@pytest.mark.parametrize("dtype", [tt.float32, tt.float64])
def test_distributions(dtype):
    key = tt.random.Key(5)
    u = np.asarray(tt.random.uniform(key, N, dtype=dtype))
    assert 0 <= u.min() and u.max() < 1 and abs(u.mean() - 0.5) < 0.004
    u = np.asarray(tt.random.uniform(key, N, -1.0, 3.0, dtype=dtype))
    assert abs(u.mean() - 1) < 0.015
    x = np.asarray(tt.random.normal(key, N, dtype=dtype)).astype(float)
    assert abs(x.mean()) < 0.012 and abs(x.var() - 1) < 0.016
    assert abs((np.abs(x) > 2).mean() - 0.0455) < 0.0025
    e = np.asarray(tt.random.exponential(key, N, 2.0, dtype=dtype))
    assert abs(e.mean() - 0.5) < 0.006 and e.min() > 0


def test_integers_flags_and_orders():
    key = tt.random.Key(9)
    x = np.asarray(tt.random.integers(key, -3, 5, N))
    assert x.min() == -3 and x.max() == 4 and abs(x.mean() - 0.5) < 0.03
    assert abs(np.asarray(tt.random.bernoulli(key, 0.25, N)).mean() - 0.25) < 0.005
    assert sorted(np.asarray(tt.random.permutation(key, 100))) == list(range(100))
    rows = tt.asarray(np.arange(12).reshape(6, 2))
    assert sorted(np.asarray(tt.random.shuffle(key, rows))[:, 0]) == [0, 2, 4, 6, 8, 10]
    assert set(np.asarray(tt.random.choice(key, rows, 50))[:, 1]) <= {1, 3, 5, 7, 9, 11}


def test_bad_input():
    key = tt.random.Key(1)
    with pytest.raises(ValueError, match="2\\*\\*64"):
        tt.random.Key(-1)
    with pytest.raises(TypeError, match="an int"):
        tt.random.Key(1.5)
    with pytest.raises(TypeError, match="take a Key"):
        tt.random.uniform(42, 3)
    with pytest.raises(ValueError, match="at least one"):
        tt.random.integers(key, 5, 5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        tt.random.bernoulli(key, float("nan"), 3)
    with pytest.raises(TypeError, match="float32 or float64"):
        tt.random.normal(key, 3, dtype=tt.int32)
    with pytest.raises(ValueError, match="without elements"):
        tt.random.choice(key, tt.asarray([]), 2)


def test_generators_take_what_those_of_numpy_take():
    theirs, ours = np.random.default_rng(1), tt.random.default_rng(np.int64(1))
    for call in (lambda r: r.random(None), lambda r: r.random(np.int64(3)), lambda r: r.random((np.int64(2), 3)),
                 lambda r: r.normal(0, 1, None), lambda r: r.normal(np.zeros(4), 1.0), lambda r: r.normal(0.0, [1.0, 2.0], (3, 2)),
                 lambda r: r.uniform(np.zeros((2, 1)), np.ones(3)), lambda r: r.exponential([1.0, 2.0]),
                 lambda r: r.integers(1, 7, endpoint=True, size=3), lambda r: r.integers(5), lambda r: r.integers(0, [3, 9]),
                 lambda r: r.permutation(np.int64(4)), lambda r: r.choice([1, 2, 3]), lambda r: r.choice(5, 3, replace=False),
                 lambda r: r.choice([1, 2, 3], (2, 2), p=[0, 0, 1]), lambda r: r.random(3, dtype=np.float32),
                 lambda r: r.poisson(3.0, 5), lambda r: r.gamma(2.0, 1.0, (2, 2)), lambda r: r.binomial(10, 0.5, 3),
                 lambda r: r.multivariate_normal([0, 0], np.eye(2), 3)):
        got, want = np.asarray(call(ours)), np.asarray(call(theirs))
        assert (got.shape, got.dtype) == (want.shape, want.dtype)


def test_parameters_that_are_arrays():
    """One number for each element, not one for all."""
    r = tt.random.default_rng(3)
    for x in (r.normal(tt.zeros(1000), 1.0), r.uniform(tt.zeros(1000), 1.0), r.exponential(tt.ones(1000))):
        assert tt.unique_values(x).size > 990
    assert tt.allclose(r.normal([1.0, 100.0], 0.0), [1.0, 100.0])
    with pytest.raises(ValueError, match="shapes"):
        tt.random.normal(tt.random.Key(1), (2,), mean=tt.zeros(3))


def test_choices_without_repetition():
    r = tt.random.default_rng(5)
    assert sorted(r.choice(6, 6, replace=False).tolist()) == list(range(6))
    assert r.choice([1, 2, 3], 4, p=[0, 1, 0]).tolist() == [2, 2, 2, 2]
    with pytest.raises(ValueError, match="7 different ones of 6"):
        r.choice(6, 7, replace=False)
    x = tt.arange(20)
    r.shuffle(x)
    assert sorted(x.tolist()) == list(range(20)) != x.tolist()


def test_what_numpy_draws_follows_the_seed():
    first, second = (tt.random.default_rng(7) for _ in range(2))
    assert first.poisson(3.0, 9).tolist() == second.poisson(3.0, 9).tolist() != first.poisson(3.0, 9).tolist()
    with pytest.raises(AttributeError, match="has no foo"):
        first.foo()


def test_choice_of_texts():
    rng = tt.random.default_rng(1)
    assert rng.choice(["a", "b"]) in ("a", "b")
    drawn = rng.choice(("head", "tail"), (4, 50))
    assert drawn.shape == (4, 50) and set(drawn.ravel()) == {"head", "tail"}
    assert sorted(rng.choice(["a", "b", "c"], 3, replace=False)) == ["a", "b", "c"]
    assert set(rng.choice(["a", "b"], 20, p=[1.0, 0.0])) == {"a"}
