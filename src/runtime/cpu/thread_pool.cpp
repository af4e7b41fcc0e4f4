#include "runtime/cpu/thread_pool.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "core/process/fork.hpp"
#include "core/process/thread.hpp"
#include "core/timeline/timeline.hpp"

namespace tutti::runtime {
namespace {

// Idle threads spin for about this long before they sleep: waking one takes longer than most
// kernels that follow each other.
constexpr auto spinning = std::chrono::microseconds(100);
constexpr int looks_between_clocks = 64;
// After a failed start of a thread, the next attempt is made after this number of milliseconds.
constexpr int64_t try_again_after = 1000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

int64_t milliseconds() {
  using namespace std::chrono;
  return duration_cast<std::chrono::milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// ---- tasks

TaskSet::TaskSet(int64_t count, int parts, const std::function<void(int64_t)>& body)
    : body_(body), label_(timeline::current_label()) {
  const auto wanted = static_cast<size_t>(std::clamp<int64_t>(count, 1, parts));
  if (wanted > few_parts) many_ = std::make_unique<Part[]>(wanted);
  parts_ = {many_ ? many_.get() : few_.data(), wanted};
  const int64_t each = count / static_cast<int64_t>(wanted),
                longer = count % static_cast<int64_t>(wanted);
  int64_t first = 0;
  for (size_t p = 0; p < wanted; ++p) {
    parts_[p].next.store(first, std::memory_order_relaxed);
    first += each + (static_cast<int64_t>(p) < longer);
    parts_[p].end = first;
  }
}

void TaskSet::work(int part) noexcept {
  const size_t count = parts_.size(), own = static_cast<size_t>(part) % count;
  for (size_t i = 0; i < count; ++i) run_part(parts_[(own + i) % count]);
}

void TaskSet::run_part(Part& part) noexcept {
  try {
    while (part.next.load(std::memory_order_relaxed) < part.end && !failed_)
      if (const int64_t task = part.next.fetch_add(1); task < part.end) body_(task);
  } catch (...) {
    fail();
  }
}

void TaskSet::fail() noexcept {
  if (!failed_.exchange(true)) failure_ = std::current_exception();
}

bool TaskSet::has_tasks(int part) const {
  const size_t count = parts_.size(), own = static_cast<size_t>(part) % count;
  for (size_t i = 0; i < count; ++i) {
    const Part& other = parts_[(own + i) % count];
    if (other.next.load(std::memory_order_relaxed) < other.end) return !failed_;
  }
  return false;
}

bool TaskSet::try_join() {
  if (all_join_) return true;
  if (helpers_.load(std::memory_order_relaxed) + 1 >= parts()) return false;
  return helpers_.fetch_add(1) + 1 < parts();
}

void TaskSet::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

// ---- threads

void ThreadPool::run(int64_t count, int threads, const std::function<void(int64_t)>& body) {
  TaskSet tasks(count, std::min(threads, most_threads), body);
  if (tasks.parts() == 1) {
    tasks.work(0);
    return tasks.rethrow();
  }
  if (threads_.load(std::memory_order_relaxed) < tasks.parts() - 1)
    start_threads(tasks.parts() - 1);
  if (threads_.load(std::memory_order_relaxed) < tasks.parts()) tasks.let_all_join();
  Slot* const slot = publish(tasks);
  tasks.work(0);
  if (slot) withdraw(*slot);
  tasks.rethrow();
}

void ThreadPool::start_threads(int wanted) {
  std::lock_guard lock(starting_);
  if (threads_ >= wanted || (tried_again_ > 0 && milliseconds() < tried_again_ + try_again_after))
    return;
  tried_again_ = 0;
  while (threads_ < wanted) {
    const int number = threads_;
    helpers_[static_cast<size_t>(number)] = {this, number};
    if (!start_thread(compiler_stack_bytes, help, &helpers_[static_cast<size_t>(number)])) {
      tried_again_ = milliseconds();
      return;
    }
    ++threads_;
  }
}

// Returns null if all slots are taken: then all threads have enough work.
ThreadPool::Slot* ThreadPool::publish(TaskSet& tasks) {
  for (Slot& slot : slots_) {
    if (slot.taken.load(std::memory_order_relaxed) || slot.taken.exchange(true)) continue;
    slot.tasks = &tasks;
    ++calls_;
    wake(tasks.parts() - 1);
    return &slot;
  }
  return nullptr;
}

void ThreadPool::withdraw(Slot& slot) {
  slot.tasks = nullptr;
  int spins = 0;
  while (const int visitors = slot.visitors) {
    if (++spins < 2000)
      pause();
    else
      slot.visitors.wait(visitors);
  }
  slot.taken = false;
}

// Wakes two threads, each of which wakes two more, so that no thread has to wake all of them.
void ThreadPool::wake(int threads) {
  for (int i = std::min({threads, 2, sleeping_.load()}); i > 0; --i) calls_.notify_one();
}

void ThreadPool::help(void* helper) {
  const auto [pool, number] = *static_cast<Helper*>(helper);
  while (true) {
    const uint32_t seen = pool->calls_;
    if (!pool->help_once(number)) pool->sleep_or_spin(seen);
  }
}

bool ThreadPool::help_once(int number) {
  bool helped = false;
  for (Slot& slot : slots_) {
    if (!slot.tasks.load(std::memory_order_relaxed)) continue;
    ++slot.visitors;
    if (TaskSet* tasks = slot.tasks; tasks && tasks->has_tasks(number + 1) && tasks->try_join()) {
      wake(2);
      const timeline::LabelRef label = tasks->label();
      const timeline::Scope scope("part", label ? &label : nullptr);
      tasks->work(number + 1);
      helped = true;
    }
    if (--slot.visitors == 0) slot.visitors.notify_one();
  }
  return helped;
}

void ThreadPool::sleep_or_spin(uint32_t seen) {
  const auto until = std::chrono::steady_clock::now() + spinning;
  do {
    for (int i = 0; i < looks_between_clocks; ++i) {
      if (calls_.load(std::memory_order_relaxed) != seen) return;
      pause();
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < until);
  ++sleeping_;
  calls_.wait(seen);
  --sleeping_;
}

void ThreadPool::forget_threads() noexcept {
  for (Slot& slot : slots_) {
    slot.tasks = nullptr;
    slot.visitors = 0;
    slot.taken = false;
  }
  sleeping_ = 0;
  threads_ = 0;
  tried_again_ = 0;
  new (&starting_) std::mutex;
}

ThreadPool& thread_pool() {
  static ThreadPool* instance = [] {
    auto* made = new ThreadPool;
    in_forked_child([] { thread_pool().forget_threads(); });
    return made;
  }();
  return *instance;
}

}  // namespace tutti::runtime
