// Offsets of segments in a buffer: int32 or int64, checked before they are used.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

class Offsets {
 public:
  Offsets(const void* data, ElementType type, int64_t count)
      : data_(data), wide_(type == ElementType::i64), count_(count) {}

  int64_t segments() const { return count_ - 1; }
  int64_t longest_segment() const;
  int64_t operator[](int64_t i) const {
    return wide_ ? static_cast<const int64_t*>(data_)[i] : static_cast<const int32_t*>(data_)[i];
  }
  void copy(int64_t first, int64_t count, int64_t* target) const {
    if (wide_)
      std::copy_n(static_cast<const int64_t*>(data_) + first, count, target);
    else
      std::copy_n(static_cast<const int32_t*>(data_) + first, count, target);
  }
  // Returns the last segment that begins at or before an element; not empty if the element exists.
  int64_t segment_of(int64_t element) const;
  static constexpr int64_t any_number = std::numeric_limits<int64_t>::min();  // of elements
  // Throws ShapeError with the first wrong offset: they ascend from 0 to `elements`.
  void check(int64_t elements, const char* operation, const detail::Location& where) const;
  // The same for the offsets [first, last], so that parts can be checked separately. Returns the
  // first wrong one, or -1.
  int64_t first_wrong(int64_t first, int64_t last, int64_t elements) const;
  [[noreturn]] void refuse(int64_t wrong, int64_t elements, const char* operation,
                           const detail::Location& where) const;

 private:
  const void* data_;
  bool wide_;
  int64_t count_;
};

}  // namespace tutti::ir
