#include "graph/printer.hpp"

#include <unordered_map>

#include "core/elements/convert.hpp"
#include "program/program.hpp"

namespace tutti::ir {
namespace {

std::string value_text(const ScalarValue& value) {
  return visit_type(value.type, [&](auto tag) -> std::string {
    using T = typename decltype(tag)::type;
    const T x = from_bits<T>(value.bits);
    if constexpr (std::is_same_v<T, bool>)
      return x ? "true" : "false";
    else if constexpr (std::is_same_v<T, half>)
      return std::to_string(static_cast<float>(x));
    else
      return std::to_string(x);
  });
}

std::string primitive_text(const Node& node) {
  std::string text = kind_name(node.kind);
  if (is_combining_primitive(node.kind)) text += std::string(" ") + reduction_name(node.reduction);
  if (node.kind == Kind::write_section) text += " " + coordinates_text(*node.map, node.shape.rank);
  if (node.kind == Kind::fourier_lines) return text + lines_text(node.get<FourierLines>());
  const std::string word = payload_word(node.payload);
  return word.empty() ? text : text + " " + word;
}

std::string describe(const Node& node) {
  if (node.buffer) return "array";
  switch (node.kind) {
    case Kind::leaf:
      return "array";
    case Kind::constant:
      return "constant " + value_text(node.value);
    case Kind::index:
      return "index " + std::to_string(node.get<IndexAxis>().axis);
    case Kind::elementwise:
      return op_name(node.op);
    case Kind::cast:
      return "cast";
    case Kind::affine:
      return std::string(node.map->name) + " " + map_text(*node.map, node.inputs()[0]->shape.rank);
    case Kind::gather:
      return std::string("gather ") + boundary_name(node.map->boundary);
    case Kind::reduce: {
      std::string text = reduction_name(node.reduction);
      for (int axis = 0; axis < node.inputs()[0]->shape.rank; ++axis)
        if (node.get<ReducedAxes>().has(axis)) text += " " + std::to_string(axis);
      return text;
    }
    case Kind::inner_product:
      return "inner_product";
    case Kind::program:
      return "program " + std::to_string(node.program->id) + " output " +
             std::to_string(node.get<ProgramOutput>().number);
    case Kind::recurrence: {
      const auto step = node.get<RecurrenceStep>();
      return "recurrence " + std::to_string(node.program->id) + " output " +
             std::to_string(step.output) + " axis " + std::to_string(step.axis) +
             (step.backward ? " backward" : "");
    }
    case Kind::reshape:
    case Kind::parameter:
      return kind_name(node.kind);
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) case Kind::id:
#include "tutti/detail/kinds.def"
      return primitive_text(node);
  }
  return "";
}

}  // namespace

const char* boundary_name(Boundary::Kind kind) {
  return kind == Boundary::Kind::clamp  ? "clamp"
         : kind == Boundary::Kind::wrap ? "wrap"
                                        : "constant";
}

std::string map_text(const AffineMap& map, int rank) {
  return coordinates_text(map, rank) + " " + boundary_name(map.boundary);
}

std::string coordinates_text(const AffineMap& map, int rank) {
  std::string text = "[";
  for (int axis = 0; axis < rank; ++axis) {
    const AxisMap& m = map.axes[static_cast<size_t>(axis)];
    if (axis) text += ", ";
    if (m.axis < 0) {
      text += std::to_string(m.offset);
      continue;
    }
    if (m.stride != 1) text += std::to_string(m.stride) + "*";
    text += "i" + std::to_string(m.axis);
    if (m.offset) text += (m.offset > 0 ? " + " : " - ") + std::to_string(std::abs(m.offset));
  }
  return text + "]";
}

std::string print(std::span<const NodeRef> roots) {
  std::string text;
  std::unordered_map<const Node*, int> numbers;
  std::vector<const Node*> stack;
  for (const NodeRef& root : roots) {
    stack.push_back(root.get());
    while (!stack.empty()) {
      const Node* node = stack.back();
      if (numbers.count(node)) {
        stack.pop_back();
        continue;
      }
      const size_t before = stack.size();
      for (const NodeRef& input : node->inputs())
        if (!numbers.count(input.get())) stack.push_back(input.get());
      if (stack.size() > before) continue;
      stack.pop_back();
      const int number = static_cast<int>(numbers.size());
      numbers.emplace(node, number);
      text += "%" + std::to_string(number) + " = " + describe(*node);
      for (const NodeRef& input : node->inputs())
        text += " %" + std::to_string(numbers.at(input.get()));
      text += " : " + std::string(name(node->type)) + " " + detail::to_string(node->shape) +
              detail::at(node->where) + "\n";
    }
  }
  for (const NodeRef& root : roots)
    text += "result %" + std::to_string(numbers.at(root.get())) + "\n";
  return text;
}

}  // namespace tutti::ir
