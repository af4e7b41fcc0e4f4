"""Ctrl-C while Tutti computes: KeyboardInterrupt soon, and every array as it was.

Each text runs in a Python of its own and sends itself a signal. A computation that is not stopped
takes much longer than the test may."""

import subprocess
import sys
import textwrap

import pytest

BEGIN = """
    import os, signal, threading, time
    import numpy as np, tutti as tt

    # Processes that a shell starts in the background ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def stopped(work, delay=0.2):
        '''Whether work() ends by an interrupt that is sent while it computes.'''
        sender = threading.Timer(delay, lambda: os.kill(os.getpid(), signal.SIGINT))
        sender.start()
        finished = False
        try:
            work()
            finished = True
            sender.join()  # the signal of work that ends earlier comes here
            time.sleep(0.1)
        except KeyboardInterrupt:
            pass
        return not finished

    @tt.program
    def slow(x, rounds):
        step = lambda a, k: (tt.sin(a) + x, k + 1)
        a, k = tt.while_(lambda a, k: k < rounds, step, x, 0)
        return a

    x = np.linspace(0.0, 1.0, 200_000)
    """


def run(text, timeout=60):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(BEGIN) + textwrap.dedent(text)],
                          capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_plan_of_many_steps():
    out = run("""
        x = np.linspace(0.0, 1.0, 2_000_000)

        def steps(count):
            a = tt.asarray(x)
            for i in range(count):
                a = tt.cumulative_sum(a) * 1e-7 + tt.sin(a)
            return a

        few = np.asarray(steps(4))
        long = steps(600)
        print(stopped(long.evaluate))
        print(np.array_equal(tt.asarray(x), x), np.array_equal(steps(4), few))
        """)
    assert out == "True\nTrue True\n"


def test_one_long_kernel_and_its_result_afterwards():
    out = run("""
        a = tt.asarray(x) + 0.0
        expected = slow(a, 300).tolist()
        a = (tt.asarray(x) + 0.0).evaluate()
        rounds = tt.asarray(20_000)
        print(stopped(lambda: slow(a, rounds).evaluate()))
        print(slow(a, 300).tolist() == expected)
        """)
    assert out == "True\nTrue\n"


def test_inputs_that_only_the_result_needs_survive():
    """A result may be written over an input that is not needed any more, but not half of it."""
    out = run("""
        def made():
            return slow((tt.asarray(x) + 0.5).evaluate(), 4_000)   # the graph alone holds the input

        expected = made().tolist()
        again = made()
        stopped(again.evaluate, delay=0.1)
        print(again.tolist() == expected)
        """)
    assert out == "True\n"


def test_numpy_asks_once():
    out = run("""
        a = slow(tt.asarray(x), 20_000)
        print(stopped(lambda: np.asarray(a)), stopped(lambda: memoryview(a)))
        print(tt.arange(3).tolist(), np.asarray(tt.arange(3)).tolist())
        """)
    assert out == "True True\n[0, 1, 2] [0, 1, 2]\n"


@pytest.mark.parametrize("program", [
    "function fib(n) = if n < 2 then n else fib(n-1) + fib(n-2); fib(60); 1",
    "function go(x, n) = if n == 0 then x else go(x*0.5 + 1.0, n-1);"
    " sum({go(float(i), 100000000) : i in [0:100000]})"])
def test_nesl(program):
    out = run(f"""
        print(stopped(lambda: tt.nesl({program!r}), delay=0.5))
        print(tt.nesl("2 + 3"))
        """)
    assert out == "True\n5\n"


def test_a_loop_of_evaluations_and_of_pending_operations():
    out = run("""
        def evaluations():
            while True:
                tt.sum(tt.sin(tt.asarray(x))).evaluate()

        def operations():
            a = tt.asarray(x)
            while True:
                a = a * 0.5 + 1

        print(stopped(evaluations), stopped(operations), int(tt.sum(tt.arange(10))))
        """)
    assert out == "True True 45\n"


def test_a_handler_decides():
    out = run("""
        class Enough(Exception):
            pass

        seen = []
        def count(number, frame):
            seen.append(number)
            if len(seen) == 2:  # what the timer sends later does nothing
                raise Enough

        signal.signal(signal.SIGALRM, count)
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        try:
            slow(tt.asarray(x), 20_000).evaluate()
        except Enough:
            signal.setitimer(signal.ITIMER_REAL, 0)
            print("enough")
        """)
    assert out == "enough\n"


def test_another_thread_computes_on():
    """Handlers run in the main thread: only its computation is stopped."""
    out = run("""
        results = []
        a = slow(tt.asarray(x), 2_000)
        thread = threading.Thread(target=lambda: results.append(float(tt.sum(a))))
        thread.start()
        print(stopped(lambda: slow(tt.asarray(x), 20_000).evaluate(), delay=0.1))
        thread.join()
        print(len(results))
        """)
    assert out == "True\n1\n"


def test_a_handler_computes_but_not_what_is_being_computed():
    out = run("""
        seen = []
        a = slow(tt.asarray(x), 3_000)

        def look(number, frame):
            seen.append(int(tt.sum(tt.arange(10))))
            try:
                a.tolist()
            except tt.Error as error:
                seen.append("being computed" in str(error))
            signal.setitimer(signal.ITIMER_REAL, 0)

        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        a.evaluate()
        print(seen[0], all(seen), np.asarray(a).shape)
        """)
    assert out == "45 True (200000,)\n"


def test_signals_at_any_moment():
    out = run("""
        armed, interrupts = False, 0

        def handler(number, frame):
            if armed:
                raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.011, 0.007)
        expected = slow(tt.asarray(x), 50).tolist()[-1]

        def work():
            global armed
            armed = True
            try:
                a = slow(tt.asarray(x), 50).evaluate()
                b = np.asarray(tt.asarray(x) * 2)
                c = tt.Seq([[1, 2], [3]]).each(lambda r: r * 2).tolist()
                d = tt.nesl("sum([1, 2, 3])")
            finally:
                armed = False
            assert a.tolist()[-1] == expected and b[-1] == 2 and c == [[2, 4], [6]] and d == 6

        end = time.time() + 2
        while time.time() < end or interrupts == 0:
            try:
                work()
            except KeyboardInterrupt:
                interrupts += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(tt.sum(tt.arange(10)).tolist())
        """)
    assert out == "45\n"
