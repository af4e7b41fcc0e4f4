#include "runtime/cuda/memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/statistics.hpp"
#include "runtime/memory/accounting.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

constexpr size_t staging_bytes = size_t{8} << 20;
constexpr size_t small_copy = size_t{64} << 10;  // below this, there is nothing to overlap

}  // namespace

Memory::Memory(Handle context, Stream& stream, LaunchLog& log)
    : context_(context), stream_(stream), log_(log) {
  constexpr unsigned without_default_stream = 1, without_timing = 2;
  check(driver()->StreamCreate(&copies_, without_default_stream), "creating a stream");
  check(driver()->EventCreate(&kernels_done_, without_timing), "creating an event");
  check(driver()->EventCreate(&copies_done_, without_timing), "creating an event");
}

void Memory::make_current() const { use_context(context_); }

bool Memory::from_driver(size_t size, uint64_t& address) {
  const Result result = driver()->MemAlloc_v2(&address, size);
  if (result == out_of_memory) return false;
  log_.check(result, "allocating device memory");
  try {
    std::lock_guard lock(mutex_);
    blocks_.try_emplace(address, Block{.size = size});
  } catch (...) {
    driver()->MemFree_v2(address);
    throw;
  }
  return true;
}

uint64_t Memory::take(size_t bytes) {
  const size_t size = size_class(bytes);
  Reservation reserved(size);
  const uint64_t address = take_block(size);
  reserved.keep();
  return address;
}

uint64_t Memory::take_block(size_t size) {
  make_current();
  {
    std::lock_guard lock(mutex_);
    if (uint64_t& first = free_[index_of_class(size)])
      return std::exchange(first, blocks_.find(first)->second.next);
  }
  uint64_t address = 0;
  if (from_driver(size, address)) return address;
  trim();
  while (!from_driver(size, address)) {
    if (!evict_one(*this))
      throw OutOfMemory("no device memory for an array of " + std::to_string(size) +
                        " bytes, with all others moved to the host");
    trim();
  }
  return address;
}

void Memory::give_back(uint64_t address, size_t bytes) noexcept {
  const size_t size = size_class(bytes);
  count_given_back(size);
  std::lock_guard lock(mutex_);
  uint64_t& first = free_[index_of_class(size)];
  blocks_.find(address)->second = {size, point_, first};
  first = address;
}

// Pinned memory has the same address on the device.
int64_t* Memory::take_answer() {
  constexpr size_t some = 64;
  make_current();
  std::lock_guard lock(mutex_);
  if (answers_.empty()) {
    answers_.reserve(all_answers_ + some);
    void* block = nullptr;
    check(driver()->MemAllocHost_v2(&block, some * sizeof(int64_t)), "allocating pinned memory");
    all_answers_ += some;
    for (size_t i = 0; i < some; ++i) answers_.push_back(static_cast<int64_t*>(block) + i);
  }
  int64_t* const answer = answers_.back();
  answers_.pop_back();
  return answer;
}

void Memory::give_back_answer(int64_t* answer) noexcept {
  std::lock_guard lock(mutex_);
  answers_.push_back(answer);
}

void Memory::start_kernels() { stream_.handle(); }

void Memory::wait_for_kernels() {
  make_current();
  const Point point = next_point();
  log_.check(driver()->StreamSynchronize(stream_.handle()), "waiting for the device");
  note_passed(point);
}

void Memory::clear(uint64_t address, size_t bytes) {
  make_current();
  log_.check(driver()->MemsetD32Async(address, 0, bytes / 4, stream_.handle()),
             "clearing device memory");
}

// ---- the order of kernels and copies

Memory::Point Memory::next_point() {
  std::lock_guard lock(mutex_);
  return ++point_;
}

void Memory::synchronize() {
  make_current();
  const Point point = next_point();
  log_.check(driver()->StreamSynchronize(stream_.handle()), "waiting for the device");
  {
    std::lock_guard lock(staging_mutex_);
    wait_for_copies();
  }
  note_passed(point);
}

void Memory::wait_for_copies() {
  if (!copying_) return;
  log_.check(driver()->StreamSynchronize(copies_), "waiting for copies");
  copying_ = false;
}

// Call with the staging buffers in hand: there is one event of each kind.
Memory::Point Memory::copies_wait_for_kernels() {
  const Point point = next_point();
  log_.check(driver()->EventRecord(kernels_done_, stream_.handle()),
             "ordering copies after kernels");
  log_.check(driver()->StreamWaitEvent(copies_, kernels_done_, 0), "ordering copies after kernels");
  return point;
}

void Memory::kernels_wait_for_copies() {
  log_.check(driver()->EventRecord(copies_done_, copies_), "ordering kernels after copies");
  log_.check(driver()->StreamWaitEvent(stream_.handle(), copies_done_, 0),
             "ordering kernels after copies");
}

bool Memory::may_be_in_use(uint64_t address) {
  std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  return found != blocks_.end() && found->second.given_back > 0 &&
         found->second.given_back >= passed_;
}

void Memory::note_passed(Point point) {
  std::lock_guard lock(mutex_);
  passed_ = std::max(passed_, point);
}

void Memory::trim() {
  synchronize();
  std::lock_guard lock(mutex_);
  for (uint64_t& first : free_)
    while (const uint64_t address = first) {
      const auto block = blocks_.find(address);
      first = block->second.next;
      blocks_.erase(block);
      check(driver()->MemFree_v2(address), "freeing device memory");
    }
}

void Memory::prepare_staging() {
  for (void*& buffer : staging_)
    if (!buffer)
      check(driver()->MemAllocHost_v2(&buffer, staging_bytes), "allocating pinned memory");
}

// Two staging buffers: one is copied on the host while the other travels.
void Memory::to_host(void* target, uint64_t source, size_t bytes) {
  const CopyToHost copy{target, source, bytes};
  if (bytes <= small_copy) return to_host_together({&copy, 1});
  make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  wait_for_copies();  // staging may still be travelling the other way
  const Point point = copies_wait_for_kernels();
  const size_t pieces = (bytes + staging_bytes - 1) / staging_bytes;
  const auto size = [&](size_t piece) {
    return std::min(staging_bytes, bytes - piece * staging_bytes);
  };
  const auto start = [&](size_t piece) {
    if (piece >= pieces) return;
    copying_ = true;
    log_.check(driver()->MemcpyDtoHAsync_v2(staging_[piece % 2], source + piece * staging_bytes,
                                            size(piece), copies_),
               "copying to the host");
  };
  start(0);
  for (size_t piece = 0; piece < pieces; ++piece) {
    wait_for_copies();
    start(piece + 1);
    std::memcpy(static_cast<char*>(target) + piece * staging_bytes, staging_[piece % 2],
                size(piece));
  }
  note_passed(point);
}

// Small ones together through one staging buffer; the others one by one.
void Memory::to_host(std::span<const CopyToHost> copies) {
  std::vector<CopyToHost> small;
  size_t bytes = 0;
  for (const CopyToHost& copy : copies) {
    if (copy.bytes > small_copy) {
      to_host(copy.target, copy.source, copy.bytes);
      continue;
    }
    if (bytes + copy.bytes > staging_bytes) {
      to_host_together(small);
      small.clear();
      bytes = 0;
    }
    small.push_back(copy);
    bytes += copy.bytes;
  }
  if (!small.empty()) to_host_together(small);
}

void Memory::to_host_together(std::span<const CopyToHost> copies) {
  make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  wait_for_copies();  // staging may still be travelling the other way
  auto* arrived = static_cast<char*>(staging_[0]);
  for (const CopyToHost& copy : copies) {
    log_.check(driver()->MemcpyDtoHAsync_v2(arrived, copy.source, copy.bytes, stream_.handle()),
               "copying to the host");
    arrived += copy.bytes;
  }
  log_.check(driver()->StreamSynchronize(stream_.handle()), "waiting for the device");
  arrived = static_cast<char*>(staging_[0]);
  for (const CopyToHost& copy : copies) {
    std::memcpy(copy.target, arrived, copy.bytes);
    arrived += copy.bytes;
  }
}

void Memory::from_host(uint64_t target, const void* source, size_t bytes) {
  make_current();
  if (bytes <= small_copy) {  // the driver takes it at once, and kernels follow in order
    log_.check(driver()->MemcpyHtoDAsync_v2(target, source, bytes, stream_.handle()),
               "copying to the device");
    return;
  }
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  if (may_be_in_use(target)) copies_wait_for_kernels();
  for (size_t done = 0, piece = 0; done < bytes; done += staging_bytes, ++piece) {
    const size_t size = std::min(staging_bytes, bytes - done);
    // The other buffer may still be travelling; this one must have arrived before it is
    // overwritten.
    if (piece % 2 == 0) wait_for_copies();
    std::memcpy(staging_[piece % 2], static_cast<const char*>(source) + done, size);
    copying_ = true;
    log_.check(driver()->MemcpyHtoDAsync_v2(target + done, staging_[piece % 2], size, copies_),
               "copying to the device");
  }
  kernels_wait_for_copies();
}

}  // namespace tutti::runtime::cuda
