// The result of kernels/gpu/segment_map.hpp for an array of offsets, in one buffer that is kept
// with the offsets, so that reductions of the same segments reuse it. It is pinned on the device
// during the lifetime of this object.
#pragma once
#include "kernels/gpu/arguments.hpp"
#include "runtime/memory/buffer.hpp"

namespace tutti::runtime::gpu {

namespace kernels = tutti::gpu;  // of src/kernels/gpu

class SegmentMap {
 public:
  static size_t bytes_for(int64_t windows, int64_t elements) {
    return static_cast<size_t>(tiles_place(windows)) +
           sizeof(kernels::LongTile) * static_cast<size_t>(kernels::most_long_tiles(elements));
  }

  SegmentMap(DeviceMemory& memory, ArrayBuffer::MappedSegments map) : map_(std::move(map)) {
    map_.buffer->pin();
    address_ = static_cast<int64_t>(map_.buffer->address(memory));
  }
  ~SegmentMap() { map_.buffer->unpin(); }
  SegmentMap(const SegmentMap&) = delete;
  SegmentMap& operator=(const SegmentMap&) = delete;

  int64_t window_count() const { return map_.windows; }
  // Addresses.
  int64_t long_count() const { return address_; }
  int64_t windows() const { return address_ + windows_place; }
  int64_t long_tiles() const { return address_ + tiles_place(map_.windows); }

 private:
  static constexpr int64_t windows_place = 16;
  static int64_t tiles_place(int64_t windows) {
    return windows_place + static_cast<int64_t>(sizeof(kernels::SegmentWindow)) * (windows + 1);
  }

  ArrayBuffer::MappedSegments map_;
  int64_t address_ = 0;
};

}  // namespace tutti::runtime::gpu
