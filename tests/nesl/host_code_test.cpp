// The code that the host runs: arguments that are tuples, names for their components, frames of
// different sizes, and expressions that are evaluated once.
#include <gtest/gtest.h>

#include "nesl/eval/value_stack.hpp"
#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

void expect(const std::string& program, const std::string& value) {
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::automatic})
    EXPECT_EQ(value_of(program, mode), value) << program << static_cast<int>(mode);
}

TEST(HostCode, TuplesAreTakenApart) {
  // Written as pairs, as a variable, as the result of a call, and as parts of another tuple.
  expect(
      "function less((a, b), c) = (c, a - b);\n"
      "function again(x) = less(x);\n"
      "function swap(x, y) = (y, x);\n"
      "let p = ((9, 4), 2) in (less((7, 3), 1), less(p), again(p), less(swap(5, (8, 6))));",
      "((1, 4), (2, 5), (2, 5), 5, 2)");
}

TEST(HostCode, TheWholeTupleIsPutTogether) {
  expect(
      "function all_of(x) = let (a, b, c) = x; (d, other) = x in (a, other, x, {x : i in [0:2]});\n"
      "all_of(1, 2.5, \"three\");",
      "(1, (2.5, \"three\"), (1, 2.5, \"three\"), "
      "[(1, 2.5, \"three\"), (1, 2.5, \"three\")])");
}

TEST(HostCode, FieldsOfRecordsAreNoComponents) {
  expect(
      "datatype point(float, float);\n"
      "function minus(point(a, b), point(c, d)) = point(a - c, b - d);\n"
      "function both((p, q), r) = minus(minus(p, q), r);\n"
      "both((point(5.0, 6.0), point(1.0, 1.0)), point(0.5, 0.25));",
      "point(3.5, 4.75)");
}

TEST(HostCode, CapturedValuesComeBeforeTheParameter) {
  expect(
      "function applied(g, x) = g(x);\n"
      "let k = 10; s = [1, 2] in applied((a, b) => (k * a + b, s, b), (3, 4));",
      "(34, [1, 2], 4)");
}

// Each calls a function with a frame of another size in the place of its own.
TEST(HostCode, TailCallsReplaceFramesOfOtherSizes) {
  expect(
      "function odd(n) : int -> int;\n"
      "function even(n) = if n == 0 then 0 else odd(n - 1);\n"
      "function odd(n) = if n == 0 then 1 else\n"
      "  let a = n - 1; b = a + 1; c = (a, b); (d, e) = c in even(d + e - b);\n"
      "(even(100000), even(77777), odd(3));",
      "(0, 1, 0)");
}

TEST(HostCode, ExpressionsWithoutVariablesAreEvaluatedOnce) {
  expect("{{x + y + #[0:5] : y in [1, 2] | y < #[0:2]} : x in [10, 20]};", "[[16], [26]]");
}

TEST(HostCode, FiltersEvaluateTheirBodyForAllElements) {
  for (Mode mode : {Mode::plain, Mode::flat, Mode::mixed, Mode::automatic})
    EXPECT_NE(run("{10 / x : x in [5, 0, 2] | x > 0};", mode).output.find("division by zero"),
              std::string::npos);
}

// Long enough for several blocks, of which the last one is not full.
TEST(HostCode, BlocksOfElements) {
  const std::string data =
      "function clipped(x, low) = if x < low then low else x;\n"
      "s = {rem(i * 7919, 1000) : i in [0:600]};\nflags = {rem(i, 3) == 0 : i in [0:600]};\n"
      "function checked(r) = (#r, r[0], r[255], r[256], r[599]);\n";
  expect(data + "checked({x * 2 + y : x in s; y in [0:600]});", "(600, 0, 945, 784, 1561)");
  expect(data + "checked({clipped(x, 500) + (let d = x - 1 in d * d) : x in s});",
         "(600, 501, 118836, 69669, 230900)");
  expect(data + "checked({if q then float(x) / 4.0 else 0.5 : x in s; q in flags});",
         "(600, 0.0, 86.25, 0.5, 0.5)");
  expect(data + "checked({s[rem(x, 600)] : x in s});", "(600, 0, 55, 616, 39)");
  expect(data + "checked({code_char(97 + rem(x, 26)) : x in s});", "(600, `a, `h, `e, `n)");
  expect(data + "{x in s | x > 990};", "[993, 996, 999, 992]");
}

// An element that an operation cannot be applied to: alone it decides what happens.
TEST(HostCode, BlocksThatFail) {
  const std::string data = "s = {i - 300 : i in [0:600]};\n";
  expect(data + "sum({if x == 0 then 7 else 600 / x : x in s});", "5");
  expect(data + "sum({if x < 0 then 1 else s[x] : x in s});", "-44850");
  for (const char* program : {"{600 / x : x in s};", "{s[x] : x in s};"})
    EXPECT_FALSE(run(data + program, Mode::plain).good) << program;
}

TEST(HostCode, FiltersOfEveryType) {
  expect(
      "let s = [3, 0, 2] in ({x in s | x > 0}, {float(x) : x in s | x > 0}, {x == 2 : x in s | x > "
      "0},\n"
      "  {`a : x in s | x > 0}, {[x] : x in s | x > 5}, {(x, y) : x in s; y in s | x == y});",
      "([3, 2], [3.0, 2.0], [F, T], \"aa\", [], [(3, 3), (0, 0), (2, 2)])");
}

TEST(ValueStack, FramesSurviveNewChunks) {
  nesl::ValueStack stack;
  const nesl::ValueStack::Frame first(stack, 3000);
  first.slots()[2999] = 7;
  {
    const nesl::ValueStack::Frame second(stack, 3000);  // in another chunk
    second.slots()[0] = 8;
    nesl::ValueStack::Frame third(stack, 100);
    third.slots()[0] = 9;
    third.replace({nesl::Value(1), nesl::Value(2)}, 9000);
    EXPECT_EQ(third.size(), 9000u);
    EXPECT_EQ(third.slots()[1].integer(), 2);
    EXPECT_EQ(third.slots()[8999].integer(), 0);
    EXPECT_EQ(second.slots()[0].integer(), 8);
  }
  const nesl::ValueStack::Frame fourth(stack, 50);
  EXPECT_EQ(fourth.slots()[0].integer(), 0);
  EXPECT_EQ(first.slots()[2999].integer(), 7);
}

}  // namespace
}  // namespace tutti::nesl_test
