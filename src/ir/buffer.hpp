// Where the elements of an array are kept. The runtime makes buffers and takes them back; it may
// keep them on a device and bring them to the host when asked.
#pragma once
#include <cstddef>
#include <memory>

namespace tutti::ir {

class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual void* data() = 0;  // on the host
  size_t bytes() const { return bytes_; }

 protected:
  explicit Buffer(size_t bytes) : bytes_(bytes) {}

 private:
  size_t bytes_;
};

using BufferRef = std::shared_ptr<Buffer>;

}  // namespace tutti::ir
