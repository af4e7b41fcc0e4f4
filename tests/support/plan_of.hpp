// Plans of what arrays need, for tests of the compiler: nothing runs, and no device is needed.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"
#include "target/avx512.hpp"
#include "target/h200.hpp"

namespace tutti::test {

inline std::unique_ptr<compiler::Plan> plan_of(std::span<const detail::NodeRef> roots,
                                               const target::Target& target) {
  std::lock_guard lock(ir::graph_mutex());
  compiler::Collected collected;
  EXPECT_TRUE(compiler::collect(roots, collected));
  return compiler::make_plan(compiler::copy_graph(collected), target);
}

template <class A>
std::unique_ptr<compiler::Plan> gpu_plan(const A& array) {
  return plan_of(array.nodes(), target::h200);
}
template <class A>
std::unique_ptr<compiler::Plan> cpu_plan(const A& array) {
  return plan_of(array.nodes(), target::avx512);
}

// The kernels that run by themselves.
inline std::vector<const compiler::KernelStep*> kernels_of(const compiler::Plan& plan) {
  std::vector<const compiler::KernelStep*> kernels;
  for (const compiler::Step& step : plan.steps)
    if (const auto* kernel = std::get_if<compiler::KernelStep>(&step)) kernels.push_back(kernel);
  return kernels;
}

}  // namespace tutti::test
