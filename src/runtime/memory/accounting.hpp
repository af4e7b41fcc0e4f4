// What arrays take of memory, on the host and on devices together: counted for statistics(), and
// kept within TUTTI_MAX_BYTES.
#pragma once
#include <cstddef>

namespace tutti::runtime {

// Counts these bytes as in use, if the limit allows it: asked and taken in one step, so that
// threads together cannot exceed it.
bool try_reserve(size_t bytes);
void reserve(size_t bytes);  // throws OutOfMemory where try_reserve() refuses
void count_given_back(size_t bytes);

// Bytes that are reserved until they are given back here, unless an array keeps them.
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
