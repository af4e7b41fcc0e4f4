// Vector primitives of GPUs: functions of kernels/gpu, compiled to bitcode by clang when the
// library is built, and specialised here. Code that computes and combines elements is emitted,
// linked and inlined. The kernel has one parameter: the words of the fused kernels, then
// `argument_words` words with the arguments of the function.
#pragma once
#include <cstdint>
#include <string>

#include "compiler/kernel/kernel.hpp"
#include "core/caching/kernel_id.hpp"

namespace tutti::codegen {

constexpr int argument_words = 32;

struct GpuPrimitive {
  std::string function;
  const compiler::Kernel* elements = nullptr;
  ElementType type{};  // of the combined elements, if the function combines
  Reduction reduction{};
  int threads = 256;  // of a block
  int resident = 0;   // blocks that a multiprocessor is to hold; 0: no requirement
  int key_kind = 0;   // gpu::KeyKind, if it orders keys
  bool descending = false;
  const compiler::Kernel* values = nullptr;    // of a pack: computes the packed values
  const compiler::Kernel* consumer = nullptr;  // takes the results...
  int consumed = -1;                           // ...as this source
  // Of the kernels, if known: writing their keys takes microseconds.
  const KernelId *elements_id = nullptr, *values_id = nullptr, *consumer_id = nullptr;
};

// Everything besides the target that the code depends on. `bitcode` is a hash of the bitcode of all
// primitives.
std::string primitive_key(const GpuPrimitive& primitive, uint64_t bitcode);

}  // namespace tutti::codegen
