#include "core/process/fork.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "tutti/error.hpp"

namespace tutti {
namespace {

// A mutex that stays locked longer belongs to a thread that waits for the one that forks.
constexpr int64_t most_milliseconds = 10'000;

// Plain data: handlers of fork() may run before constructors and after destructors of a process.
struct State {
  std::array<std::atomic<std::mutex*>, fork_orders> mutexes{};  // by ForkOrder
  std::array<bool, fork_orders> held{};
  std::array<std::atomic<void (*)()>, 8> resets{};
  std::atomic<int> reset_count{0};
  std::atomic<int> computing{0};  // threads
  bool others_compute = false;
  std::atomic<bool> forked{false}, broken{false};
  std::atomic<uint32_t> generation{1};  // of the process: one more than its parent's
};
constinit State state;
[[gnu::tls_model("initial-exec")]] constinit thread_local int depth = 0;

bool lock_within(std::mutex& mutex, int64_t& milliseconds) {
  while (!mutex.try_lock()) {
    if (milliseconds-- <= 0) return false;
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

// A thread that forks in the middle of a computation may hold any of the mutexes itself.
void prepare() {
  const bool inside = depth > 0;
  int64_t milliseconds = most_milliseconds;
  bool all = !inside;
  for (size_t i = 0; i < state.mutexes.size(); ++i) {
    std::mutex* mutex = state.mutexes[i];
    state.held[i] = mutex && !inside && lock_within(*mutex, milliseconds);
    all = all && (!mutex || state.held[i]);
  }
  state.others_compute = !all || state.computing > 0;
}

void release() {
  for (size_t i = state.mutexes.size(); i-- > 0;)
    if (state.held[i]) state.mutexes[i].load()->unlock();
}

void after_in_child() {
  state.forked = true;
  ++state.generation;
  if (state.others_compute) state.broken = true;
  state.computing = depth > 0 ? 1 : 0;
  release();
  const int resets = std::min<int>(state.reset_count, static_cast<int>(state.resets.size()));
  for (int i = 0; i < resets; ++i)
    if (auto* reset = state.resets[static_cast<size_t>(i)].load()) reset();
}

[[maybe_unused]] const int registered = pthread_atfork(prepare, release, after_in_child);

}  // namespace

bool forked() noexcept { return state.forked.load(std::memory_order_relaxed); }

void hold_across_fork(ForkOrder order, std::mutex& mutex) noexcept {
  state.mutexes[static_cast<size_t>(order)] = &mutex;
}

void in_forked_child(void (*reset)()) noexcept {
  const auto place = static_cast<size_t>(state.reset_count++);
  if (place < state.resets.size()) state.resets[place] = reset;
}

namespace {

// Added to the holder when a thread waits for it. Without it, unlock() does not call notify_one():
// that is a system call whenever any thread of the process waits for a neighbouring word, such as
// an idle thread of the pool.
constexpr uint32_t awaited = uint32_t{1} << 31;

bool is_of_another_process(uint32_t holder) noexcept {
  return holder != 0 && (holder & ~awaited) != state.generation.load(std::memory_order_relaxed);
}

}  // namespace

void ForkMutex::lock() {
  uint32_t own = state.generation.load(std::memory_order_relaxed), holder = 0;
  while (!holder_.compare_exchange_weak(holder, own, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
    if (holder == 0) continue;
    if (is_of_another_process(holder))
      throw Error(
          "this process was made by fork() while another thread was using an array, program or "
          "vector expression of Tutti; this process can no longer use it: make it again, or fork "
          "while no other thread uses it");
    if ((holder & awaited) != 0 ||
        holder_.compare_exchange_weak(holder, holder | awaited, std::memory_order_relaxed)) {
      holder_.wait(holder | awaited, std::memory_order_relaxed);
      own |= awaited;  // others may still wait
    }
    holder = 0;
  }
}

bool ForkMutex::try_lock() noexcept {
  uint32_t unlocked = 0;
  return holder_.compare_exchange_strong(unlocked, state.generation.load(std::memory_order_relaxed),
                                         std::memory_order_acquire, std::memory_order_relaxed);
}

void ForkMutex::unlock() noexcept {
  // Sequentially consistent: notify_one() reads the number of waiting threads, and must not do so
  // before the others see that the mutex is unlocked.
  if ((holder_.exchange(0, std::memory_order_seq_cst) & awaited) != 0) holder_.notify_one();
}

bool ForkMutex::is_abandoned() const noexcept {
  return is_of_another_process(holder_.load(std::memory_order_relaxed));
}

bool ForkMutex::take_over() noexcept {
  uint32_t holder = holder_.load(std::memory_order_relaxed);
  return is_of_another_process(holder) &&
         holder_.compare_exchange_strong(holder, state.generation.load(std::memory_order_relaxed),
                                         std::memory_order_acquire, std::memory_order_relaxed);
}

Computing::Computing() {
  if (state.broken)
    throw Error(
        "this process was made by fork() while other threads were computing with Tutti, whose "
        "work it cannot finish; fork before other threads compute, or start another program (exec) "
        "in the child");
  if (depth++ == 0) ++state.computing;
}

Computing::~Computing() {
  if (--depth == 0) --state.computing;
}

}  // namespace tutti
