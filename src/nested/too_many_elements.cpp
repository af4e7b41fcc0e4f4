#include "nested/too_many_elements.hpp"

#include <utility>

#include "nested/error_texts.hpp"

namespace tutti::nested {
namespace {

const ApplyingScope*& innermost() {
  thread_local const ApplyingScope* scope = nullptr;
  return scope;
}

std::string message(int64_t elements, const char* operation, const Location& where) {
  const std::string problem = too_many_elements(elements);
  return operation ? operation + (": " + problem) + detail::at(where) : problem;
}

}  // namespace

TooManyElements::TooManyElements(int64_t elements, const char* operation, const Location& where,
                                 const Origin& origin)
    : ShapeError(message(elements, operation, where)),
      operation(operation ? operation : ""),
      problem(too_many_elements(elements)),
      origin(origin) {}

ApplyingScope::ApplyingScope(const char* operation, const Location& where)
    : operation_(operation), where_(where), outer_(std::exchange(innermost(), this)) {}

ApplyingScope::~ApplyingScope() { innermost() = outer_; }

const char* ApplyingScope::operation() { return innermost() ? innermost()->operation_ : nullptr; }

Location ApplyingScope::where() { return innermost() ? innermost()->where_ : Location(); }

void ApplyingScope::fail(int64_t elements, const Origin& origin) {
  throw TooManyElements(elements, operation(), where(), origin);
}

}  // namespace tutti::nested
