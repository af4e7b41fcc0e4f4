// Plans of what arrays need, for tests of the compiler: nothing runs, and no device is needed.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "passes/collect.hpp"
#include "passes/plan.hpp"
#include "target/avx512.hpp"
#include "target/h200.hpp"

namespace tutti::test {

inline std::unique_ptr<passes::Plan> plan_of(std::span<const detail::NodeRef> roots,
                                             const target::Target& target) {
  std::lock_guard lock(ir::graph_mutex());
  passes::Collected collected;
  EXPECT_TRUE(passes::collect(roots, collected));
  return passes::make_plan(passes::copy_graph(collected), target);
}

template <class A>
std::unique_ptr<passes::Plan> gpu_plan(const A& array) {
  return plan_of(array.nodes(), target::h200);
}
template <class A>
std::unique_ptr<passes::Plan> cpu_plan(const A& array) {
  return plan_of(array.nodes(), target::avx512);
}

// The kernels that run by themselves.
inline std::vector<const passes::KernelStep*> kernels_of(const passes::Plan& plan) {
  std::vector<const passes::KernelStep*> kernels;
  for (const passes::Step& step : plan.steps)
    if (const auto* kernel = std::get_if<passes::KernelStep>(&step)) kernels.push_back(kernel);
  return kernels;
}

}  // namespace tutti::test
