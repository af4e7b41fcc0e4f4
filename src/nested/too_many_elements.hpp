// The error of sequences that have more elements in all than one vector holds, and what it names:
// the operation that is being applied.
#pragma once
#include <cstdint>
#include <string>

#include "tutti/detail/nested.hpp"

namespace tutti::nested {

// The most elements of one vector: its indices are int32.
constexpr int64_t most_elements = (int64_t{1} << 31) - 1;

class TooManyElements : public ShapeError {
 public:
  // Without an operation, what is read is a result.
  TooManyElements(int64_t elements, const char* operation, const Location& where,
                  const Origin& origin);
  std::string operation, problem;
  Origin origin;
};

// The operation that this thread applies while the scope lasts. An inner scope hides an outer one.
class ApplyingScope {
 public:
  ApplyingScope(const char* operation, const Location& where);
  ~ApplyingScope();
  ApplyingScope(const ApplyingScope&) = delete;
  ApplyingScope& operator=(const ApplyingScope&) = delete;

  // The innermost operation and where it is written; null and nowhere outside of any scope.
  static const char* operation();
  static Location where();
  [[noreturn]] static void fail(int64_t elements, const Origin& origin);  // this operation

 private:
  const char* operation_;
  Location where_;
  const ApplyingScope* outer_;
};

}  // namespace tutti::nested
