#include "graph/build_primitives.hpp"

#include <limits>

#include "graph/build_transform.hpp"
#include "graph/element_count.hpp"
#include "graph/node_rules.hpp"
#include "graph/type_rules.hpp"
#include "numerics/fourier.hpp"

namespace tutti::ir {
namespace {

// Returns int32 if it can number the elements.
ElementType index_type(int64_t elements) {
  return elements > std::numeric_limits<int32_t>::max() ? ElementType::i64 : ElementType::i32;
}

void require_vector(const NodeRef& input, const char* operation, const char* what,
                    const Location& where) {
  if (input->shape.rank != 1)
    throw ShapeError(std::string(operation) + ": " + what + " must be a vector, not of the shape " +
                     detail::to_string(input->shape) + detail::at(where));
}

void check_offsets(const NodeRef& offsets, int64_t elements, const char* operation,
                   const Location& where) {
  require_vector(offsets, operation, "offsets", where);
  if (!is_index_type(offsets->type))
    throw TypeError(std::string(operation) + ": offsets are int32 or int64, not " +
                    name(offsets->type) + detail::at(where));
  if (offsets->shape[0] == 0)
    throw ShapeError(std::string(operation) +
                     ": no offsets: there is one more than there are segments" + detail::at(where));
  // Without segments nothing is computed, so a later check would not find this.
  if (offsets->shape[0] == 1 && elements > 0)
    throw ShapeError(std::string(operation) + ": a single offset makes no segment, but there are " +
                     std::to_string(elements) + " elements to divide; there is one offset more " +
                     "than there are segments" + detail::at(where));
}

NodeRef make(Kind kind, ElementType type, const Extents& shape, Payload payload,
             std::span<const NodeRef> inputs, const Location& where) {
  auto* node = new Node(kind, type, shape, where);
  node->payload = payload;
  node->set_inputs(inputs);
  return NodeRef(node);
}

SmallVector<NodeRef> with_offsets(std::initializer_list<NodeRef> inputs, const NodeRef& offsets) {
  SmallVector<NodeRef> result(inputs);
  if (offsets) result.push_back(offsets);
  return result;
}

SortOrder order_of(bool descending) {
  return descending ? SortOrder::descending : SortOrder::ascending;
}

Extents vector_of(int64_t elements) {
  Extents shape;
  shape.push_back(elements);
  return shape;
}

}  // namespace

NodeRef make_scan(Reduction reduction, const NodeRef& input, const NodeRef& offsets, bool exclusive,
                  const Location& given) {
  require_alive({&input, 1}, "scan", given);
  const Location where = place_of(given, {&input, 1});
  const Reduction canonical = checked_reduction(reduction, input->type, "scan", where);
  if (input->shape.rank == 0)
    throw ShapeError("scan: a scalar has no axis to scan along" + detail::at(where));
  if (offsets) {
    require_vector(input, "scan", "an array in segments", where);
    check_offsets(offsets, input->shape[0], "scan", where);
  } else if (reduction == Reduction::sum && is_counted(*input)) {
    require_int32(input->shape[input->shape.rank - 1], "sum_scan: the number of flags",
                  "count in 64 bits with sum_scan(cast<int64_t>(flags))", where);
  }
  if (sums_in_float(reduction, input->type))
    return make_cast(
        make_scan(reduction, make_cast(input, ElementType::f32, where), offsets, exclusive, where),
        ElementType::f16, where);
  NodeRef node = make(Kind::scan, input->type, input->shape,
                      exclusive ? ScanForm::exclusive : ScanForm::inclusive,
                      with_offsets({input}, offsets), where);
  node->reduction = canonical;
  return node;
}

NodeRef make_segmented_reduce(Reduction reduction, const NodeRef& input, const NodeRef& offsets,
                              const Location& given) {
  const NodeRef inputs[] = {input, offsets};
  require_alive(inputs, "segmented_reduce", given);
  const Location where = place_of(given, inputs);
  const Reduction canonical = checked_reduction(reduction, input->type, "segmented_reduce", where);
  require_vector(input, "segmented_reduce", "an array in segments", where);
  check_offsets(offsets, input->shape[0], "segmented_reduce", where);
  if (sums_in_float(reduction, input->type))
    return make_cast(
        make_segmented_reduce(reduction, make_cast(input, ElementType::f32, where), offsets, where),
        ElementType::f16, where);
  NodeRef node = make(Kind::segmented_reduce, input->type, vector_of(offsets->shape[0] - 1), {},
                      inputs, where);
  node->reduction = canonical;
  return node;
}

NodeRef make_scatter(const NodeRef& base, std::span<const NodeRef> indices, const NodeRef& values,
                     Collision collision, const Location& given) {
  SmallVector<NodeRef> inputs{base, values};
  inputs.insert(inputs.end(), indices.begin(), indices.end());
  require_alive(inputs, "scatter", given);
  const Location where = place_of(given, inputs);
  if (base->shape.rank == 0 || static_cast<int>(indices.size()) != base->shape.rank)
    throw ShapeError("scatter: " + std::to_string(indices.size()) +
                     " index arrays for an array of rank " + std::to_string(base->shape.rank) +
                     detail::at(where));
  for (const NodeRef& index : indices) {
    if (!is_index_type(index->type))
      throw TypeError(std::string("scatter: indices are int32 or int64, not ") + name(index->type) +
                      detail::at(where));
    if (index->type != indices[0]->type || !(index->shape == indices[0]->shape))
      throw ShapeError("scatter: index arrays differ: " + detail::to_string(indices[0]->shape) +
                       " of " + name(indices[0]->type) + " and " + detail::to_string(index->shape) +
                       " of " + name(index->type) + detail::at(where));
  }
  if (values->type != base->type)
    throw TypeError(std::string("scatter: values of ") + name(values->type) + " into an array of " +
                    name(base->type) + "; convert with cast<T>()" + detail::at(where));
  if (collision == Collision::sum && base->type == ElementType::b8)
    throw TypeError("scatter: Collision::sum takes numbers, not bool" + detail::at(where));
  if (values->shape.rank == 0 && indices[0]->shape.rank > 0)  // one value for all indices
    inputs[1] = make_broadcast(values, indices[0]->shape, where);
  else if (!(values->shape == indices[0]->shape))
    throw ShapeError("scatter: " + detail::to_string(values->shape) + " values for " +
                     detail::to_string(indices[0]->shape) + " indices" + detail::at(where));
  if (collision == Collision::sum && base->type == ElementType::f16)
    return make_cast(make_scatter(make_cast(base, ElementType::f32, where), indices,
                                  make_cast(inputs[1], ElementType::f32, where), collision, where),
                     ElementType::f16, where);
  if (collision == Collision::any) collision = Collision::last;
  return make(Kind::scatter, base->type, base->shape, collision, inputs, where);
}

NodeRef make_sort_permutation(const NodeRef& keys, const NodeRef& offsets, bool descending,
                              const Location& given) {
  require_alive({&keys, 1}, "sort_permutation", given);
  const Location where = place_of(given, {&keys, 1});
  require_vector(keys, "sort_permutation", "keys", where);
  if (offsets) check_offsets(offsets, keys->shape[0], "sort_permutation", where);
  return make(Kind::sort_permutation, index_type(keys->shape[0]), keys->shape, order_of(descending),
              with_offsets({keys}, offsets), where);
}

NodeRef make_sort_values(const NodeRef& keys, const NodeRef& values, const NodeRef& offsets,
                         bool descending, const Location& given) {
  const NodeRef inputs[] = {keys, values};
  require_alive(inputs, "sort", given);
  const Location where = place_of(given, inputs);
  require_vector(keys, "sort", "keys", where);
  require_vector(values, "sort", "values", where);
  if (!(keys->shape == values->shape))
    throw ShapeError("sort: " + std::to_string(keys->shape[0]) + " keys for " +
                     std::to_string(values->shape[0]) + " values" + detail::at(where));
  if (offsets) check_offsets(offsets, keys->shape[0], "sort", where);
  return make(Kind::sort_values, values->type, values->shape, order_of(descending),
              with_offsets({keys, values}, offsets), where);
}

NodeRef make_element_segments(const NodeRef& offsets, int64_t elements, const Location& given) {
  require_alive({&offsets, 1}, "element_segments", given);
  const Location where = place_of(given, {&offsets, 1});
  check_offsets(offsets, elements, "element_segments", where);
  require_int32(offsets->shape[0] - 2, "element_segments: the last segment", "use fewer segments",
                where);
  const Extents shape = vector_of(elements);
  checked_size(shape, ElementType::i32, "element_segments", where);
  return make(Kind::element_segments, ElementType::i32, shape, {}, {&offsets, 1}, where);
}

NodeRef make_checked_offsets(const NodeRef& offsets, const NodeRef& elements, const char* operation,
                             const Location& given) {
  const NodeRef inputs[] = {offsets, elements};
  require_alive(inputs, operation, given);
  const Location where = place_of(given, inputs);
  require_vector(elements, operation, "an array in segments", where);
  check_offsets(offsets, elements->shape[0], operation, where);
  if (offsets->trusted_offsets) return offsets;
  return make(Kind::checked_offsets, offsets->type, offsets->shape, OffsetRule::divide_elements,
              inputs, where);
}

NodeRef make_ascending_offsets(const NodeRef& offsets, const Location& where) {
  const NodeRef inputs[] = {offsets, offsets};
  require_alive(inputs, "offsets", where);
  check_offsets(offsets, 0, "offsets", where);
  return make(Kind::checked_offsets, offsets->type, offsets->shape, OffsetRule::ascend, inputs,
              where);
}

namespace {

NodeRef make_pack(const NodeRef& flags, const NodeRef& values, int64_t count, PackSize size,
                  const Location& given) {
  const NodeRef inputs[] = {flags, values};
  require_alive(inputs, "pack", given);
  const Location where = place_of(given, inputs);
  require_vector(flags, "pack", "the array of flags", where);
  require_vector(values, "pack", "the array of values", where);
  if (flags->type != ElementType::b8)
    throw TypeError(std::string("pack: flags are bool, not ") + name(flags->type) +
                    detail::at(where));
  if (!(flags->shape == values->shape))
    throw ShapeError("pack: " + std::to_string(flags->shape[0]) + " flags for " +
                     std::to_string(values->shape[0]) + " elements" + detail::at(where));
  const Extents shape = size == PackSize::found ? values->shape : vector_of(count);
  checked_size(shape, values->type, "pack", where);
  if (values->shape[0] == 0) return make_constant(ScalarValue{values->type, 0}, shape, where);
  return make(Kind::pack, values->type, shape, size, inputs, where);
}

}  // namespace

NodeRef make_pack(const NodeRef& flags, const NodeRef& values, int64_t count,
                  const Location& where) {
  return make_pack(flags, values, count, PackSize::known, where);
}
NodeRef make_pack_all(const NodeRef& flags, const NodeRef& values, const Location& where) {
  return make_pack(flags, values, 0, PackSize::found, where);
}

NodeRef make_search_sorted(const NodeRef& sorted, const NodeRef& queries, bool right_side,
                           const Location& given) {
  const NodeRef inputs[] = {sorted, queries};
  require_alive(inputs, "search_sorted", given);
  const Location where = place_of(given, inputs);
  require_vector(sorted, "search_sorted", "the sorted array", where);
  if (sorted->type != queries->type)
    throw TypeError(std::string("search_sorted: queries of ") + name(queries->type) +
                    " in a vector of " + name(sorted->type) + "; convert with cast<T>()" +
                    detail::at(where));
  return make(Kind::search_sorted, index_type(sorted->shape[0]), queries->shape,
              right_side ? SearchSide::right : SearchSide::left, inputs, where);
}

NodeRef make_top_k(const NodeRef& keys, int64_t count, bool descending, const Location& given) {
  require_alive({&keys, 1}, "top_k", given);
  const Location where = place_of(given, {&keys, 1});
  require_vector(keys, "top_k", "the array", where);
  const int64_t elements = keys->shape[0];
  if (count < 0 || count > elements)
    throw ShapeError("top_k: " + std::to_string(count) + " of " + std::to_string(elements) +
                     " elements; ask for 0 to " + std::to_string(elements) + detail::at(where));
  return make(Kind::top_k, index_type(elements), vector_of(count), order_of(descending), {&keys, 1},
              where);
}

NodeRef make_fourier_lines(const NodeRef& real, const NodeRef& imag, const FourierLines& lines,
                           const Location& given) {
  const NodeRef inputs[] = {real, imag};
  require_alive(inputs, "fft", given);
  const Location where = place_of(given, inputs);
  if (real->type != ElementType::f32 && real->type != ElementType::f64)
    throw TypeError(std::string("fft: elements are float or double, not ") + name(real->type) +
                    detail::at(where));
  if (imag->type != real->type || !(imag->shape == real->shape))
    throw ShapeError("fft: real parts of the shape " + detail::to_string(real->shape) +
                     ", imaginary parts of " + detail::to_string(imag->shape) + detail::at(where));
  if (lines.axis < 0 || lines.axis >= real->shape.rank || !has_stages(real->shape[lines.axis]))
    throw InternalError("fourier_lines: lines along axis " + std::to_string(lines.axis) +
                        " of the shape " + detail::to_string(real->shape) + detail::at(where));
  return make(Kind::fourier_lines, real->type, real->shape, lines, inputs, where);
}

// ---- the same rules for nodes that are read from files

namespace {

class PrimitiveRules : private NodeRules {
 public:
  using NodeRules::NodeRules;

  void run() const {
    switch (node_.kind) {
#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  case Kind::id:                                                                   \
    return id();
#include "tutti/detail/kinds.def"
      default:
        throw Error("a node of an unknown kind");
    }
  }

 private:
  void vector(size_t i) const { require(shape(i).rank == 1, "a vector primitive takes vectors"); }
  void offsets(size_t i, int64_t elements) const {
    vector(i);
    require(is_index_type(type(i)) && shape(i)[0] > 0, "offsets are integers, one at least");
    require(shape(i)[0] > 1 || elements == 0, "a single offset makes no segment");
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

  void segmented_reduce() const {
    count(2);
    vector(0);
    offsets(1, shape(0)[0]);
    require(node_.type == type(0) && node_.shape.rank == 1 && node_.shape[0] == shape(1)[0] - 1,
            "one result for each segment");
    reduction();
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
      require(is_index_type(type(i)) && type(i) == type(2) && shape(i) == shape(1),
              "one index for each value");
  }

  void sort_permutation() const {
    sort(1);
    require(node_.type == index_type(shape(0)[0]), "a permutation holds indices");
  }
  void sort_values() const {
    sort(2);
    require(shape(1) == shape(0) && node_.type == type(1), "a value for each key");
  }
  void sort(size_t inputs) const {
    require(inputs_.size() == inputs || inputs_.size() == inputs + 1,
            "a sort has keys, and offsets");
    vector(0);
    require(node_.shape == shape(0), "a sort keeps the shape");
    if (inputs_.size() > inputs) offsets(inputs, shape(0)[0]);
  }

  void element_segments() const {
    count(1);
    require(node_.type == ElementType::i32 && node_.shape.rank == 1, "a segment for each element");
    offsets(0, node_.shape[0]);
  }

  void checked_offsets() const {
    count(2);
    vector(1);
    offsets(0, node_.get<OffsetRule>() == OffsetRule::ascend ? 0 : shape(1)[0]);
    require(node_.type == type(0) && node_.shape == shape(0), "offsets that are checked");
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

  // Every value has its own element of the base.
  void write_section() const {
    require(inputs_.size() == 1 || inputs_.size() == 2, "a section has values, and a base");
    require(node_.type == type(0), "a written section keeps the type of its values");
    require(inputs_.size() == 1 || (node_.shape == shape(1) && node_.type == type(1)),
            "a written section keeps shape and type of its base");
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
  void search_sorted() const {
    count(2);
    vector(0);
    require(type(0) == type(1) && node_.type == index_type(shape(0)[0]) && node_.shape == shape(1),
            "a search for each query");
  }
  void top_k() const {
    count(1);
    vector(0);
    require(node_.type == index_type(shape(0)[0]) && node_.shape.rank == 1 &&
                node_.shape[0] <= shape(0)[0],
            "the first elements are at most all");
  }
  void fourier_lines() const {
    count(2);
    const auto lines = node_.get<FourierLines>();
    require(node_.type == ElementType::f32 || node_.type == ElementType::f64,
            "a transform has elements of float or double");
    require(type(0) == node_.type && type(1) == node_.type && shape(0) == node_.shape &&
                shape(1) == node_.shape,
            "a transform keeps shape and type");
    require(lines.axis < node_.shape.rank && has_stages(node_.shape[lines.axis]),
            "lines of a transform have prime factors up to 7");
  }
};

}  // namespace

void verify_primitive(const Node& node) { PrimitiveRules(node).run(); }

}  // namespace tutti::ir
