// Statistics along one axis or over all elements: means, variances, quantiles, norms, differences,
// histograms, interpolation. Integers are converted to double. Sums follow the tree of reduce.hpp,
// so results have the same bits on every device.
#pragma once
#include "tutti/along_axis.hpp"
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// The result has the floating-point type of the input, or double. The axes are reduced.
NodeRef mean(const NodeRef& a, std::span<const int> axes, const Location& where);
NodeRef variance(const NodeRef& a, std::span<const int> axes, double correction,
                 const Location& where);
NodeRef norm(const NodeRef& a, std::span<const int> axes, double order, const Location& where);
NodeRef quantile(const NodeRef& a, double fraction, int axis, const Location& where);
NodeRef differences(const NodeRef& a, int axis, int times, const Location& where);
NodeRef histogram(const NodeRef& a, int64_t bins, double low, double high, const Location& where);
NodeRef interpolate(const NodeRef& x, const NodeRef& points, const NodeRef& values,
                    const Location& where);
NodeRef flattened(const NodeRef& a, const Location& where);

}  // namespace detail

// Returns the arithmetic mean; NaN if there are no elements.
template <int D, ScalarType T>
auto mean(const Array<D, T>& a,
          const std::source_location& where = std::source_location::current()) {
  return Array<0, detail::Floating<T>>(detail::mean(a.node(), detail::all_axes<D>(), where));
}
template <int D, ScalarType T>
requires(D > 0)
auto mean(const Array<D, T>& a, int axis,
          const std::source_location& where = std::source_location::current()) {
  return Array<D - 1, detail::Floating<T>>(detail::mean(a.node(), std::array{axis}, where));
}

// Returns the mean squared distance from the mean. The divisor is the count minus the correction,
// which is 1 for the variance of a sample. NaN if the divisor is not positive.
template <int D, ScalarType T>
auto variance(const Array<D, T>& a, double correction = 0.0,
              const std::source_location& where = std::source_location::current()) {
  return Array<0, detail::Floating<T>>(
      detail::variance(a.node(), detail::all_axes<D>(), correction, where));
}
template <int D, ScalarType T>
requires(D > 0)
auto variance(const Array<D, T>& a, int axis, double correction = 0.0,
              const std::source_location& where = std::source_location::current()) {
  return Array<D - 1, detail::Floating<T>>(
      detail::variance(a.node(), std::array{axis}, correction, where));
}

namespace detail {
// The square of a half may not fit half, so its root is taken in float.
template <int D, ScalarType T>
auto wide_halves(const Array<D, T>& a, const Location& where) {
  if constexpr (std::is_same_v<T, half>)
    return cast<float>(a, where);
  else
    return a;
}
}  // namespace detail

// Returns the square root of the variance.
template <int D, ScalarType T>
auto standard_deviation(const Array<D, T>& a, double correction = 0.0,
                        const std::source_location& where = std::source_location::current()) {
  return cast<detail::Floating<T>>(
      sqrt(variance(detail::wide_halves(a, where), correction, where), where), where);
}
template <int D, ScalarType T>
requires(D > 0)
auto standard_deviation(const Array<D, T>& a, int axis, double correction = 0.0,
                        const std::source_location& where = std::source_location::current()) {
  return cast<detail::Floating<T>>(
      sqrt(variance(detail::wide_halves(a, where), axis, correction, where), where), where);
}

// Returns the norm of a vector, or of the vectors along an axis: (sum |a|^order)^(1 / order), the
// greatest |a| for an infinite order. The order is a double, an axis an int. It overflows if the
// sum does; integers are converted to double, and half is computed in float.
template <int D, ScalarType T>
auto norm(const Array<D, T>& a, double order = 2.0,
          const std::source_location& where = std::source_location::current()) {
  return Array<0, detail::Floating<T>>(detail::norm(a.node(), detail::all_axes<D>(), order, where));
}
template <int D, ScalarType T>
requires(D > 0)
auto norm(const Array<D, T>& a, int axis, double order = 2.0,
          const std::source_location& where = std::source_location::current()) {
  return Array<D - 1, detail::Floating<T>>(detail::norm(a.node(), std::array{axis}, order, where));
}

// Returns the value below which this fraction of the elements is, interpolated between neighbours
// in sorted order: quantile(a, 0.5) is the median. NaN if an element is NaN.
template <int D, ScalarType T>
auto quantile(const Array<D, T>& a, double fraction,
              const std::source_location& where = std::source_location::current()) {
  return Array<0, detail::Floating<T>>(
      detail::quantile(detail::flattened(a.node(), where), fraction, 0, where));
}
template <int D, ScalarType T>
requires(D > 0)
auto quantile(const Array<D, T>& a, double fraction, int axis,
              const std::source_location& where = std::source_location::current()) {
  return Array<D - 1, detail::Floating<T>>(detail::quantile(a.node(), fraction, axis, where));
}
template <int D, ScalarType T>
auto median(const Array<D, T>& a,
            const std::source_location& where = std::source_location::current()) {
  return quantile(a, 0.5, where);
}
template <int D, ScalarType T>
requires(D > 0)
auto median(const Array<D, T>& a, int axis,
            const std::source_location& where = std::source_location::current()) {
  return quantile(a, 0.5, axis, where);
}

// Returns a[i + 1] - a[i] along an axis, applied `times` times.
template <int D, ScalarType T>
requires(D > 0 && !std::is_same_v<T, bool>)
Array<D, T> differences(const Array<D, T>& a, int axis = D - 1, int times = 1,
                        const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::differences(a.node(), axis, times, where));
}

// Counts the elements in each of `bins` equal intervals from `low` to `high`. An interval contains
// its lower bound; the last one also contains `high`. Other elements and NaN are not counted.
template <int D, ScalarType T>
requires(detail::kind<T> == 2)
Array<1, int32_t> histogram(const Array<D, T>& a, int64_t bins, double low, double high,
                            const std::source_location& where = std::source_location::current()) {
  return Array<1, int32_t>(detail::histogram(a.node(), bins, low, high, where));
}

// Interpolates linearly between ascending points with given values. Beyond the ends it returns the
// first and the last value.
template <int D, ScalarType T>
requires(detail::kind<T> == 2)
Array<D, T> interpolate(const Array<D, T>& x, const Array<1, T>& points, const Array<1, T>& values,
                        const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::interpolate(x.node(), points.node(), values.node(), where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
