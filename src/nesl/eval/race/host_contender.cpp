#include "nesl/eval/race/host_contender.hpp"

#include <limits>

#include "nesl/errors.hpp"

namespace tutti::nesl {
namespace {

// It waits while the other one has taken less than this part of what the host is expected to take.
constexpr int part_of_host_time = 4;
// Of the stack of the program: a deep recursion is left to the other one.
constexpr std::size_t part_of_stack = 8;

}  // namespace

HostContender::~HostContender() {
  if (!thread_) return;
  stop();
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  changed_.notify_all();
  thread_->join();
}

void HostContender::start(const Machine& machine, HostEach each, Clock::duration head_start,
                          Clock::duration spent) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !each_; });  // what was stopped before has come to its end
  stop_ = has_won_ = false;
  machine_.work_for(machine);
  machine_.stack_bytes = machine.stack_bytes / part_of_stack;
  begin_ = Clock::now();
  head_start_ = head_start;
  spent_ = spent;
  if (!thread_) {
    try {
      thread_.emplace([this] { serve(); }, machine_.stack_bytes);
    } catch (const Error&) {
      return;
    }
  }
  each_ = std::move(each);
  changed_.notify_all();
}

void HostContender::stop() {
  stop_ = true;
  changed_.notify_all();
  if (!has_won_) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !each_; });
}

Value HostContender::result() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return Value(std::move(results_));
}

void HostContender::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return each_ || leave_; });
    if (!each_) return;
    HostEach each = std::move(*each_);
    lock.unlock();
    run(each);
    each = {};
    lock.lock();
    each_.reset();
    changed_.notify_all();
  }
}

// Errors of the program are results. What only this evaluator cannot do is not: it resigns.
void HostContender::run(HostEach& each) {
  wait_until(begin_ + head_start_);
  if (stop_) return;
  machine_.stop = &stop_;
  machine_.at_looks = [&] { wait_while_slow(each); };
  machine_.begin_trial(std::numeric_limits<std::int64_t>::max());  // nothing may get out of here
  waited_ = {};
  host_begin_ = Clock::now();
  bool done = true;
  try {
    PlainEvaluator(machine_).go_on(each);
    results_ = std::move(each.results);
  } catch (const TooDeep&) {
    done = false;
  } catch (const RuntimeError&) {
    error_ = std::current_exception();
  } catch (const TrialOver&) {
    done = false;
  } catch (const Interrupted&) {
    done = false;
  } catch (const std::bad_alloc&) {
    done = false;
  }
  machine_.end_trial(false);
  machine_.at_looks = nullptr;
  if (done && !stop_) has_won_.store(true, std::memory_order_release);
}

// In short steps, so that it notices when it is stopped.
void HostContender::wait_until(Clock::time_point time) {
  constexpr std::chrono::milliseconds step{1};
  while (!stop_ && Clock::now() < time) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, std::min(time, Clock::now() + step));
  }
}

// Elements that are done say how long all will take. Before there are any, it goes on.
void HostContender::wait_while_slow(const HostEach& each) {
  const auto done = static_cast<std::int64_t>(each.results.size());
  if (done == 0) return;
  const Clock::time_point now = Clock::now();
  const Clock::duration taken = spent_ + (now - host_begin_) - waited_;
  const auto length = static_cast<std::int64_t>(each.length());
  wait_until(begin_ + taken / done * length / part_of_host_time);
  waited_ += Clock::now() - now;
}

}  // namespace tutti::nesl
