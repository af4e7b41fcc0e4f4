// Recursions of scalars inside apply-to-each, which run as one kernel. Their answers and errors are
// those of the other evaluators. The number of kernels does not grow with the number of calls.
#include <gtest/gtest.h>

#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

// The same error, with the same line, in every mode.
void expect_error(const std::string& program, const std::string& text) {
  const std::string plain = run(program, Mode::plain).output;
  EXPECT_NE(plain.find(text), std::string::npos) << plain;
  for (Mode mode : all_modes)
    EXPECT_EQ(run(program, mode).output, plain) << program << static_cast<int>(mode);
}

TEST(CapturedLoop, TakesNoMoreEvaluationsForMoreCalls) {
  const auto loop = [](int calls) {
    return "function go(x, n) = if n == 0 then x else go(rem(x * 7 + n, 1009), n - 1);\n"
           "sum({go(i, rem(i, 4) + " +
           std::to_string(calls) + ") : i in [0:1000]});";
  };
  EXPECT_EQ(evaluations_of(loop(10)), evaluations_of(loop(900)));
  // A round has a limited number of calls; each is twice as long as the one before.
  EXPECT_LE(evaluations_of(loop(20000)), 8 * evaluations_of(loop(10)));
  EXPECT_EQ(value_of(loop(20000), Mode::flat), value_of(loop(20000), Mode::plain));
}

TEST(CapturedLoop, InstancesLeaveInDifferentRounds) {
  expect_everywhere(
      "function count(n, k) = if n == k then k else count(n, k + 1);\n"
      "{count(n, 0) : n in [0, 1023, 1024, 1025, 5, 3071, 3072, 3073, 9000, 1]};",
      "[0, 1023, 1024, 1025, 5, 3071, 3072, 3073, 9000, 1]");
}

TEST(CapturedLoop, ReadsSequencesThatStayAsTheyAre) {
  // One that all elements share, one of their own, of pairs, of flags, and a global one.
  expect_everywhere(
      "table = [5, 7, 11];\n"
      "function walk(s, (own, pairs), flags, i, total) =\n"
      "  if i == #s then (total, #own)\n"
      "  else let (x, c) = pairs[i];\n"
      "           more = if flags[i] then s[i] * own[rem(i, #own)] else table[rem(i, #table)]\n"
      "       in walk(s, (own, pairs), flags, i + 1, total + more + x + char_code(c));\n"
      "let s = [1, 2, 3, 4] in\n"
      "{walk(s, ({10 * j : j in [1:k + 2]}, zip(s, \"abcd\")), [t, f, t, f], rem(k, 3), 0)\n"
      " : k in [0:5]};",
      "[(456, 1), (348, 2), (301, 3), (516, 4), (408, 5)]");
}

TEST(CapturedLoop, HasConditionsCallsAndTuples) {
  const std::string program =
      "function half(n) = if even(n) then n / 2 else (n - 1) / 2;\n"
      "function step((a, b), c) = if a > b then ((half(a), b + 1), not(c)) else ((b, a - 1), c);\n"
      "function go(p, c, n) =\n"
      "  let (q, d) = step(p, c); (a, b) = q\n"
      "  in if n == 0 then (p, c, `x) else if a < -5 then ((n, b), d, `y) else go(q, d, n - 1);\n"
      "{go((i, 3 * i - 7), i > 2, i + 4) : i in [0:6]};";
  expect_everywhere(program, value_of(program, Mode::plain));
}

TEST(CapturedLoop, ReportsErrorsAsOthersDo) {
  expect_error(
      "function go(n, k) = if n == 0 then k\n"
      "  else go(n - 1, k + 100 / (n - 5));\n"
      "{go(n, 0) : n in [1, 2, 9, 3]};",
      "division by zero");
  expect_error(
      "function go(s, n) = if s[n] == 0 then n\n  else go(s, n + s[n]);\n"
      "let s = [1, 3, 0, 1, 2, 4] in {go(s, n) : n in [0, 2, 1, 5]};",
      "there is no element 6 in a sequence of 6");
  expect_error(
      "function go(x, n) = if n == 0 then x else go(sqrt(x) - 1.0, n - 1);\n"
      "{go(float(i) + 4.0, 5) : i in [0:4]};",
      "square root");
}

TEST(CapturedLoop, SidesThatAreNotTakenDoNotFail) {
  expect_everywhere(
      "function go(s, n, k) =\n"
      "  if n == 0 then k\n"
      "  else let more = if n > #s then 1 else s[n - 1]; other = if k == 0 then 0 else 12 / k\n"
      "       in go(s, n - 1, k + more - other);\n"
      "{go([3, 1], n, 0) : n in [0, 1, 2, 3, 4]};",
      "[0, 3, -8, -6, -4]");
}

TEST(CapturedLoop, StopsAtTheTimeLimit) {
  const std::string program =
      "function g(n) = if n < 0 then n else g(rem(n + 1, 1000));\n{g(i) : i in [0:100]};";
  nesl::with_large_stack([&] {
    std::string output;
    nesl::Session session([&](const std::string& written) { output += written; });
    session.evaluation().mode = Mode::flat;
    session.machine().set_time_limit(0.2);
    EXPECT_FALSE(session.run(std::make_shared<nesl::Source>(nesl::Source{"x", program}), true));
    EXPECT_NE(output.find("the time limit is over"), std::string::npos) << output;
  });
}

}  // namespace
}  // namespace tutti::nesl_test
