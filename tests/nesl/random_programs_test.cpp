// Random well-typed programs: the evaluators agree on every one, also on whether it fails.
#include <gtest/gtest.h>

#include <random>

#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

// Types the generator knows.
enum class T { integer, boolean, character, ints, bools, nested, pairs };

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string program() {
    // A function that is used at the top and inside apply-to-each.
    variables_ = {{"p", T::integer}, {"q", T::ints}};
    const T result = any_type();
    std::string text = "function go(p, q) = " + expression(result, 4) + ";\n";
    variables_.clear();
    text += "go(3, [4, 1, 3]);\n";
    text += "{go(i, s) : i in [2, 0, 5, 1]; s in [[3, 1], [] int, [7], [0, 0, 2, 9, 4]]};\n";
    text += "{{go(i, s) : i in [0:n]; s in dist([n, 1], n)} : n in [2, 0, 3]};\n";
    text += "a = [5, 0, 2, 2];\nb = [[1], [] int, [3, 4]];\n";
    variables_ = {{"a", T::ints}, {"b", T::nested}};
    text += "c = " + expression(any_type(), 4) + ";\n";
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  T any_type() { return static_cast<T>(pick(7)); }
  std::string fresh() { return "x" + std::to_string(next_++); }

  std::string variable(T type) {
    std::vector<std::string> fitting;
    for (const auto& [name, its] : variables_)
      if (its == type) fitting.push_back(name);
    return fitting.empty()
               ? ""
               : fitting[static_cast<std::size_t>(pick(static_cast<int>(fitting.size())))];
  }

  std::string leaf(T type) {
    if (pick(4) > 0)
      if (std::string name = variable(type); !name.empty()) return name;
    switch (type) {
      case T::integer:
        return std::to_string(pick(7));
      case T::boolean:
        return pick(2) ? "t" : "f";
      case T::character:
        return std::string("`") + static_cast<char>('a' + pick(4));
      case T::ints:
        return pick(4) ? "[3, 1, 2, 1]" : "[] int";
      case T::bools:
        return pick(4) ? "[t, f]" : "[] bool";
      case T::nested:
        return pick(4) ? "[[1, 2], [] int, [5]]" : "[] [int]";
      case T::pairs:
        return pick(4) ? "[(1, 2), (3, 4), (1, 0)]" : "[] (int, int)";
    }
    return "";
  }

  // {body : x in s; ... | filter}
  std::string each(T body, int depth) {
    const std::size_t mark = variables_.size();
    const T sources[] = {T::ints, T::nested, T::bools, T::pairs};
    const T source = sources[pick(4)];
    const std::string sequence = expression(source, depth - 1), name = fresh();
    std::string pattern = name;
    switch (source) {
      case T::ints:
        variables_.emplace_back(name, T::integer);
        break;
      case T::nested:
        variables_.emplace_back(name, T::ints);
        break;
      case T::bools:
        variables_.emplace_back(name, T::boolean);
        break;
      default:
        pattern = "(" + name + ", " + name + "b)";
        variables_.emplace_back(name, T::integer);
        variables_.emplace_back(name + "b", T::integer);
    }
    std::string inside = expression(body, depth - 1);
    std::string filter = pick(3) ? "" : " | " + expression(T::boolean, depth - 1);
    variables_.resize(mark);
    return "{(" + inside + ") : " + pattern + " in " + sequence + filter + "}";
  }

  std::string expression(T type, int depth) {
    if (depth <= 0 || pick(8) == 0) return leaf(type);
    const auto e = [&](T t) { return expression(t, depth - 1); };
    switch (pick(6)) {
      case 0:
        return "(if " + e(T::boolean) + " then " + e(type) + " else " + e(type) + ")";
      case 1: {
        const T bound = any_type();
        const std::string value = e(bound), name = fresh();
        variables_.emplace_back(name, bound);
        std::string body = e(type);
        variables_.pop_back();
        return "(let " + name + " = " + value + " in " + body + ")";
      }
      default:
        break;
    }
    switch (type) {
      case T::integer: {
        const char* binary[] = {"+", "-", "*"};
        switch (pick(8)) {
          case 0:
            return "sum(" + e(T::ints) + ")";
          case 1:
            return "#" + leaf(T::ints);
          case 2:
            return "max_val(" + e(T::ints) + ")";
          case 3:
            return "rem(" + e(type) + ", 7)";
          case 4:
            return "count(" + e(T::bools) + ")";
          case 5:
            return "(" + e(type) + " / " + e(type) + ")";  // may fail
          case 6:
            return "(" + e(T::ints) + ")[" + e(type) + "]";  // may fail
          default:
            return "(" + e(type) + " " + binary[pick(3)] + " " + e(type) + ")";
        }
      }
      case T::boolean:
        switch (pick(4)) {
          case 0:
            return "(" + e(T::integer) + " < " + e(T::integer) + ")";
          case 1:
            return "eql(" + e(T::nested) + ", " + e(T::nested) + ")";
          case 2:
            return "any(" + e(T::bools) + ")";
          default:
            return "(" + e(type) + " and " + e(type) + ")";
        }
      case T::character:
        return "select(" + e(T::boolean) + ", " + e(type) + ", " + e(type) + ")";
      case T::ints:
        switch (pick(13)) {
          case 0:
            return "plus_scan(" + e(type) + ")";
          case 1:
            return "sort(" + e(type) + ")";
          case 2:
            return "reverse(" + e(type) + ")";
          case 3:
            return "(" + e(type) + " ++ " + e(type) + ")";
          case 4:
            return "flatten(" + e(T::nested) + ")";
          case 5:
            return "[0:rem(abs(" + e(T::integer) + "), 6)]";
          case 6:
            return "dist(" + e(T::integer) + ", rem(abs(" + e(T::integer) + "), 5))";
          case 7:
            return "remove_duplicates(" + e(type) + ")";
          case 8:
            return "max_scan(" + e(type) + ")";
          case 9:
            return "[" + e(T::integer) + ", " + e(T::integer) + "]";
          case 10:
            return "rank(" + e(type) + ")";
          case 11:
            return "(let s = " + e(type) + " in s <- [(#s / 2, 5)])";  // may fail
          default:
            return each(T::integer, depth);
        }
      case T::bools:
        return pick(3) ? each(T::boolean, depth) : "[" + e(T::boolean) + "]";
      case T::nested:
        switch (pick(6)) {
          case 0:
            return "bottop(" + e(T::ints) + ")";
          case 1:
            return "[" + e(T::ints) + ", " + e(T::ints) + "]";
          case 2:
            return "{v : (k, v) in int_collect(" + e(T::pairs) + ")}";
          case 3:
            return "reverse(" + e(type) + ")";
          case 4:
            return "group_by(" + e(T::ints) + ", 2)";
          default:
            return each(T::ints, depth);
        }
      case T::pairs:
        switch (pick(3)) {
          case 0:
            return "(let s = " + e(T::ints) + " in zip(s, index(#s)))";
          case 1:
            return "histogram(" + e(T::ints) + ")";
          default:
            return "(let s = " + e(T::ints) + " in {(x, x + " + e(T::integer) + ") : x in s})";
        }
    }
    return leaf(type);
  }

  std::mt19937 random_;
  std::vector<std::pair<std::string, T>> variables_;
  int next_ = 0;
};

TEST(RandomPrograms, AreTheSameFlattened) {
  const char* given = std::getenv("TUTTI_NESL_RANDOM_PROGRAMS");
  const int programs = given ? std::atoi(given) : 150;
  int without_error = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    const std::string program = Generator(static_cast<unsigned>(seed)).program();
    const std::string right = without_messages(run(program, Mode::plain).output);
    ASSERT_EQ(right.find("Error"), std::string::npos) << "seed " << seed << "\n"
                                                      << program << right;
    EXPECT_EQ(without_messages(run(program, Mode::flat).output), right) << "seed " << seed << "\n"
                                                                        << program;
    EXPECT_EQ(without_messages(run(program, Mode::mixed).output), right) << "seed " << seed << "\n"
                                                                         << program;
    without_error += right.find("RUNTIME") == std::string::npos;
  }
  EXPECT_GT(without_error, programs / 4);
}

}  // namespace
}  // namespace tutti::nesl_test
