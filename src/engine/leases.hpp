// Leases of buffers to a launch while it is prepared. A leased buffer stays on its device and in
// existence. Leases end with the step, so they do not count as owners of a buffer
// (ir::has_one_owner).
#pragma once
#include <algorithm>
#include <span>

#include "runtime/device.hpp"

namespace tutti::engine {

class Leases {
 public:
  Leases() = default;
  ~Leases() {
    for (const ir::BufferRef& buffer : held_) runtime::array_of(*buffer).unpin();
  }
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  void reserve(size_t more) { held_.reserve(held_.size() + more); }
  // Leases a buffer that will be read or overwritten, and returns its address.
  int64_t take(runtime::Device& device, const ir::BufferRef& buffer, bool overwrite) {
    auto& array = runtime::array_of(*buffer);
    held_.push_back(buffer);  // may throw: then there is nothing to unpin
    array.pin();
    return overwrite ? device.overwrite(array) : device.address(array);
  }

  std::span<const ir::BufferRef> buffers() const { return {held_.begin(), held_.end()}; }

 private:
  SmallVector<ir::BufferRef> held_;
};

}  // namespace tutti::engine
