// Recurrences with a captured program as their step; see program/recurrence.hpp.
#include "tutti/recurrence.hpp"

#include "api/program/program_data.hpp"
#include "engine/laziness.hpp"
#include "program/recurrence.hpp"

namespace tutti::detail {

std::vector<NodeRef> recurrence(const ProgramHandle& step, std::span<const NodeRef> initial,
                                std::span<const NodeRef> components, int axis, Direction direction,
                                const Location& where) {
  std::vector<NodeRef> nodes = ir::make_recurrence(function_of(step), initial, components,
                                                   {axis, direction == Direction::backward}, where);
  engine::keep_bounded(nodes);
  return nodes;
}

}  // namespace tutti::detail
