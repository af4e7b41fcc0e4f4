#include "nesl/eval/flat/captured_loop.hpp"

#include <algorithm>

#include "nesl/eval/flat/loop_capture.hpp"
#include "nested/error_texts.hpp"
#include "nested/rounds.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::ContextRef;

// Calls in a round: most loops are done in the first one. Longer ones are looked at less often, but
// a round of few elements stays far below a second.
constexpr int first_calls = 1024, most_calls = 1 << 17;

nested::Value is_state(const ContextRef& at, const nested::Value& state, int wanted) {
  const nested::Value operands[] = {state, integer(wanted)};
  return nested::elementwise(at, Op::equal, operands, Location());
}

// The outputs of a program in a round.
class Outputs {
 public:
  Outputs(const LoopProgram& program, nested::Value all)
      : program_(program), all_(std::move(all)) {}
  nested::Value state() const { return at(0); }
  nested::Value fact(int i) const { return at(1 + i); }
  nested::Value result(const ContextRef& context, Mono type) const {
    int first = first_result();
    return joined(context, type, first);
  }
  nested::Value next(std::size_t i) const {
    return at(first_result() + static_cast<int>(program_.results + i));
  }

 private:
  nested::Value at(int i) const { return nested::part(all_, i); }
  int first_result() const { return program_.has_facts ? 3 : 1; }
  nested::Value joined(const ContextRef& context, Mono type, int& leaf) const {
    const Mono its = mono::representation(type);
    if (its->kind != MonoType::Kind::pair) return at(leaf++);
    const nested::Value first = joined(context, its->a, leaf);
    const nested::Value parts[] = {first, joined(context, its->b, leaf)};
    return nested::tuple(context, parts);
  }

  const LoopProgram& program_;
  const nested::Value all_;
};

void report_failures(const LoopProgram& program, const Outputs& outputs, const ContextRef& at) {
  for (std::size_t i = 0; i < program.checks.size(); ++i) {
    const auto& [place, message] = program.checks[i];
    nested::set_origin({{place.function, place.expr, place.through}});
    const nested::Value failed =
        is_state(at, outputs.state(), first_check_state + static_cast<int>(i));
    if (message) {
      nested::require_not(at, failed, "", message, Location());
      continue;
    }
    const nested::Value facts[] = {outputs.fact(0), outputs.fact(1)};
    nested::require_not(
        at, failed, facts, "index", [](auto n) { return nested::no_element(n[0], n[1]); },
        Location());
  }
}

}  // namespace

nested::Value run_captured(const CoreFunction& function, const LoopShape& shape,
                           const std::vector<nested::Value>& arguments, const ContextRef& at,
                           Machine& machine) {
  const LoopProgram program = LoopCapture(function, shape, machine).run(arguments);
  nested::Finished finished(at);
  nested::Round now{at, program.inputs};
  for (int calls = first_calls;; calls = std::min(2 * calls, most_calls)) {
    machine.look_at_the_clock();
    machine.begin_operation();
    std::vector<nested::Value> operands{integer(calls)};
    operands.insert(operands.end(), now.values.begin(), now.values.end());
    nested::Value all = nested::run(now.context, program.handle, operands, Location());
    nested::settle(all.data);  // one kernel computes all outputs
    const Outputs outputs(program, std::move(all));
    report_failures(program, outputs, now.context);
    const nested::Branches branches = nested::branch(
        now.context, is_state(now.context, outputs.state(), going_on_state), Location());
    if (branches.else_side)
      finished.add(branches.else_side, outputs.result(now.context, function.result));
    if (!branches.then_side) return finished.value();
    for (std::size_t i = 0; i < program.changing; ++i) now.values[i] = outputs.next(i);
    now = nested::regroup(at, {{branches.then_side, std::move(now.values)}});
  }
}

}  // namespace tutti::nesl::flat
