// What a running program can reach and what bounds it: settings, output, random numbers, files,
// the time limit and Ctrl-C. Shared by the evaluators.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "nesl/errors.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/observer.hpp"
#include "nesl/io/files.hpp"
#include "nesl/io/pictures.hpp"

namespace tutti::nesl {

// Thrown when a trial run (see Machine::trial_steps) turns out to be more than a trial.
class TrialOver {};
// Thrown when another evaluator has finished what this one works on.
class Overtaken {};

class Machine {
 public:
  Machine();

  bool checks = true;  // set arg_check
  // Of threads that evaluate: it bounds the depth of recursion.
  std::size_t stack_bytes = evaluation_stack_bytes;
  Observer observer;
  std::function<void(const std::string&)> write;  // standard output

  // ---- output. Held back during a trial, so that nothing appears twice.
  void print(const std::string& text);

  // ---- random numbers: a counter run through a mixing function, the same on every device.
  void seed(std::uint64_t seed);
  // From 0 up to, not including, a positive limit; of a limit that is none, 0 or an error.
  int random_below(int limit);
  double random_below(double limit);  // with a resolution of 30 bits
  float random_below(float limit);    // of 24 bits, so that the limit is not reached by rounding
  void begin_form();                  // starts the sequence again
  // Returns how many numbers have been drawn; continues after that many.
  std::uint64_t drawn() const { return next_random_; }
  void draw_again_from(std::uint64_t drawn) { next_random_ = drawn; }

  // ---- files and processes; throws RuntimeError when they are forbidden.
  Files& files();
  bool allow_io = true;
  Pictures pictures;
  // Before anything that cannot be taken back, or that shows the program to be large.
  void end_of_trial() const;

  // ---- limits. `spend` counts steps of evaluation and looks at the clock and for Ctrl-C.
  void spend(std::int64_t steps) {
    steps_left_ -= steps;
    if (steps_left_ < 0) look_up();
  }
  void set_time_limit(double seconds);
  // No later than another machine, whose limit holds here, too.
  void share_time_limit(const Machine& other) { deadline_ = other.deadline_; }
  // For work of the other machine that is done here on another thread: its limit, its settings but
  // for the stack, and where its program is.
  void work_for(const Machine& other);
  bool has_time_limit() const { return deadline_.has_value(); }
  const std::optional<std::chrono::steady_clock::time_point>& deadline() const { return deadline_; }
  void forget_time_limit() { deadline_.reset(); }
  // Throws Interrupted when the time is over or the program is to stop.
  void look_at_the_clock();
  // Returns when a descriptor is ready for these events of poll(), or has failed; looks at the
  // clock meanwhile.
  void wait_for(int descriptor, short events);
  static std::atomic<bool> interrupt;  // set by Ctrl-C
  // What stops this machine when it becomes true.
  std::atomic<bool>* stop = &interrupt;
  // Becomes true when another evaluator has finished the same work; null: there is none.
  const std::atomic<bool>* overtaken = nullptr;
  void end_if_overtaken() const {
    if (overtaken && overtaken->load(std::memory_order_acquire)) throw Overtaken();
  }
  // Called when the steps of a trial are over. If it returns true the trial goes on without a bound
  // on its steps.
  std::function<bool()> at_trial_end;
  // Called when the machine looks at the clock, some thousand times a second; may wait.
  std::function<void()> at_looks;
  // Called by the evaluators that flatten before each operation; may wait.
  std::function<void()> before_operations;
  void begin_operation() const {
    end_if_overtaken();
    if (before_operations) before_operations();
  }
  // Called when an outermost apply-to-each of the plain evaluator is done.
  std::function<void(const CoreExpr&)> at_each_end;

  // During a trial the program may take a limited number of steps, or the processor time that they
  // take on average if that is longer. Then TrialOver is thrown: the program is large and is
  // started again on another evaluator. Ending a trial releases its output, or drops it and takes
  // back its random numbers. With `ends_when_large`, an operation on very many elements ends it as
  // well.
  void begin_trial(std::int64_t steps, bool ends_when_large = false);
  void end_trial(bool keep_output);
  bool in_trial() const { return trial_; }
  // Whether that time counts, besides the steps. Ranks must end a trial at the same step.
  bool counts_time = true;

  // The outermost apply-to-each that runs. How many of its elements are done says how long it will
  // take: a trial that would take much longer than flattening ends at once.
  class Progress {
   public:
    Progress(Machine& machine, const CoreExpr& each, std::size_t length)
        : machine_(machine.progress_length_ == 0 ? &machine : nullptr), each_(each) {
      if (machine_) machine_->begin_progress(length);
    }
    ~Progress() {
      if (!machine_) return;
      machine_->progress_length_ = 0;
      if (machine_->at_each_end) machine_->at_each_end(each_);
    }
    Progress(const Progress&) = delete;
    void done(std::size_t count) const {
      if (machine_) machine_->progress_done_ = count;
    }

   private:
    Machine* machine_;
    const CoreExpr& each_;
  };
  // How long the rest of it is expected to take; zero as long as that is not known, and where it
  // has so few elements that they say little.
  std::chrono::nanoseconds expected_rest() const;

  // A call of a function while it lasts; throws TooDeep when little is left of the stack.
  class Call {
   public:
    Call(Machine& machine, const CoreFunction& function)
        : machine_(machine), before_(machine.library_call_) {
      if (stack_is_low()) machine.fail_too_deep(function);
    }
    ~Call() { machine_.library_call_ = before_; }

   private:
    Machine& machine_;
    const Place before_;
  };

  // ---- a failure on its way out of nested calls. To unwind a deep recursion by an exception takes
  // longer than its calls did. So the innermost call notes the exception here and returns a value
  // that means nothing, as do all calls around it. The caller of the outermost one throws the
  // exception again. In between nothing may have an effect.
  void note_failure(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);  // others come of the values that mean nothing
  }
  bool has_failed() const { return failure_ != nullptr; }
  void throw_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // How many calls of recursive functions run for many elements at once (host/calls.cpp).
  int recursions_in_blocks = 0;

  // ---- where the program is, for error messages. Evaluators say so before a function calls
  // another; it holds until the Call of the first one ends.
  void note_call(const CoreFunction& caller, const CoreExpr& call);
  Place place_of(const CoreFunction& function, const CoreExpr& expr) const;

 private:
  std::uint32_t random_bits();
  bool is_limit(bool positive) const;
  void look_up();
  void end_of_steps();
  bool is_extended_by_time();
  void begin_progress(std::size_t length);
  std::chrono::nanoseconds rest_of_progress() const;
  bool would_take_long() const;
  [[noreturn]] void fail_too_deep(const CoreFunction& function) const;

  Place library_call_;  // the call of the program that led into the library
  std::exception_ptr failure_;
  Files files_;
  std::uint64_t seed_ = 0;
  std::uint64_t next_random_ = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::int64_t steps_left_ = 0, steps_granted_ = 0;  // until it next looks at the clock
  std::int64_t trial_left_ = 0;
  std::chrono::nanoseconds trial_start_{}, trial_time_{};  // of the processor
  bool trial_ = false, ends_when_large_ = false, has_large_ = false, goes_on_ = false;
  std::size_t progress_length_ = 0, progress_done_ = 0;
  std::chrono::nanoseconds progress_start_{};
  std::uint64_t random_before_trial_ = 0;
  std::string held_back_;
};

}  // namespace tutti::nesl
