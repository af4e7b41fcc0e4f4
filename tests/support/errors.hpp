// The text of the exception that a call throws.
#pragma once
#include <tutti/tutti.hpp>

#include <string>

namespace tutti::test {

template <class E = Error, class F>
std::string message_of(F action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tutti::test
