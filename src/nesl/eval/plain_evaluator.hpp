// Evaluates the core language by walking it, one element after the other, on host values. It is
// what the other evaluator is tested against, finishes small programs at once, and runs whole
// programs with --plain.
#pragma once
#include <span>

#include "nesl/core/core.hpp"
#include "nesl/eval/machine.hpp"

namespace tutti::nesl {

// An apply-to-each over sequences on the host. It may be left after any element and gone on with.
struct HostEach {
  const CoreFunction* function = nullptr;
  const CoreExpr* expr = nullptr;
  std::vector<Value> slots;      // the variables that its body uses
  std::vector<Value> sequences;  // of one length
  Values results;                // of the elements that are done

  std::size_t length() const { return sequences[0].elements().size(); }
};

class PlainEvaluator {
 public:
  explicit PlainEvaluator(Machine& machine) : machine_(machine) {}

  Value run(const CoreFunction& function, std::vector<Value> arguments = {});
  // An expression of a function whose variables have these values.
  Value run_part(const CoreFunction& function, const CoreExpr& expr, std::vector<Value> slots);
  // The elements that are not done yet.
  void go_on(HostEach& each);
  // A primitive of a function, applied to values on the host.
  Value apply(const CoreExpr& primitive, const CoreFunction& function,
              std::span<const Value> arguments);

 private:
  struct Frame {
    const CoreFunction& function;
    std::vector<Value> slots;
    std::vector<bool> known;  // of the slots of `once` expressions
  };
  Value observed(const CoreFunction& function, Frame& frame);
  Value evaluate(const CoreExpr& expr, Frame& frame);
  // Through lets and ifs to the expression that gives the value.
  const CoreExpr& last_of(const CoreExpr& expr, Frame& frame);
  std::vector<Value> arguments_of(const CoreExpr& call, Frame& frame);
  Value each(const CoreExpr& expr, Frame& frame);
  void add_results(const CoreExpr& expr, Frame& frame, const std::vector<Value>& sequences,
                   Values& results);
  Value each_in_contexts(const CoreExpr& expr, Frame& frame);
  Value once(const CoreExpr& expr, Frame& frame);
  template <std::size_t most>
  Value primitive(const CoreExpr& expr, Frame& frame);
  Value time(const CoreExpr& expr, Frame& frame);
  template <class Work>
  Value at_place(const CoreExpr& expr, const CoreFunction& function, const Work& work);

  Machine& machine_;
};

// Throws RuntimeError unless the sequences of an apply-to-each have one length.
void check_lengths(std::size_t first, std::size_t other);

}  // namespace tutti::nesl
