// Apply-to-eachs that print, or draw random numbers at several places: their elements go through
// the body in lockstep. Each effect happens for all elements at once, in their order, as in
// contexts. Expressions without effects between them are evaluated as apply-to-eachs of their own.
#pragma once
#include <atomic>

#include "nesl/core/core.hpp"

namespace tutti::nesl::host {

struct Code;
struct Frame;
class Lockstep;

// The code of an expression for lockstep, once it has been made. Several threads may ask for it.
class LockstepCode {
 public:
  LockstepCode() = default;
  // That of a copy is made anew.
  LockstepCode(const LockstepCode&) {}
  LockstepCode& operator=(const LockstepCode&) { return *this; }
  ~LockstepCode();
  const Lockstep& of(const CoreFunction& function, const CoreRef& expr) const;

 private:
  mutable std::atomic<const Lockstep*> made_{nullptr};
};

// The results of an apply-to-each for sequences of one length. The code is that of its body. The
// frame is that of the function around it.
Values each_in_lockstep(const CoreExpr& each, const LockstepCode& body, const Code& code,
                        Frame& frame, const Value* sequences);

}  // namespace tutti::nesl::host
