#include "nesl/place.hpp"

#include "nesl/core/core.hpp"

namespace tutti::nesl {
namespace {

std::string name_of(const CoreFunction& function) {
  if (function.name == top_level_name) return "";
  return function.name == lambda_name ? "a function without a name" : function.name;
}

std::string line_text(const Place& place) {
  const SourceRef& source = place.function->source;
  if (!place.expr || !source || source->name.empty()) return "";
  return "line " + std::to_string(line_of(*source, place.expr->span.begin)) + " of " + source->name;
}

std::string joined(const std::string& a, const std::string& between, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + between + b;
}

}  // namespace

std::string to_text(const Place& place) {
  if (!place.function) return "";
  const std::string own = joined(name_of(*place.function), ", ", line_text(place));
  const std::string all = joined(place.through ? name_of(*place.through) : "", ", called in ", own);
  return all.empty() ? "" : " (in " + all + ")";
}

}  // namespace tutti::nesl
