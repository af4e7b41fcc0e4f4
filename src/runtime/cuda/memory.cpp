#include "runtime/cuda/memory.hpp"

#include <algorithm>
#include <cstring>

#include "core/statistics.hpp"
#include "runtime/pool.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

constexpr size_t staging_bytes = size_t{8} << 20;
constexpr size_t small_copy = size_t{64} << 10;  // below this, staging costs more than it gains

}  // namespace

void Memory::make_current() const { use_context(context_); }

bool Memory::from_driver(size_t size, uint64_t& address) {
  const Result result = driver()->MemAlloc_v2(&address, size);
  if (result == out_of_memory) return false;
  log_.check(result, "allocating device memory");
  return true;
}

uint64_t Memory::take(size_t bytes) {
  const size_t size = size_class(bytes);
  make_current();
  {
    std::lock_guard lock(mutex_);
    if (auto found = free_.find(size); found != free_.end() && !found->second.empty()) {
      const uint64_t address = found->second.back();
      found->second.pop_back();
      return address;
    }
  }
  uint64_t address = 0;
  if (from_driver(size, address)) return address;
  trim();
  while (!from_driver(size, address)) {
    if (!evict_one(*this))
      throw OutOfMemory("no device memory for an array of " + std::to_string(bytes) +
                        " bytes, with all others moved to the host");
    trim();
  }
  return address;
}

void Memory::give_back(uint64_t address, size_t bytes) {
  std::lock_guard lock(mutex_);
  free_[size_class(bytes)].push_back(address);
}

void Memory::trim() {
  make_current();
  log_.check(driver()->StreamSynchronize(stream_), "waiting for the device");
  std::lock_guard lock(mutex_);
  for (auto& [size, blocks] : free_)
    for (uint64_t block : blocks) check(driver()->MemFree_v2(block), "freeing device memory");
  free_.clear();
}

void Memory::prepare_staging() {
  for (void*& buffer : staging_)
    if (!buffer)
      check(driver()->MemAllocHost_v2(&buffer, staging_bytes), "allocating pinned memory");
}

// Two staging buffers: one is copied on the host while the other travels.
void Memory::to_host(void* target, uint64_t source, size_t bytes) {
  make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  if (bytes <= small_copy) {
    log_.check(driver()->MemcpyDtoHAsync_v2(staging_[0], source, bytes, stream_),
               "copying to the host");
    log_.check(driver()->StreamSynchronize(stream_), "waiting for the device");
    std::memcpy(target, staging_[0], bytes);
    return;
  }
  const size_t pieces = (bytes + staging_bytes - 1) / staging_bytes;
  const auto size = [&](size_t piece) {
    return std::min(staging_bytes, bytes - piece * staging_bytes);
  };
  const auto start = [&](size_t piece) {
    log_.check(driver()->MemcpyDtoHAsync_v2(staging_[piece % 2], source + piece * staging_bytes,
                                            size(piece), stream_),
               "copying to the host");
  };
  start(0);
  for (size_t piece = 0; piece < pieces; ++piece) {
    log_.check(driver()->StreamSynchronize(stream_), "waiting for the device");
    if (piece + 1 < pieces) start(piece + 1);
    std::memcpy(static_cast<char*>(target) + piece * staging_bytes, staging_[piece % 2],
                size(piece));
  }
}

void Memory::from_host(uint64_t target, const void* source, size_t bytes) {
  make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  for (size_t done = 0, piece = 0; done < bytes; done += staging_bytes, ++piece) {
    const size_t size = std::min(staging_bytes, bytes - done);
    // The other buffer may still be travelling; this one must have arrived before it is
    // overwritten.
    if (piece % 2 == 0) log_.check(driver()->StreamSynchronize(stream_), "waiting for the device");
    std::memcpy(staging_[piece % 2], static_cast<const char*>(source) + done, size);
    log_.check(driver()->MemcpyHtoDAsync_v2(target + done, staging_[piece % 2], size, stream_),
               "copying to the device");
  }
  log_.check(driver()->StreamSynchronize(stream_),
             "waiting for the device");  // staging is free again
}

}  // namespace tutti::runtime::cuda
