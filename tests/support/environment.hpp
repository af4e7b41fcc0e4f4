// What the environment of a test run may set: how many random programs, from which seed. An empty
// variable counts as not set.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace tutti::test {

inline bool is_set(const char* name) {
  const char* text = std::getenv(name);
  return text && *text;
}

inline int64_t number_from_environment(const char* name, int64_t otherwise) {
  return is_set(name) ? std::atoll(std::getenv(name)) : otherwise;
}

}  // namespace tutti::test
