// The engine's side of tutti/interruption.hpp: where an evaluation may stop, and where it may not.
// Threads without a scope pay a null check.
#pragma once
#include "tutti/interruption.hpp"

namespace tutti {

bool may_be_interrupted();   // this thread has a scope, and nothing protects it
bool is_asking();            // this thread evaluates, and is in the function of a scope
void note_evaluation();      // an evaluation begins: scopes are asked later, not at once
void stop_if_interrupted();  // throws Interrupted

// Work that must not stop half-way, for as long as it lives: it writes over its own inputs.
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
