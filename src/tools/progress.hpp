// What a command is doing, on a terminal, once it takes longer than two seconds. In a pipe nothing
// is shown. The line is removed at the end.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tutti::tools {

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void set(std::string what);

 private:
  void show();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace tutti::tools
