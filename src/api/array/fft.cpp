// Fourier transforms. On a CPU, lines are transformed by a primitive, which keeps them in a cache
// over all stages; on a GPU, every stage is a kernel (fft_steps.hpp). Both have the same bits
// (numerics/fourier.hpp). Lengths with large prime factors become a convolution of a smooth length.
#include "tutti/fft.hpp"

#include "api/array/bounded.hpp"
#include "api/array/complex_term.hpp"
#include "api/array/fft_steps.hpp"
#include "api/array/fft_tables.hpp"
#include "graph/build_primitives.hpp"
#include "numerics/fourier.hpp"
#include "runtime/device.hpp"
#include "tutti/concat.hpp"

namespace tutti::detail {
namespace {

// Returns whether lines of n elements are transformed by a primitive.
bool has_primitive(int64_t n) { return ir::has_stages(n) && !runtime::current_device().is_gpu(); }

// Makes the primitive.
ComplexTerm transformed(const ComplexTerm& a, int axis, bool scaled, const Location& where) {
  const auto part = [&](bool imaginary) {
    return ir::make_fourier_lines(a.real.node, a.imag.node, {axis, imaginary, scaled}, where);
  };
  const NodeRef both[] = {part(false), part(true)};
  bound_pending(both);
  return {{both[0], where}, {both[1], where}};
}

// Transforms the lines of a {batch, n} array; `scaled` divides by n.
ComplexTerm lines_transformed(const ComplexTerm& a, const Location& where, bool scaled = false);

// Bluestein's algorithm: with j k = (j^2 + k^2 - (k - j)^2) / 2 a transform is a convolution with a
// chirp.
ComplexTerm by_convolution(const ComplexTerm& a, const FftTables& tables, const Location& where) {
  const Margin margins[] = {{0, 0}, {0, tables.convolved - tables.length}};
  const ComplexTerm chirp = terms(tables.chirp, where);
  const ComplexTerm padded = for_both(a * chirp, [&](const Term& x) {
    return Term{expand(x.node, margins, Boundary::constant(0.0f), 0, "pad", where), where};
  });
  const ComplexTerm product = lines_transformed(padded, where) * terms(tables.filter, where);
  const ComplexTerm back = exchanged(lines_transformed(exchanged(product), where));
  const ComplexTerm front =
      for_both(back, [&](const Term& x) { return part(x, 1, 0, tables.length); });
  return scaled(front * chirp, 1 / static_cast<double>(tables.convolved));
}

ComplexTerm lines_transformed(const ComplexTerm& a, const Location& where, bool is_scaled) {
  const int64_t n = a.real.shape()[1];
  if (n == 1 || a.real.shape()[0] == 0) return a;
  if (has_primitive(n)) return transformed(a, 1, is_scaled, where);
  const std::shared_ptr<const FftTables> tables = fft_tables(n, a.real.type());
  const ComplexTerm result =
      tables->convolved > 0 ? by_convolution(a, *tables, where) : by_steps(a, *tables, where);
  return is_scaled ? scaled(result, 1 / static_cast<double>(n)) : result;
}

// Converts lines along an axis to the rows of a {batch, n} array, and back.
class Lines {
 public:
  Lines(const NodeRef& a, int axis, const char* operation, const Location& where)
      : axis_(axis), where_(where) {
    require_elements_along(a, axis, operation, where);
    if (a->type != ElementType::f32 && a->type != ElementType::f64)
      throw TypeError(std::string(operation) + ": elements are float or double, not " +
                      name(a->type) + at(where));
    shape_ = a->shape;
  }
  Term rows_of(const NodeRef& a) const {
    const int rank = shape_.rank;
    Term ordered{a, where_};
    if (rank == 1) return with_axis(ordered, 0);
    if (axis_ != rank - 1) ordered = {transpose(a, order(), where_), where_};
    if (rank == 2) return ordered;
    return reshape(ordered, extents_of({a->shape.size() / a->shape[axis_], a->shape[axis_]}));
  }
  // The rows may have changed their length.
  NodeRef from_rows(const Term& rows) const {
    const int rank = shape_.rank;
    const int64_t length = rows.shape()[1];
    if (rank == 1) return drop_dimension(rows.node, 0, where_);
    Extents ordered;
    for (const int64_t i : order())
      ordered.push_back(i == axis_ ? length : shape_[static_cast<int>(i)]);
    const Term all = rank == 2 ? rows : reshape(rows, ordered);
    if (axis_ == rank - 1) return all.node;
    std::vector<int64_t> back;
    for (int i = 0; i < rank; ++i) back.push_back(i == axis_ ? rank - 1 : i < axis_ ? i : i - 1);
    return transpose(all.node, back, where_);
  }

 private:
  std::vector<int64_t> order() const {
    std::vector<int64_t> result;
    for (int i = 0; i < shape_.rank; ++i)
      if (i != axis_) result.push_back(i);
    result.push_back(axis_);
    return result;
  }
  int axis_;
  Location where_;
  Extents shape_;
};

// Returns the last `count` elements of each row in reverse order.
Term reversed(const Term& rows, int64_t count) {
  const Range ranges[] = {{0, rows.shape()[0]}, {rows.shape()[1] - 1, count, -1}};
  return {section(rows.node, ranges, rows.where), rows.where};
}
Term every_second(const Term& rows, int64_t first) {
  const Range ranges[] = {{0, rows.shape()[0]}, {first, rows.shape()[1] / 2, 2}};
  return {section(rows.node, ranges, rows.where), rows.where};
}

// Transforms an even number of real numbers as half as many complex ones: the transforms of the
// elements at even and at odd positions follow from symmetry.
ComplexTerm real_lines_transformed(const Term& rows, const Location& where) {
  const int64_t n = rows.shape()[1];
  const ComplexTerm halves{every_second(rows, 0), every_second(rows, 1)};
  const ComplexTerm transformed = lines_transformed(halves, where);
  const Margin one_more[] = {{0, 0}, {0, 1}};
  const ComplexTerm whole = for_both(transformed, [&](const Term& x) {
    return Term{expand(x.node, one_more, Boundary::wrap(), 0, "expand", where), where};
  });
  const ComplexTerm mirrored =
      conjugated(for_both(whole, [&](const Term& x) { return reversed(x, n / 2 + 1); }));
  const ComplexTerm even = whole + mirrored, odd = whole - mirrored;  // doubled; `odd` also times i
  const ComplexTerm turned{odd.imag, apply_op(Op::negate, odd.real)};
  return scaled(even + turned * terms(half_circle(n, rows.type())->half_circle, where), 0.5);
}

Term inverse_real_lines(const ComplexTerm& given, int64_t n, const Location& where) {
  const int64_t half = n / 2;
  // The imaginary parts of frequencies that are real are ignored.
  const Term number = index_term(given.imag.shape(), 1, where);
  const Term zero = number_like(given.imag, 0);
  const ComplexTerm spectrum{
      given.real, choose(number == 0 || number == static_cast<double>(half), zero, given.imag)};
  const ComplexTerm mirrored =
      conjugated(for_both(spectrum, [&](const Term& x) { return reversed(x, half + 1); }));
  const ComplexTerm circle = terms(half_circle(n, given.real.type())->half_circle, where);
  const ComplexTerm odd = (spectrum - mirrored) * conjugated(circle);
  const ComplexTerm turned{apply_op(Op::negate, odd.imag), odd.real};  // times i
  const ComplexTerm halves =
      for_both(spectrum + mirrored + turned, [&](const Term& x) { return part(x, 1, 0, half); });
  const ComplexTerm lines =
      scaled(exchanged(lines_transformed(exchanged(halves), where)), 1 / static_cast<double>(n));
  const NodeRef both[] = {lines.real.node, lines.imag.node};
  return reshape(Term{stack(both, 2, where), where}, extents_of({lines.real.shape()[0], n}));
}

}  // namespace

ComplexNodes fft(const ComplexNodes& a, int axis, bool inverse, const Location& where) {
  const Lines lines(a.real, axis, inverse ? "ifft" : "fft", where);
  const auto in_order = [&](const ComplexTerm& z) { return inverse ? exchanged(z) : z; };
  const ComplexTerm given = in_order(terms(a, where));
  if (has_primitive(a.real->shape[axis]) && a.real->shape.size() > 0)
    return nodes(in_order(transformed(given, axis, inverse, where)));
  const ComplexTerm rows{lines.rows_of(given.real.node), lines.rows_of(given.imag.node)};
  const ComplexTerm result = in_order(lines_transformed(rows, where, inverse));
  return {lines.from_rows(result.real), lines.from_rows(result.imag)};
}

ComplexNodes real_fft(const NodeRef& a, int axis, const Location& where) {
  const Lines lines(a, axis, "rfft", where);
  const Term rows = lines.rows_of(a);
  const int64_t n = rows.shape()[1];
  ComplexTerm result{rows, rows};
  if (n % 2 == 0) {
    result = real_lines_transformed(rows, where);
  } else {
    const Term zero{constant(ScalarValue{a->type, 0}, rows.shape(), where), where};
    result = for_both(lines_transformed({rows, zero}, where),
                      [&](const Term& x) { return part(x, 1, 0, n / 2 + 1); });
  }
  return {lines.from_rows(result.real), lines.from_rows(result.imag)};
}

NodeRef inverse_real_fft(const ComplexNodes& a, int64_t n, int axis, const Location& where) {
  const Lines lines(a.real, axis, "irfft", where);
  const int64_t given = a.real->shape[axis];
  if (n < 0) n = 2 * (given - 1);
  if (n < 1)
    throw ShapeError("irfft: no real numbers have a transform; of one element, give n = 1" +
                     at(where));
  if (n / 2 + 1 != given)
    throw ShapeError("irfft: " + std::to_string(n) + " real numbers have a transform of " +
                     std::to_string(n / 2 + 1) + " elements, not of " + std::to_string(given) +
                     at(where));
  const ComplexTerm rows{lines.rows_of(a.real), lines.rows_of(a.imag)};
  if (n % 2 == 0) return lines.from_rows(inverse_real_lines(rows, n, where));
  if (n == 1) return a.real;
  // The other half of the transform: conjugates, in reverse order.
  const ComplexTerm rest =
      conjugated(for_both(rows, [&](const Term& x) { return reversed(x, given - 1); }));
  const Term number = index_term(rows.imag.shape(), 1, where);
  const Term imag = choose(number == 0, number_like(rows.imag, 0), rows.imag);
  const auto joined = [&](const Term& front, const Term& back) {
    const NodeRef both[] = {front.node, back.node};
    return Term{concat(both, 1, where), where};
  };
  const ComplexTerm all{joined(rows.real, rest.real), joined(imag, rest.imag)};
  const ComplexTerm result = exchanged(lines_transformed(exchanged(all), where));
  return lines.from_rows(result.real * (1 / static_cast<double>(n)));
}

}  // namespace tutti::detail
