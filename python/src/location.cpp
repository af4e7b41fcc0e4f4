// Lines of Python as source locations, for errors that are found when a value is computed: they
// name the line that asked for it, as those of C++ do. Locations live as long as the process; there
// is one for each line.
#include <bit>
#include <cstring>
#include <map>

#include "array.hpp"

namespace tutti::python {
namespace {

// What a std::source_location refers to in libstdc++ and libc++, which offer no way to make one.
struct Line {
  const char *file, *function;
  unsigned line, column;
};
static_assert(sizeof(Location) == sizeof(const Line*));

bool layout_is_known() {
  const Location here = Location::current();
  const auto* line = std::bit_cast<const Line*>(here);
  return line && line->line == here.line() && std::strcmp(line->file, here.file_name()) == 0 &&
         std::strcmp(line->function, here.function_name()) == 0;
}

Location location_of(const std::string& file, int number) {
  static const bool known = layout_is_known();
  // Under the interpreter lock. Not more than this: programs may make lines as they run.
  constexpr size_t most_lines = 100'000;
  static auto* lines = new std::map<std::pair<std::string, int>, Line>;
  if (!known || number <= 0) return Location();
  auto found = lines->find({file, number});
  if (found == lines->end()) {
    if (lines->size() == most_lines) return Location();
    found = lines->emplace(std::pair(file, number), Line{}).first;
    found->second = {found->first.first.c_str(), "", static_cast<unsigned>(number), 0};
  }
  return std::bit_cast<Location>(static_cast<const Line*>(&found->second));
}

bool is_of_this_package(nb::handle frame) {
  const nb::object name = frame.attr("f_globals").attr("get")("__name__");
  if (!nb::isinstance<nb::str>(name)) return false;
  const auto text = nb::cast<std::string>(name);
  return text == "tutti" || text.starts_with("tutti.");
}

}  // namespace

Location python_line() {
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid() && !frame.is_none() && is_of_this_package(frame))
    frame = frame.attr("f_back");
  if (!frame.is_valid() || frame.is_none()) return Location();
  return location_of(nb::cast<std::string>(frame.attr("f_code").attr("co_filename")),
                     nb::cast<int>(frame.attr("f_lineno")));
}

Location python_line_of(nb::handle given) {
  nb::object function = nb::borrow(given);
  if (nb::hasattr(function, "__wrapped__")) function = function.attr("__wrapped__");
  if (!nb::hasattr(function, "__code__")) return python_line();
  const nb::object code = function.attr("__code__");
  return location_of(nb::cast<std::string>(code.attr("co_filename")),
                     nb::cast<int>(code.attr("co_firstlineno")));
}

}  // namespace tutti::python
