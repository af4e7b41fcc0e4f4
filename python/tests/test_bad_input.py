"""What cannot be: an exception that fits, with a text that helps, and nothing that is left behind."""

import ctypes
import gc

import numpy as np
import pytest

import tutti as tt


def released():
    view = memoryview(bytearray(b"abcdefgh"))
    view.release()
    return tt.asarray(view)


def used_twice():
    capsule = np.arange(3.0).__dlpack__()
    tt.from_dlpack(capsule)
    tt.from_dlpack(capsule)


class Exporter:
    """Another library, with a device and what its __dlpack__() does."""

    def __init__(self, device, export):
        self.device, self.export = device, export

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **arguments):
        return self.export()


def refuse():
    raise BufferError("refused by its owner")


class Lying(list):
    """A list with other items than its length says, from a certain reading on."""

    def __init__(self, items, length, truthful):
        super().__init__(items)
        self.length, self.truthful = length, truthful

    def __len__(self):
        return self.length

    def __iter__(self):
        self.truthful -= 1
        return iter(range(self.length) if self.truthful >= 0 else self[:])


def holds_itself():
    rows = []
    rows.append(rows)
    return rows


@tt.program
def unfinished(x):
    return x + missing_name  # noqa: F821


CASES = {
    "a list that is too short": (lambda: tt.asarray(Lying([1, 2], 1000, 0)), ValueError, "other items"),
    "a list that becomes shorter": (lambda: tt.asarray(Lying([1, 2], 1000, 1)), ValueError, "other items"),
    "a list that becomes longer": (lambda: tt.asarray(Lying([0] * 5000, 3, 1)), ValueError, "other items"),
    "a version of DLPack": (lambda: tt.arange(3).__dlpack__(max_version="x"), TypeError, "pair"),
    "big-endian": (lambda: tt.asarray(np.arange(3.0).astype(">f8")), TypeError, ">f8.*big-endian"),
    "text": (lambda: tt.asarray(np.array(["a"])), TypeError, "convert"),
    "objects": (lambda: tt.asarray(np.array([object()])), TypeError, "convert"),
    "long double": (lambda: tt.asarray(np.ones(2, "g")), TypeError, "convert"),
    "records": (lambda: tt.asarray(np.zeros(2, [("x", "f4")])), TypeError, "convert"),
    "dates": (lambda: tt.asarray(np.array(["2020"], "M8[D]")), TypeError, "convert"),
    "nine axes": (lambda: tt.asarray(np.zeros((1,) * 9)), ValueError, "at most 8"),
    "ragged lists": (lambda: tt.asarray([[1], [2, 3]]), ValueError, "Seq"),
    "mixed lists": (lambda: tt.asarray([1, "a"]), TypeError, "elements of lists"),
    "a dead owner": (released, ValueError, "released"),
    "a capsule used twice": (used_twice, ValueError, "used once"),
    "no capsule": (lambda: tt.from_dlpack(Exporter((1, 0), lambda: 42)), ValueError, "no tensor"),
    "an owner that refuses": (lambda: tt.from_dlpack(Exporter((1, 0), refuse)), BufferError, "refused by its owner"),
    "a foreign stream": (lambda: tt.arange(3).__dlpack__(stream=7), ValueError, "no stream 7 on cpu"),
    "another device": (lambda: tt.arange(3).__dlpack__(dl_device=(10, 0)), BufferError, "type 10"),
    "half a device": (lambda: tt.arange(3).__dlpack__(dl_device=(1,)), ValueError, "pair"),
    "no such device": (lambda: tt.use("tpu"), tt.DeviceError, "no device 'tpu'"),
    "an array for no device": (lambda: tt.zeros(3, device="gpu"), ValueError, "devices"),
    "shapes": (lambda: tt.zeros(3) + tt.zeros(4), ValueError, r"\{3\} and \{4\}"),
    "an axis": (lambda: tt.sum(tt.zeros(3), axis=3), IndexError, "axis 3"),
    "a negative extent": (lambda: tt.zeros(-1), ValueError, "negative"),
    "a huge shape": (lambda: tt.zeros((2 ** 40, 2 ** 40)), ValueError, "more elements"),
    "a huge integer": (lambda: tt.asarray(2 ** 70), OverflowError, "does not fit"),
    "a setting": (lambda: tt.settings(nonsense=1), ValueError, "nonsense"),
    "the type of a setting": (lambda: tt.settings(threads="many"), TypeError, "'threads' does not take 'many'"),
    "a type": (lambda: tt.zeros(2, dtype="float128"), TypeError, "float128"),
    "an index array": (lambda: tt.arange(3)[tt.asarray([5])], IndexError, "out of range"),
    "an index of text": (lambda: tt.arange(3)["a"], IndexError, "not <class 'str'>"),
    "a mask": (lambda: tt.arange(3)[tt.asarray([True])], IndexError, "flags"),
    "a float for integers": (lambda: tt.arange(3).at[0].set(1.5), TypeError, "astype"),
    "too many values": (lambda: tt.arange(3).at[0:2].set([1, 2, 3]), ValueError, "broadcast"),
    "a number of many": (lambda: float(tt.arange(3)), TypeError, "one element"),
    "a product": (lambda: tt.ones((2, 3)) @ tt.ones((2, 3)), ValueError, "columns"),
    "a buffer to write to": (lambda: (ctypes.c_char * 8).from_buffer(tt.arange(3)), TypeError, "not writable"),
    "NESL": (lambda: tt.nesl("1 +"), tt.NeslError, "line 1"),
    "an index in NESL": (lambda: tt.nesl("[1, 2][5]"), tt.NeslError, "no element 5"),
    "where without y": (lambda: tt.where(tt.ones(2) > 0, 1), ValueError, "both, or neither"),
    "None in a function": (lambda: tt.sin(None), TypeError, "was expected"),
    "None in a function of two": (lambda: tt.add(tt.ones(2), None), TypeError, "arrays or numbers"),
    "the class of arrays": (lambda: tt.Array([1]), TypeError, "tt.asarray"),
    "complex parts without a copy": (lambda: tt.asarray([1j]).__dlpack__(copy=False), BufferError, "needs a copy"),
    "a range without end": (lambda: tt.arange(2**70), ValueError, "more than an array"),
    "no intervals": (lambda: tt.histogram(tt.ones(2), 0), ValueError, "at least one"),
    "counts of floats": (lambda: tt.bincount([1.5]), TypeError, "integers are counted"),
    "a row of a Seq": (lambda: tt.Seq([[1], [2]])[2], IndexError, "no row 2 among 2"),
    "a name of a row": (lambda: tt.Seq([[1]])["a"], TypeError, "rows are named by"),
    "a list that holds itself": (lambda: tt.nesl("x", x=holds_itself()), RecursionError, "nesl"),
    "a value for NESL": (lambda: tt.nesl("x", x=object()), TypeError, "values are"),
    "offsets": (lambda: tt.Seq(offsets=[0, 5], content=[1]), ValueError, "ascend"),
    "a Seq of numbers": (lambda: tt.Seq([1, 2]), TypeError, "rows"),
    "a Seq of unequal depth": (lambda: tt.Seq([[1], [[2]]]), ValueError, "depth"),
    "a name in a program": (lambda: unfinished(tt.arange(3)), NameError, "missing_name"),
    "a program without a result": (lambda: tt.program(lambda x: None)(tt.arange(3)), TypeError, "gives None"),
    "a program that reads": (lambda: tt.program(lambda x: float(x))(tt.arange(3)), TypeError, "where"),
    "an argument too few": (lambda: tt.program(lambda x, y: x)(tt.arange(3)), TypeError, "missing"),
    "if_ for an array": (lambda: tt.if_(tt.arange(3) > 1, 1, 2), tt.Error, "@tt.program"),
    "reshape": (lambda: tt.reshape(tt.arange(6), (4,)), ValueError, "6 elements"),
    "an order of complex numbers": (lambda: tt.asarray([1j]) < 2, TypeError, "complex"),
    "explain": (lambda: tt.explain(5), TypeError, "not int"),
    "evaluate": (lambda: tt.evaluate("x"), TypeError, "not str"),
    "a seed for a key": (lambda: tt.random.uniform(3, 5), TypeError, "Key"),
    "no GPU": (lambda: tt.arange(3).__cuda_array_interface__, AttributeError, "not on a GPU"),
}


@pytest.mark.parametrize("name", CASES)
def test_an_exception_that_fits(name):
    work, error, text = CASES[name]
    with pytest.raises(error, match=text):
        work()
    assert tt.sum(tt.arange(10)).tolist() == 45


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_many_repetitions_leave_nothing():
    def rounds(count):
        for _ in range(count):
            for work, error, _ in CASES.values():
                with pytest.raises(error):
                    work()

    rounds(15)
    gc.collect()
    used, before = tt.statistics()["bytes_in_use"], resident()
    rounds(60)
    gc.collect()
    assert tt.statistics()["bytes_in_use"] == used
    assert resident() - before < 8_000_000  # 3,000 errors: an array or a frame each would be more
