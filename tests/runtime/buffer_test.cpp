// Buffers between the host and a device, here one that counts how often it was waited for.
#include "runtime/memory/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "graph/one_owner.hpp"

namespace tutti::test {
namespace {

using runtime::ArrayBuffer;

class CountingMemory final : public runtime::DeviceMemory {
 public:
  uint64_t take(size_t bytes) override { return reinterpret_cast<uint64_t>(std::malloc(bytes)); }
  void give_back(uint64_t address, size_t) noexcept override { std::free(at(address)); }
  void to_host(void* target, uint64_t source, size_t bytes) override {
    const CopyToHost copy{target, source, bytes};
    to_host({&copy, 1});
  }
  void to_host(std::span<const CopyToHost> copies) override {
    ++waits;
    if (fails) throw std::runtime_error("no copy");
    for (const CopyToHost& copy : copies) std::memcpy(copy.target, at(copy.source), copy.bytes);
  }
  void from_host(uint64_t target, const void* source, size_t bytes) override {
    if (fails) throw std::runtime_error("no copy");
    std::memcpy(at(target), source, bytes);
  }
  int64_t* take_answer() override { return new int64_t{0}; }
  void give_back_answer(int64_t* answer) noexcept override { delete answer; }
  void start_kernels() override {}
  void wait_for_kernels() override { ++waits; }
  static void* at(uint64_t address) { return reinterpret_cast<void*>(address); }

  int waits = 0;
  bool fails = false;
};

std::shared_ptr<ArrayBuffer> holding(CountingMemory& memory, int number) {
  auto buffer = ArrayBuffer::on_device(memory, sizeof number);
  std::memcpy(CountingMemory::at(buffer->address(memory)), &number, sizeof number);
  return buffer;
}

TEST(Buffers, ComeToTheHostTogether) {
  CountingMemory memory;
  std::vector<ir::BufferRef> buffers;
  for (int i = 0; i < 5; ++i) buffers.push_back(holding(memory, i));
  buffers.push_back(buffers[2]);                // twice the same
  buffers.push_back(ArrayBuffer::on_host(16));  // is there already
  buffers.push_back(ArrayBuffer::on_device(memory, 0));
  runtime::bring_to_host(buffers);
  EXPECT_EQ(memory.waits, 1);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(*static_cast<int*>(buffers[static_cast<size_t>(i)]->data()), i);
  EXPECT_EQ(memory.waits, 1);
}

// References that are lent end with the operation, so they are no owners.
TEST(Buffers, OwnersAreCountedWithoutLeases) {
  ir::BufferRef owner = ArrayBuffer::on_host(4);
  EXPECT_TRUE(ir::has_one_owner(owner));
  const std::vector<ir::BufferRef> leaves{owner, ArrayBuffer::on_host(4)}, leases{owner, owner};
  EXPECT_FALSE(ir::has_one_owner(owner));
  EXPECT_FALSE(ir::has_one_owner(owner, leaves));
  EXPECT_TRUE(ir::has_one_owner(owner, leaves, leases));
  const ir::BufferRef other = owner;
  EXPECT_FALSE(ir::has_one_owner(owner, leaves, leases));
  owner = nullptr;
  EXPECT_TRUE(ir::has_one_owner(other, leaves, leases));
}

TEST(Buffers, CopiesThatFailAreMadeAgain) {
  CountingMemory memory;
  const auto on_device = holding(memory, 7);
  const auto on_host = ArrayBuffer::on_host(sizeof(int));
  *static_cast<int*>(on_host->data()) = 8;
  memory.fails = true;
  EXPECT_THROW(on_device->data(), std::runtime_error);
  EXPECT_THROW(on_device->leave_device(memory), std::runtime_error);
  EXPECT_THROW(runtime::bring_to_host(std::vector<ir::BufferRef>{on_device}), std::runtime_error);
  EXPECT_THROW(on_host->address(memory), std::runtime_error);
  memory.fails = false;
  EXPECT_EQ(*static_cast<int*>(on_device->data()), 7);
  EXPECT_EQ(*static_cast<int*>(CountingMemory::at(on_host->address(memory))), 8);
  EXPECT_TRUE(on_device->leave_device(memory)) << "it was left pinned";
}

TEST(Buffers, ThatAreOnTheHostNeedNoWait) {
  CountingMemory memory;
  const std::vector<ir::BufferRef> buffers = {ArrayBuffer::on_host(4), ArrayBuffer::on_host(8)};
  runtime::bring_to_host(buffers);
  EXPECT_EQ(memory.waits, 0);
}

}  // namespace
}  // namespace tutti::test
