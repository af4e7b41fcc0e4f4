// Buffers over memory of others, and memory that is lent to others, on the host and on a device.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/memory/buffer.hpp"
#include "tutti/error.hpp"

namespace tutti::test {
namespace {

using runtime::ArrayBuffer;

// Memory of a device that knows what it has given out.
class Memory final : public runtime::DeviceMemory {
 public:
  uint64_t take(size_t bytes) override {
    ++taken;
    return reinterpret_cast<uint64_t>(std::malloc(bytes));
  }
  void give_back(uint64_t address, size_t) noexcept override {
    --taken;
    std::free(reinterpret_cast<void*>(address));
  }
  void to_host(void* target, uint64_t source, size_t bytes) override {
    std::memcpy(target, reinterpret_cast<void*>(source), bytes);
  }
  void to_host(std::span<const CopyToHost> copies) override {
    for (const CopyToHost& copy : copies) to_host(copy.target, copy.source, copy.bytes);
  }
  void from_host(uint64_t target, const void* source, size_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(target), source, bytes);
  }
  int64_t* take_answer() override { return new int64_t{0}; }
  void give_back_answer(int64_t* answer) noexcept override { delete answer; }
  void start_kernels() override {}
  void wait_for_kernels() override {}
  int taken = 0;
};

constexpr size_t large = size_t{4} << 20;  // copies on the host of such buffers are given up

struct Owned {
  std::shared_ptr<std::vector<char>> owner = std::make_shared<std::vector<char>>(large, 'x');
  std::weak_ptr<std::vector<char>> watch = owner;
};

TEST(BorrowedBuffers, OfTheHostStayThereAndKeepTheirOwner) {
  Memory memory;
  Owned owned;
  auto buffer = ArrayBuffer::borrowed_on_host(owned.owner->data(), large, owned.owner);
  const char* address = owned.owner->data();
  owned.owner.reset();
  EXPECT_NE(buffer->address(memory), reinterpret_cast<uint64_t>(address));
  EXPECT_EQ(buffer->data(), address);
  EXPECT_TRUE(buffer->leave_device(memory));
  EXPECT_EQ(buffer->data(), address);
  EXPECT_FALSE(owned.watch.expired());
  buffer.reset();
  EXPECT_TRUE(owned.watch.expired());
  EXPECT_EQ(memory.taken, 0);
}

TEST(BorrowedBuffers, OfADeviceAreReadAndNeitherEvictedNorFreed) {
  Memory memory, other;
  Owned owned;
  const auto address = reinterpret_cast<uint64_t>(owned.owner->data());
  auto buffer = ArrayBuffer::borrowed_on_device(memory, address, large, owned.owner);
  owned.owner.reset();
  EXPECT_EQ(buffer->address(memory), address);
  EXPECT_EQ(static_cast<char*>(buffer->data())[large - 1], 'x');
  EXPECT_FALSE(runtime::evict_one(memory));
  EXPECT_NE(buffer->address(other), address);  // a copy, by way of the host
  buffer.reset();
  EXPECT_TRUE(owned.watch.expired());
  EXPECT_EQ(memory.taken, 0);
  EXPECT_EQ(other.taken, 0);
}

TEST(BorrowedBuffers, AreNeverWrittenOver) {
  Memory memory;
  const std::vector<char> bytes(64);
  const auto buffer = ArrayBuffer::borrowed_on_host(bytes.data(), bytes.size(), nullptr);
  EXPECT_TRUE(buffer->is_borrowed());
  EXPECT_THROW(buffer->overwrite_on_host(), InternalError);
  EXPECT_THROW(buffer->overwrite_on_device(memory), InternalError);
}

TEST(LentBuffers, OfTheHostKeepTheirAddress) {
  Memory memory;
  const auto buffer = ArrayBuffer::on_host(large);
  std::memset(buffer->data(), 'y', large);
  const void* lent = buffer->lend_on_host();
  buffer->address(memory);
  EXPECT_TRUE(buffer->is_on_host());
  EXPECT_EQ(buffer->data(), lent);
  EXPECT_EQ(static_cast<const char*>(lent)[large - 1], 'y');
}

TEST(LentBuffers, OfADeviceDoNotLeaveIt) {
  Memory memory, other;
  const auto buffer = ArrayBuffer::on_device(memory, 64);
  const uint64_t lent = buffer->lend_on_device(memory);
  EXPECT_FALSE(buffer->leave_device(memory));
  EXPECT_THROW(buffer->address(other), DeviceError);
  EXPECT_EQ(buffer->address(memory), lent);
  buffer->overwrite_on_device(memory);  // its holder is alone: nothing is lent any more
  EXPECT_TRUE(buffer->leave_device(memory));
}

}  // namespace
}  // namespace tutti::test
