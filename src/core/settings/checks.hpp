// The faults that evaluations check for: TUTTI_CHECK for the process, ScopedChecks for a thread.
// Read at every evaluation, with two loads if nothing is checked.
#pragma once
#include <atomic>
#include <optional>
#include <string_view>

namespace tutti {

// A set of faults, one bit each.
struct Faults {
  static constexpr int nan = 1, inf = 2, overflow = 4, bounds = 8, all = 15;
};

namespace detail {
extern constinit std::atomic<int> process_checks;  // -1: the environment has not been read
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int thread_checks;  // -1: none
int read_process_checks();
}  // namespace detail

// Returns the faults that this thread checks for.
inline int checks_wanted() {
  if (detail::thread_checks >= 0) [[unlikely]]
    return detail::thread_checks;
  const int process = detail::process_checks.load(std::memory_order_relaxed);
  return process >= 0 ? process : detail::read_process_checks();
}

// Returns the faults of a comma-separated list, or nothing if a word is unknown.
std::optional<int> faults_of(std::string_view list);

// Makes this thread check for these faults during the object's lifetime.
class UseChecks {
 public:
  explicit UseChecks(int faults) : before_(detail::thread_checks) {
    detail::thread_checks = faults;
  }
  ~UseChecks() { detail::thread_checks = before_; }
  UseChecks(const UseChecks&) = delete;
  UseChecks& operator=(const UseChecks&) = delete;

 private:
  const int before_;
};

}  // namespace tutti
