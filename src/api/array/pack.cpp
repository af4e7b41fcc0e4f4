// Packing in one pass over the values. Their number is found during the pass, so the node has room
// for all values; the result is a leaf of the right size.
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "graph/node.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/vector_ops.hpp"

namespace tutti::detail {
namespace {

// Below this size, counting first costs less than the memory.
constexpr int64_t worth_one_pass = 1 << 16;

runtime::ArrayBuffer& buffer_of(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return runtime::array_of(*node->buffer);
}

}  // namespace

NodeRef pack_counting(const NodeRef& flags, const NodeRef& values, int64_t& found,
                      const Location& where) {
  found = -1;
  const NodeRef all = ir::make_pack_all(flags, values, where);
  if (all->shape[0] < worth_one_pass) return NodeRef();
  if (engine::distribution()) return NodeRef();  // the parts of ranks are counted first
  engine::evaluate({&all, 1});
  runtime::ArrayBuffer& buffer = buffer_of(all);
  found = buffer.found();
  if (found < 0) return NodeRef();  // the interpreter does not count
  if (found < all->shape[0] / 4) {  // the rest of the memory would be wasted
    const Range front[] = {Range{0, found}};
    const NodeRef few = ir::make_section(all, front, where);
    engine::evaluate({&few, 1});
    return few;
  }
  Extents shape = all->shape;
  shape[0] = found;
  const size_t bytes = static_cast<size_t>(found * size_of(all->type));
  return ir::make_leaf(all->type, shape, runtime::ArrayBuffer::first_part_of(buffer, bytes), where);
}

}  // namespace tutti::detail
