// The instruction set of a GPU, as far as the emitters of kernels need it. There is one
// implementation for each family of GPUs; emitters name none. An object belongs to one module and
// may record what the module has used.
//
// Emitters rely on these properties beyond the types:
// - a warp has 32 threads. A family with other groups offers shuffles within 32 of their threads;
// - threads of a block are numbered row by row, and 32 consecutive ones are a warp;
// - a thread sees all stores of its block to shared memory that come before a barrier.
#pragma once
#include <llvm/IR/Module.h>

#include <span>

#include "codegen/emit/builder.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::codegen {

constexpr int warp_threads = 32;

// A parameter of a kernel, in the form in which `launch` packs its words. By value: the words are
// the parameter, and the kernel gets their address.
struct GpuParameter {
  llvm::Type* type;
  bool by_value = false;
  bool read_only = false;  // an array that is not written while the kernel runs
};

// Bounds that an assembler may rely on; 0: no such bound.
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
  // Returns parameter i. The builder is in the first block of the kernel.
  virtual Value* parameter(Builder& b, unsigned i) = 0;

  // ---- the position of a thread, as i32

  virtual Value* thread(Builder& b, Axis axis) = 0;  // in its block
  virtual Value* block(Builder& b, Axis axis) = 0;   // in the launch
  virtual Value* blocks_y(Builder& b) = 0;           // of the launch, along the second axis

  // ---- memory

  virtual unsigned global_memory() const = 0;  // the address space of arrays
  // Returns the address of an array of `count` elements that the threads of a block share.
  virtual Value* shared_array(Builder& b, llvm::Type* element, int64_t count) = 0;
  // Stores a scalar or a vector of up to 16 bytes under a predicate, not in a branch: LLVM would
  // sink most of the computation of the value into the branch. Shuffles cannot move, so all of them
  // would come first, with their results live at the same time.
  virtual void store_if(Builder& b, Value* condition, Value* address, Value* value) = 0;
  // Loads 16 bytes of an array that does not change while the kernel runs, as a vector. The caches
  // evict these bytes first and keep data that is read again.
  virtual Value* load_once(Builder& b, llvm::Type* vector, Value* address) = 0;

  // ---- cooperation of threads

  virtual void barrier(Builder& b) = 0;  // all threads of the block
  // Returns the value of the thread `distance` positions after this one in the warp; negative:
  // before it. All threads of the warp must execute it. Beyond the ends of the warp the value is
  // unspecified.
  virtual Value* shuffle(Builder& b, Value* value, int distance) = 0;

  // ---- arithmetic where LLVM's own instruction is wrong or slow on some machines; for any number
  // of lanes

  // Converts floating point to the nearest representable integer towards zero; NaN to 0.
  virtual Value* to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) = 0;
  // Protects a value that is rounded to a narrower type next, so that both roundings happen: the
  // rounding of `value` to its own type, and the next one.
  virtual Value* rounded(Builder& b, Value* value) = 0;
  // Protects the first choice of a selection by a floating-point comparison, so that the selection
  // does not become a minimum or maximum, which may choose differently between equal zeros.
  virtual Value* first_choice(Builder& b, Value* value) = 0;
  // Applies an operation of fast_ops.def. Returns null if there is no code for it that is faster
  // than the exact operation's.
  virtual Value* fast(Builder& b, Op op, std::span<Value* const> operands) = 0;
};

}  // namespace tutti::codegen
