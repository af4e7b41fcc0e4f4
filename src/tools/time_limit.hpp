// Enforces --time-limit: a thread that ends the process when the time is over and the program has
// not stopped itself. This covers waiting, compiling and large primitives too.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tutti::tools {

class TimeLimit {
 public:
  explicit TimeLimit(double seconds);  // 0: no limit
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  void watch(double seconds);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // last, because it uses the members above
};

}  // namespace tutti::tools
