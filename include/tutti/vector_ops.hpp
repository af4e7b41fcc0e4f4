// Vector operations: scans, segmented reductions, scatter, sorting, searching, and functions built
// on them. Segments of a vector are given by offsets: one more than there are segments, ascending
// from 0 to the number of elements. Floating-point sums follow fixed trees: the same bits on every
// device. Operations whose result has a length that depends on the data (pack, split, unique) read
// that length once.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/require_int32.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/reduce.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

enum class Scan : uint8_t { inclusive, exclusive };  // whether result[i] includes a[i]

namespace detail {

template <class T>
concept OffsetType = std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;

template <class Out, int D, class T>
auto scan_array(Reduction reduction, const Array<D, T>& a, const NodeRef& offsets, Scan scan_kind,
                const Location& where) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c)
    nodes[c] =
        scan(reduction, operand<Out>(a, c, where), offsets, scan_kind == Scan::exclusive, where);
  return Array<D, ElementOf<Out, components<T>>>(std::move(nodes));
}

template <class Out, class T>
auto reduce_segments(Reduction reduction, const Array<1, T>& a, const NodeRef& offsets,
                     const Location& where) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c)
    nodes[c] = segmented_reduce(reduction, operand<Out>(a, c, where), offsets, where);
  return Array<1, ElementOf<Out, components<T>>>(std::move(nodes));
}

}  // namespace detail

// sum_scan(a)[i] = a[0] + ... + a[i] (exclusive: up to a[i - 1]) along the last axis, or within
// each segment; segmented_sum(a, offsets)[s] is the sum of segment s. The other reductions have the
// same forms. Sums and products of bool and of 8- and 16-bit integers are taken in 32 bits.
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto id##_scan(const Array<D, T>& a, Scan kind = Scan::inclusive,                               \
                 const std::source_location& where = std::source_location::current()) {           \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::scan_array<Out>(Reduction::id, a, {}, kind, where);                            \
  }                                                                                               \
  template <class T, detail::OffsetType I>                                                        \
  auto id##_scan(const Array<1, T>& a, const Array<1, I>& offsets, Scan kind = Scan::inclusive,   \
                 const std::source_location& where = std::source_location::current()) {           \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::scan_array<Out>(Reduction::id, a, offsets.node(), kind, where);                \
  }                                                                                               \
  template <class T, detail::OffsetType I>                                                        \
  auto segmented_##id(const Array<1, T>& a, const Array<1, I>& offsets,                           \
                      const std::source_location& where = std::source_location::current()) {      \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::reduce_segments<Out>(Reduction::id, a, offsets.node(), where);                 \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

// ---- segments

// Returns the offsets of segments with these lengths. Their evaluation throws an error if a length
// is negative or the sum does not fit I.
template <detail::OffsetType I>
Array<1, I> offsets_of_lengths(const Array<1, I>& lengths, const std::source_location& where =
                                                               std::source_location::current()) {
  const Array<1, I> offsets =
      sum_scan(pad(lengths, {Margin{1, 0}}, I{0}, where), Scan::inclusive, where);
  return Array<1, I>(detail::ascending_offsets(offsets.node(), where));
}
// Returns the lengths of segments with these offsets.
template <detail::OffsetType I>
Array<1, I> lengths_of_offsets(const Array<1, I>& offsets, const std::source_location& where =
                                                               std::source_location::current()) {
  const int64_t segments = offsets.size() - 1;
  return section(offsets, {Range{1, segments}}, where) -
         section(offsets, {Range{0, segments}}, where);
}
// Returns for each of `elements` elements the number of its segment.
template <detail::OffsetType I>
Array<1, int32_t> element_segments(
    const Array<1, I>& offsets, int64_t elements,
    const std::source_location& where = std::source_location::current()) {
  return Array<1, int32_t>(detail::element_segments(offsets.node(), elements, where));
}

// ---- moving elements

// Returns base with values[i] at base[indices[i]]. Values outside of base are dropped. The
// collision decides how several values for one index are combined. Floating-point sums are added in
// the order of the values.
template <class T, detail::OffsetType I>
Array<1, canonical_t<T>> scatter(
    const Array<1, T>& base, const Array<1, I>& indices, const Array<1, T>& values,
    Collision collision = Collision::any,
    const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<1>(base, [&](const detail::NodeRef& node, int c) {
    return detail::scatter(node, {&indices.node(), 1}, values.node(c), collision, where);
  });
}

// Returns result[indices[i]] = a[i]; elements without a value are zero.
template <class T, detail::OffsetType I>
auto permute(const Array<1, T>& a, const Array<1, I>& indices,
             const std::source_location& where = std::source_location::current()) {
  return scatter(Array<1, T>(a.shape(), {}, where), indices, a, Collision::any, where);
}

// Returns the elements in reverse order.
template <class T>
auto reverse(const Array<1, T>& a,
             const std::source_location& where = std::source_location::current()) {
  return a.size() == 0 ? Array<1, canonical_t<T>>(a)
                       : section(a, {Range{a.size() - 1, a.size(), -1}}, where);
}

namespace detail {

// Returns the last element, of rank 0; zero if there are no elements.
template <class T>
Array<0, T> last_of(const Array<1, T>& a, const Location& where) {
  if (a.size() == 0) return Array<0, T>();
  return drop_dimension(section(a, {Range{a.size() - 1, 1}}, where), 0, where);
}

inline void check_flags(int64_t elements, int64_t flags, const char* operation,
                        const Location& where) {
  if (elements != flags)
    throw ShapeError(std::string(operation) + ": " + std::to_string(flags) + " flags for " +
                     std::to_string(elements) + " elements" + at(where));
}

// Packs the values whose flags are true, and counts them, in one step. Returns null and sets
// `found` to -1 if it is cheaper to count first.
NodeRef pack_counting(const NodeRef& flags, const NodeRef& values, int64_t& found,
                      const Location& where);

// Stores the elements whose index is not negative at their indices.
template <class T>
Array<1, canonical_t<T>> place(const Array<1, T>& a, const Array<1, int32_t>& indices, int64_t size,
                               const Location& where) {
  return scatter(Array<1, T>(Shape<1>(size), {}, where), indices, a, Collision::any, where);
}

}  // namespace detail

// Returns the elements whose flag is true, in their order.
template <class T>
auto pack(const Array<1, T>& a, const Array<1, bool>& flags,
          const std::source_location& where = std::source_location::current()) {
  detail::check_flags(a.size(), flags.size(), "pack", where);
  int64_t found = -1;
  return detail::for_each_component<1>(a, [&](const detail::NodeRef& node, int component) {
    if (component == 0) {
      detail::NodeRef packed = detail::pack_counting(flags.node(), node, found, where);
      if (found >= 0) return packed;
      found = count(flags, where);
    }
    return detail::pack(flags.node(), node, found, where);
  });
}

// Returns the indices of the flags that are true.
inline Array<1, int32_t> pack_index(
    const Array<1, bool>& flags,
    const std::source_location& where = std::source_location::current()) {
  return pack(index(flags.shape(), 0, where), flags, where);
}

// Returns the elements whose flag is true, then the others, each in their order.
template <class T>
auto partition(const Array<1, T>& a, const Array<1, bool>& flags,
               const std::source_location& where = std::source_location::current()) {
  detail::check_flags(a.size(), flags.size(), "partition", where);
  const Array<1, int32_t> passed = sum_scan(flags, Scan::inclusive, where);
  const Array<1, int32_t> position = index(a.shape(), 0, where);
  const Array<1, int32_t> rest = detail::last_of(passed, where) + position - passed;
  return detail::place(a, Array<1, int32_t>(cond(flags, passed - 1, rest)), a.size(), where);
}

// The elements whose flag is false and those whose flag is true.
template <class T>
struct Split {
  Array<1, T> no, yes;
};
// Splits a vector by flags.
template <class T>
Split<canonical_t<T>> split(const Array<1, T>& a, const Array<1, bool>& flags,
                            const std::source_location& where = std::source_location::current()) {
  detail::check_flags(a.size(), flags.size(), "split", where);
  return {pack(a, !flags, where), pack(a, flags, where)};
}

// Returns the first of each run of equal elements; of a sorted vector, its distinct elements.
template <ScalarType T>
auto unique(const Array<1, T>& a,
            const std::source_location& where = std::source_location::current()) {
  const Array<1, bool> first = index(a.shape(), 0, where) == 0;
  return pack(a, Array<1, bool>(first || a != shift(a, {1}, Boundary::clamp(), where)), where);
}

// Returns result[k] = the number of elements equal to k, for k < bins. Others are not counted.
template <detail::OffsetType I>
Array<1, int32_t> histogram(const Array<1, I>& a, int64_t bins,
                            const std::source_location& where = std::source_location::current()) {
  detail::require_int32(a.size(), "histogram: the number of elements", "add histograms of parts",
                        where);
  return scatter(Array<1, int32_t>(Shape<1>(bins), 0, where), a,
                 Array<1, int32_t>(a.shape(), 1, where), Collision::sum, where);
}

// ---- order: stable; NaNs last, in both directions; -0 equals +0

enum class Order : uint8_t { ascending, descending };

// Returns the indices of the elements in the order of their keys.
template <ScalarType T>
Array<1, int32_t> sort_permutation(
    const Array<1, T>& keys, Order order = Order::ascending,
    const std::source_location& where = std::source_location::current()) {
  return Array<1, int32_t>(
      detail::cast(detail::sort_permutation(keys.node(), {}, order == Order::descending, where),
                   ElementType::i32, where));
}
// Sorts a vector.
template <ScalarType T>
Array<1, T> sort(const Array<1, T>& a, Order order = Order::ascending,
                 const std::source_location& where = std::source_location::current()) {
  return Array<1, T>(
      detail::sort_values(a.node(), a.node(), {}, order == Order::descending, where));
}
// Returns the values in the order of their keys.
template <ScalarType K, class T>
auto sort_by(const Array<1, K>& keys, const Array<1, T>& values, Order order = Order::ascending,
             const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<1>(values, [&](const detail::NodeRef& node, int) {
    return detail::sort_values(keys.node(), node, {}, order == Order::descending, where);
  });
}
// Do the same within each segment.
template <ScalarType T, detail::OffsetType I>
Array<1, T> segmented_sort(const Array<1, T>& a, const Array<1, I>& offsets,
                           Order order = Order::ascending,
                           const std::source_location& where = std::source_location::current()) {
  return Array<1, T>(
      detail::sort_values(a.node(), a.node(), offsets.node(), order == Order::descending, where));
}
template <ScalarType K, class T, detail::OffsetType I>
auto segmented_sort_by(const Array<1, K>& keys, const Array<1, T>& values,
                       const Array<1, I>& offsets, Order order = Order::ascending,
                       const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<1>(values, [&](const detail::NodeRef& node, int) {
    return detail::sort_values(keys.node(), node, offsets.node(), order == Order::descending,
                               where);
  });
}

// The greatest elements in descending order, and their indices: the beginning of the sorted vector.
// With Order::ascending, the least. NaNs come after all numbers; of equal elements the first is
// preferred.
template <int D, class T>
struct TopK {
  Array<D, T> values;
  Array<D, int32_t> indices;
};
// Selects the `count` greatest elements, or the least with Order::ascending.
template <ScalarType T>
TopK<1, T> top_k(const Array<1, T>& a, int64_t count, Order order = Order::descending,
                 const std::source_location& where = std::source_location::current()) {
  detail::require_int32(a.size(), "top_k: the number of elements",
                        "take the first of parts, then of these", where);
  const Array<1, int32_t> indices(
      detail::top_k(a.node(), count, order == Order::descending, where));
  return {gather(a, indices), indices};
}

// Returns the index of each element in the sorted vector.
template <ScalarType T>
Array<1, int32_t> rank(const Array<1, T>& a, Order order = Order::ascending,
                       const std::source_location& where = std::source_location::current()) {
  return permute(index(a.shape(), 0, where), sort_permutation(a, order, where), where);
}

// Counts for each query the elements of a sorted vector that are less; upper_bound() counts those
// that are less or equal.
template <int D, ScalarType T>
Array<D, int32_t> lower_bound(const Array<1, T>& sorted, const Array<D, T>& queries,
                              const std::source_location& where = std::source_location::current()) {
  return Array<D, int32_t>(detail::cast(
      detail::search_sorted(sorted.node(), queries.node(), false, where), ElementType::i32, where));
}
template <int D, ScalarType T>
Array<D, int32_t> upper_bound(const Array<1, T>& sorted, const Array<D, T>& queries,
                              const std::source_location& where = std::source_location::current()) {
  return Array<D, int32_t>(detail::cast(
      detail::search_sorted(sorted.node(), queries.node(), true, where), ElementType::i32, where));
}

// Merges two sorted vectors; of equal elements those of a are first.
template <ScalarType T>
Array<1, T> merge(const Array<1, T>& a, const Array<1, T>& b,
                  const std::source_location& where = std::source_location::current()) {
  const Array<1, T> empty(Shape<1>(a.size() + b.size()), T{}, where);
  const Array<1, int32_t> from_a = index(a.shape(), 0, where) + tutti::lower_bound(b, a, where);
  const Array<1, int32_t> from_b = index(b.shape(), 0, where) + tutti::upper_bound(a, b, where);
  return scatter(scatter(empty, from_a, a, Collision::any, where), from_b, b, Collision::any,
                 where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
