"""Ragged sequences, and NESL."""

import gc
import sys
import threading

import numpy as np
import pytest
from compare import same

import tutti as tt
from tutti import _core

ROWS = [[3.0, 1.0, 2.0], [], [5.0], [4.0, 4.0]]


def test_lists_and_back():
    assert tt.Seq(ROWS).tolist() == ROWS
    deep = [[[1], [2, 3]], [], [[]], [[4]]]
    assert tt.Seq(deep).tolist() == deep
    assert tt.Seq(deep).depth == 3
    assert tt.Seq([]).tolist() == []
    assert len(tt.Seq([[]])) == 1


def test_reductions():
    s = tt.Seq(ROWS)
    assert s.sum().tolist() == [6, 0, 5, 8]
    assert s.max().tolist()[0] == 3
    assert s.lengths.tolist() == [3, 0, 1, 2]
    assert s.argmin().tolist() == [1, -1, 0, 0]
    assert tt.Seq([[[1], [2, 3]], []]).sum().tolist() == [[1, 5], []]


def test_each():
    s = tt.Seq(ROWS)
    assert s.each(lambda x: x + 1).tolist() == [[4, 2, 3], [], [6], [5, 5]]
    assert s.each(lambda x, y: x * y, s).tolist() == [[9, 1, 4], [], [25], [16, 16]]
    assert s.each(lambda x, row: x - row, tt.arange(4)).tolist()[3] == [1, 1]
    assert s.sort().tolist() == [[1, 2, 3], [], [5], [4, 4]]
    assert s.cumulative_sum().tolist() == [[3, 4, 6], [], [5], [4, 8]]
    assert s[1:3].tolist() == [[], [5]]
    assert s[0].tolist() == ROWS[0]
    assert s.each(lambda x: tt.sum(x)).tolist() == [6, 0, 5, 8]
    with pytest.raises(ValueError):
        s.each(lambda x, y: x, tt.Seq([[1.0]]))


def test_no_setting_changes_while_another_thread_looks():
    s, looks, done = tt.Seq(ROWS * 50), [], threading.Event()

    def look():
        while not done.is_set():
            looks.append(_core.settings()["checks"])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=look)
    thread.start()
    try:
        while len(looks) < 40_000:
            s.argmin()
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()
    assert all(looks)
    assert s.argmax().tolist()[:4] == [0, -1, 0, 0]


def test_offsets_and_content_are_not_copied():
    content, offsets = np.arange(6.0), np.array([0, 2, 6])
    s = tt.Seq(offsets=offsets, content=content)
    assert np.asarray(s.content).ctypes.data == content.ctypes.data
    assert s.sum().tolist() == [1, 14]
    for wrong in ([0, 9], [3, 1], [-1, 2], []):
        with pytest.raises(ValueError):
            tt.Seq(offsets=np.array(wrong, dtype="int64"), content=content)


def test_nesl():
    assert tt.nesl("{a * a : a in [1, 2, 3]}") == [1, 4, 9]
    assert tt.nesl("(1, 2.5, t)") == (1, 2.5, True)
    assert tt.nesl("name ++ \"!\"", name="all") == "all!"
    assert tt.nesl("name", name="año €") == "año €" == tt.nesl('"año €"')
    assert tt.nesl("{c : c in name}", name="é") == "é" and len(tt.nesl("name[0]", name="é")) == 1
    assert tt.nesl("function g(x) = x + 1 $ {g(x) : x in xs}", xs=tt.arange(3)) == [1, 2, 3]
    with pytest.raises(tt.NeslError, match="line 1"):
        tt.nesl("1 + t")
    with pytest.raises(OverflowError):
        tt.nesl("x", x=2 ** 40)
    same(tt.asarray(tt.nesl("[1.5]")), np.asarray([1.5]))


def test_notebooks():
    class Shell:
        user_ns = {"xs": [1, 2, 3], "other": object()}

        def register_magic_function(self, function, magic_kind, magic_name):
            self.run = function
            assert (magic_kind, magic_name) == ("line_cell", "nesl")

    shell = Shell()
    tt.load_ipython_extension(shell)
    assert shell.run("sum(xs)") == 6
    assert shell.run("", "{x * 2 : x in xs}") == [2, 4, 6]


def test_a_real_notebook_shell():
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell()
    try:
        shell.run_line_magic("load_ext", "tutti")
        shell.user_ns.update(xs=[1, 2, 3], array=tt.arange(4), rows=tt.Seq([[1, 2], [3]]), np_array=np.arange(3))
        assert shell.run_line_magic("nesl", "sum(xs)") == 6
        assert shell.run_cell_magic("nesl", "", "{x * 2 : x in array}") == [0, 2, 4, 6]
        assert shell.run_line_magic("nesl", "{sum(row) : row in rows}") == [3, 3]
        assert shell.run_line_magic("nesl", "sum(np_array)") == 3
        with pytest.raises(tt.NeslError, match="line 1"):
            shell.run_line_magic("nesl", "1 + t")
    finally:
        InteractiveShell.clear_instance()


def test_what_has_no_counterpart():
    awkward, pyarrow = pytest.importorskip("awkward"), pytest.importorskip("pyarrow")
    for wrong in (awkward.Array([1, 2]), awkward.Array([["a"]]), awkward.Array([[1, None]]), awkward.Array([{"x": 1}]),
                  awkward.Array([[1], None])):
        with pytest.raises(TypeError):
            tt.Seq.from_awkward(wrong)
    for wrong, error in ((pyarrow.array([1, 2]), TypeError), (pyarrow.array([["a"]]), TypeError),
                         (pyarrow.array([[None, 1]]), ValueError)):
        with pytest.raises(error):
            tt.Seq.from_arrow(wrong)


def test_nothing_is_copied_there_and_back():
    awkward, pyarrow = pytest.importorskip("awkward"), pytest.importorskip("pyarrow")

    def address(x):
        return np.asarray(x).ctypes.data

    theirs = awkward.Array([[1.5, 2.5], [], [3.5]])
    mine = tt.Seq.from_awkward(theirs)
    back = mine.to_awkward()
    assert address(theirs.layout.content.data) == address(mine.content) == address(back.layout.content.data)
    assert address(theirs.layout.offsets.data) == address(mine.offsets) == address(back.layout.offsets.data)
    theirs = pyarrow.array([[1.5, 2.5], [], [3.5]], type=pyarrow.large_list(pyarrow.float64()))
    mine = tt.Seq.from_arrow(theirs)
    back = mine.to_arrow()
    assert theirs.values.buffers()[1].address == address(mine.content) == back.values.buffers()[1].address
    assert theirs.buffers()[1].address == address(mine.offsets) == back.buffers()[1].address


def test_awkward_both_ways():
    awkward = pytest.importorskip("awkward")
    rows = [[[1.5], [2.5, 3.5]], [], [[]]]
    theirs = awkward.Array(rows)
    mine = tt.Seq.from_awkward(theirs)
    assert mine.tolist() == rows
    assert mine.to_awkward().tolist() == rows
    flat = awkward.Array([[1, 2], [], [3]])
    content = np.asarray(flat.layout.content.data)
    assert np.asarray(tt.Seq.from_awkward(flat).content).ctypes.data == content.ctypes.data
    assert tt.Seq.from_awkward(flat[::-1]).tolist() == [[3], [], [1, 2]]
    assert tt.Seq.from_awkward(flat[1:]).tolist() == [[], [3]]
    assert tt.Seq.from_awkward(awkward.Array([[], []])).tolist() == [[], []]
    assert tt.Seq.from_awkward(awkward.Array(np.zeros((2, 3)))).tolist() == [[0.0] * 3] * 2
    assert tt.Seq.from_awkward(theirs[[2, 0]]).tolist() == [rows[2], rows[0]]
    assert tt.Seq.from_awkward(theirs[:1, 1:]).tolist() == [[[2.5, 3.5]]]


def test_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    rows = [[1, 2], [], [3]]
    assert tt.Seq.from_arrow(pyarrow.array(rows)).tolist() == rows
    assert tt.Seq.from_arrow(pyarrow.array(rows)[1:]).tolist() == rows[1:]
    assert tt.Seq.from_arrow(pyarrow.array([rows, []])).tolist() == [rows, []]
    assert tt.Seq([rows, []]).to_arrow().to_pylist() == [rows, []]
    with pytest.raises(ValueError):
        tt.Seq.from_arrow(pyarrow.array([[1], None]))


def test_operators():
    s, lengths = tt.Seq(ROWS), [3, 0, 1, 2]

    def rows(f):
        return [[f(x, i) for x in row] for i, row in enumerate(ROWS)]

    assert (s * 2 + 1).tolist() == rows(lambda x, i: x * 2 + 1)
    assert (1 - s).tolist() == rows(lambda x, i: 1 - x)
    assert (s * s).tolist() == (s * tt.Seq(ROWS)).tolist() == rows(lambda x, i: x * x)
    for other in (tt.asarray(lengths), lengths, np.asarray(lengths)):
        assert (s * other).tolist() == (other * s).tolist() == rows(lambda x, i: x * lengths[i])
    assert (-s).tolist() == rows(lambda x, i: -x) and abs(-s).tolist() == ROWS
    assert (s > 2).tolist() == rows(lambda x, i: x > 2)
    assert (~(s > 2) | (s == 5)).tolist() == rows(lambda x, i: x <= 2 or x == 5)
    assert (s != s).any().tolist() == [False] * 4
    assert np.sqrt(s * s).tolist() == ROWS and np.maximum(s, 2.0).tolist() == rows(lambda x, i: max(x, 2.0))
    deep = tt.Seq([[[1], [2, 3]], [], [[]]])
    assert (deep + 1).tolist() == (deep + deep - deep + 1).tolist() == [[[2], [3, 4]], [], [[]]]
    for wrong in (lambda: s + tt.Seq([[1.0]]), lambda: s + tt.arange(3), lambda: bool(s)):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: tt.sin(s), lambda: np.asarray(s), lambda: s + "a", lambda: hash(s), lambda: np.add.reduce(s)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError, match="each"):
        tt.sin(s)


def test_programs_of_nesl_leave_nothing():
    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def calls(count):
        for i in range(count):
            program = f"function fib(n) = if n < 2 then n else fib(n-1) + fib(n-2); sum({{fib(a) + {i} - {i} : a in rows}})"
            assert tt.nesl(program, rows=[5, 6]) == 13

    calls(60)
    before = resident()
    calls(120)
    assert resident() - before < 500_000  # 4 KB a call: half of a function that refers to itself


def test_rows_by_indices_and_flags():
    s = tt.Seq(ROWS)
    for key in ([2, 0, 0], tt.asarray([2, 0, 0]), np.asarray([-2, 0, -4])):
        assert s[key].tolist() == [ROWS[2], ROWS[0], ROWS[0]]
    assert s[[]].tolist() == [] and s[s.lengths > 1].tolist() == [ROWS[0], ROWS[3]]
    assert s[::-1].tolist() == ROWS[::-1] and s[1::2].tolist() == ROWS[1::2]
    assert s[s > 2].tolist() == [[3], [], [5], [4, 4]]
    assert s[tt.Seq([[2], [], [], [0, 0]])].tolist() == [[2], [], [], [4, 4]]
    deep = [[[1], [2, 3]], [], [[], [4]]]
    assert tt.Seq(deep)[[2, 0]].tolist() == [deep[2], deep[0]]
    same(s.mean(), np.asarray([2, np.nan, 5, 4]))
    assert tt.Seq(deep).mean().tolist()[0] == [1, 2.5]
    assert tt.Seq([[0, 2], [], [1]]).all().tolist() == [False, True, True]
    with pytest.raises(IndexError, match="out of range"):
        s[[4]]
    with pytest.raises(IndexError, match="vector"):
        s[[[0]]]


def test_arrow_lists_of_all_kinds():
    pa = pytest.importorskip("pyarrow")
    fixed = pa.array([[1, 2], [3, 4], [5, 6]], type=pa.list_(pa.int32(), 2))
    assert tt.Seq.from_arrow(fixed).tolist() == fixed.tolist()
    assert tt.Seq.from_arrow(fixed[1:]).tolist() == fixed[1:].tolist()
    assert tt.Seq.from_arrow(pa.chunked_array([[[1, 2]], [[], [3]]])).tolist() == [[1, 2], [], [3]]
    flags = pa.array([[True], [], [False, True]])
    assert tt.Seq.from_arrow(flags).tolist() == flags.tolist() and tt.Seq.from_arrow(flags).dtype == tt.bool
    assert pa.array(tt.Seq(ROWS)).tolist() == ROWS
    assert pa.array(tt.arange(3)).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="one axis"):
        pa.array(tt.ones((2, 2)))
    for missing in (pa.array([[1], None]), pa.array([[1, None]]), pa.array([[1, None]], type=pa.list_(pa.int32(), 2))):
        with pytest.raises(ValueError, match="missing"):
            tt.Seq.from_arrow(missing)
