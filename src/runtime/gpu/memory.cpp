#include "runtime/gpu/memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "runtime/memory/accounting.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::gpu {
namespace {

constexpr size_t staging_bytes = size_t{8} << 20;
constexpr size_t small_copy = size_t{64} << 10;  // smaller copies do not overlap

}  // namespace

bool Memory::from_driver(size_t size, uint64_t& address) {
  const Status status = driver_.allocate(size, address);
  if (driver_.is_out_of_memory(status)) return false;
  log_.check(status, "allocating device memory");
  try {
    std::lock_guard lock(mutex_);
    blocks_.try_emplace(address, Block{.size = size});
  } catch (...) {
    driver_.free(address);
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
  driver_.make_current();
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
  driver_.make_current();
  std::lock_guard lock(mutex_);
  if (answers_.empty()) {
    answers_.reserve(all_answers_ + some);
    void* block = nullptr;
    driver_.check(driver_.allocate_pinned(some * sizeof(int64_t), block),
                  "allocating pinned memory");
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

void Memory::start_kernels() { stream_.start_all(); }

// Returns the point that has been reached.
Memory::Point Memory::finish_kernels() {
  driver_.make_current();
  const Point point = next_point();
  stream_.start_all();
  log_.check(driver_.wait(Queue::kernels), "waiting for the device");
  stream_.note_waited();
  return point;
}

void Memory::wait_for_kernels() {
  const timeline::Scope scope("wait", "wait for the device");
  note_passed(finish_kernels());
}

void Memory::clear(uint64_t address, size_t bytes) {
  driver_.make_current();
  stream_.start_all();
  log_.check(driver_.clear(address, bytes), "clearing device memory");
}

// ---- the order of kernels and copies

Memory::Point Memory::next_point() {
  std::lock_guard lock(mutex_);
  return ++point_;
}

void Memory::synchronize() {
  const timeline::Scope scope("wait", "wait for the device");
  const Point point = finish_kernels();
  {
    std::lock_guard lock(staging_mutex_);
    wait_for_copies();
  }
  note_passed(point);
}

void Memory::wait_for_copies() {
  if (!copying_) return;
  log_.check(driver_.wait(Queue::copies), "waiting for copies");
  copying_ = false;
}

// Requires the lock of the staging buffers.
Memory::Point Memory::copies_wait_for_kernels() {
  const Point point = next_point();
  stream_.start_all();
  log_.check(driver_.order(Queue::kernels, Queue::copies), "ordering copies after kernels");
  return point;
}

void Memory::kernels_wait_for_copies() {
  stream_.start_all();
  log_.check(driver_.order(Queue::copies, Queue::kernels), "ordering kernels after copies");
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
      driver_.check(driver_.free(address), "freeing device memory");
    }
}

void Memory::prepare_staging() {
  for (void*& buffer : staging_)
    if (!buffer)
      driver_.check(driver_.allocate_pinned(staging_bytes, buffer), "allocating pinned memory");
}

// Uses two staging buffers: one is copied on the host while the other is in transfer.
void Memory::to_host(void* target, uint64_t source, size_t bytes) {
  const CopyToHost copy{target, source, bytes};
  if (bytes <= small_copy) return to_host_together({&copy, 1});
  timeline::Scope scope("copy", "copy to the host");
  scope.add("bytes", static_cast<int64_t>(bytes));
  driver_.make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  wait_for_copies();  // the staging buffers may still be in transfer to the device
  const Point point = copies_wait_for_kernels();
  const size_t pieces = (bytes + staging_bytes - 1) / staging_bytes;
  const auto size = [&](size_t piece) {
    return std::min(staging_bytes, bytes - piece * staging_bytes);
  };
  const auto start = [&](size_t piece) {
    if (piece >= pieces) return;
    copying_ = true;
    log_.check(driver_.copy_to_host(staging_[piece % 2], source + piece * staging_bytes,
                                    size(piece), Queue::copies),
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

// Copies small pieces together through one staging buffer, the others one by one.
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
  timeline::Scope scope("copy", "copy to the host");
  driver_.make_current();
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  wait_for_copies();  // the staging buffers may still be in transfer to the device
  auto* arrived = static_cast<char*>(staging_[0]);
  stream_.start_all();
  for (const CopyToHost& copy : copies) {
    log_.check(driver_.copy_to_host(arrived, copy.source, copy.bytes, Queue::kernels),
               "copying to the host");
    arrived += copy.bytes;
  }
  scope.add("bytes", arrived - static_cast<char*>(staging_[0]));
  stream_.start_all();
  log_.check(driver_.wait(Queue::kernels), "waiting for the device");
  stream_.note_waited();
  arrived = static_cast<char*>(staging_[0]);
  for (const CopyToHost& copy : copies) {
    std::memcpy(copy.target, arrived, copy.bytes);
    arrived += copy.bytes;
  }
}

void Memory::from_host(uint64_t target, const void* source, size_t bytes) {
  timeline::Scope scope("copy", "copy to the device");
  scope.add("bytes", static_cast<int64_t>(bytes));
  driver_.make_current();
  if (bytes <= small_copy) {  // the driver reads the source immediately; kernels follow in order
    stream_.start_all();
    log_.check(driver_.copy_from_host(target, source, bytes, Queue::kernels),
               "copying to the device");
    return;
  }
  std::lock_guard lock(staging_mutex_);
  prepare_staging();
  if (may_be_in_use(target)) copies_wait_for_kernels();
  for (size_t done = 0, piece = 0; done < bytes; done += staging_bytes, ++piece) {
    const size_t size = std::min(staging_bytes, bytes - done);
    // The other buffer may still be in transfer; this one must have arrived before it is
    // overwritten.
    if (piece % 2 == 0) wait_for_copies();
    std::memcpy(staging_[piece % 2], static_cast<const char*>(source) + done, size);
    copying_ = true;
    log_.check(driver_.copy_from_host(target + done, staging_[piece % 2], size, Queue::copies),
               "copying to the device");
  }
  kernels_wait_for_copies();
}

}  // namespace tutti::runtime::gpu
