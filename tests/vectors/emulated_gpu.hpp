// A GPU for tests, on the host. The threads of some blocks at a time are fibers of one thread. They
// change at every barrier, warp operation and pause, in an order that differs from round to round.
// Slow and exact: what it finds are wrong indices, lost synchronisation, deadlocks and wide
// accesses that are not aligned. Included by kernels/gpu/device.hpp in place of the real thing.
#pragma once
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace tutti::gpu {

template <class T>
using Global = T*;

class EmulatedGpu {
 public:
  struct Grid {
    int64_t blocks;
    int resident;  // the most at a time
    int threads = block_threads;
  };
  // Runs body once for each thread of the grid. Shared memory is filled with garbage before a block
  // starts.
  static void run(const Grid& grid, size_t shared_bytes,
                  const std::function<void(void* shared)>& body) {
    EmulatedGpu gpu(grid, shared_bytes, body);
    current_gpu = &gpu;
    gpu.run_all();
    current_gpu = nullptr;
    if (gpu.unaligned_)
      throw std::runtime_error(std::to_string(gpu.unaligned_) +
                               " wide accesses at addresses that are no multiples of their size");
  }

  struct Rendezvous {
    int arrived = 0, generation = 0;
  };
  struct Block {
    int64_t number = -1;
    int running = 0;
    Rendezvous barrier;
    std::array<Rendezvous, most_warps> warps;
    std::array<std::array<u32, warp_size>, most_warps> values;
    std::vector<std::byte> shared;
  };
  struct Thread {
    ucontext_t entry;  // where it begins
    jmp_buf place;     // where it goes on: unlike a context, this costs no call of the system
    bool started = false;
    std::unique_ptr<std::byte[]> stack;
    Block* block = nullptr;
    int number = 0;
    bool running = false;
  };

  static EmulatedGpu& current() { return *current_gpu; }
  Thread& thread() { return *thread_; }
  int64_t blocks() const { return grid_.blocks; }
  int block_size() const { return grid_.threads; }

  // A GPU has no wider accesses than 16 bytes.
  void note_access(const void* address, size_t bytes) {
    unaligned_ += reinterpret_cast<uintptr_t>(address) % std::min<size_t>(bytes, 16) != 0;
  }

  void yield() {
    if (_setjmp(thread_->place) == 0) _longjmp(scheduler_, 1);
  }
  void meet(Rendezvous& r, int count) {
    const int generation = r.generation;
    if (++r.arrived == count) {
      r.arrived = 0;
      ++r.generation;
      idle_rounds_ = 0;
    } else {
      while (r.generation == generation) yield();
    }
  }
  // Every lane of the warp gives a value and sees those of all.
  std::array<u32, warp_size> exchange(u32 value) {
    Block& block = *thread_->block;
    const int warp = thread_->number / warp_size;
    block.values[warp][thread_->number % warp_size] = value;
    meet(block.warps[warp], warp_size);
    const auto result = block.values[warp];
    meet(block.warps[warp], warp_size);
    return result;
  }

 private:
  static constexpr size_t stack_bytes = 64 << 10;
  static inline EmulatedGpu* current_gpu = nullptr;

  EmulatedGpu(const Grid& grid, size_t shared_bytes, const std::function<void(void*)>& body)
      : grid_(grid), body_(body) {
    const auto each = static_cast<size_t>(grid.threads);
    slots_.resize(static_cast<size_t>(grid.resident));
    threads_.resize(slots_.size() * each);
    for (size_t i = 0; i < threads_.size(); ++i) {
      threads_[i].stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
      threads_[i].block = &slots_[i / each];
      threads_[i].number = static_cast<int>(i % each);
    }
    for (Block& block : slots_) block.shared.resize(shared_bytes);
  }

  void run_all() {
    std::mt19937 random(1);
    while (true) {
      bool any = false;
      for (size_t s = 0; s < slots_.size(); ++s)
        if (slots_[s].running == 0 && next_ < grid_.blocks) start(s);
      // Rounds begin at another thread each time; a round goes through all threads.
      const size_t from = random() % threads_.size();
      for (size_t k = 0; k < threads_.size(); ++k) {
        Thread& thread = threads_[(from + k) % threads_.size()];
        if (!thread.running) continue;
        any = true;
        resume(thread);
      }
      if (!any && next_ == grid_.blocks) return;
      if (++idle_rounds_ > 10000) throw std::runtime_error("the emulated GPU does not get on");
    }
  }

  void resume(Thread& thread) {
    thread_ = &thread;
    if (_setjmp(scheduler_) != 0) return;
    if (thread.started) _longjmp(thread.place, 1);
    thread.started = true;
    setcontext(&thread.entry);
  }

  void start(size_t slot) {
    Block& block = slots_[slot];
    block.number = next_++;
    block.running = grid_.threads;
    block.barrier = {};
    block.warps = {};
    std::fill(block.shared.begin(), block.shared.end(), std::byte{0xa5});
    for (int t = 0; t < grid_.threads; ++t) {
      Thread& thread = threads_[slot * static_cast<size_t>(grid_.threads) + static_cast<size_t>(t)];
      getcontext(&thread.entry);
      thread.entry.uc_stack.ss_sp = thread.stack.get();
      thread.entry.uc_stack.ss_size = stack_bytes;
      makecontext(&thread.entry, enter, 0);
      thread.started = false;
      thread.running = true;
    }
    idle_rounds_ = 0;
  }

  static void enter() {
    EmulatedGpu& gpu = current();
    gpu.body_(gpu.thread_->block->shared.data());
    gpu.thread_->running = false;
    --gpu.thread_->block->running;
    gpu.idle_rounds_ = 0;
    _longjmp(gpu.scheduler_, 1);
  }

  const Grid grid_;
  int64_t next_ = 0;
  const std::function<void(void*)>& body_;
  std::vector<Block> slots_;
  std::vector<Thread> threads_;
  Thread* thread_ = nullptr;
  jmp_buf scheduler_;
  int idle_rounds_ = 0;
  int64_t unaligned_ = 0;
};

inline int thread() { return EmulatedGpu::current().thread().number; }
inline int lane() { return thread() % warp_size; }
inline int warp() { return thread() / warp_size; }
inline i64 block() { return EmulatedGpu::current().thread().block->number; }
inline i64 blocks() { return EmulatedGpu::current().blocks(); }
inline void barrier() {
  EmulatedGpu& gpu = EmulatedGpu::current();
  gpu.meet(gpu.thread().block->barrier, gpu.block_size());
}
inline void warp_barrier() { EmulatedGpu::current().exchange(0); }
inline void pause() { EmulatedGpu::current().yield(); }
inline void fence() {}

inline u32 ballot(bool vote) {
  u32 result = 0;
  const auto votes = EmulatedGpu::current().exchange(vote);
  for (int k = 0; k < warp_size; ++k) result |= votes[static_cast<size_t>(k)] << k;
  return result;
}
inline u32 match_digit(u32 digit) {
  u32 result = 0;
  const auto values = EmulatedGpu::current().exchange(digit);
  for (int k = 0; k < warp_size; ++k)
    if (values[static_cast<size_t>(k)] == digit) result |= 1u << k;
  return result;
}
inline u32 shuffle(u32 value, int from) {
  return EmulatedGpu::current().exchange(value)[static_cast<size_t>(from)];
}
inline u32 shuffle_up(u32 value, int distance) {
  const int from = lane();
  const auto values = EmulatedGpu::current().exchange(value);
  return from >= distance ? values[static_cast<size_t>(from - distance)] : value;
}
inline u32 shuffle_down(u32 value, int distance) {
  const int from = lane();
  const auto values = EmulatedGpu::current().exchange(value);
  return from + distance < warp_size ? values[static_cast<size_t>(from + distance)] : value;
}

template <class T>
T load_relaxed(T* address) {
  return *address;
}
template <class T>
void store_relaxed(T* address, std::type_identity_t<T> value) {
  *address = value;
}
template <class P, class T>
T atomic_add(P* address, T value) {
  const T before = static_cast<T>(*address);
  *address = static_cast<P>(before + value);
  return before;
}
template <class P, class T>
T atomic_or(P* address, T value) {
  const T before = *address;
  *address = before | value;
  return before;
}
template <class P, class T>
T atomic_min(P* address, T value) {
  const T before = *address;
  if (value < before) *address = value;
  return before;
}
template <class P, class T>
T atomic_max(P* address, T value) {
  const T before = *address;
  if (value > before) *address = value;
  return before;
}
template <class P, class T>
T atomic_exchange_if(P* address, T expected, T wanted) {
  const T before = *address;
  if (before == expected) *address = wanted;
  return before;
}
inline int count_ones(u32 bits) { return std::popcount(bits); }
inline int lowest_one(u32 bits) { return std::countr_zero(bits); }
inline int highest_one(u32 bits) { return 31 - std::countl_zero(bits); }
inline u32 as_new(u32 x) { return x; }

template <class U>
void load_piece(U* address, U* x) {
  EmulatedGpu::current().note_access(address, piece_size * sizeof(U));
  for (int i = 0; i < piece_size; ++i) x[i] = address[i];
}
template <class U>
void store_piece(U* address, const U* x) {
  EmulatedGpu::current().note_access(address, piece_size * sizeof(U));
  for (int i = 0; i < piece_size; ++i) address[i] = x[i];
}

}  // namespace tutti::gpu
