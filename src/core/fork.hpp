// What becomes of the library in a child that fork() makes. The child has one thread. It works, on
// the CPU, if no other thread was computing when it was made; else every computation in it throws.
// Its exit never waits for threads that it does not have. Mutexes that other threads may hold at
// any time are taken across the fork, so that what they guard is whole in the child.
#pragma once
#include <mutex>

namespace tutti {

// True in a child of a process that had loaded the library.
bool forked() noexcept;

// Of mutexes that are held across a fork, in the order in which threads take them.
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

// Called in the child, by its only thread, before fork() returns; at most eight such functions.
void in_forked_child(void (*reset)()) noexcept;

// The calling thread computes while it lives. Throws Error in a child that cannot.
class Computing {
 public:
  Computing();
  ~Computing();
  Computing(const Computing&) = delete;
  Computing& operator=(const Computing&) = delete;
};

}  // namespace tutti
