// The code that the host runs: arguments that are tuples, names for their components, frames of
// different sizes, and expressions that are evaluated once.
#include <gtest/gtest.h>

#include "nesl/eval/host/blocks.hpp"
#include "nesl/eval/host/value_stack.hpp"
#include "nesl/eval/large_stack.hpp"
#include "nesl/support.hpp"
#include "nesl/syntax/form_reader.hpp"
#include "nesl/types/infer.hpp"

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

// Rows of several blocks; the elements of some rows are in two inner blocks.
TEST(HostCode, InnerSequencesInBlocks) {
  const std::string data =
      "rows = {[0:rem(i * 7, 5)] : i in [0:600]};\nw = {float(i) / 4.0 : i in [0:600]};\n"
      "pairs = {{(j, rem(i + j, 600)) : j in [0:rem(i, 4)]} : i in [0:600]};\n"
      "function few(r) = (#r, r[0], r[7], r[255], r[256], r[#r - 1]);\n"
      "function middle(r) = if #r == 0 then -1 else r[#r / 2];\n";
  expect(data + "few({#r : r in rows});", "(600, 0, 4, 0, 2, 3)");
  expect(data + "few({sum(r) * 10 + max_index(r) : r in rows | #r > 0});",
         "(480, 11, 32, 32, 11, 32)");
  expect(data + "few({sum({w[j] * float(k) : (k, j) in p}) : p in pairs});",
         "(600, 0.0, 6.5, 192.5, 0.0, 0.5)");
  expect(data + "few({middle({x * x + i : x in r | x /= 1}) : r in rows; i in [0:600]});",
         "(600, -1, 11, -1, 256, 603)");
  expect(data + "few({(#[i, i + 1, x], [i, x][rem(i, 2)]) : i in [0:600]; x in {#r : r in rows}});",
         "(600, (3, 0), (3, 4), (3, 0), (3, 256), 3, 3)");
  expect(data + "few({let (a, b) = (#r, sum(r)) in {(j, b) : j in [0:a]} : r in rows});",
         "(600, [], [(0, 6), (1, 6), (2, 6), (3, 6)], [], [(0, 1), (1, 1)],"
         " [(0, 3), (1, 3), (2, 3)])");
  expect(
      data +
          "few({sum(rows[rem(i, 8)]) + sum({x + y : x in r; y in r}) : i in [0:600]; r in rows});",
      "(600, 0, 18, 6, 2, 12)");
}

// Rows with more elements than a block has.
TEST(HostCode, LongInnerSequences) {
  expect(
      "let r = {[0:if i == 17 then 700 else rem(i, 3)] : i in [0:40]}\n"
      "in ({sum({x * 2 : x in s}) : s in r | #s > 1}, sum({#s : s in r}), "
      "#({s ++ [i] : s in r; i in [0:40]}[17]));",
      "([2, 2, 2, 2, 2, 489300, 2, 2, 2, 2, 2, 2, 2], 737, 701)");
}

// The errors are those of the first element that has one.
TEST(HostCode, ErrorsInInnerSequences) {
  const std::string data = "rows = {[0:rem(i, 3)] : i in [0:300]};\n";
  for (Mode mode : {Mode::plain, Mode::automatic})
    for (const auto& [program, error] :
         {std::pair("{r[1] : r in rows};", "elt: there is no element 1 in a sequence of 0"),
          {"{sum({10 / (x - 1) : x in r}) : r in rows};", "division by zero"},
          {"{x + y : x in {#r : r in rows}; y in {rows[i][2] : i in [0:300]}};", "elt: "},
          {"{{x + y : x in r; y in [0:1]} : r in rows};", "do not go together"}})
      EXPECT_NE(run(data + program, mode).output.find(error), std::string::npos) << program;
}

// One by one, random numbers are drawn in the order of the elements; a block that has failed draws
// its numbers again.
TEST(HostCode, RandomNumbersInBlocks) {
  const std::string sums =
      "let r = {rand(i + 1) : i in [0:700]} in (sum(r), sum({x * i : x in r; i in [0:700]}));";
  const std::string failing =
      "let r = {let x = rand(1000) * i in if i == 400 then x / i else x / max(1, i - 400)"
      " : i in [0:700]} in sum(r);";
  const std::string nested = "{sum({rand(j + i + 1) : j in [0:3]}) : i in [0:300]};";
  for (const std::string& program : {sums, failing, nested})
    EXPECT_EQ(value_of(program, Mode::plain), value_of(program, Mode::flat)) << program;
}

// Functions that call themselves at their end, for elements that stop after different times.
TEST(HostCode, LoopsInBlocks) {
  expect(
      "function steps(n, i) =\n"
      "  if n == 1 then i else steps((if evenp(n) then n / 2 else 3 * n + 1), i + 1);\n"
      "let r = {steps(i + 1, 0) : i in [0:600]} in (r[0], r[26], r[255], r[599], sum(r));",
      "(0, 111, 8, 17, 32511)");
  expect(
      "function search(x, low, high, s) =\n"
      "  if high - low < 2 then low else let m = (low + high) / 2\n"
      "  in if x < s[m] then search(x, low, m, s) else search(x, m, high, s);\n"
      "let s = {i * i : i in [0:500]}; r = {search(x, 0, 500, s) : x in [0:3000:5]}\n"
      "in (r[0], r[5], r[255], r[599]);",
      "(0, 5, 35, 54)");
  // The results are sequences and pairs; a sequence of each element stays as it is.
  expect(
      "function until(i, r) = if i >= #r then (r, i) else if r[i] > 3 then (take(r, i), -i)\n"
      "  else until(i + 1, r);\n"
      "let q = {until(0, {rem(k * (j + 1), 7) : j in [0:rem(k, 5)]}) : k in [0:300]}\n"
      "in (q[4], q[8], q[7]);",
      "(([], 0), ([1, 2, 3], 3), [0, 0], 2)");
  EXPECT_NE(run("function down(n, k) = if n == k then 1 / (k - 5) else down(n - 1, k);\n"
                "{down(i + 20, rem(i, 9)) : i in [0:300]};",
                Mode::plain)
                .output.find("division by zero"),
            std::string::npos);
}

// An element that an operation cannot be applied to: alone it decides what happens.
// Blocks divide by doubles, one element by ints.
TEST(HostCode, DivisionsInBlocks) {
  const std::string program =
      "numbers = [min_int, min_int + 1, -1000000007, -7, -6, -1, 0, 1, 6, 7, 715827882, "
      "1000000007, "
      "max_int - 1, max_int];\n"
      "divisors = {d in numbers | d /= 0};\n"
      "function parts(d, n) = (n / d, rem(n, d), mod(n, d));\n"
      "function one(d, n) = if #numbers == 0 then (0, 0, 0) else parts(d, n);\n"
      "function serial(d, i, so_far) =\n"
      "  if i == #numbers then so_far else serial(d, i + 1, so_far ++ [one(d, numbers[i])]);\n";
  expect(program +
             "all({eql({parts(d, n) : n in numbers}, serial(d, 0, [] (int, int, int))) : d in "
             "divisors});",
         "T");
  expect(program + "{parts(d, min_int) : d in [-1, 1, 2, 3, -3, 4, 5, 6, 7, max_int]};",
         "[(-2147483648, 0, 0), (-2147483648, 0, 0), (-1073741824, 0, 0), (-715827882, -2, 1), "
         "(715827882, -2, -2), (-536870912, 0, 0), (-429496729, -3, 2), (-357913941, -2, 4), "
         "(-306783378, -2, 5), (-1, -1, 2147483646)]");
}

TEST(HostCode, BlocksThatFail) {
  const std::string data = "s = {i - 300 : i in [0:600]};\n";
  expect(data + "sum({if x == 0 then 7 else 600 / x : x in s});", "5");
  expect(data + "sum({if x < 0 then 1 else s[x] : x in s});", "-44850");
  for (const char* program : {"{600 / x : x in s};", "{s[x] : x in s};"})
    EXPECT_FALSE(run(data + program, Mode::plain).good) << program;
}

// Scans, and elements that are replaced, of rows of different lengths; of several values for one
// position the last one arrives.
TEST(HostCode, ScansAndWritesOfRows) {
  const std::string data =
      "rows = {{rem(i * j, 11) - 3 : j in [0:rem(i, 6)]} : i in [0:600]};\n"
      "function checked(r) = (#r, r[0], r[5], r[257], r[599]);\n";
  expect(data + "checked({plus_scan(r) : r in rows});",
         "(600, [], [0, -3, -1, 6, 7], [0, -3, -2, 3, 1], [0, -3, -1, 6, 7])");
  expect(data + "checked({(max_scan(r), min_scan({float(x) / 2.0 : x in r})) : r in rows});",
         "(600, ([], []), ([-2147483648, -3, 2, 7, 7], [9.99999961690316e35, -1.5, -1.5, -1.5, "
         "-1.5]), ([-2147483648, -3, 1, 5, 5], [9.99999961690316e35, -1.5, -1.5, -1.5, -1.5]), "
         "[-2147483648, -3, 2, 7, 7], [9.99999961690316e35, -1.5, -1.5, -1.5, -1.5])");
  expect(data + "checked({or_scan({x > 2 : x in r}) : r in rows});",
         "(600, [], [F, F, F, T, T], [F, F, F, T, T], [F, F, F, T, T])");
  expect(data + "checked({drop(max_scan({code_char(100 + x) : x in r}), min(1, #r)) : r in rows});",
         "(600, \"\", \"afkk\", \"aeii\", \"afkk\")");
  expect(data + "checked({and_scan({x + 8 : x in r}) ++ xor_scan(r) : r in rows});",
         "(600, [], [-1, 5, 0, 0, 0, 0, -3, -1, -8, -7], [-1, 5, 1, 1, 0, 0, -3, -4, -7, 7], [-1, "
         "5, 0, 0, 0, 0, -3, -1, -8, -7])");
  expect(data + "checked({r <- {(rem(x + 3, #r), i) : x in r; i in [0:#r]} : r in rows});",
         "(600, [], [2, 2, 7, 1, 4], [4, 3, 5, 2, 1], [2, 2, 7, 1, 4])");
  expect(data +
             "checked({put(drop(r, #r / 2), {rem(x + 3, #r) : x in drop(r, #r / 2)}, r) : "
             "r in rows});",
         "(600, [], [7, 2, 7, 1, 6], [2, -2, 5, 5, 2], [7, 2, 7, 1, 6])");
  expect(data + "#{plus_scan({x in r | x > 100}) : r in rows};", "600");  // all are empty
  for (const auto& [program, error] :
       {std::pair("{r <- [(5, 0)] : r in rows};", "<-: there is no place 5"),
        {"{put([1, 2], [0], r) : r in rows};", "<-: "}})
    for (Mode mode : {Mode::plain, Mode::automatic})
      EXPECT_NE(run(data + program, mode).output.find(error), std::string::npos) << program;
}

// Whether the calls of one depth of a recursion run together.
bool runs_in_blocks(const std::string& functions, const std::string& call) {
  bool works = false;
  nesl::with_large_stack([&] {
    nesl::Session session([](const std::string&) {});
    EXPECT_TRUE(session.run(std::make_shared<nesl::Source>(nesl::Source{"x", functions}), false));
    const auto source = std::make_shared<nesl::Source>(nesl::Source{"x", call});
    const std::optional<nesl::Form> form = nesl::FormReader(source).next();
    nesl::Inference(session.environment()).check_expression(form->body);
    const nesl::CoreFunctionRef function = session.specialiser().expression(form->body, source);
    bool recursion = false;
    works = nesl::host::code_of(*function).body->rows_in_blocks(
        {nesl::host::deepest_calls_in_blocks, true, nullptr, &recursion});
    EXPECT_TRUE(recursion);
  });
  return works;
}

// The merge is a recursion of its own, below functions that are none. Its calls are asked as
// sequences that are elements and as ones that have a name.
TEST(HostCode, RecursionsWithinRecursionsRunInBlocks) {
  const std::string functions =
      "function near(s) =\n"
      "  {min(x, y) : x in reverse(min_scan(reverse(s))); y in {max(x, y) : x in max_scan(s); "
      "y in s}};\n"
      "function halved(a, b) =\n"
      "  if #a > 1 then\n"
      "    let evens = halved(even_elts(a), even_elts(b));\n"
      "        odds = flag_merge({oddp(x) : x in evens}, odd_elts(a), odd_elts(b))\n"
      "    in near(interleave(evens, odds))\n"
      "  else if a[0] < b[0] then a ++ b else b ++ a;\n"
      "function merged(a, b) =\n"
      "  {rshift(x, 1) : x in halved({2 * x : x in a}, {2 * x + 1 : x in b})};\n"
      "function sorted(s) =\n"
      "  if #s == 1 then s else let r = {sorted(h) : h in bottop(s)} in merged(r[0], r[1]);\n";
  EXPECT_TRUE(runs_in_blocks(functions, "sorted([3, 1]);"));
  expect(functions + "let s = {rem(i * 7919, 10007) : i in [0:1024]} in eql(sorted(s), sort(s));",
         "T");
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
