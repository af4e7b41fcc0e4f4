// The source line in the texts of errors.
#include "tutti/error.hpp"

namespace tutti::detail {

std::string at(const std::source_location& where) {
  if (where.line() == 0) return "";
  return std::string(" (") + where.file_name() + ":" + std::to_string(where.line()) + ")";
}

}  // namespace tutti::detail
