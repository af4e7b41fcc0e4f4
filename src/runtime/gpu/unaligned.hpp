// Arrays that are not aligned for the wide accesses of a kernel. Tutti's arrays begin at multiples
// of 256 bytes; wrapped memory may begin anywhere. A kernel gets aligned copies of such arrays.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime::gpu {

struct UnalignedArray {
  int word;  // the argument that holds its address
  int64_t bytes;
  bool is_output;
};
// Allocates nothing if there are none, which is the usual case.
TUTTI_EXPORT std::vector<UnalignedArray> unaligned_arrays(const compiler::KernelStep& step,
                                                          std::span<const int64_t> words);

}  // namespace tutti::runtime::gpu
