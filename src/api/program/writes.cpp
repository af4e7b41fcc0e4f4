// What programs write at computed places: pairs of outputs, an index and a value.
#include "tutti/write.hpp"

#include <algorithm>

#include "api/program/program_data.hpp"
#include "graph/node.hpp"

namespace tutti::detail {

void require_writes(const ProgramHandle& handle, const Expected& index, const Expected& value,
                    const Location& where) {
  const ProgramData& program = data_of(handle);
  if (capturing()) refuse(program, "was scattered inside of another program", where);
  const std::vector<Port>& outputs = program.outputs;
  bool fits = outputs.size() % 2 == 0;
  for (size_t i = 0; fits && i < outputs.size(); ++i)
    fits = std::ranges::equal(i % 2 == 0 ? index.types : value.types, outputs[i].types);
  if (fits) return;
  const auto port = [](const Expected& e) { return Port{{e.types.begin(), e.types.end()}, {}}; };
  throw TypeError("scatter: the program" + at(program.where) + " gives " + list(outputs) +
                  ", not writes of " + list({port(index), port(value)}) +
                  "; declare each as a Write, and nothing else" + at(where));
}

NodeRef writes_of_component(std::span<const NodeRef> nodes, size_t component, size_t of_each,
                            const Location& where) {
  std::vector<NodeRef> writes;
  for (size_t i = component; i < nodes.size(); i += of_each) writes.push_back(nodes[i]);
  if (writes.size() == 1) return writes[0];
  const Extents& shape = writes[0]->shape;
  if (shape.rank < max_rank) return stack(writes, shape.rank, where);
  Extents line;  // there is no axis left
  line.push_back(shape.size());
  for (NodeRef& node : writes) node = reshape(node, line, where);
  return stack(writes, 1, where);
}

}  // namespace tutti::detail
