// A workload from its parts: an expression of Tutti, the loops of a baseline, and the memory that
// the baseline writes its result to.
#pragma once
#include <utility>

#include "bench/harness/host.hpp"

namespace tutti::bench {

// `expression` builds an array, `loops` writes the same elements to `result`.
template <class T, class Expression, class Loops>
Workload workload(Expression expression, Loops loops, const Buffer<T>& result, double bytes,
                  std::vector<SharedArray> inputs) {
  return {.tutti = [=] { expression().evaluate(); },
          .baseline = loops,
          .disagreement = [=] { return disagreement(result, expression()); },
          .bytes = bytes,
          .inputs = std::move(inputs),
          .outputs = {result}};
}

// Copies the elements of a buffer to an array that is in memory.
template <class T, class... I>
Array<sizeof...(I), T> in_memory(const Buffer<T>& host, I... extents) {
  const Array<sizeof...(I), T> array(host.data(), Shape<sizeof...(I)>(extents...));
  array.evaluate();
  return array;
}

template <class T>
Array<1, T> in_memory(const Buffer<T>& host) {
  return in_memory(host, static_cast<int64_t>(host.size()));
}

// Converts whole numbers to another type.
template <class T>
Buffer<T> converted(const Buffer<>& from) {
  const Buffer<T> result(from.size());
  std::transform(from.begin(), from.end(), result.begin(),
                 [](float x) { return static_cast<T>(x); });
  return result;
}

}  // namespace tutti::bench
