// Evaluates the core language on host values, one element after the other, with the code of
// host/code.hpp. It is what the other evaluator is tested against, finishes small programs at once,
// and runs whole programs with --plain.
#pragma once
#include <span>

#include "nesl/core/core.hpp"
#include "nesl/eval/host/value_stack.hpp"
#include "nesl/eval/machine.hpp"

namespace tutti::nesl {

// An apply-to-each over sequences on the host. It may be left after any element and gone on with.
struct HostEach {
  const CoreFunction* function = nullptr;
  const CoreExpr* expr = nullptr;
  std::vector<Value> slots;      // the variables
  std::vector<bool> uses;        // which of them its body uses
  std::vector<Value> sequences;  // of one length
  Values results;                // of the elements that are done

  std::size_t length() const { return sequences[0].elements().size(); }
};

class PlainEvaluator {
 public:
  explicit PlainEvaluator(Machine& machine) : machine_(machine) {}

  Value run(const CoreFunction& function, std::vector<Value> arguments = {});
  // The elements that are not done yet.
  void go_on(HostEach& each);
  // A primitive of a function, applied to values on the host.
  Value apply(const CoreExpr& primitive, const CoreFunction& function,
              std::span<const Value> arguments);

 private:
  Machine& machine_;
  ValueStack stack_;
};

// Throws RuntimeError unless the sequences of an apply-to-each have one length.
void check_lengths(std::size_t first, std::size_t other);

}  // namespace tutti::nesl
