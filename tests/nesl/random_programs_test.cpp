// Random well-typed programs: the evaluators agree on every one, also on whether it fails.
// TUTTI_TEST_NESL and TUTTI_TEST_SEED ask for more programs and other ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "nesl/support.hpp"
#include "support/seeds.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

// Types the generator knows, by the letters that stand for them in rules.
enum class T : char {
  integer = 'i',
  boolean = 'b',
  character = 'c',
  floating = 'f',
  string = 's',
  ints = 'I',
  bools = 'B',
  floats = 'F',
  strings = 'S',
  nested = 'N',
  pairs = 'P'
};
constexpr T types[] = {T::integer, T::boolean, T::character, T::floating, T::string, T::ints,
                       T::bools,   T::floats,  T::strings,   T::nested,   T::pairs};

// What an expression of a type may be: <x> stands for an expression of type x. Some can fail when
// they run. Running sums of floats are left out: evaluators group them differently.
struct Rule {
  T type;
  const char* text;
};
constexpr Rule leaves[] = {{T::integer, "0"},
                           {T::integer, "1"},
                           {T::integer, "3"},
                           {T::integer, "6"},
                           {T::integer, "max_int"},
                           {T::integer, "min_int"},
                           {T::boolean, "t"},
                           {T::boolean, "f"},
                           {T::character, "`a"},
                           {T::character, "`d"},
                           {T::floating, "0.5"},
                           {T::floating, "3.0"},
                           {T::floating, "-0.1"},
                           {T::floating, "-0.0"},
                           {T::floating, "1e30"},
                           {T::floating, "1e-40"},
                           {T::floating, "(1e30 * 1e30)"},
                           {T::string, "\"\""},
                           {T::string, "\"ab ba\""},
                           {T::string, "\"12\""},
                           {T::ints, "[3, 1, 2, 1]"},
                           {T::ints, "[] int"},
                           {T::bools, "[t, f]"},
                           {T::bools, "[] bool"},
                           {T::floats, "[0.1, -2.5]"},
                           {T::floats, "[] float"},
                           {T::strings, "[\"x\", \"\", \"yz\", \"x\"]"},
                           {T::strings, "[] [char]"},
                           {T::nested, "[[1, 2], [] int, [5]]"},
                           {T::nested, "[] [int]"},
                           {T::pairs, "[(1, 2), (3, 4), (1, 0)]"},
                           {T::pairs, "[] (int, int)"}};
constexpr Rule rules[] = {{T::integer, "(<i> + <i>)"},
                          {T::integer, "(<i> - <i>)"},
                          {T::integer, "(<i> * <i>)"},
                          {T::integer, "(<i> / <i>)"},
                          {T::integer, "rem(<i>, 7)"},
                          {T::integer, "(<i> / (1 + rem(abs(rem(<i>, 9)), 5)))"},
                          {T::integer, "[5, 0, 3, -4, 1, 9, 2][abs(rem(<i>, 7))]"},
                          {T::integer, "(<I>)[<i>]"},
                          {T::integer, "sum(<I>)"},
                          {T::integer, "max_val(<I>)"},
                          {T::integer, "count(<B>)"},
                          {T::integer, "length(<S>)"},
                          {T::integer, "round(<f>)"},
                          {T::integer, "floor(<f>)"},
                          {T::integer, "char_code(<c>)"},
                          {T::integer, "find(<c>, <s>)"},
                          {T::integer, "first(parse_int(<s>))"},
                          {T::integer, "hash(<S>, 100)"},
                          {T::integer, "max_index(<F>)"},
                          {T::boolean, "(<i> < <i>)"},
                          {T::boolean, "(<f> < <f>)"},
                          {T::boolean, "(<c> == <c>)"},
                          {T::boolean, "(<b> and <b>)"},
                          {T::boolean, "any(<B>)"},
                          {T::boolean, "eql(<N>, <N>)"},
                          {T::boolean, "eql(<S>, <S>)"},
                          {T::boolean, "eql(<F>, <F>)"},
                          {T::character, "select(<b>, <c>, <c>)"},
                          {T::character, "uppercase(<c>)"},
                          {T::character, "code_char(97 + rem(abs(<i>), 26))"},
                          {T::character, "(<s>)[<i>]"},
                          {T::floating, "(<f> + <f>)"},
                          {T::floating, "(<f> * <f>)"},
                          {T::floating, "(<f> / <f>)"},
                          {T::floating, "sqrt(<f>)"},
                          {T::floating, "sin(<f>)"},
                          {T::floating, "float(<i>)"},
                          {T::floating, "sum(<F>)"},
                          {T::floating, "product(<F>)"},
                          {T::floating, "min_val(<F>)"},
                          {T::string, "@(<i>)"},
                          {T::string, "@(<P>)"},
                          {T::string, "(<s> ++ <s>)"},
                          {T::string, "flatten(<S>)"},
                          {T::string, "reverse(<s>)"},
                          {T::string, "(<s> || 4)"},
                          {T::string, "take(<s>, <i>)"},
                          {T::string, "{<each c>}"},
                          {T::ints, "plus_scan(<I>)"},
                          {T::ints, "max_scan(<I>)"},
                          {T::ints, "sort(<I>)"},
                          {T::ints, "rank(<F>)"},
                          {T::ints, "reverse(<I>)"},
                          {T::ints, "(<I> ++ <I>)"},
                          {T::ints, "flatten(<N>)"},
                          {T::ints, "[0:rem(abs(<i>), 6)]"},
                          {T::ints, "dist(<i>, rem(abs(<i>), 5))"},
                          {T::ints, "remove_duplicates(<I>)"},
                          {T::ints, "[<i>, <i>]"},
                          {T::ints, "name(<S>)"},
                          {T::ints, "(let s = <I> in s <- [(#s / 2, 5)])"},
                          {T::ints, "{<each i>}"},
                          {T::ints, "{<each i>}"},
                          {T::bools, "[<b>]"},
                          {T::bools, "mark_duplicates(<S>)"},
                          {T::bools, "{<each b>}"},
                          {T::floats, "sort(<F>)"},
                          {T::floats, "(<F> ++ [<f>])"},
                          {T::floats, "drop(<F>, <i>)"},
                          {T::floats, "{<each f>}"},
                          {T::strings, "wordify(<s>)"},
                          {T::strings, "[<s>, <s>]"},
                          {T::strings, "remove_duplicates(<S>)"},
                          {T::strings, "group_by(<s>, 2)"},
                          {T::strings, "{w : (w, n) in histogram(<S>)}"},
                          {T::strings, "{<each s>}"},
                          {T::nested, "bottop(<I>)"},
                          {T::nested, "[<I>, <I>]"},
                          {T::nested, "{v : (k, v) in int_collect(<P>)}"},
                          {T::nested, "reverse(<N>)"},
                          {T::nested, "group_by(<I>, 2)"},
                          {T::nested, "{<each I>}"},
                          {T::pairs, "(let s = <I> in zip(s, index(#s)))"},
                          {T::pairs, "histogram(<I>)"},
                          {T::pairs, "(let s = <I> in {(x, x + <i>) : x in s})"}};

// What apply-to-each may range over, and what its variable then is; of pairs there are two.
constexpr std::pair<T, T> sources[] = {{T::ints, T::integer},   {T::nested, T::ints},
                                       {T::bools, T::boolean},  {T::floats, T::floating},
                                       {T::strings, T::string}, {T::string, T::character},
                                       {T::pairs, T::integer}};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program() {
    // A function that is used at the top and inside apply-to-each.
    variables_ = {{"p", T::integer}, {"q", T::ints}};
    std::string text = "function go(p, q) = " + expression(any_type(), 4) + ";\n";
    variables_.clear();
    text += "go(3, [4, 1, 3]);\n";
    text += "{go(i, s) : i in [2, 0, 5, 1]; s in [[3, 1], [] int, [7], [0, 0, 2, 9, 4]]};\n";
    text += "{{go(i, s) : i in [0:n]; s in dist([n, 1], n)} : n in [2, 0, 3]};\n";
    text += "a = [5, 0, 2, 2];\nb = [[1], [] int, [3, 4]];\n";
    variables_ = {{"a", T::ints}, {"b", T::nested}};
    text += "c = " + expression(any_type(), 4) + ";\n";
    variables_.clear();
    return text + recursion() + long_sequence() + rows() + loop() + division();
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  T any_type() { return types[pick(std::size(types))]; }
  T any_scalar() {
    constexpr T scalars[] = {T::integer, T::boolean, T::character, T::floating};
    return scalars[pick(std::size(scalars))];
  }
  std::string fresh() { return "x" + std::to_string(next_++); }

  // A function that calls itself a few times for each element of an apply-to-each. The call is at
  // its end, in several branches, between other branches, or for a value that it uses again.
  std::string recursion() {
    const T type = any_type();
    variables_ = {{"n", T::integer}, {"p", T::integer}, {"q", T::ints}};
    const auto call = [&](const char* less) {
      // Sequences stay short: each round may make them longer.
      return "rec(n - " + std::string(less) + ", " + expression(T::integer, 2) +
             ", (let v = " + expression(T::ints, 2) + " in subseq(v, 0, min(#v, 8))))";
    };
    const auto go_on = [&](const char* less) {
      if (pick(3)) return call(less);
      const std::string value = call(less), name = fresh();
      variables_.emplace_back(name, type);
      const std::string body = expression(type, 2);
      variables_.pop_back();
      return "(let " + name + " = " + value + " in " + body + ")";
    };
    const auto flag = [&] { return expression(T::boolean, 2); };
    std::string body = go_on("1");
    if (pick(3)) body = "if " + flag() + " then " + go_on("2") + " else " + body;
    if (pick(2)) body = "if " + flag() + " then " + expression(type, 2) + " else " + body;
    if (pick(2)) body = "if " + flag() + " then " + go_on("3") + " else " + body;
    std::string text = "function rec(n, p, q) =\n  if n <= 0 then " + expression(type, 3) +
                       " else " + body + ";\n";
    variables_.clear();
    text += "rec(4, 2, [3, 1, 2]);\n";
    text += "{rec(n, n + 1, [0:n]) : n in [4, 0, 5, 2, 1, 3]};\n";
    return text + "{rec(3, n, [n, 2]) : n in [6]};\n";
  }

  // Scalars computed for the elements of longer sequences, with and without a filter, by a function
  // of their own or where they stand.
  std::string long_sequence() {
    constexpr const char* lengths[] = {"7", "40", "300", "700"};
    const std::string length = lengths[pick(std::size(lengths))];
    scalars_only_ = true;
    std::string text = "v = {rem(i * 13, 5) : i in [0:9]};\n";
    const T type = any_scalar(), helper = any_scalar();
    variables_ = {{"x", T::integer}, {"y", T::floating}, {"v", T::ints}};
    text += "function of_scalars(x, y) = " + expression(helper, 3) + ";\n";
    variables_.emplace_back("z", helper);
    variables_.emplace_back("k", T::integer);
    std::string body = expression(type, 4);
    if (pick(2)) body = "(let z = of_scalars(x, y) in " + body + ")";
    const std::string filter = pick(2) ? "" : " | " + expression(T::boolean, 2);
    scalars_only_ = false;
    variables_.clear();
    return text + "let k = 2; z = of_scalars(1, 0.5);\n    r = {" + body +
           " : x in {rem(i * 7919, 23) - 7 : i in [0:" + length +
           "]};\n         y in {float(i) / 3.0 - 2.0 : i in [0:" + length + "]}" + filter +
           "}\nin (#r, r, drop(r, max(0, #r - 50)));\n";
  }

  // Values of any type for the elements of many short sequences, by a function of their own or
  // where they stand. Some of the sequences may be long.
  std::string rows() {
    constexpr const char* lengths[] = {"9", "60", "300", "520"};
    constexpr const char* of_rows[] = {"rem(i * 7, 5)", "rem(i * i, 11)", "1 + rem(i, 3)",
                                       "if rem(i, 97) == 50 then 270 else rem(i, 4)"};
    const std::string length = lengths[pick(std::size(lengths))];
    const std::string of_row = of_rows[pick(std::size(of_rows))];
    rarely_fails_ = true;
    std::string text = "v = {rem(i * 13, 5) : i in [0:9]};\nm = [[4, 2], [] int, [7, 7, 1]];\n";
    const T type = any_type(), helper = any_type();
    variables_ = {{"x", T::integer}, {"r", T::ints}, {"v", T::ints}, {"m", T::nested}};
    text += "function of_rows(x, r) = " + expression(helper, 2) + ";\n";
    for (const auto& variable : {std::pair("w", T::string), {"p", T::pairs}})
      variables_.push_back(variable);
    std::string body = expression(type, 3);
    if (pick(2)) {
      variables_.emplace_back("z", helper);
      body = "(let z = of_rows(x, r) in " + expression(type, 3) + ")";
      variables_.pop_back();
    }
    const std::string filter = pick(2) ? "" : " | " + expression(T::boolean, 2);
    rarely_fails_ = false;
    variables_.clear();
    return text + "let q = {" + body + "\n  : x in {rem(i * 7919, 23) - 7 : i in [0:" + length +
           "]};\n    r in {{rem(i * j, 9) - j : j in [0:" + of_row + "]} : i in [0:" + length +
           "]};\n    w in {{code_char(97 + rem(i + j, 5)) : j in [0:rem(i, 4)]} : i in [0:" +
           length + "]};\n    p in {{(j, i) : j in [0:rem(i, 3)]} : i in [0:" + length + "]}" +
           filter + "}\nin (#q, q, drop(q, max(0, #q - 20)));\n";
  }

  // A loop for each element of a long sequence: it updates scalars until a test holds.
  std::string loop() {
    const T type = any_scalar();
    scalars_only_ = true;
    variables_ = {{"n", T::integer}, {"x", T::integer}, {"y", T::floating}, {"b", T::boolean}};
    const auto again = [&](const char* less) {
      return "loop(n - " + std::string(less) + ", " + expression(T::integer, 2) + ", " +
             expression(T::floating, 2) + ", " + expression(T::boolean, 2) + ")";
    };
    std::string body = again("1");
    if (pick(2)) body = "if " + expression(T::boolean, 2) + " then " + again("2") + " else " + body;
    if (pick(2))
      body = "if " + expression(T::boolean, 2) + " then " + expression(type, 2) + " else " + body;
    if (pick(2)) body = "let x = " + expression(T::integer, 2) + " in " + body;
    std::string text = "function loop(n, x, y, b) =\n  if n <= 0 then " + expression(type, 3) +
                       "\n  else " + body + ";\n";
    scalars_only_ = false;
    variables_.clear();
    return text + "{loop(rem(i * 31, 17), i, float(i) / 7.0, evenp(i)) : i in [0:" +
           (pick(2) ? "30" : "400") + "]};\n";
  }

  // A function that divides a sequence and calls itself for the parts in an apply-to-each.
  std::string division() {
    constexpr std::pair<T, T> results[] = {{T::integer, T::ints},
                                           {T::boolean, T::bools},
                                           {T::floating, T::floats},
                                           {T::string, T::strings},
                                           {T::ints, T::nested}};
    constexpr const char* splits[] = {
        "[{e in s | e < p}, {e in s | e > p}]", "[subseq(s, 0, #s / 2), subseq(s, #s / 2, #s)]",
        "[{e in s | e < p}, [p, k], {e + 1 : e in s | e > p}]",
        "{subseq(s, i, min(#s, i + 3)) : i in [0:#s:3]}", "[drop(s, 1)]"};
    const auto [type, of_parts] = results[pick(std::size(results))];
    const std::string split = splits[pick(std::size(splits))];
    rarely_fails_ = true;
    variables_ = {{"s", T::ints}, {"k", T::integer}};
    std::string text = "function divide(s, k) =\n  if #s < " + std::to_string(2 + pick(3)) +
                       " or k > 4 then " + expression(type, 2);
    for (const auto& variable : {std::pair("p", T::integer), {"r", of_parts}})
      variables_.push_back(variable);
    std::string whole = expression(type, 3);
    if (pick(2))
      whole = "if " + expression(T::boolean, 2) + " then " + whole + " else " + expression(type, 2);
    if (type == T::ints || type == T::string)  // they may become longer at each level
      whole = "let v = " + whole + " in subseq(v, 0, min(#v, 12))";
    rarely_fails_ = false;
    variables_.clear();
    text += "\n  else let p = s[#s / 2]; r = {divide(x, k + 1) : x in " + split + "}\n       in " +
            whole + ";\n";
    text += "divide({rem(i * 7919, 101) - 9 : i in [0:" + std::string(pick(2) ? "9" : "70") +
            "]}, 0);\n";
    return text + "{divide({rem(i * j, 37) : j in [0:rem(i, 19)]}, rem(i, 3)) : i in [0:" +
           (pick(2) ? "12" : "90") + "]};\n";
  }

  // One of those of a type, each as likely.
  template <class Rules>
  const char* any_rule(const Rules& all, T type) {
    std::vector<const char*> fitting;
    for (const Rule& rule : all)
      if (rule.type == type && (!scalars_only_ || is_for_long_sequences(rule)) &&
          (!rarely_fails_ || !fails_often(rule) || pick(16) == 0))
        fitting.push_back(rule.text);
    return fitting[pick(fitting.size())];
  }

  // Whether a rule is for the elements of long sequences: those that fail for one of them in many
  // are rare.
  bool is_for_long_sequences(const Rule& rule) {
    const std::string text = rule.text;
    if (text == "(<I>)[<i>]" || text == "(<i> / <i>)") return pick(16) == 0;
    const bool takes_sequence = std::any_of(std::begin(types), std::end(types), [&](T type) {
      return is_sequence(type) && text.find({'<', static_cast<char>(type), '>'}) != text.npos;
    });
    return !takes_sequence && text.find("<each") == text.npos;
  }

  // Of the elements of a long sequence, one would.
  static bool fails_often(const Rule& rule) {
    constexpr std::string_view texts[] = {
        "(<I>)[<i>]", "(<i> / <i>)", "(<s>)[<i>]",    "(<f> / <f>)", "sqrt(<f>)",
        "<s>, <i>)",  "<F>, <i>)",   "s <- [(#s / 2", "max_int",     "min_int"};
    return std::any_of(std::begin(texts), std::end(texts), [&](std::string_view text) {
      return std::string_view(rule.text).find(text) != std::string_view::npos;
    });
  }

  std::string leaf(T type) {
    std::vector<std::string> names;
    for (const auto& [name, its] : variables_)
      if (its == type) names.push_back(name);
    if (!names.empty() && pick(4) > 0) return names[pick(names.size())];
    return any_rule(leaves, type);
  }

  // body : x in s | filter
  std::string each(T body, int depth) {
    const std::size_t mark = variables_.size();
    const auto [source, element] = sources[pick(std::size(sources))];
    const std::string sequence = expression(source, depth), name = fresh();
    std::string pattern = name;
    variables_.emplace_back(name, element);
    if (source == T::pairs) {
      pattern = "(" + name + ", " + name + "b)";
      variables_.emplace_back(name + "b", element);
    }
    const std::string inside = expression(body, depth);
    const std::string filter = pick(3) ? "" : " | " + expression(T::boolean, depth);
    variables_.resize(mark);
    return "(" + inside + ") : " + pattern + " in " + sequence + filter;
  }

  // The rule with its holes filled in.
  std::string filled(const std::string& rule, int depth) {
    const std::size_t open = rule.find('<');
    const std::size_t close = open == std::string::npos ? open : rule.find('>', open);
    // `<`, `<-` and the like are no holes.
    if (close == std::string::npos) return rule;
    const std::string hole = rule.substr(open + 1, close - open - 1);
    const bool is_each = hole.starts_with("each ");
    if (hole.size() != 1 && !is_each)
      return rule.substr(0, open + 1) + filled(rule.substr(open + 1), depth);
    const T type = static_cast<T>(hole.back());
    const std::string inside = is_each ? each(type, depth) : expression(type, depth);
    return rule.substr(0, open) + inside + filled(rule.substr(close + 1), depth);
  }

  std::string expression(T type, int depth) {
    if (depth <= 0 || pick(8) == 0 || (scalars_only_ && is_sequence(type))) return leaf(type);
    const auto e = [&](T t) { return expression(t, depth - 1); };
    switch (pick(6)) {
      case 0: {
        const std::string test = e(T::boolean), yes = e(type);
        return "(if " + test + " then " + yes + " else " + e(type) + ")";
      }
      case 1: {
        const T bound = scalars_only_ ? any_scalar() : any_type();
        const std::string value = e(bound), name = fresh();
        variables_.emplace_back(name, bound);
        const std::string body = e(type);
        variables_.pop_back();
        return "(let " + name + " = " + value + " in " + body + ")";
      }
      default:
        return filled(any_rule(rules, type), depth - 1);
    }
  }

  static bool is_sequence(T type) {
    return type != T::integer && type != T::boolean && type != T::character && type != T::floating;
  }

  std::mt19937_64 random_;
  bool scalars_only_ = false, rarely_fails_ = false;
  std::vector<std::pair<std::string, T>> variables_;
  int next_ = 0;
};

TEST(RandomPrograms, AreTheSameWithEveryEvaluator) {
  int64_t programs = 0, values = 0, errors = 0;
  const auto count = [](const std::string& text, const char* word) {
    int64_t found = 0;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  test::compare_seeds({"TUTTI_TEST_NESL", 100, "NESL programs"}, [&](uint64_t seed) {
    const std::string program = Generator(seed).program();
    ++programs;
    const std::string output = run(program, Mode::plain).output;
    values += count(output, "it =");
    errors += count(output, "RUNTIME");
    return agree(program);
  });
  // Most forms must have a value: of a few programs, all may fail.
  if (programs >= 40) {
    EXPECT_GT(values, errors);
  }
}

}  // namespace
}  // namespace tutti::nesl_test
