#include "graph/verify.hpp"

#include <algorithm>
#include <limits>

#include "graph/build_primitives.hpp"
#include "graph/node_rules.hpp"
#include "graph/type_rules.hpp"
#include "program/program.hpp"

namespace tutti::ir {
namespace {

bool is_canonical(const ScalarValue& value) {
  if (value.type == ElementType::b8) return value.bits <= 1;
  const int bits = 8 * size_of(value.type);
  return bits == 64 || value.bits >> bits == 0;
}

class Verifier : private NodeRules {
 public:
  using NodeRules::NodeRules;

  void run() {
    verify_shape(node_.shape, node_.type);
    fields();
    switch (node_.kind) {
      case Kind::constant:
        count(0);
        require(node_.value.type == node_.type && is_canonical(node_.value),
                "the value of a constant is of its type");
        break;
      case Kind::index:
        count(0);
        require(is_index_type(node_.type), "an index is int32 or int64");
        require(node_.get<IndexAxis>().axis < node_.shape.rank, "an index has an axis");
        break;
      case Kind::elementwise:
        elementwise();
        break;
      case Kind::cast:
        count(1);
        require(node_.shape == shape(0) && node_.type != type(0), "a cast changes the type alone");
        break;
      case Kind::affine:
        affine();
        break;
      case Kind::gather:
        gather();
        break;
      case Kind::reduce:
        reduce();
        break;
      case Kind::inner_product:
        inner_product();
        break;
      case Kind::reshape:
        count(1);
        require(node_.type == type(0) && node_.shape.size() == shape(0).size(),
                "a reshape keeps elements and their type");
        break;
      case Kind::program:
        program();
        break;
      case Kind::recurrence:
        recurrence();
        break;
      case Kind::leaf:
      case Kind::parameter:
        throw Error("a node without a meaning of its own");
      default:
        verify_primitive(node_);
    }
  }

 private:
  // Fields that the kind does not use are empty: they are part of the keys of plans.
  void fields() const {
    const Kind kind = node_.kind;
    require(kind == Kind::elementwise || node_.op == Op{}, "an operation of the wrong kind");
    require(kind == Kind::reduce || is_combining_primitive(kind) || node_.reduction == Reduction{},
            "a reduction of the wrong kind");
    const auto payload = payload_of(kind, number_of(node_.payload));
    require(payload && payload->index() == node_.payload.index(), "a payload of the wrong kind");
    require((kind == Kind::affine || kind == Kind::gather || kind == Kind::write_section) ==
                (node_.map != nullptr),
            "a map of coordinates of the wrong kind");
    require((kind == Kind::program || kind == Kind::recurrence) == (node_.program != nullptr),
            "a program of the wrong kind");
  }

  // Some of the first inputs have the shape of the result, the others are scalars.
  void broadcast(size_t inputs) const {
    bool whole = node_.shape.rank == 0;
    for (size_t i = 0; i < inputs; ++i) {
      require(shape(i).rank == 0 || shape(i) == node_.shape, "an input has another shape");
      whole |= shape(i) == node_.shape;
    }
    require(whole, "no input has the shape of the result");
  }

  void elementwise() const {
    count(static_cast<size_t>(op_arity(node_.op)));
    std::array<ElementType, 3> types{};
    for (size_t i = 0; i < inputs_.size(); ++i) types[i] = type(i);
    require(
        result_type(node_.op, std::span(types.data(), inputs_.size()), Location()) == node_.type,
        "an operation gives another type");
    broadcast(inputs_.size());
  }

  void fill() const {
    if (node_.map->boundary != Boundary::Kind::constant) return;
    require(node_.map->fill.type == node_.type && is_canonical(node_.map->fill),
            "the value beyond a border is of the type of the elements");
  }

  void affine() const {
    count(1);
    require(node_.type == type(0), "a transformation keeps the type");
    require(shape(0).size() > 0 || node_.shape.size() == 0, "an empty array has no elements");
    fill();
    for (int i = 0; i < shape(0).rank; ++i) {
      const AxisMap& m = node_.map->axes[static_cast<size_t>(i)];
      require(m.axis >= -1 && m.axis < node_.shape.rank, "a coordinate of an axis that is there");
      const int64_t extent = m.axis < 0 ? 1 : std::max<int64_t>(1, node_.shape[m.axis]);
      const __int128 last = m.offset + static_cast<__int128>(m.stride) * (extent - 1);
      // Coordinates have 32 bits, unless the arrays are larger.
      const int64_t farthest =
          std::max<int64_t>(std::numeric_limits<int32_t>::max(), shape(0)[i] + extent);
      for (const __int128 number : {__int128{m.offset}, __int128{m.stride}, last})
        require(number >= -farthest && number <= farthest, "a coordinate is too far away");
    }
  }

  void gather() const {
    require(!inputs_.empty() && shape(0).rank > 0, "a gather has an array to read");
    count(static_cast<size_t>(shape(0).rank) + 1);
    require(node_.type == type(0) && shape(0).size() > 0, "a gather reads elements of its type");
    for (size_t i = 1; i < inputs_.size(); ++i)
      require(is_index_type(type(i)) && shape(i) == node_.shape,
              "indices are int32 or int64, one for each element");
    fill();
  }

  void reduce() const {
    count(1);
    require(node_.type == type(0), "a reduction keeps the type");
    reduction();
    const auto axes = node_.get<ReducedAxes>();
    require(axes.mask >> shape(0).rank == 0, "a reduction along its axes");
    Extents left;
    for (int i = 0; i < shape(0).rank; ++i)
      if (!axes.has(i)) left.push_back(shape(0)[i]);
    require(node_.shape == left, "a reduction leaves the other axes");
  }

  void inner_product() const {
    count(2);
    const Extents &left = shape(0), &right = shape(1);
    require(left.rank > 0 && right.rank > 0 && left[left.rank - 1] == right[0],
            "a product contracts axes of one extent");
    require(type(0) == type(1) && node_.type == type(0) && node_.type != ElementType::b8 &&
                node_.type != ElementType::f16,
            "a product of numbers of one type");
    require(left.rank + right.rank - 2 <= max_rank, "a product has too many axes");
    Extents result;
    for (int i = 0; i + 1 < left.rank; ++i) result.push_back(left[i]);
    for (int i = 1; i < right.rank; ++i) result.push_back(right[i]);
    require(node_.shape == result, "a product has the other axes");
  }

  void program() const {
    call(static_cast<size_t>(node_.get<ProgramOutput>().number));
    broadcast(static_cast<size_t>(node_.program->inputs));
  }

  void recurrence() const {
    const auto step = node_.get<RecurrenceStep>();
    require(node_.shape.size() > 0, "a recurrence has elements");
    require(step.axis + 1 < node_.shape.rank, "a recurrence runs along an axis before the last");
    call(static_cast<size_t>(step.output));
    const ScalarProgram& program = *node_.program;
    require(program.outputs.size() <= static_cast<size_t>(program.inputs),
            "a recurrence has an input for each state");
    Extents first;
    for (int axis = 0; axis < node_.shape.rank; ++axis)
      if (axis != step.axis) first.push_back(node_.shape[axis]);
    for (size_t i = 0; i < static_cast<size_t>(program.inputs); ++i) {
      const bool is_state = i < program.outputs.size();
      require(shape(i).rank == 0 || shape(i) == (is_state ? first : node_.shape),
              "an input of a recurrence has another shape");
      require(!is_state || type(i) == program.slots[static_cast<size_t>(program.outputs[i])],
              "a state of a recurrence has another type");
    }
  }

  // Checks the types of a program's inputs and of one output, and its tables.
  void call(size_t output) const {
    const ScalarProgram& program = *node_.program;
    const auto arguments = static_cast<size_t>(program.inputs);
    count(arguments + program.tables.size());
    require(output < program.outputs.size(), "a program has this output");
    require(node_.type == program.slots[static_cast<size_t>(program.outputs[output])],
            "an output of a program has another type");
    for (size_t i = 0; i < arguments; ++i)
      require(type(i) == program.values[i], "an argument of a program has another type");
    for (size_t t = 0; t < program.tables.size(); ++t) {
      const Extents& table = shape(arguments + t);
      require(type(arguments + t) == program.tables[t].type &&
                  table.rank == program.tables[t].rank && table.size() > 0,
              "a program reads an array of another kind");
    }
  }
};

}  // namespace

void verify_shape(const Extents& shape, ElementType type) {
  Extents counted = shape;
  for (int i = 0; i < counted.rank; ++i)
    if (counted[i] == 0) counted[i] = 1;
  checked_size(counted, type, "a stored graph", Location());
}

void verify(const Node& node) { Verifier(node).run(); }

}  // namespace tutti::ir
