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
