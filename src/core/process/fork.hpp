// The library in a child of fork(). The child has one thread. It works, on the CPU, if no other
// thread was computing when it was made; otherwise every computation in it throws. Its exit never
// waits for threads that it does not have. Mutexes that other threads may hold are locked across
// the fork, so that the data they guard is consistent in the child. Mutexes of single objects, of
// which there are too many for that, are ForkMutexes.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "tutti/detail/export.hpp"

namespace tutti {

// Returns true in a child of a process that had loaded the library.
bool forked() noexcept;

// Mutexes that are held across a fork, in the order in which threads lock them.
enum class ForkOrder {
  background_work,
  background_list,
  background_keys,
  graph,
  kernels,
  code,
  pool,
  resident_buffers,
  live_buffers,
  buffer_origins,
  settings
};
constexpr int fork_orders = static_cast<int>(ForkOrder::settings) + 1;
// Mutexes that threads lock outside of computations are registered when the library is loaded. One
// that was made later could be locked while fork() is at work, which would not see it.
void hold_across_fork(ForkOrder order, std::mutex& mutex) noexcept;

// Registers a function that the child's only thread calls before fork() returns; at most eight.
void in_forked_child(void (*reset)()) noexcept;

// A mutex whose holder a child of fork() may lack. In the child, lock() throws Error if another
// thread held the mutex at the time of the fork: it will never be unlocked, and the data may be
// incomplete.
class TUTTI_EXPORT ForkMutex {
 public:
  void lock();
  bool try_lock() noexcept;
  void unlock() noexcept;
  // Returns whether lock() throws. Destructors ask first.
  bool is_abandoned() const noexcept;
  // Locks the mutex if lock() would throw, and returns whether it would.
  bool take_over() noexcept;

 private:
  // The generation of the process that has locked it, or 0. The highest bit: a thread waits.
  std::atomic<uint32_t> holder_{0};
};

// Locks the mutex of data that can be made again, such as a cache. If a thread that the child lacks
// held it, the data may be incomplete: it is replaced by new data, and never freed.
template <class Data>
std::unique_lock<ForkMutex> lock_renewable(ForkMutex& mutex, Data& data) {
  if (!mutex.take_over()) return std::unique_lock(mutex);
  std::construct_at(&data);
  return {mutex, std::adopt_lock};
}

// The calling thread computes during the object's lifetime. Throws Error in a child that cannot.
class Computing {
 public:
  Computing();
  ~Computing();
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;
};

}  // namespace tutti
