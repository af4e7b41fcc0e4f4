#include "graph/segment_offsets.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "tutti/error.hpp"

namespace tutti::ir {

int64_t Offsets::segment_of(int64_t element) const {
  int64_t low = 0, high = segments();  // offsets[low] <= element < offsets[high]
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    ((*this)[middle] <= element ? low : high) = middle;
  }
  return low;
}

namespace {

template <class I>
int64_t longest_of(const I* numbers, int64_t count) {
  I longest = 0;
  for (int64_t i = 1; i < count; ++i) longest = std::max<I>(longest, numbers[i] - numbers[i - 1]);
  return longest;
}

// Returns whether numbers [first, last] ascend from 0 or more to at most a limit. Has no branch in
// the loop, so that it vectorises.
template <class I>
bool are_ascending(const I* numbers, int64_t first, int64_t last, int64_t limit) {
  bool wrong = false;
  for (int64_t i = first + 1; i <= last; ++i) wrong |= numbers[i] < numbers[i - 1];
  return !wrong && numbers[first] >= 0 && numbers[last] <= limit;
}

}  // namespace

int64_t Offsets::longest_segment() const {
  return wide_ ? longest_of(static_cast<const int64_t*>(data_), count_)
               : longest_of(static_cast<const int32_t*>(data_), count_);
}

int64_t Offsets::first_wrong(int64_t first, int64_t last, int64_t elements) const {
  const int64_t before = std::max<int64_t>(0, first - 1);
  const bool any = elements == any_number;
  const int64_t limit = any ? std::numeric_limits<int64_t>::max() : elements;
  const bool ascending =
      wide_ ? are_ascending(static_cast<const int64_t*>(data_), before, last, limit)
            : are_ascending(static_cast<const int32_t*>(data_), before, last, limit);
  const bool ends_right =
      (first > 0 || (*this)[0] == 0) && (any || last < count_ - 1 || (*this)[last] == elements);
  if (ascending && ends_right) return -1;
  for (int64_t i = first; i <= last; ++i) {
    if (i == 0 ? (*this)[0] != 0 : (*this)[i] < (*this)[i - 1]) return i;
    if ((*this)[i] > limit || (!any && i == count_ - 1 && (*this)[i] != elements)) return i;
  }
  return -1;
}

void Offsets::check(int64_t elements, const char* operation, const detail::Location& where) const {
  const int64_t wrong = first_wrong(0, count_ - 1, elements);
  if (wrong >= 0) refuse(wrong, elements, operation, where);
}

void Offsets::refuse(int64_t wrong, int64_t elements, const char* operation,
                     const detail::Location& where) const {
  const auto number = [](int64_t n) { return std::to_string(n); };
  std::string text =
      std::string(operation) + ": offsets[" + number(wrong) + "] is " + number((*this)[wrong]);
  if (wrong == 0)
    text += ", but the first segment begins at 0";
  else if ((*this)[wrong] < (*this)[wrong - 1])
    text +=
        ", less than offsets[" + number(wrong - 1) + "], which is " + number((*this)[wrong - 1]) +
        ": the segment has a negative length" +
        (elements == any_number && !wide_ ? ", or int32 cannot hold the sum of the lengths" : "");
  else
    text += ", but the last segment ends with the " + number(elements) + " elements";
  throw ShapeError(text + detail::at(where));
}

}  // namespace tutti::ir
