#include "nesl/eval/host/plain_evaluator.hpp"

#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/host/code.hpp"
#include "nesl/library/primitive.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {

void check_lengths(std::size_t first, std::size_t other) {
  if (first != other) throw RuntimeError("apply-to-each: " + nested::unequal_lengths(first, other));
}

Value PlainEvaluator::run(const CoreFunction& function, std::vector<Value> arguments) {
  const host::Code& code = host::code_of(function);
  ValueStack::Frame slots(stack_, code.slots);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    code.put(static_cast<int>(i), arguments[i], slots.slots());
  Value result = host::call(code, slots, machine_);
  machine_.throw_failure();
  return result;
}

void PlainEvaluator::go_on(HostEach& each) {
  const host::Code& code = host::code_of(*each.function);
  const ValueStack::Frame slots(stack_, code.slots);
  for (std::size_t i = 0; i < each.slots.size(); ++i)
    if (each.uses[i]) code.put(static_cast<int>(i), each.slots[i], slots.slots());
  host::Frame frame{slots.slots(), machine_, stack_};
  code.eachs.at(each.expr)->add_results(frame, each.sequences.data(), each.results);
  machine_.throw_failure();
}

Value PlainEvaluator::apply(const CoreExpr& primitive, const CoreFunction& function,
                            std::span<const Value> arguments) {
  Mono types[most_operands];
  for (std::size_t i = 0; i < arguments.size(); ++i) types[i] = primitive.operands[i]->type;
  return host::at_place(primitive, function, machine_, [&] {
    return primitive.primitive->run(
        {arguments, {types, arguments.size()}, primitive.type, machine_});
  });
}

}  // namespace tutti::nesl
