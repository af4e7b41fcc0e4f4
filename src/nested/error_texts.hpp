// Texts of errors with sequences, shared with evaluators on the host, so that an error reads the
// same wherever it is found.
#pragma once
#include <cstdint>
#include <string>

namespace tutti::nested {

inline std::string no_value(const char* operation) {
  return std::string(operation) +
         ": a value was read that has never been given, or was moved from; assign it first";
}
inline std::string no_element(int64_t i, int64_t length) {
  return "there is no element " + std::to_string(i) + " in a sequence of " + std::to_string(length);
}
inline std::string no_place(int64_t i, int64_t length) {
  return "there is no place " + std::to_string(i) + " in a sequence of " + std::to_string(length);
}
inline std::string no_slice(int64_t count, int64_t begin, int64_t length) {
  return std::to_string(count) + " elements from element " + std::to_string(begin) +
         " on are not in a sequence of " + std::to_string(length);
}
inline std::string unequal_lengths(int64_t a, int64_t b) {
  return "sequences of " + std::to_string(a) + " and " + std::to_string(b) +
         " elements do not go together";
}
inline std::string no_length(int64_t length) {
  return "a sequence of " + std::to_string(length) + " elements";
}
inline std::string too_many_elements(int64_t elements) {
  return "sequences of " + std::to_string(elements) +
         " elements in all; one vector holds at most 2^31 - 1";
}
inline std::string wrong_total(int64_t total, int64_t length) {
  return "the counts add up to " + std::to_string(total) + ", the sequence has " +
         std::to_string(length) + " elements";
}

}  // namespace tutti::nested
