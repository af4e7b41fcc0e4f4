// A background assignment, `name &= exp`: evaluated by a thread of its own, on a machine of its
// own, while the session goes on. What it prints and how it fails is kept until it is asked for.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/evaluation.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/eval/machine.hpp"
#include "nesl/session/background_queue.hpp"
#include "nesl/types/types.hpp"
#include "nesl/values/stored_value.hpp"

namespace tutti::nesl {

class Background {
 public:
  // `used` keeps the functions alive that the expression calls. It may take `seconds` from when it
  // begins; 0 for any time. The queue, which must outlive it, decides when that is.
  Background(TypeRef type, CoreFunctionRef expression, std::vector<CoreFunctionRef> used,
             const Machine& settings, Evaluation::Mode mode, double seconds,
             BackgroundQueue& queue);
  ~Background();  // gives up what is not finished
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  const TypeRef& type() const { return type_; }
  // Returns when it has ended, or false when it is overdue: inside of one large operation it does
  // not see that its time is over. The clock and Ctrl-C of `waiting` end the wait, not the
  // evaluation.
  bool wait(Machine& waiting);
  bool has_ended();
  void stop() { stop_ = true; }  // it ends when it next looks
  // After `wait`: the value, or what the evaluation threw; what it has printed.
  StoredValue take() const;
  const std::string& output() const { return output_; }

 private:
  friend class BackgroundQueue;
  bool start();  // on a thread of its own; false if none can be made
  void run();
  void evaluate();
  bool is_overdue() const;  // with the lock held

  TypeRef type_;
  CoreFunctionRef expression_;
  std::vector<CoreFunctionRef> used_;
  Machine machine_;
  Evaluation evaluation_;
  const double seconds_;
  BackgroundQueue& queue_;
  std::atomic<bool> stop_ = false;
  std::string output_;
  std::optional<StoredValue> value_;
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_ended_ = false;                                           // with the lock held
  std::optional<std::chrono::steady_clock::time_point> overdue_at_;  // the same
  std::optional<LargeStackThread> thread_;  // the last: it uses all of the above
};

}  // namespace tutti::nesl
