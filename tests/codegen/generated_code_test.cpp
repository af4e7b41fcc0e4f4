// Generated code as text, compared with files of golden/, from which docs/architecture/codegen.md
// takes its listings. The files are those of LLVM 22 and of vectors of 512 bits: others order
// instructions differently.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <tutti/tutti.hpp>
#include <vector>

#include "codegen/codegen.hpp"
#include "codegen/ptx_of.hpp"
#include "support/golden.hpp"
#include "support/plan_of.hpp"

namespace tutti::test {
namespace {

class GeneratedCode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TUTTI_CODE_GOLDEN)) GTEST_SKIP() << "the source tree is not there";
    if (codegen::target_description().find(" 22 ") == std::string::npos)
      GTEST_SKIP() << "the golden files are those of LLVM 22";
  }
  static void compare(const std::string& name, const std::string& have) {
    expect_golden(std::filesystem::path(TUTTI_CODE_GOLDEN) / name, have,
                  "test_codegen --gtest_filter='GeneratedCode*'");
  }
};

using Line = Array<1, float>;

// Nodes are made one by one: the order in which operands are evaluated is the host compiler's.
Line norms() {
  const Line a(std::vector<float>(100'000, 1.0f)), b(std::vector<float>(100'000, 2.0f));
  const Line aa = a * a, bb = b * b, squares = aa + bb;
  return sqrt(squares);
}

// Without the lines about the machine.
std::string body_of(const std::string& module) {
  static const std::regex machine("(; ModuleID|source_filename|target |attributes |!).*");
  std::string result;
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);)
    if (!std::regex_match(line, machine)) result += line + "\n";
  return result;
}

TEST_F(GeneratedCode, OfACpu) {
  if (codegen::vector_bits() != 512) GTEST_SKIP() << "the vectors have other lengths";
  const auto plan = cpu_plan(norms());
  const auto kernels = kernels_of(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  compare("norms.ll", body_of(codegen::show_ir(kernels[0]->kernel, true)));
}

TEST_F(GeneratedCode, OfAGpu) {
  const auto kernels = testing::ptx_of(norms().nodes(), {90, 78});
  ASSERT_EQ(kernels.size(), 1u);
  compare("norms.ptx", kernels[0]);
}

}  // namespace
}  // namespace tutti::test
