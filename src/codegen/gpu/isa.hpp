// What the instruction set of a GPU must offer to the emitters of kernels. One implementation a
// family of GPUs; emitters name none. An object belongs to one module: it may note what the module
// has used.
//
// Emitters rely on this beyond the types:
// - a warp has 32 threads. A family with other groups offers shuffles within 32 of their threads;
// - threads of a block are numbered row by row, and 32 consecutive ones are a warp;
// - a thread sees all stores of its block to shared memory that come before a barrier.
#pragma once
#include <llvm/IR/Module.h>

#include <span>

#include "codegen/emit/builder.hpp"

namespace tutti::codegen {

constexpr int warp_threads = 32;

// A parameter of a kernel, as `launch` packs its words. By value: the words themselves are the
// parameter, and the kernel gets their address.
struct GpuParameter {
  llvm::Type* type;
  bool by_value = false;
  bool read_only = false;  // an array that is not written while the kernel runs
};

// What an assembler may rely on; 0: no such bound.
struct GpuBounds {
  int threads_x = 0, threads_y = 0;  // of a block, at most
  int registers = 0;                 // of a thread, at most
  int resident = 0;                  // blocks that a multiprocessor is to hold, at least
};

class GpuIsa {
 public:
  using Value = llvm::Value;
  enum class Axis { x, y };

  virtual ~GpuIsa() = default;

  // ---- kernels

  // Declares the module's kernel, which is called "kernel" and has no body yet.
  virtual llvm::Function* declare_kernel(llvm::Module& module,
                                         std::span<const GpuParameter> parameters) = 0;
  virtual void set_bounds(llvm::Function* kernel, const GpuBounds& bounds) = 0;
  // Parameter i. The builder is in the first block of the kernel.
  virtual Value* parameter(Builder& b, unsigned i) = 0;

  // ---- where a thread is, as i32

  virtual Value* thread(Builder& b, Axis axis) = 0;  // in its block
  virtual Value* block(Builder& b, Axis axis) = 0;   // in the launch
  virtual Value* blocks_y(Builder& b) = 0;           // of the launch, along the second axis

  // ---- memory

  virtual unsigned global_memory() const = 0;  // the address space of arrays
  // The address of an array of `count` elements that the threads of a block share.
  virtual Value* shared_array(Builder& b, llvm::Type* element, int64_t count) = 0;
  // Stores a number or a vector of up to 16 bytes under a predicate, not in a branch: LLVM would
  // move most of what the value is computed from into the branch. Shuffles cannot move, so all of
  // them would come first, with their results alive at once.
  virtual void store_if(Builder& b, Value* condition, Value* address, Value* value) = 0;
  // 16 bytes of an array that does not change while the kernel runs, as a vector. The caches evict
  // them first and keep what is read again.
  virtual Value* load_once(Builder& b, llvm::Type* vector, Value* address) = 0;

  // ---- threads together

  virtual void barrier(Builder& b) = 0;  // all threads of the block
  // The value of the thread `distance` further in the warp; negative: before this one. All threads
  // of the warp must come here. Beyond the ends of the warp the value is unspecified.
  virtual Value* shuffle(Builder& b, Value* value, int distance) = 0;

  // ---- arithmetic where LLVM's own instruction is wrong or slow on some machines; for any number
  // of lanes

  // Floating point to the nearest integer towards zero that the type has; NaN to 0.
  virtual Value* to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) = 0;
  // A value that is rounded to a narrower type next, so that both roundings happen: that of `value`
  // to its own type, and the next one.
  virtual Value* rounded(Builder& b, Value* value) = 0;
  // The first choice of a selection by a comparison of floating-point numbers, such that no minimum
  // or maximum is made of the selection: it chooses by order of operands where zeros are equal.
  virtual Value* first_choice(Builder& b, Value* value) = 0;
};

}  // namespace tutti::codegen
