#include "runtime/cpu/primitives/primitives.hpp"

#include "tutti/error.hpp"

namespace tutti::runtime {

ir::Offsets PrimitiveArguments::checked_offsets(size_t i, int64_t elements) const {
  const ir::Offsets result = offsets(i);
  result.check(elements, ir::kind_name(step.kind), call_.where);
  return result;
}

void run_primitive(const passes::PrimitiveStep& step, const PrimitiveCall& call) {
  const PrimitiveArguments arguments(step, call);
  switch (step.kind) {
    case ir::Kind::scan:
      return scan(arguments);
    case ir::Kind::segmented_reduce:
      return segmented_reduce(arguments);
    case ir::Kind::scatter:
      return scatter(arguments);
    case ir::Kind::sort_permutation:
    case ir::Kind::sort_values:
      return sort(arguments);
    case ir::Kind::element_segments:
      return element_segments(arguments);
    case ir::Kind::search_sorted:
      return search_sorted(arguments);
    default:
      throw InternalError("run_primitive: not a primitive");
  }
}

}  // namespace tutti::runtime
