#include "support/emulated_gpu/block_runner.hpp"

#include <algorithm>
#include <cstddef>

#include "codegen/gpu/isa.hpp"

namespace tutti::test {
namespace {

constexpr size_t warp = codegen::warp_threads;
constexpr uint64_t beyond_the_warp = 0xa5c3a5c3a5c3a5c3;

}  // namespace

std::string BlockRunner::run(EmulatedKernel kernel, const EmulatedHeader& header,
                             const schedule::Grid& grid, std::span<const int64_t> words) {
  kernel_ = kernel;
  grid_ = grid;
  words_ = words;
  threads_ = size_t{grid.threads_x} * grid.threads_y;
  shared_.resize(static_cast<size_t>(header.shared_bytes));
  ThreadContext context;
  context.blocks_y = grid.y;
  for (context.block_y = grid.y; context.block_y-- > 0;)
    for (context.block_x = grid.x; context.block_x-- > 0;) {
      if (!header.threads_meet) {
        run_calls(context);
      } else if (std::string problem = run_fibers(context); !problem.empty()) {
        return problem + ", in block " + std::to_string(context.block_x) + ", " +
               std::to_string(context.block_y);
      }
    }
  return "";
}

void BlockRunner::run_calls(ThreadContext context) {
  for (context.thread_y = 0; context.thread_y < grid_.threads_y; ++context.thread_y)
    for (context.thread_x = 0; context.thread_x < grid_.threads_x; ++context.thread_x)
      kernel_(words_.data(), &context);
}

// ---- fibers

std::string BlockRunner::run_fibers(const ThreadContext& block) {
  while (fibers_.size() < threads_) {
    auto fiber = std::make_unique<Fiber>();
    fiber->runner = this;
    fiber->stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
    fibers_.push_back(std::move(fiber));
  }
  std::ranges::fill(shared_, static_cast<char>(0xa5));
  for (size_t t = 0; t < threads_; ++t) start(*fibers_[t], t, block);
  while (true) {
    const size_t from = random_() % threads_;
    for (size_t k = 0; k < threads_; ++k) {
      Fiber& fiber = *fibers_[(from + k) % threads_];
      if (fiber.state == State::ready) resume(fiber);
    }
    // Now all are done or wait.
    const auto all = [&](State state) {
      return std::all_of(fibers_.begin(), fibers_.begin() + static_cast<std::ptrdiff_t>(threads_),
                         [&](const auto& fiber) { return fiber->state == state; });
    };
    if (all(State::done)) return "";
    if (all(State::at_barrier)) {
      for (size_t t = 0; t < threads_; ++t) fibers_[t]->state = State::ready;
      continue;
    }
    if (std::string problem = let_warps_go_on(); !problem.empty()) return problem;
  }
}

// Exchanges the values of warps whose threads are all at a shuffle. Some warp must be.
std::string BlockRunner::let_warps_go_on() {
  bool any = false;
  for (size_t first = 0; first + warp <= threads_; first += warp) {
    const auto lane = [&](size_t l) -> Fiber& { return *fibers_[first + l]; };
    size_t waiting = 0;
    for (size_t l = 0; l < warp; ++l) waiting += lane(l).state == State::at_shuffle;
    if (waiting == 0) continue;
    if (waiting < warp)
      return std::to_string(warp - waiting) + " threads of a warp do not come to a shuffle";
    uint64_t values[warp];
    for (size_t l = 0; l < warp; ++l) {
      values[l] = lane(l).value;
      if (lane(l).distance != lane(0).distance)
        return "the threads of a warp are at different shuffles";
    }
    for (size_t l = 0; l < warp; ++l) {
      const auto source = static_cast<int64_t>(l) + lane(l).distance;
      const bool inside = source >= 0 && source < static_cast<int64_t>(warp);
      lane(l).value = inside ? values[source] : beyond_the_warp;
      lane(l).state = State::ready;
    }
    any = true;
  }
  return any ? "" : "some threads of a block do not come to a barrier";
}

void BlockRunner::start(Fiber& fiber, size_t number, const ThreadContext& block) {
  fiber.context = block;
  fiber.context.thread_x = static_cast<uint32_t>(number % grid_.threads_x);
  fiber.context.thread_y = static_cast<uint32_t>(number / grid_.threads_x);
  fiber.context.shared = shared_.data();
  fiber.context.barrier = meet_at_barrier;
  fiber.context.shuffle = meet_at_shuffle;
  fiber.state = State::ready;
  fiber.started = false;
}

void BlockRunner::resume(Fiber& fiber) {
  if (_setjmp(scheduler_) != 0) return;
  if (fiber.started) _longjmp(fiber.place, 1);
  fiber.started = true;
  getcontext(&fiber.entry);
  fiber.entry.uc_stack.ss_sp = fiber.stack.get();
  fiber.entry.uc_stack.ss_size = stack_bytes;
  const auto address = reinterpret_cast<uint64_t>(&fiber);
  makecontext(&fiber.entry, reinterpret_cast<void (*)()>(enter), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
  setcontext(&fiber.entry);
}

void BlockRunner::enter(unsigned high, unsigned low) {
  auto& fiber = *reinterpret_cast<Fiber*>(uint64_t{high} << 32 | low);
  fiber.runner->kernel_(fiber.runner->words_.data(), &fiber.context);
  fiber.state = State::done;
  _longjmp(fiber.runner->scheduler_, 1);
}

void BlockRunner::wait(Fiber& fiber, State state) {
  fiber.state = state;
  if (_setjmp(fiber.place) == 0) _longjmp(scheduler_, 1);
}

void BlockRunner::meet_at_barrier(ThreadContext* context) {
  auto& fiber = *reinterpret_cast<Fiber*>(context);
  fiber.runner->wait(fiber, State::at_barrier);
}

uint64_t BlockRunner::meet_at_shuffle(ThreadContext* context, uint64_t value, int32_t distance) {
  auto& fiber = *reinterpret_cast<Fiber*>(context);
  fiber.value = value;
  fiber.distance = distance;
  fiber.runner->wait(fiber, State::at_shuffle);
  return fiber.value;
}

}  // namespace tutti::test
