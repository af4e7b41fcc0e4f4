// Where the elements of an array are kept. The runtime makes buffers and takes them back; it may
// keep them on a device and bring them to the host when asked.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Which array a buffer holds and where it was made, for memory_report().
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

  // Whether the contents were found to be right offsets of segments of so many elements. They are
  // written once, so this needs to be found once.
  bool are_offsets_of(int64_t elements) const { return offsets_of_ == elements; }
  void note_offsets_of(int64_t elements) { note_offsets_of(elements, elements); }
  // ...and that no segment is longer than so many elements.
  void note_offsets_of(int64_t elements, int64_t longest_segment) {
    longest_segment_ = longest_segment;
    offsets_of_ = elements;
  }
  int64_t longest_segment() const { return longest_segment_; }

  // Evaluations that have read whole tuples from it and others at computed indices. After a few of
  // them an interleaved copy is worth making (compiler/kernel_passes/interleave_tuples.hpp).
  void note_gathered() { ++gathered_; }
  void forget_gathered() { gathered_ = 0; }
  bool is_gathered_often() const { return gathered_ >= 2; }

  // Kept for buffers of at least this size only: small arrays are many, and must cost little.
  static constexpr size_t least_noted = 4096;
  void note_origin(const detail::Location& where, ElementType type, const detail::Extents& shape);
  void note_name(const std::string& name);
  std::optional<BufferOrigin> origin() const;

 protected:
  explicit Buffer(size_t bytes) : bytes_(bytes) {}

 private:
  size_t bytes_;
  std::atomic<int> gathered_{0};
  std::atomic<int64_t> offsets_of_{-1}, longest_segment_{-1};
  std::unique_ptr<BufferOrigin> origin_;
};

using BufferRef = std::shared_ptr<Buffer>;

// Whether no references exist but those that the caller knows of. Then nothing else reads the
// contents, and they may be written over. Only holders of all of them may ask: others could make
// more meanwhile.
inline bool held_only_by(const BufferRef& buffer, int64_t known_references) {
  return buffer.use_count() == known_references;
}

}  // namespace tutti::ir
