// Pins buffers on a device while a launch that uses them is prepared.
#pragma once
#include "runtime/device.hpp"

namespace tutti::engine {

class Pins {
 public:
  Pins() = default;
  ~Pins() {
    for (const ir::BufferRef& buffer : held_) runtime::array_of(*buffer).unpin();
  }
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;

  void reserve(size_t more) { held_.reserve(held_.size() + more); }
  // Pins a buffer that will be read or overwritten, and returns its address.
  int64_t hold(runtime::Device& device, const ir::BufferRef& buffer, bool overwrite) {
    auto& array = runtime::array_of(*buffer);
    held_.push_back(buffer);  // may throw: then there is nothing to unpin
    array.pin();
    return overwrite ? device.overwrite(array) : device.address(array);
  }

 private:
  SmallVector<ir::BufferRef> held_;
};

}  // namespace tutti::engine
