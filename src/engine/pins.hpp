// Buffers that stay on a device while something that uses them is prepared.
#pragma once
#include "runtime/device.hpp"

namespace tutti::runtime {

class Pins {
 public:
  Pins() = default;
  ~Pins() {
    for (const ir::BufferRef& buffer : held_) static_cast<ArrayBuffer&>(*buffer).unpin();
  }
  Pins(const Pins&) = delete;
  Pins& operator=(const Pins&) = delete;

  void reserve(size_t more) { held_.reserve(held_.size() + more); }
  // The address of a buffer that will be read, or written over.
  int64_t hold(Device& device, const ir::BufferRef& buffer, bool overwrite) {
    auto& array = static_cast<ArrayBuffer&>(*buffer);
    held_.push_back(buffer);  // may fail: then there is nothing to unpin
    array.pin();
    return overwrite ? device.overwrite(array) : device.address(array);
  }

 private:
  SmallVector<ir::BufferRef> held_;
};

}  // namespace tutti::runtime
