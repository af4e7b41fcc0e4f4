// Arrays whose elements are computed from coordinates.
#include "tutti/create.hpp"

#include <algorithm>
#include <cmath>

#include "api/array/term.hpp"

namespace tutti::detail {
namespace {

int64_t counted(double count, const Location& where) {
  if (std::isnan(count) || count >= 0x1p63)
    throw ShapeError("arange: start, stop and step give no number of elements" + at(where));
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

int64_t counted(__int128 span, __int128 by, const Location& where) {
  if (by == 0) throw ShapeError("arange: the step is 0" + at(where));
  if ((span > 0) != (by > 0) || span == 0) return 0;
  const __int128 count = (span + by - (by > 0 ? 1 : -1)) / by;
  if (count > INT64_MAX)
    throw ShapeError("arange: more than 2^63 elements between start and stop" + at(where));
  return static_cast<int64_t>(count);
}

}  // namespace

int64_t ramp_count(double start, double stop, double step, const Location& where) {
  if (step == 0) throw ShapeError("arange: the step is 0" + at(where));
  return counted(std::ceil((stop - start) / step), where);
}

int64_t ramp_count(int64_t start, int64_t stop, int64_t step, const Location& where) {
  return counted(static_cast<__int128>(stop) - start, step, where);
}
int64_t ramp_count(uint64_t start, uint64_t stop, int64_t step, const Location& where) {
  return counted(static_cast<__int128>(stop) - start, step, where);
}

void check_ramp(int64_t start, int64_t step, int64_t count, ElementType type,
                const Location& where) {
  if (count == 0) return;
  const int64_t last = start + (count - 1) * step;  // between start and stop
  for (const int64_t end : {start, last})
    if (convert(convert(scalar_value(end), type), ElementType::i64).bits !=
        static_cast<uint64_t>(end))
      throw ShapeError("arange: " + std::to_string(end) + " is not a number of the type " +
                       name(type) + at(where));
}

NodeRef ramp(ScalarValue start, ScalarValue step, int64_t count, ElementType type,
             const Location& where) {
  const Term number = cast(index_term(vector_shape(count), 0, where), start.type);
  const Term first{constant(start, {}, where), where},
      by{constant(convert(step, start.type), {}, where), where};
  return cast(number * by + first, type).node;
}

NodeRef linspace(double start, double stop, int64_t count, bool endpoint, ElementType type,
                 const Location& where) {
  if (count < 0)
    throw ShapeError("linspace: " + std::to_string(count) + " elements were asked for" + at(where));
  const int64_t steps = endpoint ? count - 1 : count;
  const auto divisor = static_cast<double>(std::max<int64_t>(steps, 1));
  const double distance = stop - start;
  const Term number = cast(index_term(vector_shape(count), 0, where), ElementType::f64);
  Term values = number * (steps > 0 ? distance / divisor : 0.0) + start;
  if (steps > 0 && std::isinf(distance)) {  // it may overflow between finite ends
    const Term share = number / divisor;
    values = (number_like(number, 1) - share) * start + share * stop;
  }
  if (endpoint && count > 1)  // rounding may miss the end point
    values = choose(number == static_cast<double>(steps), number_like(number, stop), values);
  return cast(values, type).node;
}

NodeRef eye(int64_t rows, int64_t columns, int64_t diagonal, ElementType type,
            const Location& where) {
  Extents shape;
  shape.push_back(rows);
  shape.push_back(columns);
  const Term row = index_term(shape, 0, where), column = index_term(shape, 1, where);
  const auto shift = static_cast<double>(std::clamp(diagonal, -rows, columns));
  return cast(column - row == shift, type).node;
}

NodeRef triangle(const NodeRef& a, int64_t diagonal, bool upper, const Location& where) {
  const Extents& shape = shape_of(a, upper ? "triu" : "tril");
  if (shape.rank < 2)
    throw ShapeError(std::string(upper ? "triu" : "tril") + ": an array of the shape " +
                     to_string(shape) + " has no rows and columns" + at(where));
  const Term distance =
      index_term(shape, shape.rank - 1, where) - index_term(shape, shape.rank - 2, where);
  const auto limit =
      static_cast<double>(std::clamp(diagonal, -shape[shape.rank - 2], shape[shape.rank - 1]));
  const Term zero{constant(ScalarValue{a->type, 0}, {}, where), where};
  return choose(upper ? distance >= limit : distance <= limit, Term{a, where}, zero).node;
}

}  // namespace tutti::detail
