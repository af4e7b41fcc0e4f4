#include "graph/verify.hpp"

#include <algorithm>
#include <limits>

#include "graph/build_primitives.hpp"
#include "graph/type_rules.hpp"
#include "program/program.hpp"

namespace tutti::ir {
namespace {

void require(bool holds, const char* rule) {
  if (!holds) throw Error(rule);
}

bool is_index(ElementType type) { return type == ElementType::i32 || type == ElementType::i64; }

ElementType index_type(int64_t elements) {
  return elements > std::numeric_limits<int32_t>::max() ? ElementType::i64 : ElementType::i32;
}

bool is_canonical(const ScalarValue& value) {
  if (value.type == ElementType::b8) return value.bits <= 1;
  const int bits = 8 * size_of(value.type);
  return bits == 64 || value.bits >> bits == 0;
}

class Verifier {
 public:
  explicit Verifier(const Node& node) : node_(node), inputs_(node.inputs()) {}

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
        require(node_.type == ElementType::i32, "an index is int32");
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
      case Kind::leaf:
      case Kind::parameter:
        throw Error("a node without a meaning of its own");
      default:
        primitive();
    }
  }

 private:
  ElementType type(size_t i) const { return inputs_[i]->type; }
  const Extents& shape(size_t i) const { return inputs_[i]->shape; }
  void count(size_t wanted) const {
    require(inputs_.size() == wanted, "the number of inputs is wrong");
  }

  // Fields that the kind does not use hold nothing: they are part of the keys of plans.
  void fields() const {
    const Kind kind = node_.kind;
    require(kind == Kind::elementwise || node_.op == Op{}, "an operation of the wrong kind");
    require(kind == Kind::reduce || kind == Kind::scan || kind == Kind::segmented_reduce ||
                node_.reduction == Reduction{},
            "a reduction of the wrong kind");
    const auto payload = payload_of(kind, number_of(node_.payload));
    require(payload && payload->index() == node_.payload.index(), "a payload of the wrong kind");
    require((kind == Kind::affine || kind == Kind::gather || kind == Kind::write_section) ==
                (node_.map != nullptr),
            "a map of coordinates of the wrong kind");
    require((kind == Kind::program) == (node_.program != nullptr), "a program of the wrong kind");
  }

  // Some of the first inputs have the shape of the result, the others are single numbers.
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
      require(type(i) == ElementType::i32 && shape(i) == node_.shape,
              "indices are int32, one for each element");
    fill();
  }

  void reduction() const {
    const Reduction canonical = checked_reduction(node_.reduction, node_.type,
                                                  reduction_name(node_.reduction), Location());
    require(canonical == node_.reduction && !sums_in_float(node_.reduction, node_.type),
            "a reduction has another name, or another type");
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
    const ScalarProgram& program = *node_.program;
    const auto arguments = static_cast<size_t>(program.inputs);
    count(arguments + program.tables.size());
    const auto output = static_cast<size_t>(node_.get<ProgramOutput>().number);
    require(output < program.outputs.size(), "a program has this output");
    require(node_.type == program.slots[static_cast<size_t>(program.outputs[output])],
            "an output of a program has another type");
    for (size_t i = 0; i < arguments; ++i)
      require(type(i) == program.values[i], "an argument of a program has another type");
    broadcast(arguments);
    for (size_t t = 0; t < program.tables.size(); ++t) {
      const Extents& table = shape(arguments + t);
      require(type(arguments + t) == program.tables[t].type &&
                  table.rank == program.tables[t].rank && table.size() > 0,
              "a program reads an array of another kind");
    }
  }

  // ---- vector primitives, as in build_primitives.cpp

  void vector(size_t i) const { require(shape(i).rank == 1, "a vector primitive takes vectors"); }
  void offsets(size_t i, int64_t elements) const {
    vector(i);
    require(is_index(type(i)) && shape(i)[0] > 0, "offsets are integers, one at least");
    require(shape(i)[0] > 1 || elements == 0, "a single offset makes no segment");
  }

  void primitive() const {
    switch (node_.kind) {
      case Kind::scan:
        return scan();
      case Kind::segmented_reduce:
        count(2);
        vector(0);
        offsets(1, shape(0)[0]);
        require(node_.type == type(0) && node_.shape.rank == 1 && node_.shape[0] == shape(1)[0] - 1,
                "one result for each segment");
        return reduction();
      case Kind::scatter:
        return scatter();
      case Kind::sort_permutation:
      case Kind::sort_values:
        return sort();
      case Kind::element_segments:
        count(1);
        require(node_.type == ElementType::i32 && node_.shape.rank == 1,
                "a segment for each element");
        return offsets(0, node_.shape[0]);
      case Kind::checked_offsets:
        count(2);
        vector(1);
        offsets(0, node_.get<OffsetRule>() == OffsetRule::ascend ? 0 : shape(1)[0]);
        require(node_.type == type(0) && node_.shape == shape(0), "offsets that are checked");
        return;
      case Kind::pack:
        return pack();
      case Kind::search_sorted:
        count(2);
        vector(0);
        require(
            type(0) == type(1) && node_.type == index_type(shape(0)[0]) && node_.shape == shape(1),
            "a search for each query");
        return;
      case Kind::write_section:
        return write_section();
      default:
        throw Error("a node of an unknown kind");
    }
  }

  void scan() const {
    require(inputs_.size() == 1 || inputs_.size() == 2, "a scan has one input, and offsets");
    require(node_.type == type(0) && node_.shape == shape(0) && node_.shape.rank > 0,
            "a scan keeps shape and type");
    reduction();
    if (inputs_.size() == 1) return;
    vector(0);
    offsets(1, shape(0)[0]);
  }

  void scatter() const {
    const int rank = node_.shape.rank;
    require(rank > 0, "a scatter goes to an array");
    count(2 + static_cast<size_t>(rank));
    require(node_.shape == shape(0) && node_.type == type(0) && node_.type == type(1),
            "a scatter keeps shape and type");
    const auto collision = node_.get<Collision>();
    require(collision != Collision::any, "a scatter has a rule for collisions");
    const bool adds = collision == Collision::sum;
    require(!adds || (node_.type != ElementType::b8 && node_.type != ElementType::f16),
            "a scatter adds numbers");
    for (size_t i = 2; i < inputs_.size(); ++i)
      require(is_index(type(i)) && type(i) == type(2) && shape(i) == shape(1),
              "one index for each value");
  }

  // Every value has an element of the base to itself.
  void write_section() const {
    count(2);
    require(node_.shape == shape(1) && node_.type == type(1) && node_.type == type(0),
            "a written section keeps shape and type");
    require(shape(0).rank == node_.shape.rank && node_.shape.rank > 0 && shape(0).size() > 0,
            "a section has the axes of its array, and elements");
    require(node_.map->boundary == Boundary::Kind::clamp, "a section has no boundary rule");
    for (int i = 0; i < node_.shape.rank; ++i) {
      const AxisMap& m = node_.map->axes[static_cast<size_t>(i)];
      const __int128 last = m.offset + static_cast<__int128>(m.stride) * (shape(0)[i] - 1);
      require(m.axis == i && (m.stride != 0 || shape(0)[i] == 1), "values of a section collide");
      require(m.offset >= 0 && m.offset < node_.shape[i] && last >= 0 && last < node_.shape[i],
              "a section reaches outside");
    }
  }

  void sort() const {
    const bool of_values = node_.kind == Kind::sort_values;
    const size_t keys = of_values ? 2 : 1;
    require(inputs_.size() == keys || inputs_.size() == keys + 1, "a sort has keys, and offsets");
    vector(0);
    require(node_.shape == shape(0), "a sort keeps the shape");
    if (of_values)
      require(shape(1) == shape(0) && node_.type == type(1), "a value for each key");
    else
      require(node_.type == index_type(shape(0)[0]), "a permutation holds indices");
    if (inputs_.size() > keys) offsets(keys, shape(0)[0]);
  }

  void pack() const {
    count(2);
    vector(0);
    require(type(0) == ElementType::b8 && shape(0) == shape(1) && shape(0)[0] > 0 &&
                node_.type == type(1) && node_.shape.rank == 1,
            "a pack has a flag for each value");
    require(node_.get<PackSize>() == PackSize::known || node_.shape == shape(0),
            "a pack has room for all");
  }

  const Node& node_;
  const std::span<const NodeRef> inputs_;
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
