// Accounting of array memory, on the host and on devices together: counted for statistics(), and
// limited by TUTTI_MAX_BYTES.
#pragma once
#include <cstddef>

namespace tutti::runtime {

// Counts these bytes as in use, if the limit allows it. Check and update are one atomic operation,
// so that concurrent threads cannot exceed the limit.
bool try_reserve(size_t bytes);
void reserve(size_t bytes);  // throws OutOfMemory if try_reserve() returns false
void count_given_back(size_t bytes);

// A reservation of bytes that ends with this object, unless an array keeps them.
class Reservation {
 public:
  explicit Reservation(size_t bytes) : bytes_(bytes) { reserve(bytes); }
  ~Reservation() { count_given_back(bytes_); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  void keep() { bytes_ = 0; }

 private:
  size_t bytes_;
};

}  // namespace tutti::runtime
