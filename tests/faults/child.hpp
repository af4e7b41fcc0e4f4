// Runs work in a child process and describes how the process ended.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace tutti::test {

// What a child reports to its parent while it runs.
struct Shared {
  std::atomic<int64_t> next, point, points, tried, thrown, grown;
  char problem[4000];
};

class SharedMemory {
 public:
  SharedMemory();
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Runs the work in a child and waits for it. Empty if it ended well, through exit(): else what it
// says of itself, the signal that killed it, or that nothing has changed for a long time.
std::string run_child(Shared& shared, const std::function<void()>& work);

// In the child: ends it with a problem.
[[noreturn]] void fail_child(const std::string& problem);

}  // namespace tutti::test
