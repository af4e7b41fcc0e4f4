// Where the elements of an array are kept. The runtime makes buffers and takes them back.
#pragma once
#include <cstddef>
#include <memory>

namespace tutti::ir {

class Buffer {
 public:
  virtual ~Buffer() = default;
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 protected:
  Buffer(void* data, size_t bytes) : data_(data), bytes_(bytes) {}

 private:
  void* data_;
  size_t bytes_;
};

using BufferRef = std::shared_ptr<Buffer>;

}  // namespace tutti::ir
