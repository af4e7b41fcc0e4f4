// Buffers with a copy on the host, one on a GPU, or both. Contents are written once, by the code
// that makes the buffer. A copy on the other side is made when it is first needed, and kept.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/process/fork.hpp"
#include "graph/buffer.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {
struct Plan;
}

namespace tutti::runtime {

// The memory of a device, as buffers use it.
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
  virtual void to_host(std::span<const CopyToHost> copies) = 0;           // waits once, if possible
  virtual void from_host(uint64_t target, const void* source, size_t bytes) = 0;
  // Returns a number on the host that kernels can write, so that no copy has to follow them. Their
  // result is visible after wait_for_kernels().
  virtual int64_t* take_answer() = 0;
  virtual void give_back_answer(int64_t* answer) noexcept = 0;
  virtual void start_kernels() = 0;  // starts kernels that wait for others
  virtual void wait_for_kernels() = 0;
};

class ArrayBuffer;

// The source of the contents of a buffer that has none yet: other processes hold parts of them.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  virtual void fill(void* target) = 0;  // all bytes of the buffer
};

// The neighbours of a buffer in a list of buffers.
struct BufferLinks {
  ArrayBuffer *before = nullptr, *after = nullptr;
};

class TUTTI_EXPORT ArrayBuffer final : public ir::Buffer,
                                       public std::enable_shared_from_this<ArrayBuffer> {
 public:
  static std::shared_ptr<ArrayBuffer> on_host(size_t bytes);  // throws OutOfMemory
  static std::shared_ptr<ArrayBuffer> on_device(DeviceMemory& memory,
                                                size_t bytes);  // throws OutOfMemory
  // Wrap memory of the caller, who keeps it alive and may change it. It is never moved, and no copy
  // of it is kept, because a copy could become stale.
  static std::shared_ptr<ArrayBuffer> around_host(void* memory, size_t bytes);
  static std::shared_ptr<ArrayBuffer> around_device(DeviceMemory& memory, uint64_t address,
                                                    size_t bytes);

  // Borrow memory that belongs to `owner`, which is held as long as the buffer exists. Its contents
  // do not change and are never written: copies on other devices may be made and kept.
  static std::shared_ptr<ArrayBuffer> borrowed_on_host(const void* memory, size_t bytes,
                                                       std::shared_ptr<const void> owner);
  static std::shared_ptr<ArrayBuffer> borrowed_on_device(DeviceMemory& memory, uint64_t address,
                                                         size_t bytes,
                                                         std::shared_ptr<const void> owner);

  // Makes a buffer whose contents are fetched when they are first needed.
  static std::shared_ptr<ArrayBuffer> from_source(size_t bytes,
                                                  std::shared_ptr<ElementSource> source);
  // Returns the source of contents that have not been fetched, or null.
  std::shared_ptr<ElementSource> missing_source();

  // Makes a buffer of the first bytes of a buffer without other users, and takes over its memory.
  static std::shared_ptr<ArrayBuffer> first_part_of(ArrayBuffer& whole, size_t bytes);

  explicit ArrayBuffer(size_t bytes);
  ~ArrayBuffer() override;

  void* data() override;                   // transfers the contents to the host
  uint64_t address(DeviceMemory& memory);  // transfers the contents to the device
  void copy_to(void* target);              // copies the contents from the host or the device
  // Return the contents on the host or on the device. The address is valid as long as the buffer
  // exists.
  const void* lend_on_host();
  uint64_t lend_on_device(DeviceMemory& memory);

  int64_t bytes_held();  // of memory that was allocated for it, on all sides
  // Returns whether the memory is wrapped memory of the caller.
  bool is_foreign() const { return owned_by_ == Owner::caller; }
  // Returns whether the memory is borrowed. Results must not overwrite it.
  bool is_borrowed() const {
    return owned_by_ == Owner::lender_of_host || owned_by_ == Owner::lender_of_device;
  }
  bool is_on_host();

  // Prepare a write on one side: the copy on the other side is dropped.
  void* overwrite_on_host();
  uint64_t overwrite_on_device(DeviceMemory& memory);

  // Moves the contents to the host and frees the device memory. Returns false if the buffer is in
  // use or not on this device.
  bool leave_device(DeviceMemory& memory);
  void pin() { ++pins_; }
  void unpin() { --pins_; }
  int64_t last_use() const { return last_use_; }

  // Note and return the number of elements that a pack has found; -1 if it was not to count them.
  void note_found(int64_t elements) { found_ = elements; }
  int64_t found() const { return found_; }

  // Returns the interleaved copy of this buffer and others on a device, which is valid as long as
  // none of them changes; null if there is none.
  ir::BufferRef joined_with(std::span<const ir::BufferRef> others);
  void note_joined(std::span<const ir::BufferRef> others, ir::BufferRef joined);

  // The segment map that a device has computed for these offsets, valid as long as they do not
  // change; without a buffer if there is none.
  struct MappedSegments {
    std::shared_ptr<ArrayBuffer> buffer;
    int64_t windows = 0;  // of elements, one for each block
  };
  MappedSegments mapped_segments();
  void note_mapped(const MappedSegments& map);

  // The plan that wrote the contents, for explain(). Guarded by graph_mutex().
  std::shared_ptr<const compiler::Plan> made_by;

 private:
  friend class Arrivals;
  friend class BufferList;
  struct Joined {
    std::vector<std::weak_ptr<ArrayBuffer>> others;
    ir::BufferRef buffer;
  };
  // The owner of the memory. A lender owns one copy; the other one, if it is made, is the buffer's.
  enum class Owner : uint8_t { buffer, lender_of_host, lender_of_device, caller };
  bool owns_host() const { return owned_by_ != Owner::lender_of_host; }
  bool owns_device() const { return owned_by_ != Owner::lender_of_device; }
  void forget_what_follows();  // drops derived data, because the contents are about to change
  // Require the lock.
  void take_host_memory();
  void copy_from_device();
  void bring_to_host();
  void bring_to(DeviceMemory& memory);
  void drop_host();
  void drop_device();
  [[noreturn]] void refuse_to_move() const;
  void refuse_to_overwrite() const;

  ForkMutex mutex_;
  void* host_ = nullptr;
  size_t host_bytes_ = 0, device_bytes_ = 0;  // of the allocated memory
  DeviceMemory* memory_ = nullptr;            // of the device copy, if there is one
  uint64_t device_ = 0;
  BufferLinks resident_links_, live_links_;
  std::atomic<Owner> owned_by_{Owner::buffer};
  bool lent_host_ = false, lent_device_ = false;
  std::shared_ptr<const void> owner_;  // of borrowed memory
  std::shared_ptr<ElementSource> source_;
  std::unique_ptr<Joined> joined_;
  MappedSegments mapped_segments_;
  std::atomic<int> pins_{0};
  std::atomic<int64_t> last_use_{0}, found_{-1};
};

// Every buffer is an ArrayBuffer: only the runtime makes buffers.
inline ArrayBuffer& array_of(ir::Buffer& buffer) {
  buffer.require_elements();
  return static_cast<ArrayBuffer&>(buffer);
}

// Returns all buffers of at least ir::Buffer::least_noted bytes.
std::vector<std::shared_ptr<ArrayBuffer>> live_buffers();

// Copies the contents of several buffers to the host in one operation: waiting for a device takes
// as long as the host needs to compute thousands of elements.
TUTTI_EXPORT void bring_to_host(std::span<const ir::BufferRef> buffers);

// Moves the least recently used buffer that can leave device memory to the host. Returns false if
// there is none.
TUTTI_EXPORT bool evict_one(DeviceMemory& memory);

}  // namespace tutti::runtime
