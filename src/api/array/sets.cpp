// Distinct elements by sorting; the runs of equal ones are segments.
#include "tutti/sets.hpp"

#include "api/array/term.hpp"
#include "tutti/detail/require_int32.hpp"
#include "tutti/vector_ops.hpp"

namespace tutti::detail {
namespace {

// Returns the values whose flags are set. Their number is read.
NodeRef packed(const Term& flags, const Term& values) {
  int64_t found = -1;
  NodeRef result = pack_counting(flags.node, values.node, found, flags.where);
  if (found >= 0) return result;
  const Term count = reduce(Reduction::sum, cast(flags, ElementType::i64), std::array{0});
  const PauseCapture numbers_not_symbols;
  evaluate({&count.node, 1});
  copy_to_host(count.node, &found);
  return pack(flags.node, values.node, found, flags.where);
}

Term line_of(const NodeRef& a, const char* operation, const Location& where) {
  const int64_t elements = shape_of(a, operation).size();
  require_int32(elements, std::string(operation) + ": the number of elements",
                "work on parts of the array", where);
  return {reshape(a, vector_shape(elements), where), where};
}

// Sorted elements, and the start of each run of equal ones.
struct Runs {
  explicit Runs(const Term& line)
      : sorted{sort_values(line.node, line.node, {}, false, line.where), line.where},
        position(index_term(line.shape(), 0, line.where)),
        begins(position == 0) {
    const int64_t one[] = {1};
    const Term before{shift(sorted.node, one, Boundary::clamp(), 0, line.where), line.where};
    begins = begins || sorted != before;
    starts = {packed(begins, position), line.where};
  }
  // Returns one more offset than there are runs, from 0 to the number of elements.
  NodeRef offsets() const {
    const Margin margins[] = {{0, 1}};
    const auto elements = static_cast<int32_t>(sorted.shape()[0]);
    const NodeRef result =
        expand(starts.node, margins, Boundary::constant(elements), 0, "pad", sorted.where);
    result->trusted_offsets = true;
    return result;
  }
  Term sorted, position, begins, starts;
};

NodeRef none(ElementType type, const Extents& shape, const Location& where) {
  return constant(ScalarValue{type, 0}, shape, where);
}

}  // namespace

std::vector<NodeRef> nonzero(const NodeRef& a, const Location& where) {
  Term line = line_of(a, "nonzero", where);
  if (a->shape.rank == 0) throw ShapeError("nonzero: a scalar has no coordinates" + at(where));
  if (line.type() != ElementType::b8) line = line != 0;
  std::vector<NodeRef> result(static_cast<size_t>(a->shape.rank));
  if (line.shape()[0] == 0) {
    for (NodeRef& node : result) node = none(ElementType::i32, vector_shape(0), where);
    return result;
  }
  Term position{packed(line, index_term(line.shape(), 0, where)), where};
  for (int axis = a->shape.rank - 1; axis > 0; --axis) {
    const auto extent = static_cast<double>(a->shape[axis]);
    result[static_cast<size_t>(axis)] = (position % extent).node;
    position = position / extent;
  }
  result[0] = position.node;
  return result;
}

UniqueNodes unique_all(const NodeRef& a, const Location& where) {
  const Term line = line_of(a, "unique_all", where);
  const Extents empty = vector_shape(0);
  if (line.shape()[0] == 0)
    return {none(a->type, empty, where), none(ElementType::i32, empty, where),
            none(ElementType::i32, empty, where), none(ElementType::i32, a->shape, where)};
  const Runs runs(line);
  const Term order =
      cast(Term{sort_permutation(line.node, {}, false, where), where}, ElementType::i32);
  const Term offsets{runs.offsets(), where};
  const int64_t found = runs.starts.shape()[0];
  const Term counts = part(offsets, 0, 1, found) - part(offsets, 0, 0, found);
  const Term number =
      Term{scan(Reduction::sum, cast(runs.begins, ElementType::i32).node, {}, false, where),
           where} -
      1;
  const NodeRef inverse = scatter(none(ElementType::i32, line.shape(), where), {&order.node, 1},
                                  number.node, Collision::any, where);
  return {look_up(runs.sorted, runs.starts).node, counts.node, look_up(order, runs.starts).node,
          reshape(inverse, a->shape, where)};
}

std::pair<NodeRef, NodeRef> reduce_by_key(Reduction reduction, const NodeRef& keys,
                                          const NodeRef& values, const Location& where) {
  const Term line = line_of(keys, "reduce_by_key", where);
  if (keys->shape.rank != 1 || !(shape_of(values, "reduce_by_key") == keys->shape))
    throw ShapeError("reduce_by_key: keys of the shape " + to_string(keys->shape) +
                     " and values of " + to_string(values->shape) +
                     ": vectors of one length are needed" + at(where));
  if (line.shape()[0] == 0) return {keys, values};
  const Runs runs(line);
  const NodeRef ordered = sort_values(keys, values, {}, false, where);
  return {look_up(runs.sorted, runs.starts).node,
          segmented_reduce(reduction, ordered, runs.offsets(), where)};
}

}  // namespace tutti::detail
