// Runs the blocks of a launch on the host, one after the other. Threads that meet at barriers and
// shuffles are fibers of the calling thread; others are plain calls. Where a GPU has a choice, it
// is made so that wrong code shows. Blocks run backwards, and threads continue in an order that
// differs from barrier to barrier. Shared memory begins with garbage, and a shuffle from beyond the
// warp returns garbage. A meeting that not all threads come to is reported, not waited for.
#pragma once
#include <setjmp.h>
#include <ucontext.h>

#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "compiler/schedule/gpu_schedule.hpp"
#include "support/emulated_gpu/compiler.hpp"
#include "support/emulated_gpu/thread_context.hpp"

namespace tutti::test {

class BlockRunner {
 public:
  // Empty, or what went wrong.
  std::string run(EmulatedKernel kernel, const EmulatedHeader& header, const schedule::Grid& grid,
                  std::span<const int64_t> words);

 private:
  static constexpr size_t stack_bytes = size_t{256} << 10;

  enum class State { ready, at_barrier, at_shuffle, done };
  struct Fiber {
    ThreadContext context;  // first: emitted code calls back with its address
    BlockRunner* runner = nullptr;
    ucontext_t entry;  // where it begins
    jmp_buf place;     // where it goes on: unlike a context, this costs no call of the system
    bool started = false;
    State state = State::done;
    uint64_t value = 0;  // given to a shuffle, and what came of it
    int32_t distance = 0;
    std::unique_ptr<char[]> stack;
  };

  void run_calls(ThreadContext context);
  std::string run_fibers(const ThreadContext& block);
  void start(Fiber& fiber, size_t number, const ThreadContext& block);
  void resume(Fiber& fiber);
  void wait(Fiber& fiber, State state);
  std::string let_warps_go_on();
  static void enter(unsigned high, unsigned low);
  static void meet_at_barrier(ThreadContext* context);
  static uint64_t meet_at_shuffle(ThreadContext* context, uint64_t value, int32_t distance);

  EmulatedKernel kernel_ = nullptr;
  schedule::Grid grid_;
  std::span<const int64_t> words_;
  std::vector<char> shared_;
  std::vector<std::unique_ptr<Fiber>> fibers_;  // of the largest block so far
  size_t threads_ = 0;
  jmp_buf scheduler_;
  std::minstd_rand random_{1};
};

}  // namespace tutti::test
