// The steps of an apply-to-each whose elements run in lockstep (lockstep.hpp): each is evaluated
// for all instances of a group.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/host/value_stack.hpp"
#include "nesl/eval/machine.hpp"

namespace tutti::nesl::host {

// Instances that go together: the elements of an apply-to-each for all instances of the group
// around it, or those that take one side of a condition.
struct Group {
  std::size_t count = 1;
  const Group* outer = nullptr;  // null: the one instance outside of all
  std::vector<int> owners{};     // the instance of the outer group that each belongs to
  int depth = 0;

  Group() = default;
  Group(const Group& around, std::vector<int> its_owners)
      : count(its_owners.size()),
        outer(&around),
        owners(std::move(its_owners)),
        depth(around.depth + 1) {}
};

// A value for each instance of a group, as a sequence.
struct Column {
  const Group* group = nullptr;
  Value values;
};

// The values for a group that is within theirs, or is theirs.
Value lifted(const Column& column, const Group& to);

// A call of a function while it runs.
struct Run {
  const CoreFunction& function;
  Machine& machine;
  ValueStack& stack;
  const Group& top;
  std::vector<Column> slots;  // no group: not evaluated yet, or not needed any more

  void drop(const std::vector<int>& dead) {
    for (int slot : dead) slots[static_cast<std::size_t>(slot)] = {};
  }
};

class Step {
 public:
  virtual ~Step() = default;
  virtual Column run(Run& run, const Group& at) const = 0;
};
using StepRef = std::unique_ptr<const Step>;

// ---- makers of steps. `dead` are slots that are not needed after it.

// An expression without effects. `slots` are those of the function and what has been added.
StepRef pure_step(const CoreFunction& function, int slots, CoreRef expr, std::vector<int> dead);
// Effects, and what may fail before these, from left to right. Then the expression around them,
// which uses the results in their slots.
StepRef effects_step(std::vector<std::pair<int, StepRef>> effects, StepRef rest);
StepRef primitive_step(const CoreFunction& function, const CoreExpr& expr,
                       std::vector<StepRef> operands);
StepRef let_step(const CoreExpr& expr, std::vector<StepRef> values, StepRef body,
                 std::vector<int> dead);
struct Side {
  StepRef step;
  std::vector<int> dead;
};
// The slots `in_both` are used for the last time on each side.
StepRef condition_step(StepRef test, Side yes, Side no, std::vector<int> in_both);
StepRef each_step(const CoreFunction& function, const CoreExpr& expr,
                  std::vector<StepRef> sequences, StepRef body);
// With effects, so it is evaluated where the first instance comes to it.
StepRef once_step(const CoreFunction& function, const CoreExpr& expr);
StepRef time_step(Mono seconds, StepRef operand);

}  // namespace tutti::nesl::host
