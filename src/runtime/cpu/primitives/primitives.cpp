#include "runtime/cpu/primitives/primitives.hpp"

#include "core/process/thread.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t offsets_of_a_task = 1 << 16;

}  // namespace

ir::Offsets PrimitiveArguments::checked_offsets(size_t i, int64_t elements) const {
  const ir::Offsets result = offsets(i);
  if (offsets_are_known(i, elements)) return result;
  FirstWrong wrong;
  in_parts(result.segments() + 1, offsets_of_a_task, [&](int64_t begin, int64_t end) {
    wrong.note(result.first_wrong(begin, end - 1, elements));
  });
  if (wrong.any()) refuse(result, wrong.place(), elements);
  call_.buffers[i]->note_offsets_of(elements, result.longest_segment());
  return result;
}

void PrimitiveArguments::refuse(const ir::Offsets& offsets, int64_t wrong, int64_t elements) const {
  offsets.refuse(wrong, elements, ir::kind_name(step.kind), call_.where);
}

namespace {

// Blocks of values that a pack moves lie on the stack.
constexpr size_t primitive_stack_bytes = size_t{192} << 10;

void run_here(const compiler::PrimitiveStep& step, const PrimitiveCall& call) {
  const PrimitiveArguments arguments(step, call);
  switch (step.kind) {
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  case ir::Kind::id:                                                               \
    return id(arguments);
#include "tutti/detail/kinds.def"
    default:
      throw InternalError("run_primitive: not a primitive");
  }
}

}  // namespace

void run_primitive(const compiler::PrimitiveStep& step, const PrimitiveCall& call) {
  call_with_stack(primitive_stack_bytes, [&] { run_here(step, call); });
}

}  // namespace tutti::runtime
