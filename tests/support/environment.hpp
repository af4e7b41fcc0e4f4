// Numbers that the environment of a test run may set: how many random programs, from which seed.
#pragma once
#include <cstdint>
#include <cstdlib>

namespace tutti::test {

inline int64_t number_from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

}  // namespace tutti::test
