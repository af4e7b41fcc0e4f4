// Floats of 32 bits: every evaluator computes in them, and prints what they hold.
#include <gtest/gtest.h>

#include "nesl/eval/precision.hpp"
#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

class SinglePrecision : public testing::Test {
 protected:
  SinglePrecision() { nesl::set_precision(nesl::Precision::single); }
  ~SinglePrecision() override { nesl::set_precision(nesl::Precision::full); }

  // The value in all evaluators, also inside an apply-to-each.
  static void expect(const std::string& expression, const std::string& value) {
    for (Mode mode : {Mode::plain, Mode::flat, Mode::mixed}) {
      EXPECT_EQ(value_of(expression + ";", mode), value) << expression;
      EXPECT_EQ(value_of("{" + expression + " : one in [1.0, 1.0]};", mode),
                "[" + value + ", " + value + "]")
          << expression;
    }
  }
};

TEST_F(SinglePrecision, Arithmetic) {
  expect("let one = 1.0 in 16777216.0 + one", "1.677722e7");
  expect("let one = 1.0 in 16777216.0 + one == 16777216.0", "T");
  expect("let one = 1.0 in one / 3.0", "0.3333333");
  expect("let one = 1.0 in 0.1 * one + 0.2", "0.3");
  expect("let one = 1.0 in (one / 3.0) * 3.0 == one", "T");
  expect("let one = 1.0 in 1.0e30 * one * 1.0e10", "infinity");
  expect("let one = 1.0 in max(one, 0.1) + abs(-0.1)", "1.1");
  expect("2.0^20", "1048576.0");
}

// The mathematics of 32 bits, to the bit: differences from exact numbers are scaled up.
TEST_F(SinglePrecision, Mathematics) {
  for (const char* name :
       {"sqrt", "ln", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"}) {
    const std::string form =
        std::string("{(") + name + "(x) - 0.5) * 1.0e6 : x in [0.1, 0.35, 0.9]};";
    const std::string right = value_of(form, Mode::plain);
    EXPECT_EQ(value_of(form, Mode::flat), right) << name;
    EXPECT_EQ(right.find("rror"), std::string::npos) << right;
  }
  expect("sqrt(2.0)", "1.414214");
  expect("pi", "3.141593");
  expect("exp(1.0)", "2.718282");
}

TEST_F(SinglePrecision, Conversions) {
  expect("float(16777217)", "1.677722e7");
  expect("float_num(16777217) == 16777216.0", "T");
  expect("round(float(16777217))", "16777216");
  expect("floor(2.7), ceil(2.2), trunc(-2.7), round(2.5)", "(2, 3, -2, 3)");
  expect("@0.1, @(1.0 / 3.0)", "(\"0.1\", \"0.3333333\")");
  expect("parse_float(\"0.1\")", "(0.1, T)");
  expect("first(parse_float(\"16777217\")) == 16777216.0", "T");
}

TEST_F(SinglePrecision, Sequences) {
  const std::string data = "a = {sqrt(float(i)) : i in [0:100]};\n";
  for (const char* form :
       {"sum(a);", "{sum(take(a, n)) : n in [0:40]};", "product({1.0 + x / 50.0 : x in a});",
        "max_val(a), min_val(a), max_index(a);", "sort(reverse(a))[50], rank(a)[7];",
        "max_val([] float), min_val([] float), sum([] float);", "take(a, 5) ++ [0.1];"}) {
    const std::string right = value_of(data + form, Mode::plain);
    EXPECT_EQ(value_of(data + form, Mode::flat), right) << form;
    EXPECT_EQ(value_of(data + form, Mode::mixed), right) << form;
  }
  expect("sum(dist(0.1, 10))", "1.0");
}

TEST_F(SinglePrecision, RandomNumbersAreTheSame) {
  const std::string form = "{rand(x) : x in dist(1.0, 20)};";
  EXPECT_EQ(value_of(form, Mode::flat), value_of(form, Mode::plain));
  EXPECT_EQ(value_of("all({rand(x) < x : x in dist(3.0, 1000)});", Mode::flat), "T");
}

}  // namespace
}  // namespace tutti::nesl_test
