#include "program/substitute.hpp"

#include "program/program.hpp"

namespace tutti::ir {

std::vector<Node*> dependent_nodes(const Function& function, Dependent dependent) {
  const auto is_loop = [&](const Node& node) {
    return dependent == Dependent::on_loops_too && node.kind == Kind::program &&
           node.program->loops;
  };
  SmallMap<const Node*, bool> depends;
  for (const NodeRef& parameter : function.parameters) depends[parameter.get()] = true;
  std::vector<Node*> order, stack;
  for (const NodeRef& result : function.results) {
    stack.push_back(result.get());
    while (!stack.empty()) {
      Node* node = stack.back();
      if (depends.count(node)) {
        stack.pop_back();
        continue;
      }
      bool ready = true, any = is_loop(*node);
      for (const NodeRef& input : node->inputs()) {
        const auto found = depends.find(input.get());
        if (found == depends.end()) {
          stack.push_back(input.get());
          ready = false;
        } else {
          any |= found->second;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      depends[node] = any;
      if (any) order.push_back(node);
    }
  }
  return order;
}

namespace {

// Index operands of a gather have one shape, so an index of rank 0 is broadcast.
NodeRef repeat_index(const NodeRef& index, const Extents& shape, const Location& where) {
  if (index->shape.rank > 0 || shape.rank == 0) return repeat_to(index, shape, where);
  AffineMap map;
  map.name = "broadcast";
  return make_affine(index, shape, map, where);
}

}  // namespace

NodeRef rebuild(const Node& node, std::span<const NodeRef> inputs, const Location& where) {
  switch (node.kind) {
    case Kind::elementwise:
      return make_elementwise(node.op, inputs, where);
    case Kind::cast:
      return make_cast(inputs[0], node.type, where);
    case Kind::gather: {
      std::vector<Extents> shapes;
      for (const NodeRef& index : inputs.subspan(1)) shapes.push_back(index->shape);
      const Extents shape = broadcast_shapes(shapes, "gather", where);
      std::vector<NodeRef> indices;
      for (const NodeRef& index : inputs.subspan(1))
        indices.push_back(repeat_index(index, shape, where));
      return make_gather(inputs[0], indices, node.map->boundary, node.map->fill, where);
    }
    case Kind::program:
      return make_program(node.program, inputs, node.get<ProgramOutput>().number, where);
    default:
      throw InternalError("inline_function: a function is made of operations on numbers only");
  }
}

}  // namespace tutti::ir
