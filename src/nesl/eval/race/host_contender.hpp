// A second evaluator for an apply-to-each that another one is flattening. It walks the elements on
// the host, on a separate thread. The evaluator that ends first gives the result. This one gives
// the other a head start, and waits while its own progress says that it would take much longer than
// the other has taken so far. So the loser costs a part of the time of the winner.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/machine.hpp"

namespace tutti::nesl {

class HostContender {
 public:
  using Clock = std::chrono::steady_clock;

  HostContender() = default;
  ~HostContender();
  HostContender(const HostContender&) = delete;

  // Begins after `head_start`. `spent` is the time that the elements done so far have taken.
  // Nothing happens where no thread can be made.
  void start(const Machine& machine, HostEach each, Clock::duration head_start,
             Clock::duration spent);
  // Becomes true when all elements are done, or one has failed.
  const std::atomic<bool>& has_won() const { return has_won_; }
  // Gives it up, or ends its time as the winner.
  void stop();
  // Of the winner, after `stop`: the results, or the error.
  Value result();

 private:
  void serve();
  void run(HostEach& each);
  void wait_until(Clock::time_point time);
  void wait_while_slow(const HostEach& each);

  std::optional<LargeStackThread> thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<HostEach> each_;  // the work, from `start` to the end of it
  bool leave_ = false;

  Machine machine_;
  std::atomic<bool> stop_{false}, has_won_{false};
  Clock::time_point begin_, host_begin_;
  Clock::duration head_start_{}, spent_{}, waited_{};
  Values results_;
  std::exception_ptr error_;
};

}  // namespace tutti::nesl
