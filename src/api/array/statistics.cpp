// Statistics, composed of reductions, sorts and element-wise operations.
#include "tutti/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/array/term.hpp"

namespace tutti::detail {
namespace {

// Converts to the type of the computation: half to float, integers and bool to double.
Term widened(const NodeRef& a, const char* operation, const Location& where) {
  shape_of(a, operation);
  const Term term{a, where};
  if (a->type == ElementType::f16) return cast(term, ElementType::f32);
  return is_floating(a->type) ? term : cast(term, ElementType::f64);
}

// Converts a result from the type of the computation to the type for this input.
NodeRef narrowed(const Term& result, const NodeRef& input) {
  return is_floating(input->type) ? cast(result, input->type).node : result.node;
}

double count_along(const Extents& shape, std::span<const int> axes) {
  double count = 1;
  for (const int axis : axes) count *= static_cast<double>(shape[axis]);
  return count;
}

Term mean_of(const Term& a, std::span<const int> axes) {
  const Term total = reduce(Reduction::sum, a, axes);  // checks the axes
  return total / count_along(a.shape(), axes);
}

}  // namespace

NodeRef flattened(const NodeRef& a, const Location& where) {
  return reshape(a, vector_shape(shape_of(a, "reshape").size()), where);
}

NodeRef mean(const NodeRef& a, std::span<const int> axes, const Location& where) {
  return narrowed(mean_of(widened(a, "mean", where), axes), a);
}

NodeRef variance(const NodeRef& a, std::span<const int> axes, double correction,
                 const Location& where) {
  const Term x = widened(a, "variance", where);
  Term centre = mean_of(x, axes);
  std::vector<int> ascending(axes.begin(), axes.end());
  std::sort(ascending.begin(), ascending.end());
  for (const int axis : ascending) centre = with_axis(centre, axis);
  const Term distance = x - centre;
  const double divisor = count_along(x.shape(), axes) - correction;
  return narrowed(reduce(Reduction::sum, distance * distance, axes) /
                      (divisor > 0 ? divisor : std::numeric_limits<double>::quiet_NaN()),
                  a);
}

NodeRef norm(const NodeRef& a, std::span<const int> axes, double order, const Location& where) {
  const Term x = widened(a, "norm", where);
  if (!(order > 0))
    throw ShapeError("norm: an order of " + std::to_string(order) + " is not positive" + at(where));
  if (order == 2) return narrowed(apply_op(Op::sqrt, reduce(Reduction::sum, x * x, axes)), a);
  const Term length = apply_op(Op::abs, x);
  if (order == 1) return narrowed(reduce(Reduction::sum, length, axes), a);
  if (std::isinf(order)) {
    if (count_along(x.shape(), axes) == 0) return narrowed(reduce(Reduction::sum, x, axes), a);
    return narrowed(reduce(Reduction::max, length, axes), a);
  }
  const Term powers = apply_op(Op::pow, length, number_like(x, order));
  const Term total = reduce(Reduction::sum, powers, axes);
  return narrowed(apply_op(Op::pow, total, number_like(total, 1 / order)), a);
}

NodeRef quantile(const NodeRef& a, double fraction, int axis, const Location& where) {
  require_elements_along(a, axis, "quantile", where);
  if (!(fraction >= 0 && fraction <= 1))
    throw ShapeError("quantile: a fraction of " + std::to_string(fraction) +
                     " is not between 0 and 1" + at(where));
  const int64_t last = a->shape[axis] - 1;
  const double position = fraction * static_cast<double>(last);
  const auto below = std::min(static_cast<int64_t>(position), last);
  const auto above = std::min(below + 1, last);
  const double share = position - static_cast<double>(below);
  const Term sorted{sort_along(a, axis, false, where), where};
  const auto element = [&](int64_t i) {
    return Term{drop_dimension(part(sorted, axis, i, 1).node, axis, where), where};
  };
  const Term low = widened(element(below).node, "quantile", where);
  Term result = low;
  if (share > 0) {
    const Term high = widened(element(above).node, "quantile", where);
    // Equal neighbours are not interpolated, so infinite ones stay infinite. The weighted sum is
    // for neighbours whose difference overflows, or is infinite because the lower one is.
    const Term distance = high - low;
    const Term between = choose(apply_op(Op::is_finite, distance), low + distance * share,
                                low * (1 - share) + high * share);
    result = choose(low == high, low, between);
  }
  if (is_floating(a->type)) {  // NaNs are last
    const Term greatest = widened(element(last).node, "quantile", where);
    result = choose(apply_op(Op::is_nan, greatest), greatest, result);
  }
  return narrowed(result, a);
}

NodeRef differences(const NodeRef& a, int axis, int times, const Location& where) {
  require_axis(a, axis, "differences", where);
  if (times < 0)
    throw ShapeError("differences: taken " + std::to_string(times) + " times" + at(where));
  Term x{a, where};
  for (int i = 0; i < times && x.shape()[axis] > 0; ++i) {
    const int64_t count = x.shape()[axis] - 1;
    x = part(x, axis, 1, count) - part(x, axis, 0, count);
  }
  return x.node;
}

NodeRef histogram(const NodeRef& a, int64_t bins, double low, double high, const Location& where) {
  const Extents& shape = shape_of(a, "histogram");
  if (bins < 1 || !(low < high) || !std::isfinite(high - low))
    throw ShapeError("histogram: " + std::to_string(bins) + " bins from " + std::to_string(low) +
                     " to " + std::to_string(high) +
                     ": at least one bin and a finite range are needed" + at(where));
  require_int32(shape.size(), "histogram: the number of elements", "add histograms of parts",
                where);
  require_int32(bins, "histogram: the number of bins", "count in parts of the range", where);
  const Term x = cast(Term{flattened(a, where), where}, ElementType::f64);
  const auto count = static_cast<double>(bins);
  const Term zero = number_like(x, 0), one = number_like(x, 1), last = number_like(x, count - 1);
  const Term guess = apply_op(Op::min, apply_op(Op::floor, (x - low) / (high - low) * count), last);
  // Rounding may miss by one: the bounds that linspace() gives decide.
  const auto bound = [&](const Term& bin) { return bin * ((high - low) / count) + low; };
  const Term below = choose(x < bound(guess) && guess > zero, one, zero);
  const Term above = choose(x >= bound(guess + one) && guess < last, one, zero);
  const Term inside = x >= low && x <= high;
  const Term index =
      cast(choose(inside, guess - below + above, number_like(x, -1)), ElementType::i32);
  const Term zeros{constant(ScalarValue{ElementType::i32, 0}, vector_shape(bins), where), where};
  return scatter(zeros.node, {&index.node, 1}, constant(scalar_value(int32_t{1}), x.shape(), where),
                 Collision::sum, where);
}

NodeRef interpolate(const NodeRef& x, const NodeRef& points, const NodeRef& values,
                    const Location& where) {
  const Extents &known = shape_of(points, "interpolate"), &given = shape_of(values, "interpolate");
  shape_of(x, "interpolate");
  if (known.rank != 1 || !(known == given) || known[0] == 0)
    throw ShapeError("interpolate: points of the shape " + to_string(known) + " and values of " +
                     to_string(given) + ": vectors of one length are needed, with elements" +
                     at(where));
  const Term at_points{points, where}, at_values{values, where}, query{x, where};
  const int64_t last = known[0] - 1;
  // The last point at or before the query, except the last point of all.
  const Term found = cast(Term{search_sorted(points, x, true, where), where}, ElementType::i32);
  const Term zero = number_like(found, 0);
  const Term above = number_like(found, static_cast<double>(std::max<int64_t>(last - 1, 0)));
  const Term before = apply_op(Op::max, apply_op(Op::min, found - 1, above), zero);
  const Term x0 = look_up(at_points, before), x1 = look_up(at_points, before + 1);
  const Term y0 = look_up(at_values, before), y1 = look_up(at_values, before + 1);
  const Term between = y0 + (y1 - y0) * ((query - x0) / (x1 - x0));
  const Term first_point = look_up(at_points, zero), first = look_up(at_values, zero);
  const Term end = number_like(found, static_cast<double>(last));
  const Term last_point = look_up(at_points, end), last_value = look_up(at_values, end);
  const Term clamped =
      choose(query <= first_point, first, choose(query >= last_point, last_value, between));
  return choose(apply_op(Op::is_nan, query), query, clamped).node;
}

}  // namespace tutti::detail
