// What a command is doing, on a terminal, once it takes longer than two seconds. In a pipe nothing
// is shown. The line is removed at the end.
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
  // what() is called by another thread, about twice a second.
  explicit Progress(std::function<std::string()> what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Removes the line until it is shown the next time: before other output to the terminal.
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
