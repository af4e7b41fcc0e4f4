// The library in a child of fork(). The child has one thread. It works, on the CPU, if no other
// thread was computing when it was made; otherwise every computation in it throws. Its exit never
// waits for threads that it does not have. Mutexes that other threads may hold are locked across
// the fork, so that the data they guard is consistent in the child.
#pragma once
#include <mutex>

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
  pool
};
constexpr int fork_orders = 7;
void hold_across_fork(ForkOrder order, std::mutex& mutex) noexcept;

// Registers a function that the child's only thread calls before fork() returns; at most eight.
void in_forked_child(void (*reset)()) noexcept;

// The calling thread computes during the object's lifetime. Throws Error in a child that cannot.
class Computing {
 public:
  Computing();
  ~Computing();
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;
};

}  // namespace tutti
