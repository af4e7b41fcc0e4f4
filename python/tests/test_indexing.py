"""Keys of every kind, to read and to update, against NumPy."""

import numpy as np
import pytest
from compare import same

import tutti as tt

X = np.arange(3 * 4 * 5).reshape(3, 4, 5)
ROWS, FLAGS = np.array([2, 0, -1]), np.array([True, False, True])
KEYS = [0, -1, slice(None), slice(1, 3), slice(None, None, -1), slice(4, 0, -2), slice(5, 2),
        Ellipsis, None, (0, 1, 2), (slice(None), 1), (..., 0), (0, ...), (None, 0, ..., None),
        (slice(None), slice(1, None, 2), slice(None, None, -2)), (1, None, slice(2)),
        ROWS, (ROWS, ROWS), (slice(None), ROWS), (ROWS, slice(None), ROWS), (0, ROWS),
        (slice(None), 0, ROWS), (ROWS[:, None], ROWS), (..., ROWS), FLAGS, (FLAGS, 0),
        X > 30, (slice(1), ROWS[:2]), X[0] > 7, np.array([], dtype=int), (ROWS, None, 1)]


def ours(key):
    if isinstance(key, tuple):
        return tuple(ours(k) for k in key)
    return tt.asarray(key) if isinstance(key, np.ndarray) else key


KEYS = [k for k in KEYS if not (isinstance(k, np.ndarray) and k.shape == (4, 5))]


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:40])
def test_reading(key):
    same(tt.asarray(X)[ours(key)], X[key])


@pytest.mark.parametrize("key", KEYS, ids=lambda k: repr(k)[:40])
def test_setting(key):
    expected = X.copy()
    expected[key] = -1
    before = tt.asarray(X)
    same(before.at[ours(key)].set(-1), expected)
    same(before, X)  # arrays are values
    x = tt.asarray(X)
    x[ours(key)] = -1
    same(x, expected)


def test_setting_arrays():
    expected = X.copy()
    expected[:, 1] = np.arange(5)
    same(tt.asarray(X).at[:, 1].set(tt.arange(5)), expected)
    with pytest.raises(ValueError):
        tt.asarray(X).at[:, 1].set(tt.arange(4))


def test_adding_counts_every_index():
    counts = tt.zeros(4, dtype=tt.int64).at[tt.asarray([0, 1, 1, 3, 1])].add(1)
    assert counts.tolist() == [1, 3, 0, 1]
    best = tt.zeros(3).at[tt.asarray([0, 0, 2])].max(tt.asarray([1.0, 5.0, 2.0]))
    assert best.tolist() == [5.0, 0.0, 2.0]


@pytest.mark.parametrize("key", [3, -4, (0, 0, 5), (0, 0, 0, 0), "a", 1.5, (..., ...)])
def test_wrong_keys(key):
    with pytest.raises(IndexError):
        tt.asarray(X)[key]


def test_wrong_arrays_of_indices():
    x = tt.asarray(X)
    with pytest.raises(IndexError, match="out of range for axis 0 with 3"):
        x[tt.asarray([0, 3])]
    with pytest.raises(IndexError, match="out of range"):
        x.at[tt.asarray([-4])].set(0)
    with pytest.raises(IndexError, match="no indices"):
        x[tt.asarray([0.5])]
    with pytest.raises(IndexError, match="they differ along axis 0"):
        x[tt.asarray([True, False])]
    with pytest.raises(IndexError, match="do not fit"):
        x[tt.asarray([0, 1]), tt.asarray([0, 1, 2])]


def test_types_of_what_is_assigned():
    x = tt.arange(3)
    with pytest.raises(TypeError, match="cast"):
        x[0] = 1.5
    with pytest.raises(TypeError, match="cast"):
        x[0] = tt.asarray(1.5)
    with pytest.raises(OverflowError):
        tt.zeros(2, dtype=tt.int8)[0] = 1000


def test_single_flags():
    x = tt.asarray(X)
    same(x[True], X[True])
    same(x[tt.asarray(False)], X[False])
    same(x.at[tt.asarray(True)].set(0), np.zeros_like(X))
    same(x.at[tt.asarray(False)].set(0), X)


def test_large_masks():
    x = np.random.default_rng(1).random(200_000)
    same(tt.asarray(x)[tt.asarray(x) > 0.5], x[x > 0.5])
    same(tt.asarray(x)[tt.asarray(x) > 2], x[x > 2])


def test_computed_indices_and_iteration():
    x = tt.asarray(X)
    same(x[tt.argmax(tt.asarray([1, 9, 3]))], X[1])
    assert [int(v) for v in tt.arange(3)] == [0, 1, 2]
    same(tt.take(x, tt.asarray([1, 0]), axis=1), np.take(X, [1, 0], axis=1))


def random_key(random, shape):
    """Integers, slices with any step, None and an ellipsis, for an array of this shape."""
    key = []
    for extent in shape:
        kind = random.integers(5)
        if kind == 0:
            key.append(int(random.integers(-extent, extent)))
        elif kind == 1:
            key.append(slice(None))
        else:
            a, b = sorted(random.integers(0, extent + 1, 2).tolist())
            step = int(random.choice([1, 1, 1, 2]))
            key.append(slice(a, b, step) if kind != 2 else slice(b - 1 if b else 0, None, -step))
    if random.random() < 0.3:
        key.insert(int(random.integers(len(key) + 1)), None)
    if random.random() < 0.2:
        key = key[:int(random.integers(len(key) + 1))] + [...]
    return tuple(key)


def random_values(random, shape):
    """Values that broadcast to this shape."""
    own = [1 if random.random() < 0.3 else extent for extent in shape]
    own = own[int(random.integers(len(own) + 1)):] if random.random() < 0.3 else own
    return random.integers(-50, 50, own).astype("float64")


@pytest.mark.parametrize("seed", range(40))
def test_updates_of_sections_are_those_of_numpy(seed):
    """Small and large sections take different ways, which must not differ in anything else."""
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 90 if seed % 4 == 0 else 7, random.integers(1, 4)).tolist())
    x = random.integers(-50, 50, shape).astype("float64")
    a = tt.asarray(x.copy())
    for _ in range(8):
        key = random_key(random, shape)
        values = random_values(random, x[key].shape)
        how = random.choice(["set", "add", "min", "max"])
        new = {"set": lambda old, v: v, "add": lambda old, v: old + v, "min": np.minimum,
               "max": np.maximum}[how](x[key], values)
        x = x.copy()
        x[key] = new
        a = getattr(a.at[key], str(how))(tt.asarray(values))
        same(a[key], x[key])  # what was just written is read back
        other = random_key(random, shape)
        same(a[other], x[other])
    same(a, x)


def test_a_section_is_read_back_after_other_updates():
    x, a = np.zeros((40, 50)), tt.zeros((40, 50))
    for k in range(40):
        for y, one in ((x, np.ones(50)), (a, tt.ones(50))):
            y[k] = one * k + (y[k - 1] if k else 0.0)
    same(a[39], x[39])
    same(a[20], x[20])
    row = a[39]
    a[39] = 7
    assert row.tolist() == x[39].tolist() and a[39, 0].item() == 7
    a[:, 3] = 5
    assert a[39].tolist()[2:4] == [7, 5]


def test_a_section_that_does_not_fit_is_refused():
    a = tt.zeros((4, 5))
    for key, values in (((slice(None), 1), tt.ones(5)), ((slice(1, 3),), tt.ones((3, 5))),
                        ((0,), tt.ones((2, 5)))):
        with pytest.raises((ValueError, IndexError)):
            a[key] = values
    assert float(tt.sum(a)) == 0


def test_keys_of_lists():
    x = np.arange(12).reshape(3, 4)
    a = tt.asarray(x)
    for key in ([], [[]], ([], []), (slice(None), []), [np.int64(1), 0], [tt.asarray(2), 0], [range(2), range(2)]):
        same(a[key], x[np.asarray(key, dtype=int) if isinstance(key, list) else key])
    y, b = x.copy(), tt.array(x)
    y[[0, 2]] = y[[2, 0]]
    b[[0, tt.asarray(2)]] = b[[tt.asarray(2), 0]]
    b[[]] = 5
    same(b, y)
    with pytest.raises(IndexError, match="float64"):
        a[np.asarray([])]


@pytest.mark.parametrize("into, values", [
    ("float32", [1.5, 2.5]), ("int32", [1, 2]), ("int64", np.asarray([1, 2 ** 63], "uint64")), ("int8", np.asarray([300, 5])),
    ("bool", [0, 3]), ("bool", np.asarray([0, 3])), ("float16", np.asarray([1, 2])), ("complex64", [1j, 2.5]),
    ("float64", np.asarray([True, False])), ("uint8", np.asarray([-1, 4], "int8"))])
def test_values_take_the_type_of_the_array(into, values):
    x = np.ones((2, 2), into)
    a = tt.asarray(np.ones((2, 2), into))
    x[:, 1] = values
    a[:, 1] = values
    same(a, x)


def test_values_of_another_kind_are_refused():
    for into, values in (("int64", [1.5]), ("int64", np.ones(3)), ("bool", np.ones(3)), ("float32", np.ones(3, "complex64"))):
        with pytest.raises(TypeError, match="astype"):
            tt.zeros(3, dtype=into)[:] = values
    with pytest.raises(OverflowError, match="300 does not fit into uint8"):
        tt.zeros(1, dtype="uint8")[:] = [300]
    x = tt.arange(3)
    with pytest.raises(TypeError, match="not deleted"):
        del x[0]
    with pytest.raises(TypeError, match="array"):
        x[0] = None
