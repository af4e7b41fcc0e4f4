#include "runtime/buffer.hpp"

#include <cstring>
#include <list>
#include <unordered_map>

#include "runtime/pool.hpp"

namespace tutti::runtime {
namespace {

// Buffers with a copy on a device, in the order of their last use.
class Residents {
 public:
  void use(ArrayBuffer* buffer) {
    std::lock_guard lock(mutex_);
    if (const auto found = places_.find(buffer); found != places_.end()) order_.erase(found->second);
    places_[buffer] = order_.insert(order_.end(), buffer);
  }
  void remove(ArrayBuffer* buffer) {
    std::lock_guard lock(mutex_);
    if (const auto found = places_.find(buffer); found != places_.end()) {
      order_.erase(found->second);
      places_.erase(found);
    }
  }
  std::list<ArrayBuffer*> oldest_first() {
    std::lock_guard lock(mutex_);
    return order_;
  }

 private:
  std::mutex mutex_;
  std::list<ArrayBuffer*> order_;
  std::unordered_map<ArrayBuffer*, std::list<ArrayBuffer*>::iterator> places_;
};

Residents& residents() {
  static Residents* instance = new Residents;
  return *instance;
}

}  // namespace

std::shared_ptr<ArrayBuffer> ArrayBuffer::on_host(size_t bytes) {
  auto buffer = std::make_shared<ArrayBuffer>(bytes);
  buffer->take_host_memory();
  return buffer;
}

std::shared_ptr<ArrayBuffer> ArrayBuffer::on_device(DeviceMemory& memory, size_t bytes) {
  auto buffer = std::make_shared<ArrayBuffer>(bytes);
  buffer->device_ = memory.take(bytes);
  buffer->memory_ = &memory;
  residents().use(buffer.get());
  return buffer;
}

ArrayBuffer::~ArrayBuffer() {
  drop_host();
  drop_device();
}

void ArrayBuffer::take_host_memory() { host_ = host_pool().take(bytes()); }

void ArrayBuffer::drop_host() {
  if (host_) host_pool().give_back(host_, bytes());
  host_ = nullptr;
}

void ArrayBuffer::drop_device() {
  if (!memory_) return;
  residents().remove(this);
  memory_->give_back(device_, bytes());
  memory_ = nullptr;
}

void* ArrayBuffer::data() {
  std::lock_guard lock(mutex_);
  if (!host_) {
    take_host_memory();
    if (memory_ && bytes() > 0) memory_->to_host(host_, device_, bytes());
  }
  return host_;
}

uint64_t ArrayBuffer::address(DeviceMemory& memory) {
  std::lock_guard lock(mutex_);
  if (memory_ && memory_ != &memory) {  // on another device: by way of the host
    if (!host_) {
      take_host_memory();
      memory_->to_host(host_, device_, bytes());
    }
    drop_device();
  }
  if (!memory_) {
    device_ = memory.take(bytes());
    memory_ = &memory;
    if (bytes() > 0) memory.from_host(device_, host_, bytes());
  }
  residents().use(this);
  return device_;
}

void ArrayBuffer::copy_to(void* target) {
  std::lock_guard lock(mutex_);
  if (bytes() == 0) return;
  if (host_)
    std::memcpy(target, host_, bytes());
  else
    memory_->to_host(target, device_, bytes());
}

void* ArrayBuffer::overwrite_on_host() {
  std::lock_guard lock(mutex_);
  drop_device();
  return host_;
}

uint64_t ArrayBuffer::overwrite_on_device(DeviceMemory&) {
  std::lock_guard lock(mutex_);
  drop_host();
  return device_;
}

bool ArrayBuffer::leave_device() {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || pins_ > 0 || !memory_) return false;
  if (!host_) {
    take_host_memory();
    if (bytes() > 0) memory_->to_host(host_, device_, bytes());
  }
  drop_device();
  return true;
}

bool evict_one(DeviceMemory&) {
  for (ArrayBuffer* buffer : residents().oldest_first())
    if (buffer->leave_device()) return true;
  return false;
}

}  // namespace tutti::runtime
