#include "nesl/eval/mixed_contender.hpp"

#include <thread>

#include "nesl/errors.hpp"
#include "nesl/eval/mixed_evaluator.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl {

bool MixedContender::may_race(const CoreFunction& form) {
  return !form.prints && !form.rounds_by_position;
}

MixedContender::~MixedContender() {
  if (!thread_) return;
  stop_ = true;
  thread_->join();
}

bool MixedContender::start(const Machine& machine, const CoreFunction& form) {
  machine_.work_for(machine);
  machine_.stack_bytes = machine.stack_bytes;
  machine_.stop = &stop_;
  machine_.begin_form();
  race_.begin = Clock::now();
  try {
    thread_.emplace([this, &form] { run(form); }, machine_.stack_bytes);
  } catch (const Error&) {
    return false;
  }
  return true;
}

void MixedContender::run(const CoreFunction& form) {
  const InterruptionScope stops_kernels([this] {
    machine_.look_at_the_clock();
    return false;
  });
  std::atomic<bool>* outcome = &has_won_;
  try {
    result_ = MixedEvaluator(machine_, patience_, records_, &race_).run(form);
  } catch (...) {
    nested::abandon();
    error_ = std::current_exception();
    outcome = &has_failed_;
  }
  const std::lock_guard lock(mutex_);
  *outcome = true;
  ended_.notify_all();
}

void MixedContender::look() {
  if (!thread_) return;
  if (has_failed_.load(std::memory_order_acquire)) {
    const Clock::time_point now = Clock::now();
    if (!failure_seen_) failure_seen_ = now;
    if (now - *failure_seen_ > patience_.error_steps * time_of_a_step) throw TrialOver();
    return;
  }
  constexpr std::chrono::milliseconds step{1};
  while (race_.host_waits() && !has_won_ && !has_failed_) std::this_thread::sleep_for(step);
}

StoredValue MixedContender::result(Machine& machine) {
  constexpr std::chrono::milliseconds between_looks{20};
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
