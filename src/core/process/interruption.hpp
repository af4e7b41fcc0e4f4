// The engine's side of tutti/interruption.hpp: where an evaluation may stop, and where not. Threads
// without a scope pay a null check.
#pragma once
#include "tutti/interruption.hpp"

namespace tutti {

bool may_be_interrupted();   // this thread has a scope, and nothing protects it
bool is_asking();            // this thread is inside of the function of a scope
void note_evaluation();      // an evaluation begins: delays the next call of the functions
void stop_if_interrupted();  // throws Interrupted

// Protects work that overwrites its own inputs, and so must not stop half-way, during its lifetime.
class Uninterruptible {
 public:
  explicit Uninterruptible(bool really = true);
  ~Uninterruptible();
  Uninterruptible(const Uninterruptible&) = delete;
  Uninterruptible& operator=(const Uninterruptible&) = delete;

 private:
  const bool really_;
};

}  // namespace tutti
