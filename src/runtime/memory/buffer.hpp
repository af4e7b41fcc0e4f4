// Buffers with a copy on the host, one on a GPU, or both. Contents are written once, by the
// code that makes the buffer. A copy on the other side is made when it is first needed, and kept.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "graph/buffer.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {
struct Plan;
}

namespace tutti::runtime {

// Memory on a device, as far as buffers care.
class DeviceMemory {
 public:
  struct CopyToHost {
    void* target;
    uint64_t source;
    size_t bytes;
  };
  virtual ~DeviceMemory() = default;
  virtual uint64_t take(size_t bytes) = 0;  // throws OutOfMemory
  virtual void give_back(uint64_t address, size_t bytes) noexcept = 0;
  virtual void to_host(void* target, uint64_t source, size_t bytes) = 0;  // waits
  virtual void to_host(std::span<const CopyToHost> copies) = 0;           // waits once, if it can
  virtual void from_host(uint64_t target, const void* source, size_t bytes) = 0;
  // A number on the host that kernels can write, so that no copy has to follow them; what they have
  // written is there after wait_for_kernels().
  virtual int64_t* take_answer() = 0;
  virtual void give_back_answer(int64_t* answer) noexcept = 0;
  virtual void start_kernels() = 0;  // those that wait to be started together with others
  virtual void wait_for_kernels() = 0;
};

class ArrayBuffer;

// Where the contents of a buffer come from that has none yet: other processes hold parts of them.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  virtual void fill(void* target) = 0;  // all bytes of the buffer
};

// Where a buffer is in the list of those on a device.
struct ResidentLinks {
  ArrayBuffer *before = nullptr, *after = nullptr;
};

class TUTTI_EXPORT ArrayBuffer final : public ir::Buffer,
                                       public std::enable_shared_from_this<ArrayBuffer> {
 public:
  static std::shared_ptr<ArrayBuffer> on_host(size_t bytes);  // throws OutOfMemory
  static std::shared_ptr<ArrayBuffer> on_device(DeviceMemory& memory,
                                                size_t bytes);  // throws OutOfMemory
  // Memory of the caller, who keeps it alive and may change it. It is never moved, and no copy of
  // it is kept, because a copy could become stale.
  static std::shared_ptr<ArrayBuffer> around_host(void* memory, size_t bytes);
  static std::shared_ptr<ArrayBuffer> around_device(DeviceMemory& memory, uint64_t address,
                                                    size_t bytes);

  // Memory that belongs to `owner`, which is held until the buffer goes. Its contents do not change
  // and are never written: copies on other devices may be made and kept.
  static std::shared_ptr<ArrayBuffer> borrowed_on_host(const void* memory, size_t bytes,
                                                       std::shared_ptr<const void> owner);
  static std::shared_ptr<ArrayBuffer> borrowed_on_device(DeviceMemory& memory, uint64_t address,
                                                         size_t bytes,
                                                         std::shared_ptr<const void> owner);

  // A buffer without contents, which are fetched when they are first needed.
  static std::shared_ptr<ArrayBuffer> from_source(size_t bytes,
                                                  std::shared_ptr<ElementSource> source);
  // Null if the contents are here.
  std::shared_ptr<ElementSource> missing_source();

  // The first bytes of a buffer without other users. Takes over its memory.
  static std::shared_ptr<ArrayBuffer> first_part_of(ArrayBuffer& whole, size_t bytes);

  explicit ArrayBuffer(size_t bytes);
  ~ArrayBuffer() override;

  void* data() override;                   // brings the contents to the host
  uint64_t address(DeviceMemory& memory);  // brings the contents to the device
  void copy_to(void* target);              // the contents, from wherever they are
  // The contents on the host, or on the device. The address stays valid as long as the buffer.
  const void* lend_on_host();
  uint64_t lend_on_device(DeviceMemory& memory);

  int64_t bytes_held();  // of memory that was taken for it, on all sides
  bool is_foreign() const { return foreign_; }
  // Whether results may be written over the contents, once nothing else needs them.
  bool is_borrowed() const { return borrowed_host_ || borrowed_device_; }
  bool is_on_host();

  // The caller is about to write on one side: the copy on the other goes.
  void* overwrite_on_host();
  uint64_t overwrite_on_device(DeviceMemory& memory);

  // Moves the contents to the host and frees the device memory; false if it is in use or not there.
  bool leave_device(DeviceMemory& memory);
  void pin() { ++pins_; }
  void unpin() { --pins_; }
  int64_t last_use() const { return last_use_; }

  // How many elements a pack has found, where it was to find out; -1 if it did not.
  void note_found(int64_t elements) { found_ = elements; }
  int64_t found() const { return found_; }

  // The interleaved copy of this buffer and others on a device, valid as long as none of them
  // changes; null if there is none.
  ir::BufferRef joined_with(std::span<const ir::BufferRef> others);
  void note_joined(std::span<const ir::BufferRef> others, ir::BufferRef joined);

  // What a device has found out about the segments that these offsets are of, for as long as they
  // do not change; without a buffer if nothing.
  struct MappedSegments {
    std::shared_ptr<ArrayBuffer> buffer;
    int64_t windows = 0;  // of elements, that blocks have
  };
  MappedSegments mapped_segments();
  void note_mapped(const MappedSegments& map);

  // Which plan wrote the contents, for explain(). Guarded by graph_mutex().
  std::shared_ptr<const compiler::Plan> made_by;

 private:
  friend class Arrivals;
  friend class Residents;
  friend class LiveBuffers;
  struct Joined {
    std::vector<std::weak_ptr<ArrayBuffer>> others;
    ir::BufferRef buffer;
  };
  void forget_what_follows();  // the contents are about to change
  // With the lock held.
  void take_host_memory();
  void copy_from_device();
  void bring_to_host();
  void bring_to(DeviceMemory& memory);
  void drop_host();
  void drop_device();
  [[noreturn]] void refuse_to_move() const;
  void refuse_to_overwrite() const;

  std::mutex mutex_;
  void* host_ = nullptr;
  size_t host_bytes_ = 0, device_bytes_ = 0;  // of the memory that was taken
  DeviceMemory* memory_ = nullptr;            // of the device copy, if there is one
  uint64_t device_ = 0;
  ResidentLinks links_, live_links_;
  bool foreign_ = false;
  bool borrowed_host_ = false, borrowed_device_ = false;
  bool lent_host_ = false, lent_device_ = false;
  std::shared_ptr<const void> owner_;  // of borrowed memory
  std::shared_ptr<ElementSource> source_;
  std::unique_ptr<Joined> joined_;
  MappedSegments mapped_segments_;
  std::atomic<int> pins_{0};
  std::atomic<int64_t> last_use_{0}, found_{-1};
};

// Every buffer is one of these: only the runtime makes buffers.
inline ArrayBuffer& array_of(ir::Buffer& buffer) { return static_cast<ArrayBuffer&>(buffer); }

// All buffers of at least ir::Buffer::least_noted bytes.
std::vector<std::shared_ptr<ArrayBuffer>> live_buffers();

// Brings the contents of buffers to the host that are not there, all at once: to wait for a device
// takes as long as the host needs for thousands of numbers.
TUTTI_EXPORT void bring_to_host(std::span<const ir::BufferRef> buffers);

// For the device memory that has run out: buffers that could leave it, those unused longest first.
TUTTI_EXPORT bool evict_one(DeviceMemory& memory);

}  // namespace tutti::runtime
