// Reductions and scans within segments. A reduction runs a loop for each group of consecutive
// elements of a segment, as a program node that reads the elements in place. The number of groups
// is known only on the device, so the shape has room for the most possible: the full groups, and a
// last one for each segment. A scan is a scan over pairs of a head flag and an element.
#include <algorithm>
#include <limits>
#include <mutex>

#include "graph/build_primitives.hpp"
#include "numerics/reduction_tree.hpp"
#include "program/serial_range.hpp"

namespace tutti::ir {
namespace {

// Returns elements from `begin` on. Positions beyond the last read the last.
NodeRef moved(const NodeRef& vector, int64_t begin, int64_t count, const Location& where) {
  AffineMap map;
  map.name = "segments";
  map.axes[0] = {0, 1, begin};
  Extents shape;
  shape.push_back(count);
  return make_affine(vector, shape, map, where);
}

// ---- reductions

// Offsets of segments as int32, the type that gathers take.
struct Bounds {
  NodeRef offsets;
  Location where;

  int64_t segments() const { return offsets->shape[0] - 1; }
  NodeRef begins() const { return moved(offsets, 0, segments(), where); }
  NodeRef ends() const { return moved(offsets, 1, segments(), where); }
};

// Combines groups of every segment to single elements; `bounds` become their segments.
Components fold_groups(const Operator& combine, const Components& components, Bounds& bounds) {
  const Location& where = bounds.where;
  const NodeRef size = number(combine.group, where);
  const NodeRef lengths = apply(Op::subtract, bounds.ends(), bounds.begins(), where);
  const NodeRef rounded = apply(Op::add, lengths, number(combine.group - 1, where), where);
  AffineMap after_a_zero;
  after_a_zero.name = "segments";
  after_a_zero.axes[0] = {0, 1, -1};
  after_a_zero.boundary = Boundary::Kind::constant;
  after_a_zero.fill = scalar_value(int32_t{0});
  const NodeRef counts = make_affine(apply(Op::divide, rounded, size, where), bounds.offsets->shape,
                                     after_a_zero, where);
  const Bounds groups{make_scan(Reduction::sum, counts, {}, false, where), where};

  // The segment of each group. Groups that do not exist come after the last segment and are empty.
  const int64_t elements = components[0]->shape[0];
  Extents shape;
  shape.push_back(std::min(elements, elements / combine.group + bounds.segments()));
  const NodeRef group = make_index(shape, 0, where);
  const NodeRef segment = apply(
      Op::subtract,
      make_cast(make_search_sorted(groups.offsets, group, true, where), ElementType::i32, where),
      number(1, where), where);
  const NodeRef before = apply(Op::subtract, group, pick(groups.offsets, segment, where), where);
  const NodeRef begin = apply(Op::add, pick(bounds.offsets, segment, where),
                              apply(Op::multiply, before, size, where), where);
  const NodeRef end =
      apply(Op::min, apply(Op::add, begin, size, where),
            pick(bounds.offsets, apply(Op::add, segment, number(1, where), where), where), where);
  const Components folded = fold_ranges(combine, components, begin, end, false, where);
  bounds = groups;
  return folded;
}

// Returns whether these are the results of named reductions over no elements.
bool are_given_by_nothing(const Components& neutral, const std::vector<Reduction>& known) {
  if (known.size() != neutral.size()) return false;
  for (size_t c = 0; c < neutral.size(); ++c) {
    const Node& node = *neutral[c];
    if (node.kind != Kind::constant || node.value.bits != empty_result(known[c], node.type).bits)
      return false;
  }
  return true;
}

Bounds bounds_of(const NodeRef& offsets, const Components& components, const char* operation,
                 const Location& where) {
  const NodeRef checked = make_checked_offsets(offsets, components[0], operation, where);
  if (components[0]->shape[0] > std::numeric_limits<int32_t>::max())
    throw ShapeError(std::string(operation) + ": with a user-defined operator, at most 2^31 - 1 " +
                     "elements, not " + std::to_string(components[0]->shape[0]) +
                     detail::at(where));
  return {make_cast(checked, ElementType::i32, where), where};
}

// Returns the longest segment if it is known: unneeded levels of a reduction are omitted.
int64_t longest_segment(const NodeRef& offsets, int64_t elements) {
  const std::lock_guard lock(graph_mutex());
  const BufferRef& buffer = offsets->buffer;
  return buffer && buffer->are_offsets_of(elements) ? buffer->longest_segment() : elements;
}

// The results of empty segments are unspecified. One loop runs through a few groups of a segment.
// If there may be more groups, they are combined beforehand.
Components fold_unknown(const Operator& combine, Components components, Bounds bounds,
                        int64_t longest) {
  constexpr int64_t few = 8;
  for (; longest > few * combine.group; longest = (longest + combine.group - 1) / combine.group)
    components = fold_groups(combine, components, bounds);
  return fold_ranges(combine, components, bounds.begins(), bounds.ends(), longest > combine.group,
                     bounds.where);
}

[[noreturn]] void ask_for_neutral(const char* operation, const char* why, const char* call,
                                  const Location& where) {
  throw TypeError(std::string(operation) + ": " + why +
                  " the neutral element of its operator, and this operator is not one that is "
                  "known by name: " +
                  call + detail::at(where));
}

}  // namespace

Components fold_segments(const Function& function, const Components& components,
                         const NodeRef& offsets, const Components& neutral, const Location& where) {
  const char* const operation = "segmented_reduce";
  const Operator combine = operator_on(components, function, operation, where);
  const auto known = known_reductions(function);
  Components result;
  for (size_t c = 0; c < known.size(); ++c)
    result.push_back(make_segmented_reduce(known[c], components[c], offsets, where));
  if (!known.empty() && (neutral.empty() || are_given_by_nothing(neutral, known))) return result;
  if (neutral.empty())
    ask_for_neutral(operation, "an empty segment gives", "segmented_reduce(f, a, offsets, neutral)",
                    where);
  const Bounds bounds = bounds_of(offsets, components, operation, where);
  const int64_t elements = components[0]->shape[0];
  if (elements == 0)
    result = neutral;
  else if (known.empty())
    result = fold_unknown(combine, components, bounds, longest_segment(offsets, elements));
  const NodeRef empty = apply(Op::equal, bounds.begins(), bounds.ends(), where);
  return choose_all(empty, neutral, result, where);
}

// ---- scans

namespace {

// (f, x) (+) (g, y) = (f or g, g ? y : x (+) y)
Function with_flags(const Function& combine, const Location& where) {
  const NodeRef left_flag = make_parameter(ElementType::b8, 0, where),
                right_flag = make_parameter(ElementType::b8, 0, where);
  const auto middle =
      combine.parameters.begin() + static_cast<std::ptrdiff_t>(combine.results.size());
  const Components left(combine.parameters.begin(), middle),
      right(middle, combine.parameters.end());
  Function result;
  result.parameters = both(both({left_flag}, left), both({right_flag}, right));
  result.results = both({apply(Op::logical_or, left_flag, right_flag, where)},
                        choose_all(right_flag, right, combine.results, where));
  return result;
}

// Flags the elements that are the first of their row or segment.
NodeRef first_elements(const Extents& shape, const Bounds* segments, const Location& where) {
  NodeRef first =
      apply(Op::equal, make_index(shape, shape.rank - 1, where), number(0, where), where);
  if (!segments) return first;
  const NodeRef here = make_element_segments(segments->offsets, shape[0], where);
  const NodeRef changes = apply(Op::not_equal, here, moved(here, -1, shape[0], where), where);
  return apply(Op::logical_or, first, changes, where);
}

Components scan_unknown(const Operator& combine, const Components& components, const NodeRef& heads,
                        const Location& where) {
  if (!heads) return scan_groups(combine, components, where);
  const Components flagged = both({heads}, components);
  const Operator pairs = operator_on(flagged, with_flags(combine.function, where), "scan", where);
  Components result = scan_groups(pairs, flagged, where);
  result.erase(result.begin());
  return result;
}

// Returns for each element the neutral element combined with the scan before it, and for first
// elements the neutral element alone.
Components moved_on(const Function& combine, const Components& scanned, const NodeRef& first,
                    const Components& neutral, const Location& where) {
  const Extents& shape = scanned[0]->shape;
  AffineMap map;
  map.name = "scan";
  for (int i = 0; i < shape.rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
  map.axes[static_cast<size_t>(shape.rank - 1)].offset = -1;
  Components before;
  for (const NodeRef& component : scanned)
    before.push_back(make_affine(component, shape, map, where));
  return choose_all(first, neutral, inline_function(combine, both(neutral, before), where), where);
}

}  // namespace

Components scan_with(const Function& function, const Components& components, const NodeRef& offsets,
                     bool exclusive, const Components& neutral, const Location& where) {
  const Operator combine = operator_on(components, function, "scan", where);
  const auto known = known_reductions(function);
  const bool begins_as_known = neutral.empty() || are_given_by_nothing(neutral, known);
  Components result;
  for (size_t c = 0; c < known.size(); ++c)
    result.push_back(
        make_scan(known[c], components[c], offsets, exclusive && begins_as_known, where));
  if (!known.empty() && (!exclusive || begins_as_known)) return result;
  if (exclusive && neutral.empty())
    ask_for_neutral("scan", "an exclusive scan begins with", "scan(f, a, Scan::exclusive, neutral)",
                    where);
  const Extents& shape = components[0]->shape;
  if (shape.rank == 0 || shape.rank == max_rank)
    throw ShapeError("scan: an array of rank " + std::to_string(shape.rank) + detail::at(where));
  if (shape.size() == 0) return components;
  NodeRef first;
  if (offsets) {
    const Bounds segments = bounds_of(offsets, components, "scan", where);
    first = first_elements(shape, &segments, where);
  } else if (exclusive) {
    first = first_elements(shape, nullptr, where);
  }
  if (known.empty()) result = scan_unknown(combine, components, offsets ? first : NodeRef(), where);
  return exclusive ? moved_on(function, result, first, neutral, where) : result;
}

}  // namespace tutti::ir
