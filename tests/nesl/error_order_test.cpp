// Of several errors in a form, every evaluator reports the one that comes first element by element:
// in each kind of expression, and when evaluators change over all the time.
#include <gtest/gtest.h>

#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

struct Case {
  const char* name;
  const char* program;
  const char* message;
};

class ErrorOrder : public testing::TestWithParam<Case> {};

// Trials end at once, so the host and the evaluator that flattens race from the beginning.
nesl::Patience none() {
  nesl::Patience patience;
  patience.form_steps = patience.most_form_steps = patience.each_steps = 20;
  patience.short_time = patience.head_start = std::chrono::nanoseconds(0);
  return patience;
}

TEST_P(ErrorOrder, IsThatOfTheElements) {
  const std::string program = GetParam().program;
  const std::string message = std::string("RUNTIME ERROR: ") + GetParam().message;
  for (const nesl::Evaluation::Mode mode : all_modes) {
    const std::string output = run(program, mode).output;
    EXPECT_NE(output.find(message), std::string::npos) << static_cast<int>(mode) << output;
  }
  for (int i = 0; i < 3; ++i) {
    const std::string output = run(program, none()).output;
    EXPECT_NE(output.find(message), std::string::npos) << output;
  }
}

constexpr Case cases[] = {
    {"Lets",
     "function h(x) = let a = 10 / rem(x, 2); b = [1, 2][rem(x, 5)] in a + b;\n"
     "{h(x) : x in [1, 3, 4, 2]};",
     "elt: there is no element 3 in a sequence of 2 (in h, line 1"},
    {"Arguments", "function k(a, b) = a + b;\n{k([1, 2][x], 6 / (x - 1)) : x in [0, 1, 3]};",
     "division by zero (in line 2"},
    {"Sides", "function h(x) = if x > 2 then [1][x] else 5 / (x - x);\n{h(x) : x in [3, 1]};",
     "elt: there is no element 3 in a sequence of 1 (in h, line 1"},
    {"SumsOfInnerSequences", "{sum({10 / (y - x) : y in [0:4]}) + [1, 2][x] : x in [5, 7, 2]};",
     "elt: there is no element 5 in a sequence of 2"},
    {"InnerSequences", "{{10 / (y - x) : y in [0:4]} ++ [[1, 2][x]] : x in [1, 7, 2]};",
     "division by zero"},
    {"Filters", "{[1, 2][x] : x in [1, 0, 4, 3] | 6 / (x - 4) > 0};",
     "elt: there is no element 4 in a sequence of 2"},
    {"Recursions",
     "function w(n, k) = if n == 0 then 10 / k else w(n - 1, k) + [1, 2, 3][rem(n, 4)];\n"
     "{w(n, rem(n, 3)) : n in [1, 5, 3, 2]};",
     "elt: there is no element 3 in a sequence of 3 (in w, line 1"},
    {"RecursionsOverParts",
     "function q(s) = if #s < 2 then s else let p = s[#s / 2];\n"
     "  r = {q(h) : h in [{e in s | e < p}, {e in s | e > p}]}\n"
     "  in r[0] ++ {10 / (e - 5) : e in s | e == p} ++ [[4][#s]] ++ r[1];\n"
     "{q(s) : s in [[3], [9, 5, 7, 5], [1, 2]]};",
     "division by zero (in q, line 3"},
    {"Loops",
     "function go(n, k) = if n == 0 then [1, 2][k] else go(n - 1, if n == 3 then k / (k - 2) else "
     "k);\n"
     "{go(n, k) : n in [5, 2, 4]; k in [7, 9, 2]};",
     "elt: there is no element 9 in a sequence of 2 (in go, line 1"},
    {"Lengths", "{{a + b : a in x; b in y} : x in [[1], [1, 2]]; y in [[1, 2], [1, 2, 3]]};",
     "apply-to-each: sequences of 1 and 2 elements do not go together"},
    {"Writes", "{[0, 0] <- [(x, 10 / (x - 1))] : x in [0, 5, 1]};",
     "<-: there is no place 5 in a sequence of 2"},
    {"Permutations", "{permute([1, 2], [x, 1 - x]) ++ [4 / (x - 3)] : x in [0, 1, 3, 7]};",
     "permute: there is no place 3 in a sequence of 2"},
    {"Forms", "let a = {10 / x : x in [1, 0]}; b = [1, 2][5] in a[0] + b;", "division by zero"},
    {"FormsInTheirOrder",
     "let b = {[1, 2][x] : x in [1, 9]}; a = {10 / x : x in [1, 0]} in a[0] + b[0];",
     "elt: there is no element 9 in a sequence of 2"},
    {"Pairs", "{(10 / x, [5][x]) : x in [2, 0]};", "elt: there is no element 2 in a sequence of 1"},
    {"Stops",
     "function h(x) = let a = if x == 1 then error(\"one\") else f;\n"
     "  b = if x == 2 then error(\"two\") else f in a or b;\n{h(x) : x in [2, 1]};",
     "two (in h, line 2"},
    {"OnceBeforeAll", "{x + sum({1 / y : y in [1, 0]}) + [1][x] : x in [3, 0]};",
     "division by zero"},
    {"Parts", "{subseq([1, 2, 3], x, 2) ++ [1 / x] : x in [1, 0, 4]};", "division by zero"},
    {"NoElements", "{s[min_index(s)] + [1][#s] : s in [[] int, [1], [2, 3]]};",
     "elt: there is no element 2147483647 in a sequence of 0"},
    {"InnerFilters", "{sum({10 / y : y in [x, 1] | [4, 0][x] > y}) : x in [1, 2, 0]};",
     "elt: there is no element 2 in a sequence of 2"},
    {"LetsOfSequences",
     "{let s = {6 / (y - x) : y in [0:3]}; u = [7][x] in s[0] + u : x in [5, 1]};",
     "elt: there is no element 5 in a sequence of 1"},
    {"SidesThatAreSequences",
     "{if x > 1 then {[3][y] : y in [0:x]} else {1 / (y - x) : y in [1, 0]} : x in [2, 1]};",
     "elt: there is no element 1 in a sequence of 1"},
    {"TestsOfConditions", "{if [t, f][x] then 10 / x else 20 / (x - 1) : x in [1, 0, 2]};",
     "division by zero"},
    {"DistributedValues", "{#dist(0, x) + [1, 2][x + 1] : x in [0, 1, -1]};",
     "elt: there is no element 2 in a sequence of 2"},
    {"Gathers", "{sum([8, 9] -> [x, 0]) + 4 / (x - 1) : x in [0, 1, 2]};", "division by zero"},
    {"Partitions", "{partition([1, 2, 3], [x, 2])[0][0] + 1 / (x - 1) : x in [2, 1]};",
     "partition: the counts add up to 4, the sequence has 3 elements"},
    {"ThreeLevels", "{{{z / (x - y) : z in [0:2]} ++ [[1, 2][y]] : y in [0:3]} : x in [4, 1]};",
     "elt: there is no element 2 in a sequence of 2"},
    {"MutualRecursion",
     "function even(n, k) : (int, int) -> int;\n"
     "function odd(n, k) = if n == 0 then 10 / k else even(n - 1, k);\n"
     "function even(n, k) = if n == 0 then [1, 2][k] else odd(n - 1, k);\n"
     "{even(n, k) : n in [4, 3, 2]; k in [1, 0, 5]};",
     "division by zero (in odd, line 2"},
    {"CallsInFilters", "function p(x) = 10 / (x - 2) > 0;\n{[1, 2, 3][x] : x in [1, 3, 2] | p(x)};",
     "elt: there is no element 3 in a sequence of 3"},
    {"RandomNumbers", "{rand(x) + [1, 2][x] : x in [1, 5, 0]};",
     "elt: there is no element 5 in a sequence of 2"},
};

INSTANTIATE_TEST_SUITE_P(Kinds, ErrorOrder, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tutti::nesl_test
