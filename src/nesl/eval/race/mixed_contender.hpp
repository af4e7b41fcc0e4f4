// The mixed evaluator on a thread of its own, for a form that the plain one has worked on for a
// while and goes on with. Whichever is done first gives the result, so that neither has to begin
// again. Forms that print, or whose rounding depends on the evaluator, do not race. Random numbers
// are the same for both.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

#include "nesl/core/core.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/eval/race/form_race.hpp"
#include "nesl/eval/race/patience.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class MixedContender {
 public:
  using Clock = std::chrono::steady_clock;

  static bool may_race(const CoreFunction& form);

  MixedContender(const Patience& patience, EachRecords& records)
      : patience_(patience), records_(records) {}
  // Stops it if it still works.
  ~MixedContender();
  MixedContender(const MixedContender&) = delete;

  // What the plain evaluator is to call when it begins.
  void watch(Machine& host);
  // False where no thread can be made.
  bool start(const Machine& machine, const CoreFunction& form);
  bool is_started() const { return thread_.has_value(); }
  // Becomes true when the result is there.
  const std::atomic<bool>& has_won() const { return has_won_; }
  // Waits for the result, looking at the clock of the machine meanwhile; throws the error that was
  // found.
  StoredValue result(Machine& machine);

 private:
  void run(const CoreFunction& form);
  void evaluate(const CoreFunction& form);
  // The plain evaluator does so whenever it looks at the clock. It waits where it is likely to be
  // slow. Where the other one has found an error, the plain one has a while to find it as well,
  // because its errors are the ones that are reported; then it gives up. It goes on alone where the
  // other one has not found an error, but its own limits.
  void look(Machine& host);
  // The other one does so before each operation.
  void keep_to_share();

  const Patience& patience_;
  EachRecords& records_;
  std::optional<LargeStackThread> thread_;
  Machine machine_;
  FormRace race_;
  std::atomic<bool> stop_{false}, has_won_{false}, has_failed_{false};
  bool has_reached_limits_ = false;  // said by has_failed_
  std::mutex mutex_;
  std::condition_variable ended_;
  std::optional<Clock::time_point> failure_seen_;
  Clock::time_point next_look_;  // at its share
  std::optional<StoredValue> result_;
  std::exception_ptr error_;
};

}  // namespace tutti::nesl
