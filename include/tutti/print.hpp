// std::cout << a: the elements of an array, laid out as NumPy prints them. Of more than 1000
// elements the first and last three along each axis are shown, and only those are copied.
#pragma once
#include <iosfwd>
#include <string>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// How numbers and long arrays are shown.
struct PrintFormat {
  int precision = 8;         // digits after the point, at most
  int64_t threshold = 1000;  // elements, beyond which the middle is left out
  int edge = 3;              // elements shown at both ends of an axis that is cut
  int width = 75;            // columns of a line
};

namespace detail {
std::string array_text(std::span<const NodeRef> components, const PrintFormat& format);
void print(std::ostream& out, std::span<const NodeRef> components);
}  // namespace detail

// Evaluates the array.
template <int D, class T>
std::string to_string(const Array<D, T>& a, const PrintFormat& format = {}) {
  const detail::PauseCapture numbers_not_symbols;
  return detail::array_text(a.nodes(), format);
}

// Evaluates the array.
template <int D, class T>
std::ostream& operator<<(std::ostream& out, const Array<D, T>& a) {
  const detail::PauseCapture numbers_not_symbols;
  detail::print(out, a.nodes());
  return out;
}

}  // namespace tutti
TUTTI_END_EXPORTS
