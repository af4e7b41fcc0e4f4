// Inspection of a running program: the arrays that hold memory, and the contents of an array.
#pragma once
#include <cstdint>
#include <source_location>
#include <sstream>
#include <string>
#include <vector>
#if __has_include(<format>)
#include <format>
#endif

#include "tutti/detail/export.hpp"
#include "tutti/print.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// An array whose elements are in memory.
struct LiveArray {
  std::string name;   // given by watch(), or empty
  std::string type;   // of an element, or of a component of tuples
  std::string shape;  // "{100, 200}"
  std::string line;   // "file.cpp:12", where it was made; empty if unknown
  int64_t bytes = 0;  // of memory that it holds, on the host and on devices
};

// Returns the arrays of at least 4 KiB, the largest first. Evaluates nothing.
std::vector<LiveArray> live_arrays();
// Returns live_arrays() as a table with totals.
std::string memory_report();

namespace detail {
void watch(std::span<const NodeRef> components, const std::string& name,
           const std::source_location& where);
}

// Evaluates an array, prints it to stderr with its shape and the source line, and returns it.
// memory_report() then lists the array under this name.
template <int D, class T>
Array<D, T> watch(const Array<D, T>& x, const std::string& name,
                  const std::source_location& where = std::source_location::current()) {
  const detail::PauseCapture numbers_not_symbols;
  detail::watch(x.nodes(), name, where);
  return x;
}

}  // namespace tutti
TUTTI_END_EXPORTS

#ifdef __cpp_lib_format
// std::format("{}", a) formats an array as std::cout << a prints it.
template <int D, class T>
struct std::formatter<tutti::Array<D, T>> : std::formatter<std::string> {
  auto format(const tutti::Array<D, T>& a, std::format_context& context) const {
    return std::formatter<std::string>::format(tutti::to_string(a), context);
  }
};
#endif
