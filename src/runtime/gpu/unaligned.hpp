// Arrays that begin where the wide accesses of a kernel may not. Arrays of ours begin at multiples
// of 256 bytes; memory that was wrapped begins anywhere. A kernel gets aligned copies of it.
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
// Without allocation if there is none, as nearly always.
TUTTI_EXPORT std::vector<UnalignedArray> unaligned_arrays(const compiler::KernelStep& step,
                                                          std::span<const int64_t> words);

}  // namespace tutti::runtime::gpu
