// std::cout << a prints the elements of an array in the layout of NumPy. Of more than 1000 elements
// the first and last three along each axis are shown, and only those are copied. Shapes are printed
// as {2, 3}.
#pragma once
#include <iosfwd>
#include <string>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The format of numbers and of long arrays.
struct PrintFormat {
  int precision = 8;         // digits after the point, at most
  int64_t threshold = 1000;  // the middle of arrays with more elements is omitted
  int edge = 3;              // elements shown at both ends of a shortened axis
  int width = 75;            // columns of a line
};

namespace detail {
std::string array_text(std::span<const NodeRef> components, const PrintFormat& format);
void print(std::ostream& out, std::span<const NodeRef> components);
void print(std::ostream& out, const Extents& extents);
}  // namespace detail

// Evaluates the array and formats it.
template <int D, class T>
std::string to_string(const Array<D, T>& a, const PrintFormat& format = {}) {
  const detail::PauseCapture numbers_not_symbols;
  return detail::array_text(a.nodes(), format);
}

// Evaluates the array and prints it.
template <int D, class T>
std::ostream& operator<<(std::ostream& out, const Array<D, T>& a) {
  const detail::PauseCapture numbers_not_symbols;
  detail::print(out, a.nodes());
  return out;
}

template <int D>
std::ostream& operator<<(std::ostream& out, const Shape<D>& shape) {
  detail::print(out, shape.extents());
  return out;
}

}  // namespace tutti
TUTTI_END_EXPORTS
