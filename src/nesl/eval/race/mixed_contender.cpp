#include "nesl/eval/race/mixed_contender.hpp"

#include <thread>

#include "nesl/errors.hpp"
#include "nesl/eval/mixed_evaluator.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl {
namespace {

constexpr std::chrono::milliseconds between_looks{1};

// Memory, stack, or the elements that a vector holds.
bool are_limits(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const EvaluatorLimit&) {
    return true;
  } catch (const ShapeError&) {
    return true;
  } catch (const OutOfMemory&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

bool MixedContender::may_race(const CoreFunction& form) {
  return !form.prints && !form.rounds_by_position;
}

MixedContender::~MixedContender() {
  if (!thread_) return;
  stop_ = true;
  thread_->join();
}

void MixedContender::watch(Machine& host) {
  host.at_looks = [this, &host] { look(host); };
  host.at_each_end = [this](const CoreExpr& each) { race_.note_host_end(each); };
  host.overtaken = &has_won_;
}

bool MixedContender::start(const Machine& machine, const CoreFunction& form) {
  machine_.work_for(machine);
  machine_.stack_bytes = machine.stack_bytes;
  machine_.stop = &stop_;
  machine_.before_operations = [this] { keep_to_share(); };
  machine_.begin_form();
  try {
    thread_.emplace([this, &form] { run(form); }, machine_.stack_bytes);
  } catch (const Error&) {
    return false;
  }
  return true;
}

// Whatever happens, the other one must learn that this one has ended: without memory, even the
// scope or the clean-up can fail.
void MixedContender::run(const CoreFunction& form) {
  std::atomic<bool>* outcome = &has_won_;
  try {
    evaluate(form);
  } catch (...) {
    error_ = std::current_exception();
    has_reached_limits_ = are_limits(error_);
    outcome = &has_failed_;
  }
  const std::lock_guard lock(mutex_);
  *outcome = true;
  ended_.notify_all();
}

void MixedContender::evaluate(const CoreFunction& form) {
  const InterruptionScope stops_kernels([this] {
    machine_.look_at_the_clock();
    return false;
  });
  race_.begin(patience_.race_share);
  try {
    result_ = MixedEvaluator(machine_, patience_, records_, &race_).run(form);
  } catch (...) {
    nested::abandon();
    throw;
  }
}

void MixedContender::look(Machine& host) {
  if (!thread_) return;
  if (has_failed_.load(std::memory_order_acquire)) {
    if (has_reached_limits_) return;
    const Clock::time_point now = Clock::now();
    if (!failure_seen_) failure_seen_ = now;
    if (now - *failure_seen_ > patience_.error_steps * time_of_a_step) throw TrialOver();
    return;
  }
  race_.note_expected_rest(host.expected_rest());
  if (!race_.host_waits()) return;
  const Clock::time_point begin = Clock::now();
  while (race_.host_waits() && !has_won_ && !has_failed_) {
    host.look_at_the_clock();
    std::this_thread::sleep_for(between_looks);
  }
  race_.note_host_wait(Clock::now() - begin);
}

void MixedContender::keep_to_share() {
  if (Clock::now() < next_look_) return;
  while (race_.must_wait() && !stop_) std::this_thread::sleep_for(between_looks);
  next_look_ = Clock::now() + between_looks;
}

StoredValue MixedContender::result(Machine& machine) {
  constexpr std::chrono::milliseconds between_looks{20};
  race_.leave_to_other();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, between_looks, [&] { return has_won_ || has_failed_; }))
    machine.look_at_the_clock();
  lock.unlock();
  thread_->join();
  thread_.reset();
  if (error_) std::rethrow_exception(error_);
  return std::move(*result_);
}

}  // namespace tutti::nesl
