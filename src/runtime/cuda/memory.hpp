// Memory of one GPU: a pool of freed blocks in front of the driver's allocator, and copies to and
// from the host through pinned staging buffers. Everything is ordered by the device's one stream,
// so a block may be used again as soon as it has been given back.
#pragma once
#include <map>
#include <mutex>
#include <vector>

#include "runtime/buffer.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/launch_log.hpp"

namespace tutti::runtime::cuda {

class Memory final : public DeviceMemory {
 public:
  Memory(Handle context, Handle stream, LaunchLog& log)
      : context_(context), stream_(stream), log_(log) {}

  // When the card is full: the pool is given back, then buffers that are not in use move to the
  // host, the ones unused longest first; only then OutOfMemory is thrown.
  uint64_t take(size_t bytes) override;
  void give_back(uint64_t address, size_t bytes) override;
  void to_host(void* target, uint64_t source, size_t bytes) override;
  void from_host(uint64_t target, const void* source, size_t bytes) override;
  void trim();

 private:
  bool from_driver(size_t size, uint64_t& address);
  void make_current() const;
  void prepare_staging();

  Handle context_, stream_;
  LaunchLog& log_;
  std::mutex mutex_, staging_mutex_;
  std::map<size_t, std::vector<uint64_t>> free_;
  void* staging_[2] = {nullptr, nullptr};
};

}  // namespace tutti::runtime::cuda
