// Background assignments: `name &= exp`.
#include <gtest/gtest.h>

#include <chrono>

#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* slow =
    "function work(n) = if n == 0 then 0 else work(n - 1);\n"
    "function slow(k) = sum({* work(1000) : x in [0:k]});\n";

TEST(Background, GetWaitsForTheValue) {
  const std::string output = run(std::string(slow) + "y &= slow(2000) + 7; get y; y + 1;").output;
  EXPECT_TRUE(has(output, "y = 7 : int")) << output;
  EXPECT_TRUE(has(output, "it = 8 : int")) << output;
}

TEST(Background, ANameThatIsUsedIsWaitedFor) {
  EXPECT_TRUE(has(run(std::string(slow) + "y &= slow(500); y + 1;").output, "it = 1 : int"));
}

TEST(Background, TheSessionGoesOn) {
  const auto begin = std::chrono::steady_clock::now();
  // Given up when the session ends; to the end it would take minutes.
  EXPECT_TRUE(has(run(std::string(slow) + "y &= slow(1000000); 1 + 1;").output, "it = 2 : int"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Background, FunctionsMayBeRedefinedMeanwhile) {
  const std::string output =
      run(std::string(slow) + "y &= slow(300) + 1; function work(n) = n; work(5); get y;").output;
  EXPECT_TRUE(has(output, "it = 5 : int")) << output;
  EXPECT_TRUE(has(output, "y = 1 : int")) << output;
}

TEST(Background, LargeValuesAreShared) {
  const std::string output =
      run("a = {x * 2 : x in [0:100000]}; y &= sum({x and 1023 : x in a}); z &= max_val(a);\n"
          "b = sum({x and 1023 : x in a}); get y; y == b; get z;")
          .output;
  EXPECT_TRUE(has(output, "it = T : bool")) << output;
  EXPECT_TRUE(has(output, "z = 199998 : int")) << output;
}

TEST(Background, OutputAndErrorsComeWithGet) {
  const std::string output =
      run("y &= (let p = print_line(\"from behind\") in 1 / 0); 2; get y;").output;
  EXPECT_LT(output.find("it = 2"), output.find("from behind")) << output;
  EXPECT_TRUE(has(output, "RUNTIME ERROR: division by zero")) << output;
}

TEST(Background, Options) {
  const std::string output =
      run(std::string(slow) + "y &= slow(1000000), max_time := 0.2, mem := 1000; get y;").output;
  EXPECT_TRUE(has(output, "the time limit is over")) << output;
  EXPECT_FALSE(run("y &= 1, colour := 2;").good);
  EXPECT_FALSE(run("(y, z) &= (1, 2);").good);
  EXPECT_FALSE(run("get nothing;").good);
}

}  // namespace
}  // namespace tutti::nesl_test
