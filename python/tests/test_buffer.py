"""The buffer protocol: elements read where they are, never written, kept while they are read."""

import array
import ctypes
import gc
import io
import sys

import numpy as np
import pytest
from compare import same

import tutti as tt

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_memoryview_is_the_memory_of_numpy(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    view = memoryview(tt.asarray(x))
    assert view.readonly and view.shape == (2, 3) and view.itemsize == x.itemsize
    assert view.format == x.dtype.char and view.strides == x.strides and view.c_contiguous
    assert view.tobytes() == x.tobytes() and view.nbytes == x.nbytes
    again = np.asarray(view)
    assert again.ctypes.data == x.ctypes.data and again.dtype.type is x.dtype.type


def test_what_reads_buffers():
    x = np.arange(5.0)
    a = tt.asarray(x) * 2
    assert bytes(a) == (x * 2).tobytes()
    assert bytearray(a) == (x * 2).tobytes()
    assert np.array_equal(np.frombuffer(a, dtype=np.float64), x * 2)
    assert array.array("d", bytes(a)).tolist() == a.tolist()
    file = io.BytesIO()
    file.write(a)
    assert file.getvalue() == bytes(a)
    assert int.from_bytes(tt.asarray([1, 2], dtype=tt.uint8), "little") == 0x201
    same(tt.asarray(memoryview(a)), x * 2)


def test_pending_and_transposed_arrays_are_computed():
    a = tt.reshape(tt.arange(6), (2, 3))
    view = memoryview((a + 1).T)
    assert view.tolist() == [[1, 4], [2, 5], [3, 6]] and view.c_contiguous


def test_rank_0_and_empty_arrays():
    assert memoryview(tt.asarray(2.5)).tolist() == 2.5
    empty = memoryview(tt.zeros((0, 3)))
    assert empty.shape == (0, 3) and empty.nbytes == 0 and bytes(tt.zeros(0)) == b""


def test_buffers_are_read_only():
    a = tt.arange(3) + 1
    with pytest.raises(TypeError):
        memoryview(a)[0] = 5
    assert not np.asarray(a).flags.writeable
    with pytest.raises((BufferError, TypeError)):
        io.BytesIO(b"abcdefgh").readinto(a)
    with pytest.raises(TypeError):
        (ctypes.c_char * 8).from_buffer(a)
    assert a.tolist() == [1, 2, 3]


def test_elements_outlive_the_array():
    view = memoryview(tt.arange(1000) * 2)
    gc.collect()
    tt.evaluate(*[tt.arange(1000) + i for i in range(8)])  # others that could reuse the memory
    assert view[999] == 1998


def test_an_update_does_not_reach_a_buffer():
    a = (tt.arange(4) * 1).evaluate()
    view = memoryview(a)
    a[0] = 100
    a.evaluate()
    assert view.tolist() == [0, 1, 2, 3] and a.tolist() == [100, 1, 2, 3]


def test_the_memory_of_others_is_kept_by_a_buffer():
    x = np.arange(5.0)
    count = sys.getrefcount(x)
    view = memoryview(tt.asarray(x))
    assert sys.getrefcount(x) > count
    view.release()
    gc.collect()
    tt.zeros(1)  # frees what was left to the holder of the lock
    assert sys.getrefcount(x) == count


def test_many_buffers_do_not_grow():
    a = (tt.arange(1000) * 1.5).evaluate()

    def export():
        for _ in range(2000):
            with memoryview(a) as view:
                view[0]
            with pytest.raises(TypeError):
                (ctypes.c_char * 8).from_buffer(a)  # asks for a buffer to write to

    used = tt.statistics()["bytes_in_use"]
    export()
    count = sys.getrefcount(a)
    export()
    gc.collect()
    assert sys.getrefcount(a) == count and tt.statistics()["bytes_in_use"] == used


def test_an_index_is_an_integer_of_rank_0():
    assert [10, 20, 30][tt.asarray(1)] == 20
    for wrong in (tt.asarray([1]), tt.asarray(1.0), tt.asarray(True), tt.arange(3)):
        with pytest.raises(TypeError):
            [10, 20, 30][wrong]


def test_errors_of_the_computation_are_raised():
    a = tt.arange(10_000_000) * 2.5
    with tt.settings(max_bytes=tt.statistics()["bytes_in_use"] + 1_000_000):
        with pytest.raises(MemoryError):
            memoryview(a)

    @tt.program
    def reads(x):
        return x + bytes(x)[0]

    with pytest.raises(TypeError):
        reads(tt.arange(3))
