// A form that two evaluators work on: the plain one, called the host, and one that flattens it on
// another thread. Whichever is done first gives the result. What the other one has done is lost, so
// the one that flattens may work for a small share of the host's time only, unless it is likely to
// win:
// - An apply-to-each on the host says how long it will take. Of that time the other one gets a part
//   at once, and the host waits meanwhile.
// - Both note when they are done with apply-to-eachs of the form. If the other one needs less than
//   half of the host's time for the last ones, it gets all the time that it needs.
// Times are those of processors, so that a busy machine does not count. Where the host itself waits
// for a processor half of the time, no other one is free. Then the other evaluator gets the
// smallest share.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tutti::nesl {

struct CoreExpr;

class FormRace {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::nanoseconds;
  // How long each of them has worked.
  struct Times {
    Duration host{}, other{};
    Duration clock{};  // since the host began
  };

  // ---- called by the host, which begins when this is made
  explicit FormRace(std::function<Times()> times = processor_times()) : times_(std::move(times)) {}
  void note_host_end(const CoreExpr& each) noexcept;
  // With the time that it expects the rest of its apply-to-each to take; zero if not known.
  void note_expected_rest(Duration rest);
  bool host_waits() const;
  // It has waited.
  void note_host_wait(Duration time) { host_waited_ += time.count(); }
  // It has given up: the other one is alone.
  void leave_to_other() { unbounded_ = true; }

  // ---- called by the one that flattens
  // The share of the host's time that it gets is in sixteenths; 0 for the usual one.
  void begin(int share);
  Clock::time_point begun() const { return begin_; }
  // Whether it has worked for all of its time so far.
  bool must_wait() const;
  // Whether it gets all the time that it needs.
  bool is_unbounded() const { return unbounded_; }
  // An apply-to-each is done.
  void note_end(const CoreExpr& each);
  // While an apply-to-each is flattened that would take the host much longer.
  void let_host_wait_until(Clock::time_point time) {
    host_waits_until_ = time.time_since_epoch().count();
  }

 private:
  using Ends = std::unordered_map<const CoreExpr*, std::vector<Duration>>;

  // From now on: of the thread that asks for them, and of all others of the process, divided by the
  // number of processors that are left for these.
  static std::function<Times()> processor_times();
  void give(Duration time);
  bool is_starved(const Times& now) const;
  bool has_given_time() const { return given_ > 0 && times_().other.count() < given_; }

  const std::function<Times()> times_;
  int share_ = 0;
  Clock::time_point begin_;
  std::atomic<Clock::rep> host_waits_until_{0};
  // How long the one that flattens may work in any case. The host waits for that, but not beyond a
  // time of the clock.
  std::atomic<Duration::rep> given_{0};
  std::atomic<Clock::rep> given_until_{0};
  std::atomic<Duration::rep> host_waited_{0};
  std::atomic<bool> has_begun_{false}, unbounded_{false};
  std::mutex mutex_;
  Ends host_ends_;  // with the lock held
  std::size_t noted_ = 0;
  Ends ends_;  // of the one that flattens
};

}  // namespace tutti::nesl
