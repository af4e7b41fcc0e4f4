// The guarantee behind --time-limit: a thread that ends the process when the time is over and the
// program has not noticed by itself. Waiting, compiling and large primitives are covered, too.
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
  std::thread thread_;  // the last: it uses the above
};

}  // namespace tutti::tools
