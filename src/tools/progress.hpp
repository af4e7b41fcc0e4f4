// Shows on a terminal what a command is doing, once it takes longer than two seconds. Shows nothing
// in a pipe. The line is removed at the end.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tutti::tools {

class Progress {
 public:
  explicit Progress(std::string what);
  // Another thread calls what() about twice a second.
  explicit Progress(std::function<std::string()> what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Removes the line until it is shown again: before other output to the terminal.
  void hide();

 private:
  void show();
  void hide_locked();
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<std::string()> what_;
  bool ended_ = false, shown_ = false;
  std::thread thread_;
};

}  // namespace tutti::tools
