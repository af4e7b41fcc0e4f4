#include "support/emulated_gpu/driver.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "codegen/codegen.hpp"

namespace tutti::test {
namespace {

constexpr size_t alignment = 256;

// A block of memory begins with its size.
struct BlockHeader {
  size_t bytes;
};

struct EmulatedModule {
  EmulatedHeader header;
  std::unique_ptr<LoadedCode> code;
};

}  // namespace

class EmulatedGraph final : public runtime::gpu::LaunchGraph {
 public:
  using KernelCall = runtime::gpu::KernelCall;
  EmulatedGraph(EmulatedDriver& driver, std::span<const KernelCall> calls) : driver_(driver) {
    replace(calls);
  }
  runtime::gpu::Status replace(std::span<const KernelCall> calls) override {
    calls_.assign(calls.begin(), calls.end());
    words_.clear();
    for (KernelCall& call : calls_) {
      words_.emplace_back(call.words.begin(), call.words.end());
      call.words = words_.back();
    }
    return runtime::gpu::success;
  }
  runtime::gpu::Status launch() override {
    runtime::gpu::Status status = runtime::gpu::success;
    for (const KernelCall& call : calls_)
      if (status == runtime::gpu::success) status = driver_.launch(call);
    return status;
  }

 private:
  EmulatedDriver& driver_;
  std::vector<KernelCall> calls_;
  std::list<std::vector<int64_t>> words_;
};

// ---- memory

EmulatedDriver::Status EmulatedDriver::allocate(size_t bytes, Address& address) {
  std::lock_guard lock(mutex_);
  if (allocated_ + bytes > memory_bytes_) return out_of_memory;
  const size_t size = (bytes + 2 * alignment - 1) / alignment * alignment;
  auto* block = static_cast<char*>(std::aligned_alloc(alignment, size));
  if (!block) return out_of_memory;
  allocated_ += bytes;
  new (block) BlockHeader{bytes};
  std::memset(block + alignment, 0xa5, bytes);
  address = reinterpret_cast<Address>(block + alignment);
  return runtime::gpu::success;
}

EmulatedDriver::Status EmulatedDriver::free(Address address) noexcept {
  std::lock_guard lock(mutex_);
  wait(Queue::copies);
  const Status status = wait(Queue::kernels);
  char* const block = reinterpret_cast<char*>(address) - alignment;
  allocated_ -= reinterpret_cast<BlockHeader*>(block)->bytes;
  std::free(block);
  return status;
}

EmulatedDriver::Status EmulatedDriver::allocate_pinned(size_t bytes, void*& block) {
  std::lock_guard lock(mutex_);
  block = std::malloc(bytes);
  if (!block) return out_of_memory;
  pinned_.emplace_back(block, bytes);
  return runtime::gpu::success;
}

EmulatedDriver::Status EmulatedDriver::clear(Address address, size_t bytes) {
  return give(Queue::kernels, [=] { std::memset(reinterpret_cast<void*>(address), 0, bytes); });
}

EmulatedDriver::Status EmulatedDriver::copy_to_host(void* target, Address source, size_t bytes,
                                                    Queue queue) {
  return give(queue, [=] { std::memcpy(target, reinterpret_cast<const void*>(source), bytes); });
}

// Pinned memory is read when the copy is made, other memory now.
EmulatedDriver::Status EmulatedDriver::copy_from_host(Address target, const void* source,
                                                      size_t bytes, Queue queue) {
  std::lock_guard lock(mutex_);
  for (const auto& [block, size] : pinned_)
    if (source >= block && source < static_cast<char*>(block) + size)
      return give(queue, [=] { std::memcpy(reinterpret_cast<void*>(target), source, bytes); });
  const auto* from = static_cast<const char*>(source);
  return give(queue, [target, copy = std::vector<char>(from, from + bytes)] {
    std::memcpy(reinterpret_cast<void*>(target), copy.data(), copy.size());
  });
}

// ---- order

EmulatedDriver::Status EmulatedDriver::give(Queue queue, std::function<void()> work) {
  std::lock_guard lock(mutex_);
  if (!problem_.empty()) return lost;
  of(queue).waiting.push_back(std::move(work));
  ++of(queue).given;
  return runtime::gpu::success;
}

void EmulatedDriver::do_until(WorkQueue& queue, size_t count) {
  while (queue.done < count) {
    const std::function<void()> work = std::move(queue.waiting.front());
    queue.waiting.pop_front();
    ++queue.done;
    if (problem_.empty()) work();
  }
}

EmulatedDriver::Status EmulatedDriver::wait(Queue queue) {
  std::lock_guard lock(mutex_);
  do_until(of(queue), of(queue).given);
  return problem_.empty() ? runtime::gpu::success : lost;
}

EmulatedDriver::Status EmulatedDriver::order(Queue first, Queue then) {
  std::lock_guard lock(mutex_);
  return give(then, [this, first, count = of(first).given] { do_until(of(first), count); });
}

// ---- code and launches

EmulatedDriver::Status EmulatedDriver::load(const std::string& code, Handle& module) {
  auto made = std::make_unique<EmulatedModule>();
  std::memcpy(&made->header, code.data(), sizeof made->header);
  made->code = codegen::link(code.substr(sizeof made->header));
  module = made.release();
  return runtime::gpu::success;
}
EmulatedDriver::Status EmulatedDriver::find_kernel(Handle module, Handle& function) {
  function = module;
  return runtime::gpu::success;
}
void EmulatedDriver::unload(Handle module) noexcept { delete static_cast<EmulatedModule*>(module); }

EmulatedDriver::Status EmulatedDriver::launch(const KernelCall& call) {
  return give(Queue::kernels, [this, function = call.function, grid = call.grid,
                               words = std::vector<int64_t>(call.words.begin(), call.words.end())] {
    run(function, grid, words);
  });
}

void EmulatedDriver::run(Handle function, const schedule::Grid& grid,
                         std::span<const int64_t> words) {
  const auto& module = *static_cast<const EmulatedModule*>(function);
  problem_ =
      runner_.run(reinterpret_cast<EmulatedKernel>(module.code->entry), module.header, grid, words);
}

std::unique_ptr<runtime::gpu::LaunchGraph> EmulatedDriver::make_graph(
    std::span<const KernelCall> calls) {
  return std::make_unique<EmulatedGraph>(*this, calls);
}

// ---- times

namespace {
// When the work before it had ended; 0: it has not.
struct EmulatedMark {
  int64_t nanoseconds = 0;
};
}  // namespace

EmulatedDriver::Status EmulatedDriver::make_mark(Handle& mark) {
  mark = new EmulatedMark;
  return runtime::gpu::success;
}
EmulatedDriver::Status EmulatedDriver::set_mark(Handle mark) {
  auto& set = *static_cast<EmulatedMark*>(mark);
  set.nanoseconds = 0;
  return give(Queue::kernels, [&set] {
    set.nanoseconds = std::chrono::steady_clock::now().time_since_epoch().count();
  });
}
bool EmulatedDriver::is_reached(Handle mark) {
  std::lock_guard lock(mutex_);
  return static_cast<EmulatedMark*>(mark)->nanoseconds != 0;
}
EmulatedDriver::Status EmulatedDriver::nanoseconds_between(Handle first, Handle last,
                                                           double& nanoseconds) {
  std::lock_guard lock(mutex_);
  nanoseconds = static_cast<double>(static_cast<EmulatedMark*>(last)->nanoseconds -
                                    static_cast<EmulatedMark*>(first)->nanoseconds);
  return runtime::gpu::success;
}

std::string EmulatedDriver::describe(Status status) const {
  std::lock_guard lock(mutex_);
  return status == out_of_memory ? "no memory" : problem_;
}

}  // namespace tutti::test
