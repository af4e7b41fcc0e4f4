// Recursion inside apply-to-each: how often graphs are run and how much memory stays in use. A tail
// call is a loop, and calls of one function in several branches are made together.
#include <gtest/gtest.h>

#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"
#include "support/compare.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

const char* const search =
    "function search(s, x, low, high) =\n"
    "  if high - low <= 1 then low\n"
    "  else let middle = (low + high) / 2\n"
    "       in if s[middle] > x then search(s, x, low, middle) else search(s, x, middle, high);\n";

TEST(Recursion, CallsInBothBranchesAreMadeTogether) {
  const auto form = [](int n) {
    const std::string size = std::to_string(n);
    return std::string(search) + "let s = {3 * i : i in [0:" + size +
           "]} in sum({search(s, rem(i * 7919, 3 * " + size + "), 0, #s) : i in [0:" + size +
           "]});";
  };
  expect_everywhere(form(64), "2059");
  // Four times the elements are two more rounds, not four times the calls.
  const int64_t few = evaluations_of(form(64)), many = evaluations_of(form(1024));
  EXPECT_LT(many, 2 * few);
}

TEST(Recursion, CallsOnSeveralLevelsOfBranches) {
  expect_everywhere(
      "function collatz(n, steps) =\n"
      "  if rem(n, 2) == 0 then collatz(n / 2, steps + 1)\n"
      "  else if n == 1 then steps else collatz(3 * n + 1, steps + 1);\n"
      "{collatz(n, 0) : n in [1, 27, 6, 97, 1]};",
      "[0, 111, 8, 118, 0]");
}

TEST(Recursion, ResultsThatAreSequences) {
  expect_everywhere(
      "function grow(s, n) =\n"
      "  if n == 0 then (s, [s]) else if rem(n, 3) == 0 then grow(s ++ [n, n], n - 1)\n"
      "  else if n == 7 then (reverse(s), [s, s]) else grow(s ++ [n], n - 1);\n"
      "{grow([n], n) : n in [0, 2, 8, 5, 0]};",
      "[([0], [[0]]), ([2, 2, 1], [[2, 2, 1]]), ([8, 8], [[8, 8], [8, 8]]), "
      "([5, 5, 4, 3, 3, 2, 1], [[5, 5, 4, 3, 3, 2, 1]]), ([0], [[0]])]");
}

TEST(Recursion, CallsOfSeveralFunctions) {
  expect_everywhere(
      "function twice(n, k) = if n > 3 then k else 2 * k;\n"
      "function go(n, k) = if n == 0 then k else if rem(n, 5) == 0 then twice(n, k)\n"
      "  else if n > 100 then twice(k, n) else go(n - 1, k + n);\n"
      "{go(n, 1) : n in [0, 1, 7, 4, 200, 101]};",
      "[1, 2, 14, 11, 1, 202]");
}

TEST(Recursion, TailCallsDropWhatTheyNoLongerNeed) {
  const auto peak_of = [](int rounds) {
    const std::string program =
        "function go(x, n) = if n == 0 then x else go(rem(x * 7 + n, 1009), n - 1);\n"
        "sum({go(i, rem(i, 4) + " +
        std::to_string(rounds) + ") : i in [0:20000]});";
    const int64_t before = statistics().peak_bytes_in_use;
    EXPECT_TRUE(run(program, Mode::flat).good);
    return statistics().peak_bytes_in_use - before;
  };
  peak_of(20);
  // A vector of 20,000 ints for each of 180 more rounds would be 14 MB.
  EXPECT_LT(peak_of(200), 4 << 20);
}

// Returns the value of a form while arrays may take no more than `bytes` in all.
std::string value_within(int64_t bytes, const std::string& program) {
  const test::WithSettings limited(
      [&](Settings& s) { s.max_bytes = statistics().bytes_in_use + bytes; });
  return value_of(program, Mode::flat);
}

TEST(Recursion, LevelsKeepWhatTheyUseAgain) {
  // A level has 160 KB of ints. There are some thirty, so all that is computed takes 15 MB.
  const std::string sorted =
      " in let s = qsort({rem(i * 7919, 10007) : i in [0:40000]}) in (s[0], s[20000], s[39999]);";
  const std::string filters =
      "lesser = {a in s | a < p}; equal = {a in s | a == p}; greater = {a in s | a > p};";
  const std::string filters_first =
      "function qsort(s) = if #s < 2 then s else let p = s[#s / 2];" + filters +
      "parts = {qsort(x) : x in [lesser, greater]} in parts[0] ++ equal ++ parts[1];\n" +
      "let z = 0" + sorted;
  EXPECT_EQ(value_within(3 << 20, filters_first), "(0, 5003, 10006)");
  // Here each level uses its argument once more.
  const std::string filter_last =
      "function qsort(s) = if #s < 2 then s else let p = s[#s / 2];"
      "parts = {qsort(x) : x in [{a in s | a < p}, {a in s | a > p}]}"
      "in parts[0] ++ {a in s | a == p} ++ parts[1];\n"
      "let z = 0" +
      sorted;
  EXPECT_EQ(value_within(7 << 20, filter_last), "(0, 5003, 10006)");
}

// Variables that are used for the last time on one side of a choice, on both, inside of an
// apply-to-each, one after the other, or never.
TEST(Recursion, ValuesStayUntilTheirLastUse) {
  expect_everywhere(
      "function deep(s, other, n) =\n"
      "  let u = {x + n : x in s}; unused = {x * 2 : x in other} in\n"
      "  if n == 0 then (if #s > 2 then sum(u) else sum(other)) + #s\n"
      "  else let r = {deep(v, (if #v > 1 then other else u), n - 1) : v in [s, u]}\n"
      "       in (if rem(n, 2) == 0 then sum(r) + #u else sum(r) + sum({x * #s : x in u}));\n"
      "{deep([0:k], [k], rem(k, 3)) : k in [0:7]};",
      "[0, 5, 38, 6, 64, 295, 21]");
  expect_everywhere(
      "function g(s, n) = if n == 0 then s else\n"
      "  let a = {x + 1 : x in s} in\n"
      "  if rem(n, 2) == 0 then g(a, n - 1) ++ s else (if n > 4 then s ++ g(s, n - 1) else g(s, n "
      "- 1) ++ a);\n"
      "{g([0:k], k) : k in [0:4]};",
      "[[], [0, 1], [1, 2, 2, 3, 0, 1], [1, 2, 3, 2, 3, 4, 0, 1, 2, 1, 2, 3]]");
  expect_everywhere(
      "let s = [1, 2, 3] in {* print_char(`x) and eql(s, [y]) : y in s} ++ [#s == 3];",
      "[F, F, F, T]");
}

TEST(Recursion, MayBeDeep) {
  const std::string program =
      "function depth(n) = if n == 0 then 0 else 1 + depth(n - 1);\ndepth(400000);";
  for (Mode mode : {Mode::plain, Mode::mixed, Mode::automatic})
    EXPECT_EQ(value_of(program, mode), "400000");
}

// More than a trial, so that the host and the flattening evaluator race.
TEST(Race, ChainsOnFewElements) {
  expect_everywhere(
      "function run(s, i, n) =\n"
      "  if i == n then s else run({rem(x * 7 + i, 13) : x in s}, i + 1, n);\n"
      "{sum(run([0:8], 0, n)) : n in [5, 4000, 30, 3000]};",
      "[58, 54, 63, 58]");
}

TEST(Race, OneElementIsSerialCode) {
  // Long, then parallel, with an expression that is evaluated once.
  expect_everywhere(
      "function count(n, k) = if n == 0 then k else count(n - 1, rem(k * 3 + n, 1009));\n"
      "{let k = count(100000, x); s = {i * x : i in [0:3000]}\n"
      " in (k, sum({a + #\"four\" + k : a in s})) : x in [5]};",
      "[(229, 23191500)]");
}

TEST(Race, ErrorsAreThoseOfTheProgram) {
  const std::string program =
      "function go(n, k) =\n"
      "  if n == 0 then\n"
      "    100 / k\n"
      "  else go(n - 1, rem(k * k, 7));\n"
      "{go(n, n) : n in [100000, 100001, 100002, 7, 100003]};";
  for (Mode mode : all_modes) {
    const Outcome outcome = run(program, mode, "x.nesl");
    EXPECT_FALSE(outcome.good);
    EXPECT_NE(outcome.output.find("division by zero (in go, line 3 of x.nesl)"), std::string::npos)
        << outcome.output;
  }
}

// Of several errors every evaluator reports the one that comes first element by element.
TEST(Race, OneOfSeveralErrorsIsReported) {
  const std::string program =
      "function both(x, s) =\n"
      "  let a = if x == 1 then s[x + 7] else 0;\n"
      "      b = 100 / rem(x, 4)\n"
      "  in a + b;\n"
      "{both(x, [3, 1, 2]) : x in [2, 4, 1, 8]};";
  for (Mode mode : all_modes) {
    const Outcome outcome = run(program, mode, "x.nesl");
    EXPECT_FALSE(outcome.good);
    EXPECT_NE(outcome.output.find("division by zero (in both, line 3 of x.nesl)"),
              std::string::npos)
        << outcome.output;
  }
}

// Nothing of the result depends on what fails, and the result is on the host.
TEST(Race, AnErrorInAValueThatIsNotUsedIsReported) {
  const std::string program =
      "let unused = take({x : x in [0:10000] | x < 0}, 3);\n"
      "    used = {sum([0:x]) : x in [3, 1, 2, 20]}\n"
      "in used[0];";
  for (Mode mode : all_modes) EXPECT_FALSE(run(program, mode).good) << static_cast<int>(mode);
  nesl::Patience none;
  none.form_steps = none.most_form_steps = none.each_steps = 20;
  none.short_time = none.head_start = std::chrono::nanoseconds(0);
  EXPECT_FALSE(run(program, none).good);
}

// What a program prints before its error appears once, although the error is looked for again.
TEST(Race, LookingForTheFirstErrorPrintsNothing) {
  const std::string program = "{let p = print_line(@x, stdout) in 10 / x : x in [2, 0, 1]};";
  const std::string output = run(program, Mode::flat).output;
  EXPECT_EQ(output.find("2"), output.rfind("2")) << output;
}

TEST(Race, TheTimeLimitHolds) {
  const std::string program =
      "function g(n) = if n < 0 then n else g(rem(n + 1, 1000));\n{g(i) : i in [1, 2, 3]};";
  nesl::with_large_stack([&] {
    std::string output;
    nesl::Session session([&](const std::string& written) { output += written; });
    session.machine().set_time_limit(0.2);
    EXPECT_FALSE(session.run(std::make_shared<nesl::Source>(nesl::Source{"x", program}), true));
    EXPECT_NE(output.find("the time limit is over"), std::string::npos) << output;
  });
}

}  // namespace
}  // namespace tutti::nesl_test
