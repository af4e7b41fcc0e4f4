// TUTTI_CHECK and ScopedChecks: faults are blamed on the operation, the element and the line.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "support/output_of.hpp"

namespace tutti::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

// What an evaluation under these checks says; "" if it finds no fault.
template <class F>
std::string fault(const std::string& checks, F compute) {
  const ScopedChecks on(checks);
  try {
    compute();
  } catch (const CheckError& error) {
    return error.what();
  }
  return "";
}

std::string here(int line) { return "check_test.cpp:" + std::to_string(line) + ")"; }

void expect_parts(const std::string& text, std::initializer_list<std::string> parts) {
  size_t at = 0;
  for (const std::string& part : parts) {
    const size_t found = text.find(part, at);
    EXPECT_NE(found, std::string::npos) << "'" << part << "' in\n" << text;
    if (found != std::string::npos) at = found + part.size();
  }
}

Array<1, float> floats(std::vector<float> data) { return Array<1, float>(data); }
Array<1, int> ints(std::vector<int> data) { return Array<1, int>(data); }

TEST(Check, BlamesTheOperationThatMadeNaN) {
  const Array<1, float> a = floats({1, 4, 2, 9});
  const int line = __LINE__ + 1;
  const Array<1, float> root = sqrt(a - 3.0f);
  const std::string text = fault("nan", [&] { (root * 2.0f + 1.0f).to_vector(); });
  expect_parts(text, {"check: NaN, made by sqrt for element [0] (", here(line), "sqrt(-2) = nan",
                      "-2: subtract(1, 3) = -2", "1: element [0] of an array of shape {4} is 1",
                      "it went on through multiply"});
}

TEST(Check, LeavesResultsReadable) {
  const Array<1, float> a = floats({1, -1});
  const Array<1, float> b = log(a);
  EXPECT_NE(fault("nan", [&] { b.evaluate(); }), "");
  EXPECT_EQ(b.to_vector()[0], 0.0f);
  EXPECT_TRUE(std::isnan(b.to_vector()[1]));
}

TEST(Check, IgnoresWhatIsNotChosen) {
  const Array<1, float> a = floats({1, -1, 4});
  EXPECT_EQ(fault("all", [&] { cond(a > 0.0f, sqrt(a), 0.0f * a).to_vector(); }), "");
  const Array<1, int> b = ints({1, 0, 4});
  EXPECT_EQ(fault("all", [&] { cond(b != 0, 100 / b, b).to_vector(); }), "");
  EXPECT_NE(fault("all", [&] { (100 / b).to_vector(); }), "");
}

TEST(Check, ChecksOnlyWhatIsAskedFor) {
  const Array<1, float> a = floats({0, 1});
  EXPECT_EQ(fault("nan", [&] { (1.0f / a).to_vector(); }), "");
  EXPECT_EQ(fault("", [&] { (a / a).to_vector(); }), "");
  expect_parts(fault("inf", [&] { (1.0f / a).to_vector(); }),
               {"an infinity, made by divide for element [0]", "divide(1, 0) = inf"});
}

TEST(Check, FollowsFaultsThroughReductionsAndMovedElements) {
  std::vector<float> data(35, 1.0f);
  data[3 * 7 + 2] = -1.0f;
  const Array<2, float> a(data, 5, 7);
  const Array<2, float> logs = log(a);
  expect_parts(fault("nan", [&] { sum(transpose(logs)).item(); }),
               {"NaN, made by log for element [3][2]", "log(-1) = nan"});
  const Array<1, float> large = floats({3e38f, 3e38f, 1});
  expect_parts(fault("inf", [&] { sum(large).item(); }),
               {"an infinity, made by sum", "sum(3e+38, 3e+38, 1) = inf"});
  expect_parts(fault("nan", [&] { sum_scan(sqrt(floats({4, 1, -9, 4}))).to_vector(); }),
               {"NaN, made by sqrt for element [2]"});
}

TEST(Check, NamesDataThatHoldsAFault) {
  const Array<1, float> a = floats({1, infinite});
  expect_parts(fault("inf", [&] { (a * 2.0f).to_vector(); }),
               {"an infinity, made by array for element [1]",
                "element [1] of an array of shape {2} is inf"});
}

TEST(Check, BlamesIntegersThatOverflow) {
  const Array<1, int> a = ints({1, 2'000'000'000, 3});
  expect_parts(fault("overflow", [&] { (a + a).to_vector(); }),
               {"an integer that does not fit its type, made by add for element [1]",
                "add(2000000000, 2000000000) = -294967296"});
  expect_parts(fault("overflow", [&] { (a * 2).to_vector(); }), {"multiply(2000000000, 2)"});
  expect_parts(fault("overflow", [&] { (-2'000'000'000 - a).to_vector(); }),
               {"subtract(-2000000000, 2000000000)"});
  expect_parts(fault("overflow", [&] { (7 % (a - 3)).to_vector(); }), {"remainder(7, 0) = 0"});
  expect_parts(fault("overflow", [&] { cast<int8_t>(a).to_vector(); }), {"cast(2000000000)"});
  expect_parts(fault("overflow", [&] { cast<int>(cast<float>(a) * 2.0f).to_vector(); }),
               {"cast(4e+09) = 2147483647"});
  expect_parts(fault("overflow", [&] { sum(a + ints({1, 1, 2'000'000'000})).item(); }),
               {"made by sum"});
  const Array<1, int64_t> wide = cast<int64_t>(a);
  expect_parts(fault("overflow", [&] { (wide * wide * wide).to_vector(); }),
               {"multiply(4000000000000000000, 2000000000)"});
  EXPECT_EQ(fault("overflow", [&] { (a / 2 + a / 4).to_vector(); }), "");
  EXPECT_EQ(fault("overflow", [&] { (cast<uint32_t>(a) * 5u).to_vector(); }), "");
  EXPECT_EQ(fault("overflow", [&] { uniform<float>(Random(7), Shape<1>(1000)).to_vector(); }), "");
}

TEST(Check, BlamesIndicesOutOfRange) {
  const Array<1, float> a = floats({1, 2, 3});
  const Array<1, int> i = ints({0, 2, 5});
  expect_parts(fault("bounds", [&] { gather(a, i + 1).to_vector(); }),
               {"an index out of range, made by gather for element [1]",
                "there is no element [3] in an array of shape {3}", "3: add(2, 1) = 3"});
  EXPECT_EQ(fault("bounds", [&] { gather(a, Boundary::wrap(), i).to_vector(); }), "");
  EXPECT_EQ(fault("bounds", [&] { gather(a, i / 3).to_vector(); }), "");
}

TEST(Check, BlamesStatementsOfPrograms) {
  const Array<1, int> counts = ints({3, 5, 40});
  Program powers = TUTTI_BEGIN {
    In<Value1i> n;
    Out<Value1i> result = 1;
    TUTTI_FOR(Value1i k = 0, k < n, k += 1) { result *= 3; }
    TUTTI_ENDFOR;
  }
  TUTTI_END;
  expect_parts(fault("overflow", [&] { Array<1, int>(powers(counts)).to_vector(); }),
               {"an integer that does not fit its type, made by multiply for element [2]",
                "multiply(1162261467, 3) = -808182895"});
  EXPECT_EQ(fault("overflow", [&] { Array<1, int>(powers(counts / 4)).to_vector(); }), "");

  const Array<1, float> table = floats({1, 2, 3});
  Program walk = TUTTI_BEGIN {
    In<Value1i> n;
    Out<Value1f> total = 0.0f;
    TUTTI_FOR(Value1i k = 0, k < n, k += 1) { total += table[k]; }
    TUTTI_ENDFOR;
  }
  TUTTI_END;
  expect_parts(fault("bounds", [&] { Array<1, float>(walk(counts)).to_vector(); }),
               {"an index out of range, made by gather for element [1]",
                "there is no element [3] in an array of shape {3}"});
}

TEST(Check, BlamesNaNOfPrograms) {
  Program roots = TUTTI_BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x;
    Value1i k = 0;
    TUTTI_WHILE(k < 4) {
      y = sqrt(y - 1.0f);
      k += 1;
    }
    TUTTI_ENDWHILE;
  }
  TUTTI_END;
  expect_parts(fault("nan", [&] { Array<1, float>(roots(floats({1e9f, 2}))).to_vector(); }),
               {"NaN, made by sqrt for element [1]", "sqrt(-1) = nan"});
}

TEST(Check, CoversVecExpressionsAndSequences) {
  const Vec<float> v(std::vector<float>{1, 0});
  Vec<float> w(2);
  expect_parts(fault("nan", [&] { w = v / v; }), {"NaN, made by divide for element [1]"});
  const Seq<int> s = std::vector<int>{1, 2'000'000'000};
  expect_parts(fault("overflow", [&] { (s * 2).to_vector(); }), {"multiply(2000000000, 2)"});
  EXPECT_EQ(fault("all", [&] { sort(s).to_vector(); }), "");
}

TEST(Check, RefusesOtherWords) {
  try {
    const ScopedChecks on("nan,zero");
    FAIL() << "no error";
  } catch (const Error& error) {
    expect_parts(error.what(),
                 {"ScopedChecks: 'nan,zero' is not a list of checks; write nan, inf"});
  }
}

TEST(Check, IsReadFromTheEnvironment) {
  const auto probe =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("test_check_probe");
  expect_parts(output_of("TUTTI_CHECK=nan,overflow " + probe.string() + " 2>&1"),
               {"check: NaN, made by log for element [1]", "check_probe.cpp:"});
  expect_parts(output_of(probe.string() + " 2>&1"), {"done"});
  expect_parts(output_of("TUTTI_CHECK=nans " + probe.string() + " 2>&1"),
               {"TUTTI_CHECK", "is not nan, inf, overflow, bounds or all", "done"});
}

}  // namespace
}  // namespace tutti::test
