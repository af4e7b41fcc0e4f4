// What emitted code of the emulated GPU gets beside its words: where its thread is, and the calls
// by which threads work together. The instruction set reads it at these offsets; the driver fills
// it.
#pragma once
#include <cstdint>

namespace tutti::test {

struct ThreadContext {
  uint32_t thread_x = 0, thread_y = 0, block_x = 0, block_y = 0, blocks_y = 1;
  char* shared = nullptr;  // memory that the threads of a block share
  // These return when all threads have come: of the block, of the warp.
  void (*barrier)(ThreadContext*) = nullptr;
  uint64_t (*shuffle)(ThreadContext*, uint64_t value, int32_t distance) = nullptr;
};

using EmulatedKernel = void (*)(const int64_t* words, ThreadContext* context);

}  // namespace tutti::test
