"""Memory shared with other libraries: nothing copied, nothing written, nothing kept too long."""

import array
import ctypes
import gc
import sys
import weakref

import numpy as np
import pytest
from compare import same

import tutti as tt


def address(x):
    return np.asarray(x).ctypes.data


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                   "uint32", "uint64", "float16", "float32", "float64"])
def test_numpy_arrays_are_shared_both_ways(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    a = tt.asarray(x)
    assert a.dtype == x.dtype and address(a) == x.ctypes.data
    back = np.from_dlpack(a)
    assert back.ctypes.data == x.ctypes.data
    same(a, x)


@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x[::2], lambda x: x[:, 1:3],
                                  lambda x: x[::-1, ::-2], lambda x: x[1], lambda x: x[:, None],
                                  lambda x: np.broadcast_to(x[0], (3, 5)),
                                  lambda x: np.lib.stride_tricks.sliding_window_view(x[0], 3)])
def test_any_strides_are_viewed(view):
    x = np.arange(20.0).reshape(4, 5)
    before = tt.statistics()["bytes_in_use"]
    a = tt.asarray(view(x))
    assert tt.statistics()["bytes_in_use"] == before
    same(a * 2, view(x) * 2)
    same(a, view(x))


def test_results_are_read_only_for_numpy():
    a = tt.arange(3) + 1
    x = np.asarray(a)
    assert not x.flags.writeable and address(a) == x.ctypes.data
    with pytest.raises(ValueError):
        x[0] = 5
    copy = np.array(a)
    copy[0] = 5
    assert a.tolist() == [1, 2, 3]
    assert np.asarray(a, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError):
        np.asarray(a, dtype="float32", copy=False)


def test_elements_outlive_the_array():
    x = np.asarray(tt.arange(1000) * 2)
    gc.collect()
    tt.evaluate(*[tt.arange(1000) + i for i in range(8)])  # others that could reuse the memory
    assert x[999] == 1998


def test_owners_live_as_long_as_they_are_needed():
    class Owner(np.ndarray):
        pass

    x = np.arange(5.0).view(Owner)
    watch = weakref.ref(x)
    pending = tt.asarray(x) + 1
    del x
    gc.collect()
    assert watch() is not None
    assert pending.tolist() == [1, 2, 3, 4, 5]
    del pending
    gc.collect()
    assert watch() is None


def test_buffers():
    numbers = array.array("f", [1, 2, 3])
    same(tt.asarray(numbers), np.asarray(numbers))
    same(tt.asarray(b"abc"), np.frombuffer(b"abc", "uint8"))
    same(tt.asarray(memoryview(b"abcd")[::2]), np.frombuffer(b"ac", "uint8"))
    x = np.arange(3)
    x.flags.writeable = False
    a = tt.asarray(x)
    same(a + 1, x + 1)
    assert address(a) == x.ctypes.data


@pytest.mark.parametrize("kind", ["c_bool", "c_int8", "c_int16", "c_int", "c_long", "c_uint8", "c_uint16", "c_uint",
                                  "c_ulong", "c_float", "c_double"])
def test_arrays_of_ctypes_name_no_strides(kind):
    kind = getattr(ctypes, kind)
    x = (kind * 3 * 2)((1, 2, 3), (0, 5, 6))
    a = tt.asarray(x)
    same(a, np.ctypeslib.as_array(x))
    assert address(a) == ctypes.addressof(x)
    same(tt.asarray((kind * 0)()), np.ctypeslib.as_array((kind * 0)()))


def test_elements_at_odd_addresses_are_copied():
    packed = np.zeros(3, np.dtype([("flag", "u1"), ("value", "f8"), ("z", "c16"), ("pair", "f4", 2)]))
    packed["value"], packed["z"], packed["pair"] = [1, 2, 3], [1j, 2, 3], 5
    for name in ("flag", "value", "z", "pair"):
        same(tt.asarray(packed[name]), packed[name])
    odd = np.frombuffer(bytes(range(17)), "u1")[1:].view("i8")
    same(tt.asarray(odd), odd)
    with pytest.raises(TypeError, match=">f8"):
        tt.asarray(np.zeros(3, np.dtype([("flag", "u1"), ("value", ">f8")]))["value"])


def test_arrays_are_weakly_referenced():
    x = tt.arange(3)
    watch = weakref.ref(x)
    assert watch() is x
    del x
    gc.collect()
    assert watch() is None


def test_memory_that_only_numpy_is_told_of():
    """As images of Pillow describe theirs."""
    class Image:
        __array_interface__ = {"shape": (2, 3), "typestr": "|u1", "data": bytes(range(6)), "version": 3}

    same(tt.asarray(Image()), np.arange(6, dtype="u1").reshape(2, 3))


def test_what_cannot_be_viewed():
    for wrong in (np.arange(3, dtype=">f4"), np.array(["a"]), np.ones(2, dtype="g"), np.array([None]),
                  np.zeros(2, dtype=[("x", "f4")]), object(), {}, "text", None):
        with pytest.raises(TypeError):
            tt.asarray(wrong)
    with pytest.raises(ValueError, match="Seq"):
        tt.asarray([[1, 2], [3]])
    with pytest.raises((ValueError, TypeError)):
        tt.asarray(np.zeros((1,) * 9))


def test_capsules_are_used_once():
    capsule = np.arange(3.0).__dlpack__()
    assert tt.from_dlpack(capsule).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="used before"):
        tt.from_dlpack(capsule)
    mine = tt.arange(3).__dlpack__(max_version=(1, 0))
    del mine  # not used: its deleter runs
    with pytest.raises(TypeError):
        tt.from_dlpack(3)


class Exporter:
    """Another library: notes how it was asked."""

    def __init__(self, device, versions=True):
        self.device, self.versions, self.asked = device, versions, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **arguments):
        self.asked.append(arguments)
        if not self.versions and "max_version" in arguments:
            raise TypeError("unknown argument")
        return np.arange(3.0).__dlpack__(**{k: v for k, v in arguments.items() if k != "stream"})


def test_how_other_libraries_are_asked():
    new, old = Exporter((1, 0)), Exporter((1, 0), versions=False)
    assert tt.from_dlpack(new).tolist() == tt.from_dlpack(old).tolist() == [0, 1, 2]
    assert new.asked == [{"max_version": (1, 0)}]
    assert old.asked == [{"max_version": (1, 0)}, {}]

    class Broken(Exporter):
        def __dlpack__(self, **arguments):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        tt.asarray(Broken((1, 0)))


def test_copies_on_request():
    x = np.arange(3.0)
    a = tt.asarray(x, copy=True)
    x[0] = 100
    assert a.tolist() == [0, 1, 2]
    with pytest.raises(ValueError):
        tt.asarray([1], copy=False)
    same_object = tt.asarray(a, copy=False)
    other = tt.asarray(a, copy=True)
    a[0] = 9
    assert same_object is a and other.tolist() == [0, 1, 2]


def test_pickle_and_copy():
    import copy
    import pickle
    a = tt.arange(4) * 3
    same(pickle.loads(pickle.dumps(a)), np.arange(4) * 3)
    same(copy.deepcopy(a), np.arange(4) * 3)


def test_many_repetitions_do_not_grow():
    x = np.arange(1000.0)

    def round_trip():
        for _ in range(2000):
            np.from_dlpack(tt.asarray(x)[::2] + 1)

    round_trip()
    gc.collect()
    count, used = sys.getrefcount(x), tt.statistics()["bytes_in_use"]
    round_trip()
    gc.collect()
    assert sys.getrefcount(x) == count
    assert tt.statistics()["bytes_in_use"] == used


def test_errors_do_not_grow():
    x = np.arange(10.0)
    count = sys.getrefcount(x)
    for _ in range(500):
        with pytest.raises(ValueError):
            tt.asarray(x) + tt.zeros(3)
        with pytest.raises(IndexError):
            tt.asarray(x)[20]
    gc.collect()
    assert sys.getrefcount(x) == count
