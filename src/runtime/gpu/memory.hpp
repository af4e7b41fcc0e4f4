// Memory of one GPU: a pool of freed blocks in front of the driver's allocator, and copies to and
// from the host through pinned staging buffers. Kernels are ordered by the device's only stream, so
// a block may be reused as soon as it has been given back. Copies have their own stream and overlap
// with kernels. Kernels wait for the copies they need, and a copy waits for kernels only if they
// may still use its block.
#pragma once
#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/gpu/driver.hpp"
#include "runtime/gpu/launch_log.hpp"
#include "runtime/gpu/stream.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::runtime::gpu {

class Memory final : public DeviceMemory {
 public:
  Memory(Driver& driver, Stream& stream, LaunchLog& log)
      : driver_(driver), stream_(stream), log_(log) {}

  // If the device is full, it frees the pool, then moves buffers that are not in use to the host,
  // the least recently used first; only then it throws OutOfMemory.
  uint64_t take(size_t bytes) override;
  void give_back(uint64_t address, size_t bytes) noexcept override;
  void to_host(void* target, uint64_t source, size_t bytes) override;
  void to_host(std::span<const CopyToHost> copies) override;
  void from_host(uint64_t target, const void* source, size_t bytes) override;
  int64_t* take_answer() override;
  void give_back_answer(int64_t* answer) noexcept override;
  void start_kernels() override;
  void wait_for_kernels() override;
  void clear(uint64_t address, size_t bytes);  // to zero, in the order of kernels; whole words
  void trim();
  void synchronize();  // waits for everything

 private:
  // Points in the order of kernels. Memory that was given back before a point that has passed is
  // free.
  using Point = uint64_t;
  // A block of the driver. Its entry exists before it is given back, so giving back cannot fail.
  struct Block {
    size_t size = 0;
    Point given_back = 0;  // the last point before it was given back; 0: never
    uint64_t next = 0;     // the next free block of its class, by address
  };
  uint64_t take_block(size_t size);
  bool from_driver(size_t size, uint64_t& address);
  void prepare_staging();
  void to_host_together(std::span<const CopyToHost> copies);
  Point next_point();
  Point finish_kernels();
  void wait_for_copies();
  Point copies_wait_for_kernels();
  void kernels_wait_for_copies();
  bool may_be_in_use(uint64_t address);
  void note_passed(Point point);

  Driver& driver_;
  Stream& stream_;
  LaunchLog& log_;
  std::mutex mutex_, staging_mutex_;
  std::unordered_map<uint64_t, Block> blocks_;  // all blocks of the driver, by address
  std::array<uint64_t, size_classes> free_{};   // the first free block of each class, or 0
  Point point_ = 1, passed_ = 0;
  std::vector<int64_t*> answers_;  // pinned, not in use; with capacity for all answers
  size_t all_answers_ = 0;
  // Guarded by staging_mutex_.
  void* staging_[2] = {nullptr, nullptr};
  bool copying_ = false;
};

}  // namespace tutti::runtime::gpu
