// Reductions and scans with a captured program as their operator; see program/user_reduction.hpp.
#include "tutti/fold.hpp"

#include "api/program/program_data.hpp"
#include "engine/laziness.hpp"
#include "graph/extreme_position.hpp"
#include "program/user_reduction.hpp"

namespace tutti::detail {
namespace {

std::vector<NodeRef> bounded(std::vector<NodeRef> nodes) {
  engine::keep_bounded(nodes);
  return nodes;
}

std::vector<NodeRef> constants(std::span<const ScalarValue> values, const Location& where) {
  std::vector<NodeRef> result;
  for (const ScalarValue& value : values) result.push_back(ir::make_constant(value, {}, where));
  return result;
}

}  // namespace

NodeRef extreme_position(Reduction max_or_min, const NodeRef& input, std::span<const int> axes,
                         const Location& where) {
  return bounded({ir::make_extreme_position(max_or_min, input, axes, where)})[0];
}

std::vector<NodeRef> reduce_with(const ProgramHandle& combiner, std::vector<NodeRef> components,
                                 std::span<const int> axes, const Location& where) {
  return bounded(ir::fold_axes(function_of(combiner), std::move(components), axes, where));
}

std::vector<NodeRef> reduce_segments_with(const ProgramHandle& combiner,
                                          const std::vector<NodeRef>& components,
                                          const NodeRef& offsets,
                                          std::span<const ScalarValue> neutral,
                                          const Location& where) {
  return bounded(ir::fold_segments(function_of(combiner), components, offsets,
                                   constants(neutral, where), where));
}

std::vector<NodeRef> scan_with(const ProgramHandle& combiner,
                               const std::vector<NodeRef>& components, const NodeRef& offsets,
                               bool exclusive, std::span<const ScalarValue> neutral,
                               const Location& where) {
  return bounded(ir::scan_with(function_of(combiner), components, offsets, exclusive,
                               constants(neutral, where), where));
}

}  // namespace tutti::detail
