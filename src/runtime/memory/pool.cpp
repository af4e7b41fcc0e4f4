#include "runtime/memory/pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>

#include "core/process/fork.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "runtime/memory/accounting.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

namespace tutti::runtime {
namespace {

constexpr size_t alignment = 256;
constexpr size_t page = 4096, huge_page = size_t{2} << 20;

// Blocks from this size on start at different offsets in their first page. If all arrays started at
// the same offset, the same element of several arrays would compete for the same cache sets. A load
// would also wait for a store to another array whose address has the same last twelve bits.
constexpr size_t least_staggered = size_t{64} << 10;
constexpr size_t stagger = 5 * alignment;  // between consecutive blocks: cycles through all offsets

// Returns the alignment of the memory that the system returned for a staggered block of this size.
size_t unit_of(size_t size) { return size < huge_page ? page : huge_page; }

size_t next_offset() {
  static std::atomic<size_t> blocks = 0;
  return blocks.fetch_add(stagger, std::memory_order_relaxed) % page;
}

class Pool final : public HostPool {
 public:
  HostBlock take(size_t bytes) override {
    const size_t size = size_class(bytes);
    Reservation reserved(size);
    HostBlock block = from_pool(size);
    if (!block.memory) {
      make_room(size);
      block = from_system(size);
    }
    if (!block.memory) {
      trim();
      block = from_system(size);
    }
    if (!block.memory)
      throw OutOfMemory("no memory for an array of " + std::to_string(bytes) + " bytes; " +
                        std::to_string(counters().bytes_in_use - static_cast<int64_t>(size)) +
                        " bytes are in use by other arrays");
    ++counters().buffers_allocated;
    reserved.keep();
    return block;
  }

  void give_back(const HostBlock& block) noexcept override {
    count_given_back(block.bytes);
    {
      std::lock_guard lock(mutex_);
      const auto bytes = static_cast<int64_t>(block.bytes);
      if (counters().bytes_in_pool + bytes <= live_settings().pool_bytes) {
        FreeBlock*& first = free_[index_of_class(block.bytes)];
        first = new (block.memory) FreeBlock{first, block.bytes};
        counters().bytes_in_pool += bytes;
        return;
      }
    }
    to_system(block);
  }

  void trim() noexcept {
    std::lock_guard lock(mutex_);
    for (FreeBlock*& first : free_)
      while (FreeBlock* block = first) {
        first = block->next;
        counters().bytes_in_pool -= static_cast<int64_t>(block->bytes);
        to_system({block, block->bytes});
      }
  }

  std::mutex& mutex() { return mutex_; }

 private:
  // A free block begins with the address of the next of its class: the list needs no other memory.
  struct FreeBlock {
    FreeBlock* next;
    size_t bytes;
  };

  // Takes a free block of the size, or a larger one up to twice the size, whose excess is reserved
  // here. The system clears fresh memory page by page. Programs whose arrays vary in size, such as
  // nested ones, would spend most of their time there (58 % of a quicksort of 10^6 numbers).
  HostBlock from_pool(size_t size) {
    std::lock_guard lock(mutex_);
    const size_t last = std::min(index_of_class(size) + classes_to_double, size_classes - 1);
    for (size_t i = index_of_class(size); i <= last; ++i) {
      FreeBlock* const block = free_[i];
      if (!block || block->bytes > 2 * size) continue;
      if (!try_reserve(block->bytes - size)) return {};
      free_[i] = block->next;
      counters().bytes_in_pool -= static_cast<int64_t>(block->bytes);
      return {block, block->bytes};
    }
    return {};
  }

  // Before the system is asked for memory: gives back as much, largest blocks first, while free
  // blocks take more than arrays do. So a program holds at most about twice what its arrays need.
  void make_room(size_t size) noexcept {
    std::lock_guard lock(mutex_);
    const std::atomic<int64_t>&pool = counters().bytes_in_pool, &in_use = counters().bytes_in_use;
    auto needed = static_cast<int64_t>(size);
    for (size_t i = size_classes; i-- > 0;)
      while (free_[i] && needed > 0 && pool > in_use && pool > least_in_pool) {
        FreeBlock* const block = free_[i];
        needed -= static_cast<int64_t>(block->bytes);
        free_[i] = block->next;
        counters().bytes_in_pool -= static_cast<int64_t>(block->bytes);
        to_system({block, block->bytes});
      }
  }

  static HostBlock from_system(size_t size) {
    if (size < least_staggered) return {std::aligned_alloc(alignment, size), size};
    const size_t unit = unit_of(size), offset = next_offset();
    const size_t whole = (size + offset + unit - 1) / unit * unit;
    if (whole < size) return {};
    auto* memory = static_cast<char*>(std::aligned_alloc(unit, whole));
    if (!memory) return {};
    // Huge pages mean fewer faults; a refusal is harmless. A rest below half of a huge page gets
    // small pages.
    const size_t huge = (size + offset + huge_page / 2) / huge_page * huge_page;
    if (unit == huge_page && huge > 0) madvise(memory, huge, MADV_HUGEPAGE);
    return {memory + offset, size};
  }

  static void to_system(const HostBlock& block) noexcept {
    auto address = reinterpret_cast<uintptr_t>(block.memory);
    if (block.bytes >= least_staggered) address &= ~(unit_of(block.bytes) - 1);
    std::free(reinterpret_cast<void*>(address));
  }

  // The pool keeps at least this many bytes.
  static constexpr int64_t least_in_pool = int64_t{32} << 20;
  // The number of classes between a size and twice that size; below 2 KiB there are fewer.
  static constexpr size_t classes_to_double = 8;

  std::mutex mutex_;
  std::array<FreeBlock*, size_classes> free_{};
};

// Never destroyed: arrays in static variables outlive every other static object.
Pool& pool() {
  static Pool* instance = [] {
    auto* made = new Pool;
    hold_across_fork(ForkOrder::pool, made->mutex());
    return made;
  }();
  return *instance;
}
[[maybe_unused]] const Pool& made_at_load = pool();

}  // namespace

size_t size_class(size_t bytes) {
  if (bytes <= alignment) return alignment;
  const size_t step = std::max(alignment, std::bit_floor(bytes - 1) / 8);
  return (bytes + step - 1) / step * step;
}

size_t index_of_class(size_t size) {
  constexpr size_t steps = 8, small = alignment * steps;  // up to `small` in steps of `alignment`
  if (size <= small) return (size - 1) / alignment;
  const size_t power = std::bit_floor(size - 1);
  const auto octave = static_cast<size_t>(std::countr_zero(power) - std::countr_zero(small));
  return steps * (octave + 1) + (size - 1 - power) / (power / steps);
}

HostPool& host_pool() { return pool(); }

ir::BufferRef allocate(size_t bytes) { return ArrayBuffer::on_host(bytes); }

}  // namespace tutti::runtime

namespace tutti {

void trim_pool() { runtime::pool().trim(); }

}  // namespace tutti
