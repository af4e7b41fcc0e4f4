#include "runtime/pool.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "runtime/array_memory.hpp"
#include "runtime/buffer.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

namespace tutti::runtime {
namespace {

constexpr size_t alignment = 256;
constexpr size_t huge_page = size_t{2} << 20;

class Pool final : public HostPool {
 public:
  void* take(size_t bytes) override {
    size_t size = size_class(bytes);
    Reservation reserved(size);
    void* block = from_pool(size);
    if (!block) block = from_system(size);
    if (!block) {
      trim();
      block = from_system(size);
    }
    if (!block)
      throw OutOfMemory("no memory for an array of " + std::to_string(size) + " bytes; " +
                        std::to_string(counters().bytes_in_use) +
                        " bytes are in use by other arrays");
    ++counters().buffers_allocated;
    reserved.keep();
    return block;
  }

  void give_back(void* block, size_t bytes) override {
    const size_t size = capacity(block, bytes);
    count_given_back(size);
    if (counters().bytes_in_pool + static_cast<int64_t>(size) > live_settings().pool_bytes) {
      std::free(block);
      return;
    }
    std::lock_guard lock(mutex_);
    free_[size].push_back(block);
    counters().bytes_in_pool += static_cast<int64_t>(size);
  }

  void trim() {
    std::lock_guard lock(mutex_);
    for (auto& [size, blocks] : free_) {
      for (void* block : blocks) std::free(block);
      counters().bytes_in_pool -= static_cast<int64_t>(size * blocks.size());
    }
    free_.clear();
  }

 private:
  // A free block of the size, or a larger one up to twice the size, which `size` then says; what it
  // is larger by is reserved here. Fresh
  // memory must be cleared by the system, page by page: programs whose arrays have ever other
  // sizes, as nested ones do, would spend most of their time there (quicksort of 10^6 numbers: 58
  // %).
  void* from_pool(size_t& size) {
    std::lock_guard lock(mutex_);
    for (auto it = free_.lower_bound(size); it != free_.end() && it->first <= 2 * size; ++it) {
      if (it->second.empty()) continue;
      if (!try_reserve(it->first - size)) return nullptr;
      void* block = it->second.back();
      it->second.pop_back();
      counters().bytes_in_pool -= static_cast<int64_t>(it->first);
      if (it->first != size) larger_[block] = size = it->first;
      return block;
    }
    return nullptr;
  }

  size_t capacity(void* block, size_t bytes) {
    std::lock_guard lock(mutex_);
    const auto found = larger_.find(block);
    if (found == larger_.end()) return size_class(bytes);
    const size_t size = found->second;
    larger_.erase(found);
    return size;
  }

  static void* from_system(size_t size) {
    if (size < huge_page) return std::aligned_alloc(alignment, size);
    const size_t whole = (size + huge_page - 1) / huge_page * huge_page;
    void* block = std::aligned_alloc(huge_page, whole);
    if (block) madvise(block, whole, MADV_HUGEPAGE);  // fewer faults; a refusal does no harm
    return block;
  }

  std::mutex mutex_;
  std::map<size_t, std::vector<void*>> free_;
  std::unordered_map<void*, size_t> larger_;  // blocks in use that are larger than was asked for
};

// Never destroyed: arrays in static variables outlive every other static object.
Pool& pool() {
  static Pool* instance = new Pool;
  return *instance;
}

}  // namespace

size_t size_class(size_t bytes) {
  if (bytes <= alignment) return alignment;
  const size_t step = std::max(alignment, std::bit_floor(bytes - 1) / 8);
  return (bytes + step - 1) / step * step;
}

HostPool& host_pool() { return pool(); }

ir::BufferRef allocate(size_t bytes) { return ArrayBuffer::on_host(bytes); }

}  // namespace tutti::runtime

namespace tutti {

void trim_pool() { runtime::pool().trim(); }

}  // namespace tutti
