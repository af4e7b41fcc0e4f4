// Ctrl-C and other signals while Tutti computes. Python runs the handlers of signals between its
// own instructions. A long evaluation therefore takes the interpreter lock at intervals to run
// them. If a handler raises an exception, the evaluation stops and the call raises it.
#include "tutti/interruption.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "array.hpp"
#include "nesl/eval/large_stack.hpp"

namespace tutti::python {
namespace {

[[noreturn]] void wait_for_end_of_process() {
  while (true) pause();
}

// The exception of a handler, between the question and the end of the call.
struct Raised {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
};
thread_local Raised raised;

void forget(Raised& exception) {
  Py_XDECREF(exception.type);
  Py_XDECREF(exception.value);
  Py_XDECREF(exception.trace);
  exception = {};
}

// Runs the handlers of signals that have arrived; true if one has raised. Only the main thread of
// Python has any. Called with and without the lock.
bool signal_has_raised() {
  if (!Py_IsInitialized()) return false;
  const PyGILState_STATE state = take_lock();
  const bool found = PyErr_CheckSignals() != 0;
  if (found) {
    forget(raised);
    PyErr_Fetch(&raised.type, &raised.value, &raised.trace);
  }
  PyGILState_Release(state);
  return found;
}

void raise_again() {
  if (!raised.type) return PyErr_SetNone(PyExc_KeyboardInterrupt);
  PyErr_Restore(raised.type, raised.value, raised.trace);
  raised = {};
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Interrupted&) {
    raise_again();
  }
}

}  // namespace

void take_lock_back(PyThreadState* state) {
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    wait_for_end_of_process();
  }
}

PyGILState_STATE take_lock() {
  try {
    return PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {
    wait_for_end_of_process();
  }
}

void watch_for_signals() { thread_local const InterruptionScope scope(&signal_has_raised); }

void run_stoppable(std::atomic<bool>& stop, const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  bool found = false;
  const auto finish = [&] {
    std::lock_guard lock(mutex);
    done = true;
    changed.notify_all();
  };
  without_lock([&] {
    nesl::LargeStackThread thread(
        [&] {
          try {
            work();
          } catch (...) {
            finish();
            throw;
          }
          finish();
        },
        nesl::evaluation_stack_bytes);
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, InterruptionScope::usual_pause, [&] { return done; })) {
      lock.unlock();
      found = found || signal_has_raised();
      if (found) stop = true;  // again and again: each form of a program takes it back
      lock.lock();
    }
    lock.unlock();
    thread.join();
  });
  if (!found) return;
  raise_again();
  throw nb::python_error();
}

void bind_interruption() { nb::register_exception_translator(&translate); }

}  // namespace tutti::python
