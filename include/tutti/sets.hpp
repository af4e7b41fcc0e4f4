// Which elements there are: indices of those that are set, different elements with their counts,
// reductions of values by keys. The results have as many elements as are found, which is read once.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/reduce.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// The coordinates of the elements that are not zero, in row-major order: an int32 vector an axis.
std::vector<NodeRef> nonzero(const NodeRef& a, const Location& where);

// The different elements of an array in ascending order. Equal are numbers that compare equal, so
// every NaN is different.
struct UniqueNodes {
  NodeRef values, counts;  // how many there are of each
  NodeRef first;           // the position of the first of each, in row-major order
  NodeRef inverse;         // for each element the index of its value; has the shape of the array
};
UniqueNodes unique_all(const NodeRef& a, const Location& where);

// The different keys in ascending order, and the values of each combined.
std::pair<NodeRef, NodeRef> reduce_by_key(Reduction reduction, const NodeRef& keys,
                                          const NodeRef& values, const Location& where);

}  // namespace detail

// The coordinates of the elements that are not zero, in row-major order. They are indices as []
// takes them: a[nonzero(a > 0.0f)].
template <int D, ScalarType T>
requires(D > 0)
Array<1, canonical_t<Value<D, int32_t>>> nonzero(
    const Array<D, T>& a, const std::source_location& where = std::source_location::current()) {
  std::vector<detail::NodeRef> found = detail::nonzero(a.node(), where);
  std::array<detail::NodeRef, D> nodes;
  for (int axis = 0; axis < D; ++axis) nodes[axis] = std::move(found[static_cast<size_t>(axis)]);
  return Array<1, canonical_t<Value<D, int32_t>>>(std::move(nodes));
}

// The different elements in ascending order, how many there are of each, where the first of each is
// in row-major order, and which of them each element is: values[inverse] is the array. Every NaN is
// different. unique() of a sorted vector gives the values alone.
template <int D, class T>
struct UniqueAll {
  Array<1, T> values;
  Array<1, int32_t> counts, first;
  Array<D, int32_t> inverse;
};
template <int D, ScalarType T>
UniqueAll<D, T> unique_all(const Array<D, T>& a,
                           const std::source_location& where = std::source_location::current()) {
  detail::UniqueNodes found = detail::unique_all(a.node(), where);
  return {Array<1, T>(std::move(found.values)), Array<1, int32_t>(std::move(found.counts)),
          Array<1, int32_t>(std::move(found.first)), Array<D, int32_t>(std::move(found.inverse))};
}

// Any number of keys: the different ones in ascending order, and for each the values that have it,
// combined as a segment in their order. For keys from 0 to a small number, scatter with a Collision
// needs no sort.
template <class K, class T>
struct ByKey {
  Array<1, K> keys;
  Array<1, T> values;
};
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
