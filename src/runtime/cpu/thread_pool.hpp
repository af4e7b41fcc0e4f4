// The threads that help a caller with its tasks. A call is published in a slot, where idle threads
// find it. The caller works too, and waits only for tasks that others have begun. So a call ends
// whether any thread helps or not: if the system has no threads, it is only slower. Starting
// threads and running tasks allocate nothing once a call has begun.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "core/timeline/timeline.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime {

// Tasks 0 to count - 1, divided into as many parts as threads are wanted. A thread begins with the
// same part in consecutive calls. Threads that are done take tasks of other parts one by one.
class TaskSet {
 public:
  TaskSet(int64_t count, int parts, const std::function<void(int64_t)>& body);
  TaskSet(const TaskSet&) = delete;
  TaskSet& operator=(const TaskSet&) = delete;

  // Runs tasks until none is left to begin: first those of the part, then those of other parts.
  void work(int part) noexcept;
  bool has_tasks(int part) const;  // looks at the part first
  bool try_join();                 // false if enough threads have joined
  // Helpers need not be counted if there are no more of them than parts: one access less to memory
  // that all of them write.
  void let_all_join() { all_join_ = true; }
  int parts() const { return static_cast<int>(parts_.size()); }
  const timeline::LabelRef& label() const { return label_; }  // of the thread that made it
  void rethrow() const;  // the first exception of a task, if there is one

 private:
  struct alignas(64) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  void run_part(Part& part) noexcept;
  void fail() noexcept;

  static constexpr size_t few_parts = 16;
  const std::function<void(int64_t)>& body_;
  std::array<Part, few_parts> few_;
  std::unique_ptr<Part[]> many_;
  std::span<Part> parts_;
  bool all_join_ = false;
  std::atomic<int> helpers_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
  const timeline::LabelRef label_;
};

// Returns the part of a task, if `count` tasks are divided into `parts` parts.
constexpr int64_t part_of(int64_t task, int64_t count, int64_t parts) {
  const int64_t each = count / parts, longer = count % parts;  // the first have one task more
  const int64_t in_longer = longer * (each + 1);
  return task < in_longer ? task / (each + 1) : longer + (task - in_longer) / each;
}

class TUTTI_EXPORT ThreadPool {
 public:
  // Runs all tasks on at most `threads` threads, including the calling one.
  void run(int64_t count, int threads, const std::function<void(int64_t)>& body);
  void forget_threads() noexcept;  // in a child of fork(), where they do not exist

 private:
  // A slot for a published call. A thread that reads the slot counts as a visitor, and the caller
  // waits until there is none before it reuses the slot.
  struct alignas(64) Slot {
    std::atomic<bool> taken{false};
    std::atomic<TaskSet*> tasks{nullptr};
    std::atomic<int> visitors{0};
  };
  struct Helper {
    ThreadPool* pool;
    int number;
  };

  void start_threads(int wanted);
  Slot* publish(TaskSet& tasks);
  void withdraw(Slot& slot);
  void wake(int threads);
  static void help(void* helper);
  bool help_once(int number);
  void sleep_or_spin(uint32_t seen);

  static constexpr int most_threads = 1024;
  std::array<Slot, 16> slots_;
  alignas(64) std::atomic<uint32_t> calls_{0};  // published so far
  alignas(64) std::atomic<int> sleeping_{0};
  std::atomic<int> threads_{0};
  std::mutex starting_;
  int64_t tried_again_ = 0;  // the time of the last failed start of a thread, in milliseconds
  std::array<Helper, most_threads> helpers_;
};

TUTTI_EXPORT ThreadPool& thread_pool();

}  // namespace tutti::runtime
