// Apply-to-eachs that print, or draw random numbers at several places: on the host, all elements go
// through them in lockstep.
#include <algorithm>
#include <random>

#include "nesl/support.hpp"
#include "support/seeds.hpp"
#include "tutti/runtime.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

TEST(Lockstep, RunsOnTheHost) {
  const std::string program =
      "function say(x) = let p = print_string(@x ++ \" \") in x;\n"
      "function draw(n) = rand(n) + if n > 50 then rand(n) else 0;\n"
      "{sum({draw(i + j + 1) : j in [0:9]}) : i in [0:100]};\n"
      "{sort(take({rand(i) : i in dist(n, 5)}, 3)) : n in [10, 20]; m in {rand(5) : x in [0, "
      "1]}};\n"
      "{say(x) : x in [3, 1, 2] | say(x + 10) > 11};\n";
  for (Mode mode : {Mode::plain, Mode::automatic}) {
    const int64_t before = statistics().evaluations;
    EXPECT_TRUE(run(program, mode).good);
    EXPECT_EQ(statistics().evaluations, before);
  }
}

TEST(Lockstep, OnceForAllElements) {
  expect_everywhere(
      "function say(x) = let p = print_line(@x) in x;\n"
      "{say(x) + rand(1) + sum({y * y : y in [0:20]}) : x in [1, 2]};\n",
      "[2471, 2472]");
  // Also for those of several calls.
  expect_everywhere(
      "function drawn(q) = sum({rand(1000) : x in q});\n"
      "let r = {drawn(s) : s in [[3, 1], [7], [0, 2, 9]]} in (r[0] == 2 * r[1], r[2] == 3 * r[1]);",
      "(T, T)");
  const std::string once = "{(rand(1000000) + rand(1000000) + x, rand(x)) : x in [1, 1]};";
  for (Mode mode : all_modes) {
    const std::string output = run(once, mode).output;
    const std::size_t first = output.find('('), second = output.find('(', first + 1);
    EXPECT_EQ(output.substr(first, output.find(')') - first),
              output.substr(second, output.find(')', second) - second))
        << output;
  }
}

TEST(Lockstep, ErrorsNameTheirPlaces) {
  const std::string program =
      "function say(x) = let p = print_string(@x ++ \" \") in x;\n"
      "function inverse(x) =\n  10 / say(x);\n"
      "function drawn(x) = rand(x) + rand(say(x));\n";
  const std::pair<const char*, const char*> cases[] = {
      {"{inverse(x) : x in [1, 0, 2]};",
       "1 0 2 \nRUNTIME ERROR: division by zero (in inverse, line 3"},
      {"{say(10 / x) : x in [1, 0, 2]};", "RUNTIME ERROR: division by zero (in line 5"},
      {"{drawn(x) : x in [5, 0]};",
       "RUNTIME ERROR: rand of a number that is not positive (in drawn, line 4"},
      {"{{say(a) + b : a in x; b in y} : x in [[1], [1, 2]]; y in [[1], [1, 2, 3]]};",
       "RUNTIME ERROR: apply-to-each: sequences of 2 and 3 elements do not go together"}};
  for (Mode mode : all_modes)
    for (const auto& [form, message] : cases) {
      const std::string output = run(program + form, mode).output;
      EXPECT_NE(output.find(message), std::string::npos) << form << "\n" << output;
    }
}

TEST(Lockstep, DeepRecursions) {
  const std::string program =
      "function down(n) =\n"
      "  if n == 0 then 0 else let r = down(n - 1); x = rand(n) + rand(n) in 1 + r;\n"
      "{down(n) : n in [2000, 3]};";
  for (Mode mode : {Mode::plain, Mode::automatic})
    EXPECT_NE(run(program, mode).output.find("[2000, 3]"), std::string::npos);
}

// Programs whose functions print, draw, call each other and themselves, at every place where an
// expression may stand.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "function say(x) = let p = print_string(@x ++ \" \") in x;\n"
        "datatype both(int, [int]);\n";
    text += function("first_one(p, q)");
    callees_.push_back("first_one");
    text += function("second_one(p, q)");
    callees_.push_back("second_one");
    const std::string last = body();
    recursion_ = true;
    text += "function rec(n, p, q) = if n < 1 then " + last + " else " + body() + ";\n";
    recursion_ = false;
    text += "first_one(3, [4, 1, 3]);\n";
    text += "{second_one(i, s) : i in [2, 0, 5, 1]; s in [[3, 1], [] int, [7], [0, 2, 9]]};\n";
    text += "{{second_one(i, s) : i in [0:n]; s in dist([n, 1], n)} : n in [2, 0, 3]};\n";
    text += "{rec(n, i, [n, i]) : n in [1, 0, 2]; i in [0:3]};\n";
    variables_ = {"a"};
    sequences_ = {"b"};
    text += "a = 7;\nb = [2, 0, 1];\n{" + expression(3) + " : c in b | " + test(2) + "};\n";
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  std::string fresh() { return "x" + std::to_string(next_++); }
  std::string body() {
    variables_ = {"p"};
    sequences_ = {"q"};
    calls_left_ = 2;
    return expression(4);
  }
  std::string function(const std::string& head) {
    return "function " + head + " = " + body() + ";\n";
  }
  std::string leaf() {
    return pick(4) == 0 ? std::to_string(pick(5)) : variables_[pick(variables_.size())];
  }
  std::string small(int depth) { return "rem(abs(rem(" + expression(depth) + ", 9)), 3)"; }
  std::string test(int depth) {
    return expression(depth) + (pick(2) == 0 ? " < " : " == ") + expression(depth);
  }
  std::string bound(const std::string& name, int depth) {
    variables_.push_back(name);
    std::string text = expression(depth);
    variables_.pop_back();
    return text;
  }
  std::string sequence(int depth) {
    if (depth <= 0) return sequences_[pick(sequences_.size())];
    const std::string name = fresh();
    switch (pick(6)) {
      case 0:
        return "[0:" + small(depth - 1) + "]";
      case 1:
        return "[" + expression(depth - 1) + ", " + expression(depth - 1) + "]";
      case 2: {
        const std::string source = sequence(depth - 1);
        return "{" + bound(name, depth - 1) + " : " + name + " in " + source + "}";
      }
      case 3: {
        const std::string source = sequence(depth - 1);
        return "{" + name + " in " + source + " | " + bound(name, depth - 1) + " > 1}";
      }
      case 4:
        return "(if " + test(depth - 2) + " then " + sequence(depth - 1) + " else " +
               sequence(depth - 1) + ")";
      default:
        return "reverse(" + sequence(depth - 1) + ")";
    }
  }
  std::string expression(int depth) {
    if (depth <= 0) return leaf();
    const std::string name = fresh();
    switch (pick(17)) {
      case 0:
      case 1:
        return "say(" + expression(depth - 1) + ")";
      case 2:
      case 3:
        return "rand(1 + " + small(depth - 1) + ")";
      case 4:
        return "(" + expression(depth - 1) + " + " + expression(depth - 1) + ")";
      case 5:
        return "(if " + test(depth - 1) + " then " + expression(depth - 1) + " else " +
               expression(depth - 1) + ")";
      case 6: {
        const std::string value = expression(depth - 1);
        return "(let " + name + " = " + value + " in " + bound(name, depth - 1) + ")";
      }
      case 7: {
        const std::string value = expression(depth - 1), other = expression(depth - 1);
        return "(let (" + name + ", y) = (" + value + ", " + other + ") in " +
               bound(name, depth - 1) + " - y)";
      }
      case 8: {
        const std::string value = sequence(depth - 1);
        sequences_.push_back(name);
        std::string text = "(let " + name + " = " + value + " in " + expression(depth - 1) + ")";
        sequences_.pop_back();
        return text;
      }
      case 9:
      case 10:
        return "sum(" + sequence(depth - 1) + ")";
      case 11:
        return "#(" + sequence(depth - 1) + ")";
      case 12:
        return "[" + expression(depth - 1) + ", 5, " + expression(depth - 2) + ", 6][" +
               small(depth - 2) + "]";
      case 13: {
        const std::string value =
            "both(" + expression(depth - 1) + ", " + sequence(depth - 1) + ")";
        return "(let both(" + name + ", z) = " + value + " in " + bound(name, depth - 1) + " + #z)";
      }
      case 14:
        return "first((" + expression(depth - 1) + ", " + expression(depth - 1) + "))";
      case 15:
        if (pick(3) == 0) return "(100 / " + expression(depth - 1) + ")";
        return "round(rand(1.0 + float(" + small(depth - 1) + ")))";
      default:
        return call(depth);
    }
  }
  std::string call(int depth) {
    if (calls_left_-- <= 0) return leaf();
    if (recursion_ && pick(2) == 0)
      return "rec(n - 1, " + expression(depth - 2) + ", take(" + sequence(depth - 2) + ", 2))";
    if (callees_.empty()) return leaf();
    return callees_[pick(callees_.size())] + "(" + expression(depth - 2) + ", take(" +
           sequence(depth - 2) + ", 3))";
  }

  std::mt19937_64 random_;
  std::vector<std::string> variables_, sequences_, callees_;
  int next_ = 0, calls_left_ = 0;
  bool recursion_ = false;
};

TEST(RandomPrograms, HaveTheirEffectsInOneOrder) {
  test::compare_seeds({"TUTTI_TEST_NESL", 100, "NESL programs"},
                      [](uint64_t seed) { return agree(Generator(seed).program()); });
}

}  // namespace
}  // namespace tutti::nesl_test
