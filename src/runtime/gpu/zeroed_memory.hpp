// Scratch memory that is all zeros. Each scan and pack needs a little of it, in which blocks
// publish their progress, and clearing it for each of them would cost a launch. So they
// share one clearing: pieces are handed out one after the other, and when the memory is used up,
// all of it is cleared again. Kernels are ordered by one stream, so earlier launches have finished
// with their pieces by then. For the same reason launches that use it cannot be recorded and
// replayed.
#pragma once
#include <mutex>

#include "runtime/gpu/memory.hpp"

namespace tutti::runtime::gpu {

class ZeroedMemory {
 public:
  explicit ZeroedMemory(Memory& memory) : memory_(memory) {}

  // Zeros for the launches made during the lifetime of this object.
  class Piece {
   public:
    Piece(ZeroedMemory& owner, int64_t bytes);
    ~Piece();
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    int64_t address() const { return static_cast<int64_t>(address_); }

   private:
    ZeroedMemory& owner_;
    uint64_t address_ = 0;
    size_t own_bytes_ = 0;  // not 0: separate memory, not a part of the shared block
  };

 private:
  // A scan of 10^7 elements takes 300 kB. Clearing all takes about as long as a launch.
  static constexpr size_t block_bytes = size_t{4} << 20, most_of_it = block_bytes / 8;

  uint64_t take(size_t bytes);  // 0 if it cannot be cleared now

  Memory& memory_;
  std::mutex mutex_;
  uint64_t block_ = 0;
  size_t used_ = block_bytes;
  int in_hands_ = 0;  // pieces that may still be used by launches
};

}  // namespace tutti::runtime::gpu
