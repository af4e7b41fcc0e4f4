#include "runtime/memory/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/block_pool.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {

// A list of buffers, linked through one of their members, so that adding and removing one allocates
// nothing.
class BufferList {
 public:
  using Links = BufferLinks ArrayBuffer::*;
  BufferList(Links links, ForkOrder order) : links_(links) { hold_across_fork(order, mutex_); }
  void add(ArrayBuffer* buffer) {
    std::lock_guard lock(mutex_);
    buffer->*links_ = {nullptr, first_};
    if (first_) (first_->*links_).before = buffer;
    first_ = buffer;
  }
  // Does nothing for a buffer that is not in the list.
  void remove(ArrayBuffer* buffer) {
    std::lock_guard lock(mutex_);
    const auto [before, after] = buffer->*links_;
    if (!before && first_ != buffer) return;
    (before ? (before->*links_).after : first_) = after;
    if (after) (after->*links_).before = before;
    buffer->*links_ = {};
  }
  std::vector<std::shared_ptr<ArrayBuffer>> all() {
    std::vector<std::shared_ptr<ArrayBuffer>> result;
    std::lock_guard lock(mutex_);
    for (ArrayBuffer* buffer = first_; buffer; buffer = (buffer->*links_).after)
      if (auto alive = buffer->weak_from_this().lock()) result.push_back(std::move(alive));
    return result;
  }

  // Buffers with a copy on a device.
  static BufferList& residents() {
    static auto* list = new BufferList(&ArrayBuffer::resident_links_, ForkOrder::resident_buffers);
    return *list;
  }
  // Large buffers, for reports. They are in a separate list so that reports do not block devices.
  static BufferList& living() {
    static auto* list = new BufferList(&ArrayBuffer::live_links_, ForkOrder::live_buffers);
    return *list;
  }

 private:
  const Links links_;
  std::mutex mutex_;
  ArrayBuffer* first_ = nullptr;
};

namespace {

BufferList& residents() { return BufferList::residents(); }
BufferList& living() { return BufferList::living(); }
// Made when the library is loaded: fork() holds their locks from then on.
[[maybe_unused]] const BufferList& live_at_load = living();
[[maybe_unused]] const BufferList& residents_at_load = residents();

constexpr size_t keep_both_below = size_t{1} << 20;

int64_t next_use() {
  static std::atomic<int64_t> clock{0};
  return clock.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::vector<std::shared_ptr<ArrayBuffer>> live_buffers() { return living().all(); }

ArrayBuffer::ArrayBuffer(size_t bytes) : Buffer(bytes) {
  if (bytes >= least_noted) living().add(this);
}

int64_t ArrayBuffer::bytes_held() {
  std::lock_guard lock(mutex_);
  if (is_foreign()) return 0;
  const size_t host = host_ && owns_host() ? host_bytes_ : 0;
  const size_t device = memory_ && owns_device() ? device_bytes_ : 0;
  return static_cast<int64_t>(host + device);
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::on_host(size_t bytes) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->take_host_memory();
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::on_device(DeviceMemory& memory, size_t bytes) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->device_ = memory.take(bytes);
  buffer->device_bytes_ = bytes;
  buffer->memory_ = &memory;
  buffer->last_use_ = next_use();
  residents().add(buffer.get());
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::around_host(void* memory, size_t bytes) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->host_ = memory;
  buffer->owned_by_ = Owner::caller;
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::around_device(DeviceMemory& memory, uint64_t address,
                                                        size_t bytes) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->device_ = address;
  buffer->memory_ = &memory;
  buffer->owned_by_ = Owner::caller;
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::borrowed_on_host(const void* memory, size_t bytes,
                                                           std::shared_ptr<const void> owner) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->host_ = const_cast<void*>(memory);  // read-only: refuse_to_overwrite()
  buffer->owned_by_ = Owner::lender_of_host;
  buffer->owner_ = std::move(owner);
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::borrowed_on_device(DeviceMemory& memory, uint64_t address,
                                                             size_t bytes,
                                                             std::shared_ptr<const void> owner) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->device_ = address;
  buffer->memory_ = &memory;
  buffer->owned_by_ = Owner::lender_of_device;
  buffer->owner_ = std::move(owner);
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::from_source(size_t bytes,
                                                      std::shared_ptr<ElementSource> source) {
  auto buffer = make_small<ArrayBuffer>(bytes);
  buffer->source_ = std::move(source);
  return buffer;
}

std::shared_ptr<ElementSource> ArrayBuffer::missing_source() {
  std::lock_guard lock(mutex_);
  return host_ || memory_ ? nullptr : source_;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::first_part_of(ArrayBuffer& whole, size_t bytes) {
  auto part = make_small<ArrayBuffer>(bytes);
  std::lock_guard lock(whole.mutex_);
  part->host_ = std::exchange(whole.host_, nullptr);
  part->memory_ = std::exchange(whole.memory_, nullptr);
  part->device_ = whole.device_;
  part->host_bytes_ = whole.host_bytes_;
  part->device_bytes_ = whole.device_bytes_;
  part->last_use_ = next_use();
  residents().remove(&whole);
  if (part->memory_) residents().add(part.get());
  return part;
}

ArrayBuffer::~ArrayBuffer() {
  if (bytes() >= least_noted) living().remove(this);
  if (is_foreign()) return;
  drop_host();
  drop_device();
}

void ArrayBuffer::take_host_memory() {
  const HostBlock block = host_pool().take(bytes());
  host_ = block.memory;
  host_bytes_ = block.bytes;
}

// Requires that there is no copy on the host. A failure leaves the buffer unchanged.
void ArrayBuffer::copy_from_device() {
  const HostBlock block = host_pool().take(bytes());
  try {
    if (memory_ && bytes() > 0)
      memory_->to_host(block.memory, device_, bytes());
    else if (source_)
      source_->fill(block.memory);
  } catch (...) {
    host_pool().give_back(block);
    throw;
  }
  host_ = block.memory;
  host_bytes_ = block.bytes;
}

void ArrayBuffer::drop_host() {
  if (host_ && owns_host()) host_pool().give_back({host_, host_bytes_});
  host_ = nullptr;
}

void ArrayBuffer::drop_device() {
  if (!memory_) return;
  residents().remove(this);
  if (owns_device())
    memory_->give_back(device_, device_bytes_);
  else
    owned_by_ = Owner::buffer;  // the copy on the host remains
  memory_ = nullptr;
}

void ArrayBuffer::refuse_to_move() const {
  throw DeviceError(std::string("memory that was wrapped stays where it is, on the ") +
                    (host_ ? "host" : "GPU") +
                    ": copy the vector to use it on another device, or use that device");
}

void ArrayBuffer::refuse_to_overwrite() const {
  if (is_borrowed()) throw InternalError("a result was to be written over borrowed memory");
}

void ArrayBuffer::bring_to_host() {
  if (host_) return;
  if (is_foreign()) refuse_to_move();
  copy_from_device();
}

void* ArrayBuffer::data() {
  std::lock_guard lock(mutex_);
  bring_to_host();
  return host_;
}

uint64_t ArrayBuffer::address(DeviceMemory& memory) {
  std::lock_guard lock(mutex_);
  bring_to(memory);
  return device_;
}

void ArrayBuffer::bring_to(DeviceMemory& memory) {
  if (is_foreign() && memory_ != &memory) refuse_to_move();
  if (memory_ && memory_ != &memory) {  // on another device: by way of the host
    if (lent_device_)
      throw DeviceError(
          "the elements are lent to another library on one GPU and needed on another: copy the "
          "array, or release what was lent");
    if (!host_) copy_from_device();
    drop_device();
  }
  if (!memory_) {
    if (!host_) bring_to_host();
    const uint64_t address = memory.take(bytes());
    try {
      if (bytes() > 0) memory.from_host(address, host_, bytes());
    } catch (...) {
      memory.give_back(address, bytes());
      throw;
    }
    device_ = address;
    device_bytes_ = bytes();
    memory_ = &memory;
    residents().add(this);
    // A second copy of large arrays would fill the host with contents that the device holds.
    const bool host_is_free = owns_host() && !lent_host_;
    if (bytes() > keep_both_below && host_is_free) drop_host();
  }
  last_use_.store(next_use(), std::memory_order_relaxed);
}

void ArrayBuffer::copy_to(void* target) {
  std::lock_guard lock(mutex_);
  if (bytes() == 0) return;
  if (host_)
    std::memcpy(target, host_, bytes());
  else if (!memory_ && source_)
    source_->fill(target);
  else
    memory_->to_host(target, device_, bytes());
}

const void* ArrayBuffer::lend_on_host() {
  std::lock_guard lock(mutex_);
  bring_to_host();
  lent_host_ = true;
  return host_;
}

uint64_t ArrayBuffer::lend_on_device(DeviceMemory& memory) {
  std::lock_guard lock(mutex_);
  bring_to(memory);
  lent_device_ = true;
  return device_;
}

bool ArrayBuffer::is_on_host() {
  std::lock_guard lock(mutex_);
  return host_ != nullptr;
}

void ArrayBuffer::forget_what_follows() {
  lent_host_ = lent_device_ = false;  // a buffer that is still lent is never overwritten
  note_offsets_of(-1);
  joined_.reset();
  mapped_segments_ = {};
  forget_gathered();
}

void* ArrayBuffer::overwrite_on_host() {
  std::lock_guard lock(mutex_);
  refuse_to_overwrite();
  if (!is_foreign()) drop_device();
  forget_what_follows();
  return host_;
}

uint64_t ArrayBuffer::overwrite_on_device(DeviceMemory& memory) {
  std::lock_guard lock(mutex_);
  refuse_to_overwrite();
  bring_to(memory);
  if (!is_foreign()) drop_host();
  forget_what_follows();
  return device_;
}

ir::BufferRef ArrayBuffer::joined_with(std::span<const ir::BufferRef> others) {
  std::lock_guard lock(mutex_);
  if (!joined_ || joined_->others.size() != others.size()) return nullptr;
  for (size_t i = 0; i < others.size(); ++i)
    if (joined_->others[i].lock() != others[i]) return nullptr;
  return joined_->buffer;
}

void ArrayBuffer::note_joined(std::span<const ir::BufferRef> others, ir::BufferRef joined) {
  auto note = std::make_unique<Joined>();
  for (const ir::BufferRef& other : others)
    note->others.push_back(std::static_pointer_cast<ArrayBuffer>(other));
  note->buffer = std::move(joined);
  std::lock_guard lock(mutex_);
  joined_ = std::move(note);
}

ArrayBuffer::MappedSegments ArrayBuffer::mapped_segments() {
  std::lock_guard lock(mutex_);
  return mapped_segments_;
}

void ArrayBuffer::note_mapped(const MappedSegments& map) {
  std::lock_guard lock(mutex_);
  if (!is_foreign()) mapped_segments_ = map;
}

bool ArrayBuffer::leave_device(DeviceMemory& memory) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || pins_ > 0 || memory_ != &memory || is_foreign() || lent_device_) return false;
  if (!host_) copy_from_device();
  drop_device();
  return true;
}

// Contents in transfer to the host. Their buffers are pinned on the device during the transfer.
class Arrivals {
 public:
  explicit Arrivals(size_t most) : most_(most) {}
  void add(ArrayBuffer& buffer) {
    std::lock_guard lock(buffer.mutex_);
    const bool waits_for =
        !buffer.host_ && buffer.memory_ && !buffer.is_foreign() && buffer.bytes() > 0;
    if (!waits_for || (memory_ && memory_ != buffer.memory_)) return;
    arrivals_.reserve(most_);
    copies_.reserve(most_);
    const HostBlock block = host_pool().take(buffer.bytes());  // the last operation that may fail
    memory_ = buffer.memory_;
    buffer.pin();
    arrivals_.push_back({&buffer, block});
    copies_.push_back({block.memory, buffer.device_, buffer.bytes()});
  }
  void fetch() {
    if (memory_) memory_->to_host(copies_);
    for (Arrival& arrival : arrivals_) {
      ArrayBuffer& buffer = *arrival.buffer;
      std::lock_guard lock(buffer.mutex_);
      if (buffer.host_) continue;  // another thread was faster
      const HostBlock block = std::exchange(arrival.block, {});
      buffer.host_ = block.memory;
      buffer.host_bytes_ = block.bytes;
    }
  }
  ~Arrivals() {
    for (const Arrival& arrival : arrivals_) {
      if (arrival.block.memory) host_pool().give_back(arrival.block);
      arrival.buffer->unpin();
    }
  }

 private:
  struct Arrival {
    ArrayBuffer* buffer;
    HostBlock block;
  };
  const size_t most_;
  DeviceMemory* memory_ = nullptr;
  std::vector<Arrival> arrivals_;
  std::vector<DeviceMemory::CopyToHost> copies_;
};

void bring_to_host(std::span<const ir::BufferRef> buffers) {
  Arrivals arrivals(buffers.size());
  for (const ir::BufferRef& buffer : buffers) arrivals.add(array_of(*buffer));
  arrivals.fetch();
}

bool evict_one(DeviceMemory& memory) {
  std::vector<std::shared_ptr<ArrayBuffer>> buffers = residents().all();
  std::sort(buffers.begin(), buffers.end(),
            [](const auto& a, const auto& b) { return a->last_use() < b->last_use(); });
  for (const auto& buffer : buffers)
    if (buffer->leave_device(memory)) return true;
  return false;
}

}  // namespace tutti::runtime
