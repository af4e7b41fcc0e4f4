#include "runtime/gpu/rehearsal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

#include "runtime/gpu/launches.hpp"

namespace tutti::runtime::gpu {
namespace {

// Memory that only has addresses. Reads return that offsets are valid and that no segment is long
// (Launches::check_offsets); answers are 0.
class NoMemory final : public DeviceMemory {
 public:
  uint64_t take(size_t) override { return some_address; }
  void give_back(uint64_t, size_t) noexcept override {}
  void to_host(void* target, uint64_t, size_t bytes) override {
    constexpr std::array<int64_t, 2> answer{no_wrong_offset, -1};
    std::memset(target, 0, bytes);
    std::memcpy(target, answer.data(), std::min(sizeof answer, bytes));
  }
  void to_host(std::span<const CopyToHost> copies) override {
    for (const CopyToHost& copy : copies) to_host(copy.target, copy.source, copy.bytes);
  }
  void from_host(uint64_t, const void*, size_t) override {}
  int64_t* take_answer() override { return &answers_.emplace_back(0); }
  void give_back_answer(int64_t*) noexcept override {}
  void start_kernels() override { std::ranges::fill(answers_, 0); }
  void wait_for_kernels() override {}

 private:
  static constexpr uint64_t some_address = 4096;
  std::deque<int64_t> answers_;
};

class Rehearsal final : public PrimitiveLauncher {
 public:
  explicit Rehearsal(PrimitiveLauncher& device) : device_(device) {}
  DeviceMemory& memory() override { return memory_; }
  ZeroedMemory& zeros() override { return device_.zeros(); }
  int64_t multiprocessors() const override { return device_.multiprocessors(); }
  void launch(const codegen::GpuPrimitive& primitive, int64_t, std::span<const int64_t>) override {
    launched.push_back(primitive);
  }

  std::vector<codegen::GpuPrimitive> launched;

 private:
  PrimitiveLauncher& device_;
  NoMemory memory_;
};

}  // namespace

std::vector<codegen::GpuPrimitive> rehearse(PrimitiveLauncher& device,
                                            const compiler::PrimitiveStep& step) {
  if (step.kind == ir::Kind::write_section) return {};  // the section is known only with the node
  Rehearsal rehearsal(device);
  PrimitiveCall call;
  std::deque<std::shared_ptr<ArrayBuffer>> buffers;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    buffers.push_back(ArrayBuffer::around_device(rehearsal.memory(), 4096, 0));
    call.buffers.push_back(buffers.back().get());
    call.inputs.push_back(4096);
  }
  buffers.push_back(ArrayBuffer::around_device(rehearsal.memory(), 4096, 0));
  call.target = buffers.back().get();
  call.output = 8192;
  run_primitive(rehearsal, step, call);
  return std::move(rehearsal.launched);
}

}  // namespace tutti::runtime::gpu
