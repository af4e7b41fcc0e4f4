// The memory of an array's elements. The runtime allocates and frees buffers; it may keep them on a
// device and copy them to the host on demand.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// The array in a buffer and the line that made it, for memory_report().
struct BufferOrigin {
  detail::Location where;
  ElementType type{};
  detail::Extents shape;
  std::string name{};  // given by watch()
};

class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual void* data() = 0;  // on the host
  size_t bytes() const { return bytes_; }

  // Throws Error for the stand-in of elements that a recorded body has yet to find.
  void require_elements() const {
    if (stands_in_) [[unlikely]]
      refuse();
  }

  // Returns whether the contents are known to be valid offsets of segments of that many elements.
  // Contents are written once, so they are checked once.
  bool are_offsets_of(int64_t elements) const { return offsets_of_ == elements; }
  void note_offsets_of(int64_t elements) { note_offsets_of(elements, elements); }
  // ...and that no segment has more than `longest_segment` elements.
  void note_offsets_of(int64_t elements, int64_t longest_segment) {
    longest_segment_ = longest_segment;
    offsets_of_ = elements;
  }
  int64_t longest_segment() const { return longest_segment_; }

  // Counts evaluations that have read whole tuples, of which this is a component, at computed
  // indices. After a few of them an interleaved copy pays off
  // (compiler/kernel_passes/interleave_tuples.hpp).
  void note_gathered() { ++gathered_; }
  void forget_gathered() { gathered_ = 0; }
  bool is_gathered_often() const { return gathered_ >= 2; }

  // Noted only for buffers of at least this size: small arrays are numerous and must stay cheap.
  static constexpr size_t least_noted = 4096;
  void note_origin(const detail::Location& where, ElementType type, const detail::Extents& shape);
  void note_name(const std::string& name);
  std::optional<BufferOrigin> origin() const;

 protected:
  explicit Buffer(size_t bytes, bool stands_in = false) : bytes_(bytes), stands_in_(stands_in) {}

 private:
  [[noreturn]] virtual void refuse() const;

  size_t bytes_;
  const bool stands_in_;
  std::atomic<int> gathered_{0};
  std::atomic<int64_t> offsets_of_{-1}, longest_segment_{-1};
  std::unique_ptr<BufferOrigin> origin_;
};

using BufferRef = std::shared_ptr<Buffer>;

}  // namespace tutti::ir
