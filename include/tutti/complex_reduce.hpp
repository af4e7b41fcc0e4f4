// Reductions and scans of complex arrays: sums and means of both parts, products of complex
// numbers. The others need an order or bits, which complex numbers do not have.
#pragma once
#include "tutti/along_axis.hpp"
#include "tutti/applicative.hpp"
#include "tutti/complex_operators.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/reduce.hpp"
#include "tutti/sets.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Multiplies the elements along these axes, by a tree that depends on the shape alone. The product
// of no elements is 1.
template <int Rank, int D, class T>
Array<Rank, std::complex<T>> complex_product(const Array<D, std::complex<T>>& a,
                                             std::span<const int> axes, const Location& where) {
  if (a.size() == 0) {
    const Array<Rank, T> shape_of_result(reduce(Reduction::sum, a.node(0), axes, where));
    return {shape_of_result.shape(), std::complex<T>(1), where};
  }
  const auto multiply = [](const Value<2, T>& x, const Value<2, T>& y) {
    return Value<2, T>(x(0) * y(0) - x(1) * y(1), x(0) * y(1) + x(1) * y(0));
  };
  const Array<Rank, Value<2, T>> pairs =
      reduce_by<Rank>(multiply, Array<D, Value<2, T>>(a.nodes()), axes, where);
  return Array<Rank, std::complex<T>>(pairs);
}

template <Reduction reduction, int Rank, int D, class T>
Array<Rank, std::complex<T>> reduce_complex(const Array<D, std::complex<T>>& a,
                                            std::span<const int> axes, const Location& where) {
  static_assert(reduction == Reduction::sum || reduction == Reduction::product,
                "complex numbers have no order, bits and truth values: reduce abs(z) or real(z)");
  if constexpr (reduction == Reduction::sum)
    return Array<Rank, std::complex<T>>(std::array{reduce(reduction, a.node(0), axes, where),
                                                   reduce(reduction, a.node(1), axes, where)});
  else
    return complex_product<Rank>(a, axes, where);
}

// Applies a scan or a segmented reduction to both parts.
template <Reduction reduction, class T, int D, class F>
auto sum_of_parts(const Array<D, std::complex<T>>& a, const F& f) {
  static_assert(reduction == Reduction::sum,
                "scans and segmented reductions of complex numbers are sums: write scan(f, pairs) "
                "with Array<D, Value<2, T>>(z) for others");
  return complex_of(f(a.real()), f(a.imag()));
}

}  // namespace detail

#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  template <int D, class T>                                                                       \
  auto function(const Array<D, std::complex<T>>& a,                                               \
                const std::source_location& where = std::source_location::current()) {            \
    return detail::reduce_complex<Reduction::id, 0>(a, detail::all_axes<D>(), where);             \
  }                                                                                               \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto function(const Array<D, std::complex<T>>& a, int axis,                                     \
                const std::source_location& where = std::source_location::current()) {            \
    return detail::reduce_complex<Reduction::id, D - 1>(a, std::array{axis}, where);              \
  }                                                                                               \
  template <int D, class T, int K>                                                                \
  requires(K <= D)                                                                                \
  auto function(const Array<D, std::complex<T>>& a, const int (&axes)[K],                         \
                const std::source_location& where = std::source_location::current()) {            \
    return detail::reduce_complex<Reduction::id, D - K>(a, axes, where);                          \
  }                                                                                               \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto id##_scan(const Array<D, std::complex<T>>& a, Scan kind = Scan::inclusive,                 \
                 const std::source_location& where = std::source_location::current()) {           \
    return detail::sum_of_parts<Reduction::id, T>(                                                \
        a, [&](const Array<D, T>& part) { return id##_scan(part, kind, where); });                \
  }                                                                                               \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto id##_scan(const Array<D, std::complex<T>>& a, int axis, Scan kind = Scan::inclusive,       \
                 const std::source_location& where = std::source_location::current()) {           \
    return detail::sum_of_parts<Reduction::id, T>(                                                \
        a, [&](const Array<D, T>& part) { return id##_scan(part, axis, kind, where); });          \
  }                                                                                               \
  template <class T, detail::OffsetType I>                                                        \
  auto id##_scan(const Array<1, std::complex<T>>& a, const Array<1, I>& offsets,                  \
                 Scan kind = Scan::inclusive,                                                     \
                 const std::source_location& where = std::source_location::current()) {           \
    return detail::sum_of_parts<Reduction::id, T>(                                                \
        a, [&](const Array<1, T>& part) { return id##_scan(part, offsets, kind, where); });       \
  }                                                                                               \
  template <class T, detail::OffsetType I>                                                        \
  auto segmented_##id(const Array<1, std::complex<T>>& a, const Array<1, I>& offsets,             \
                      const std::source_location& where = std::source_location::current()) {      \
    return detail::sum_of_parts<Reduction::id, T>(                                                \
        a, [&](const Array<1, T>& part) { return segmented_##id(part, offsets, where); });        \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

// Adds the values of each key, as for real numbers.
template <ScalarType K, class T>
auto sum_by_key(const Array<1, K>& keys, const Array<1, std::complex<T>>& values,
                const std::source_location& where = std::source_location::current()) {
  const ByKey<K, T> real = sum_by_key(keys, values.real(), where);
  const ByKey<K, T> imag = sum_by_key(keys, values.imag(), where);
  return ByKey<K, std::complex<T>>{real.keys,
                                   Array<1, std::complex<T>>(real.values, imag.values, where)};
}

// Returns the arithmetic mean; NaN if there are no elements.
template <int D, class T>
Array<0, std::complex<T>> mean(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return sum(a, where) / static_cast<T>(a.size());
}
template <int D, class T>
requires(D > 0)
Array<D - 1, std::complex<T>> mean(
    const Array<D, std::complex<T>>& a, int axis,
    const std::source_location& where = std::source_location::current()) {
  auto total = sum(a, axis, where);
  return total / static_cast<T>(a.extent(axis));
}

}  // namespace tutti
TUTTI_END_EXPORTS
