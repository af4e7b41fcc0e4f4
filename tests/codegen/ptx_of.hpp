// The PTX of the kernels that arrays need, for tests of generated code.
#pragma once
#include <gtest/gtest.h>

#include <regex>
#include <span>
#include <string>
#include <vector>

#include "codegen/nvptx/ptx.hpp"
#include "support/plan_of.hpp"

namespace tutti::testing {

inline std::vector<std::string> ptx_of(std::span<const detail::NodeRef> roots,
                                       const codegen::PtxTarget& target) {
  const auto plan = test::plan_of(roots, target::h200);
  std::vector<std::string> result;
  for (const compiler::Step& step : plan->steps) {
    if (const auto* kernel = std::get_if<compiler::KernelStep>(&step))
      result.push_back(codegen::compile_ptx(kernel->kernel, target));
    if (const auto* product = std::get_if<compiler::ProductStep>(&step))
      result.push_back(codegen::compile_product_ptx(*product, target));
  }
  return result;
}

template <int D, class T>
std::string only_kernel(const Array<D, T>& a) {
  const auto kernels = ptx_of(a.nodes(), {90, 78});
  EXPECT_EQ(kernels.size(), 1u);
  return kernels.empty() ? "" : kernels[0];
}

inline bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// The first line with arithmetic of 8 or 16 bits, empty if there is none. To move bits is no
// arithmetic: LLVM takes words apart so. Nor are comparisons, choices and conversions.
inline std::string narrow_arithmetic(const std::string& ptx) {
  static const std::regex arithmetic(
      "[^\n]*\\b(add|sub|neg|abs|mul(?!\\.wide)|mad|min|max|div|rem|sad|brev|popc|clz|shr(?=\\.s))"
      "(\\.[a-z0-9]+)*\\.[sub](8|16)(x2)?\\b[^\n]*");
  std::smatch found;
  return std::regex_search(ptx, found, arithmetic) ? found.str() : "";
}

}  // namespace tutti::testing
