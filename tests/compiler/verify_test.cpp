// Verifiers reject graphs, kernels and plans that break an invariant, and name the violation.
#include "compiler/verify.hpp"

#include <gtest/gtest.h>

#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

// What the verifier says of a plan; empty if nothing is wrong.
std::string fault_of(const compiler::Plan& plan) {
  try {
    compiler::verify(plan, "a test");
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

class VerifyPlan : public testing::Test {
 protected:
  const Array<1, float> a_{std::vector<float>(1000, 1.0f)};
  const std::unique_ptr<compiler::Plan> plan_ = cpu_plan(a_ / sum(a_));
};

TEST_F(VerifyPlan, TakesWhatWasPlanned) {
  ASSERT_EQ(plan_->steps.size(), 2u);
  EXPECT_EQ(fault_of(*plan_), "");
}

TEST_F(VerifyPlan, RefusesReadsBeforeWrites) {
  std::swap(plan_->steps[0], plan_->steps[1]);
  EXPECT_NE(fault_of(*plan_).find("which no earlier step writes, after a test"), std::string::npos);
}

TEST_F(VerifyPlan, RefusesResultsThatNoStepWrites) {
  plan_->steps.pop_back();
  EXPECT_NE(fault_of(*plan_).find("which is kept, after a test"), std::string::npos);
}

TEST(VerifyKernel, RefusesKernelsWithoutASchedule) {
  const Array<1, float> a(std::vector<float>(1000, 1.0f));
  const auto plan = gpu_plan(a * 2.0f);
  compiler::Kernel kernel = kernels_of(*plan).at(0)->kernel;
  EXPECT_NO_THROW(compiler::verify(kernel));
  kernel.schedule = std::monostate();
  EXPECT_THROW(compiler::verify(kernel), InternalError);
}

}  // namespace
}  // namespace tutti::test
