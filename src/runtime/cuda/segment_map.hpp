// What primitives/gpu/segment_map.hpp has found out about offsets, in one buffer that is kept with
// them: reductions of the same segments find it there. It stays on the device while this lives.
#pragma once
#include "primitives/gpu/arguments.hpp"
#include "runtime/buffer.hpp"

namespace tutti::runtime::cuda {

class SegmentMap {
 public:
  static int64_t windows_of(int64_t elements) {
    return (elements + gpu::segment_window - 1) / gpu::segment_window;
  }
  static size_t bytes_for(int64_t elements) {
    return static_cast<size_t>(tiles_place(elements) + static_cast<int64_t>(sizeof(gpu::LongTile)) *
                                                           gpu::most_long_tiles(elements));
  }

  SegmentMap(DeviceMemory& memory, std::shared_ptr<ArrayBuffer> buffer, int64_t elements)
      : buffer_(std::move(buffer)), elements_(elements) {
    buffer_->pin();
    address_ = static_cast<int64_t>(buffer_->address(memory));
  }
  ~SegmentMap() { buffer_->unpin(); }
  SegmentMap(const SegmentMap&) = delete;
  SegmentMap& operator=(const SegmentMap&) = delete;

  int64_t long_count() const { return address_; }
  int64_t windows() const { return address_ + windows_place; }
  int64_t long_tiles() const { return address_ + tiles_place(elements_); }

 private:
  static constexpr int64_t windows_place = 16;
  static int64_t tiles_place(int64_t elements) {
    return windows_place +
           static_cast<int64_t>(sizeof(gpu::SegmentWindow)) * (windows_of(elements) + 1);
  }

  std::shared_ptr<ArrayBuffer> buffer_;
  int64_t elements_, address_ = 0;
};

}  // namespace tutti::runtime::cuda
