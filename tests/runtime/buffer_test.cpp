// Buffers between the host and a device, here one that counts how often it was waited for.
#include "runtime/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace tutti::test {
namespace {

using runtime::ArrayBuffer;

class CountingMemory final : public runtime::DeviceMemory {
 public:
  uint64_t take(size_t bytes) override { return reinterpret_cast<uint64_t>(std::malloc(bytes)); }
  void give_back(uint64_t address, size_t) override { std::free(at(address)); }
  void to_host(void* target, uint64_t source, size_t bytes) override {
    const CopyToHost copy{target, source, bytes};
    to_host({&copy, 1});
  }
  void to_host(std::span<const CopyToHost> copies) override {
    ++waits;
    for (const CopyToHost& copy : copies) std::memcpy(copy.target, at(copy.source), copy.bytes);
  }
  void from_host(uint64_t target, const void* source, size_t bytes) override {
    std::memcpy(at(target), source, bytes);
  }
  int64_t* take_answer() override { return new int64_t{0}; }
  void give_back_answer(int64_t* answer) override { delete answer; }
  void start_kernels() override {}
  void wait_for_kernels() override { ++waits; }
  static void* at(uint64_t address) { return reinterpret_cast<void*>(address); }

  int waits = 0;
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

TEST(Buffers, ThatAreOnTheHostWaitForNobody) {
  CountingMemory memory;
  const std::vector<ir::BufferRef> buffers = {ArrayBuffer::on_host(4), ArrayBuffer::on_host(8)};
  runtime::bring_to_host(buffers);
  EXPECT_EQ(memory.waits, 0);
}

}  // namespace
}  // namespace tutti::test
