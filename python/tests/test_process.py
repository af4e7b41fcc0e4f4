"""Threads, signals, fork and the end of the interpreter."""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import tutti as tt


def run(text):
    """A Python of its own: its output, or a failure with what it wrote."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_interpreter_ends_with_live_arrays():
    out = run("""
        import atexit, threading, numpy as np, tutti as tt
        x = tt.asarray(np.arange(100.0)) + 1          # pending, over memory of NumPy
        y = (tt.arange(100) * 2).evaluate()
        z = np.asarray(y)
        atexit.register(lambda: print(float(tt.sum(x))))
        tt.kept = [x, y, z]
        """)
    assert out == "5050.0\n"


def test_fork_after_use():
    out = run("""
        import os, tutti as tt
        x = (tt.arange(1000) + 1).evaluate()
        child = os.fork()
        if child == 0:
            ok = int(tt.sum(x * 2)) == 1001000
            os._exit(0 if ok else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(tt.sum(x)))
        """)
    assert out == "0 500500\n"


def test_daemon_threads_compute_while_the_interpreter_ends():
    """Python ends a thread that asks for its lock then; the process must end as usual."""
    for _ in range(4):
        run("""
            import threading, time, tutti as tt
            def work():
                while True:
                    tt.sum(tt.sin(tt.arange(200_000) * 0.1)).evaluate()
            for _ in range(2):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.15)
            """)


def test_everything_may_be_alive_at_the_end():
    run("""
        import sys, threading, numpy as np, tutti as tt
        class Owner(np.ndarray): pass
        x = tt.asarray(np.arange(100.0).view(Owner)) + 1
        s = tt.Seq([[1, 2], [3]])
        kept = []
        e = s.each(lambda r: kept.append(r) or r.sum())     # kept: a value of each()
        held = memoryview(tt.arange(5) * 2), tt.arange(3).__dlpack__(), np.from_dlpack(tt.arange(4) * 2)
        class Late:
            def __del__(self):
                try:
                    float(tt.sum(x))
                except Exception:
                    pass
        sys.late, late = Late(), Late()
        local = threading.local()
        local.x = tt.arange(5) + 2
        """)


def test_pools_of_processes():
    run("""
        import multiprocessing, tutti as tt
        x = (tt.arange(1000) * 2).evaluate()
        def work(i):
            return int(tt.sum(x + i)), tt.Seq([[i], []]).each(lambda r: r.sum()).tolist(), tt.nesl("sum([1, 2])")
        with multiprocessing.get_context("fork").Pool(3) as pool:
            for i, found in enumerate(pool.map(work, range(12))):
                assert found == (999000 + 1000 * i, [i, 0], 3), found
        """)


def test_a_child_of_a_computing_process_says_so():
    run("""
        import os, threading, time, tutti as tt
        stop = threading.Event()
        def work():
            while not stop.is_set():
                tt.sum(tt.sin(tt.arange(1_000_000) * 0.1)).evaluate()
        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.1)
        codes = set()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                try:
                    os._exit(0 if int(tt.sum(tt.arange(1000))) == 499500 else 1)
                except tt.Error as error:
                    os._exit(0 if "fork" in str(error) else 2)
            codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        thread.join()
        assert codes == {0}, codes
        """)


def test_an_interrupt_ends_a_long_computation_cleanly():
    out = run("""
        import os, signal, threading, tutti as tt
        signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
        def interrupt():
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        try:
            while True:
                tt.sum(tt.sin(tt.arange(1_000_000) * 0.1)).evaluate()
        except KeyboardInterrupt:
            print("interrupted", int(tt.sum(tt.arange(10))))
        """)
    assert out == "interrupted 45\n"


def test_threads_compute_together():
    x = tt.asarray(np.arange(50_000.0))
    expected = float(tt.sum(tt.sqrt(x)))
    wrong = []

    def work():
        for i in range(30):
            if float(tt.sum(tt.sqrt(x) + i)) < expected:
                wrong.append(i)
            del_me = tt.asarray(np.arange(100.0)) * i
            del del_me

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not wrong


def test_other_threads_run_while_one_computes():
    x = tt.asarray(np.random.default_rng(1).random((900, 900)))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    most = 0
    with tt.settings(reproducible=True):
        for _ in range(200):
            begin = time.perf_counter()
            (x @ x).evaluate()
            end = time.perf_counter()
            # With the lock held there could be one at the begin and one at the end.
            most = max(most, sum(begin < t < end for t in list(ticks)))
            if most > 2:
                break
    done.set()
    thread.join()
    assert most > 2


def test_out_of_memory_is_a_memory_error():
    with tt.settings(max_bytes=tt.statistics()["bytes_in_use"] + 1_000_000):
        with pytest.raises(MemoryError) as error:
            (tt.arange(10_000_000) * 2.5).evaluate()
        assert isinstance(error.value, tt.OutOfMemory)
    assert float(tt.sum(tt.ones(10))) == 10


def test_import_is_quick():
    """Not a benchmark: a module that NumPy or the network would be loaded by is found."""
    out = run("import sys, tutti; print('numpy' in sys.modules)")
    assert out == "False\n"


def test_command_line():
    done = subprocess.run([sys.executable, "-m", "tutti", "--cmake-dir"], capture_output=True,
                          text=True)
    assert done.returncode in (0, 1)
    assert os.path.basename(done.stdout.strip()) == "tutti" or "not from a wheel" in done.stderr



def test_a_program_of_cpp_from_the_wheel(tmp_path):
    found = subprocess.run([sys.executable, "-m", "tutti", "--cmake-dir"], capture_output=True, text=True)
    if found.returncode or not all(map(shutil.which, ("cmake", "c++"))):
        pytest.skip("the module is not from a wheel, or there is no compiler")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES CXX)\nfind_package(tutti REQUIRED)\n"
        "add_executable(user user.cpp)\ntarget_link_libraries(user PRIVATE tutti::tutti)\n")
    (tmp_path / "user.cpp").write_text(
        "#include <iostream>\n#include <tutti/tutti.hpp>\nint main() {\n"
        "  const tutti::Array<1, float> a(std::vector<float>{1, 2, 3});\n"
        "  const float total = tutti::sum(a * 2.0f);\n  std::cout << total;\n}\n")
    for command in (["cmake", "-S", ".", "-B", "build", f"-Dtutti_DIR={found.stdout.strip()}"],
                    ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([tmp_path / "build" / "user"], capture_output=True, text=True, timeout=60)
    assert done.stdout == "12", done.stdout + done.stderr


def test_threads_update_and_read_one_array():
    """Reading releases the interpreter lock; another thread may give the object other elements meanwhile."""
    run("""
        import threading, time, numpy as np, tutti as tt
        x, flag, keys = tt.zeros(2000), tt.asarray(True), tt.arange(0, 2000, 3)
        z = tt.asarray([1j] * 50)
        end, failures = time.monotonic() + 3, []
        def update():
            i = 0
            while time.monotonic() < end:
                i += 1
                x[...] = tt.arange(2000) * 1.0 + i
                x[5:10] = i
                z[...] = z * 1j
                flag[...] = tt.sum(tt.arange(100)) > 3
        def read():
            try:
                while time.monotonic() < end:
                    x[keys].evaluate(), x[x > 3].evaluate(), x[keys, None].evaluate(), x.at[keys].add(1).evaluate()
                    float(x[7]), x.tolist(), np.asarray(x), float(tt.sum(x)), tt.unique_values(x).evaluate()
                    tt.arange(5)[flag].evaluate(), bool(flag), z.tolist(), z[keys[:9]].evaluate()
                    tt.asarray(x, copy=True), tt.linalg.det(x[:4].reshape(2, 2)).evaluate()
            except Exception as error:
                failures.append(error)
        threads = [threading.Thread(target=f) for f in (update, update, read, read, read)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert not failures, failures[:2]
        """)


def test_without_numpy():
    out = run("""
        import sys
        sys.modules["numpy"] = None  # an ImportError for everybody
        import copy, pickle, tutti as tt
        x = tt.arange(6).reshape(2, 3)
        print(x, x[x > 2], tt.median(x), tt.linspace(0, 1, 3))
        for y in (x, tt.asarray(3.5), tt.zeros((0, 3)), tt.asarray([1j])):
            again = pickle.loads(pickle.dumps(y))
            assert (again.tolist(), again.shape, again.dtype) == (y.tolist(), y.shape, y.dtype)
            assert copy.deepcopy(y).tolist() == y.tolist()
        for f in (x.numpy, lambda: tt.hanning(3), lambda: tt.random.default_rng(1).poisson(2.0)):
            try:
                f()
            except (ImportError, AttributeError) as error:
                print(type(error).__name__, "NumPy" in str(error) or "poisson" in str(error))
        """)
    assert out == ("[[0, 1, 2], [3, 4, 5]] [3, 4, 5] 2.5 [0.0, 0.5, 1.0]\n"
                   "ImportError True\nAttributeError True\nAttributeError True\n")
