#include "runtime/gpu/zeroed_memory.hpp"

#include <algorithm>

namespace tutti::runtime::gpu {
namespace {

constexpr size_t alignment = 256;

}  // namespace

ZeroedMemory::Piece::Piece(ZeroedMemory& owner, int64_t bytes) : owner_(owner) {
  const size_t size = (static_cast<size_t>(bytes) + alignment - 1) / alignment * alignment;
  if (size <= most_of_it) address_ = owner.take(size);
  if (address_) return;
  own_bytes_ = std::max(size, alignment);
  address_ = owner.memory_.take(own_bytes_);
  try {
    owner.memory_.clear(address_, own_bytes_);
  } catch (...) {
    owner.memory_.give_back(address_, own_bytes_);
    throw;
  }
}

ZeroedMemory::Piece::~Piece() {
  if (own_bytes_) {
    owner_.memory_.give_back(address_, own_bytes_);
    return;
  }
  std::lock_guard lock(owner_.mutex_);
  --owner_.in_hands_;
}

uint64_t ZeroedMemory::take(size_t bytes) {
  std::lock_guard lock(mutex_);
  if (used_ + bytes > block_bytes) {
    if (in_hands_ > 0) return 0;  // another thread is about to launch with a piece of it
    if (!block_) block_ = memory_.take(block_bytes);
    memory_.clear(block_, block_bytes);
    used_ = 0;
  }
  ++in_hands_;
  const uint64_t piece = block_ + used_;
  used_ += bytes;
  return piece;
}

}  // namespace tutti::runtime::gpu
