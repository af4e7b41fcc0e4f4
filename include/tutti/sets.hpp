// Selection and grouping of elements: indices of those that are set, distinct elements with their
// counts, reductions of values by keys. The number of results depends on the data and is read once.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/reduce.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Returns the coordinates of the elements that are not zero, in row-major order: an int32 vector
// for each axis.
std::vector<NodeRef> nonzero(const NodeRef& a, const Location& where);

// The distinct elements of an array in ascending order. Elements are equal if they compare equal,
// so every NaN is distinct.
struct UniqueNodes {
  NodeRef values, counts;  // how often each occurs
  NodeRef first;           // the position of the first occurrence, in row-major order
  NodeRef inverse;         // for each element the index of its value; has the shape of the array
};
UniqueNodes unique_all(const NodeRef& a, const Location& where);

// Returns the distinct keys in ascending order, and the values of each key combined.
std::pair<NodeRef, NodeRef> reduce_by_key(Reduction reduction, const NodeRef& keys,
                                          const NodeRef& values, const Location& where);

}  // namespace detail

// Returns the coordinates of the elements that are not zero, in row-major order. They can be used
// as indices: a[nonzero(a > 0.0f)].
template <int D, ScalarType T>
requires(D > 0)
Array<1, canonical_t<Value<D, int32_t>>> nonzero(
    const Array<D, T>& a, const std::source_location& where = std::source_location::current()) {
  std::vector<detail::NodeRef> found = detail::nonzero(a.node(), where);
  std::array<detail::NodeRef, D> nodes;
  for (int axis = 0; axis < D; ++axis) nodes[axis] = std::move(found[static_cast<size_t>(axis)]);
  return Array<1, canonical_t<Value<D, int32_t>>>(std::move(nodes));
}

// The distinct elements in ascending order, how often each occurs, the row-major position of its
// first occurrence, and for each element the index of its value: values[inverse] is the array.
// Every NaN is distinct. unique() of a sorted vector returns the values alone.
template <int D, class T>
struct UniqueAll {
  Array<1, T> values;
  Array<1, int32_t> counts, first;
  Array<D, int32_t> inverse;
};
// Returns the distinct elements of an array, as UniqueAll describes them.
template <int D, ScalarType T>
UniqueAll<D, T> unique_all(const Array<D, T>& a,
                           const std::source_location& where = std::source_location::current()) {
  detail::UniqueNodes found = detail::unique_all(a.node(), where);
  return {Array<1, T>(std::move(found.values)), Array<1, int32_t>(std::move(found.counts)),
          Array<1, int32_t>(std::move(found.first)), Array<D, int32_t>(std::move(found.inverse))};
}

// Groups values by keys: the distinct keys in ascending order, and for each the reduction of its
// values, combined as a segment in their order. For keys from 0 to a small number, scatter with a
// Collision needs no sort.
template <class K, class T>
struct ByKey {
  Array<1, K> keys;
  Array<1, T> values;
};
// Reduces the values of each key: sum_by_key(keys, values). Both are vectors of one length.
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc)  \
  template <ScalarType K, ScalarType T>                                                            \
  auto id##_by_key(const Array<1, K>& keys, const Array<1, T>& values,                             \
                   const std::source_location& where = std::source_location::current()) {          \
    using Out = detail::ReducedType<detail::ReductionResult::result, T>;                           \
    auto [found, combined] = detail::reduce_by_key(Reduction::id, keys.node(),                     \
                                                   detail::operand<Out>(values, 0, where), where); \
    return ByKey<K, Out>{Array<1, K>(std::move(found)), Array<1, Out>(std::move(combined))};       \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

}  // namespace tutti
TUTTI_END_EXPORTS
