// Every function of the language, on each evaluator: by itself, inside an apply-to-each, and inside
// two, with empty sequences among the arguments. The plain evaluator says what is right; known
// answers for it are in the reference, whose examples are tests too.
#include <gtest/gtest.h>

#include "nesl/support.hpp"

namespace tutti::nesl_test {
namespace {

using Mode = nesl::Evaluation::Mode;

struct Case {
  const char* body;       // an expression of v
  const char* arguments;  // values of v: a sequence
};

constexpr const char* ints = "[3, -2, 0, 7, 2147483647, -2147483647]";
constexpr const char* pairs_of_ints = "[(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (1, 1)]";
constexpr const char* floats = "[0.5, -0.25, 0.0, 0.75, -1.0, 1.0]";
constexpr const char* positive = "[0.5, 1.0, 2.0, 10.0, 1.0e-3, 123456.0]";
constexpr const char* flags = "[t, f, t]";
constexpr const char* int_sequences =
    "[[3, 1, 2], [] int, [5], [2, 2, -1, 2], [] int, [9, 8, 7, 6, 5]]";
constexpr const char* float_sequences = "[[1.5, -2.0], [] float, [0.25], [3.0, 3.0, 1.0]]";
constexpr const char* bool_sequences = "[[t, f, t], [] bool, [f], [t, t, f, f, t], [] bool]";
constexpr const char* strings = "[\"a bc\", \"\", \"hello\", \"  two  words \", \"x\"]";
constexpr const char* nested_sequences =
    "[[[1, 2], [] int, [3]], [] [int], [[4]], [[] int, [] int]]";
constexpr const char* pair_sequences = "[[(1, `a), (2, `b), (1, `c)], [] (int, char), [(5, `z)]]";
constexpr const char* with_index = "[([3, 1, 2], 1), ([5], 0), ([2, 2, -1, 2], 3)]";
constexpr const char* with_count =
    "[([3, 1, 2], 2), ([] int, 0), ([5], 1), ([2, 2, -1, 2], -3), ([4, 5], -1)]";
constexpr const char* two_sequences =
    "[([3, 1], [4]), ([] int, [] int), ([5], [6, 7]), ([] int, [8]), ([1, 2, 3], [4, 5, 6])]";
constexpr const char* equal_lengths = "[([3, 1], [4.5, 2.5]), ([] int, [] float), ([5], [6.0])]";
constexpr const char* with_flags =
    "[([3, 1, 2], [t, f, t]), ([] int, [] bool), ([5], [f]), ([6, 7], [t, t])]";

const Case cases[] = {
    {"v + 1", ints},
    {"v - 1", ints},
    {"v * 3", ints},
    {"v / 3", ints},
    {"-v", ints},
    {"v + 0.5", floats},
    {"v - 0.5", floats},
    {"v * 0.5", floats},
    {"v / 0.3", floats},
    {"-v", floats},
    {"rem v", pairs_of_ints},
    {"mod v", pairs_of_ints},
    {"let (a, b) = v in a == b, a /= b, a < b, a > b, a <= b, a >= b, max(a, b), min(a, b)",
     pairs_of_ints},
    {"let (a, b) = v in a and b, a or b, a xor b, a nor b, a nand b, not(a)", pairs_of_ints},
    {"v and t, v or f, v xor t, v nor f, v nand t, not(v), btoi(v)", flags},
    {"plusp(v), minusp(v), zerop(v), oddp(v), evenp(v), abs(v), diff(v, 2)", ints},
    {"plusp(v), minusp(v), zerop(v), abs(v), diff(v, 2.0)", floats},
    {"lshift(v, 3), rshift(v, 2), lshift(v, 0)", ints},
    {"sqrt(v), ln(v), log(v, 2.0), expt(v, 0.5), reciprocal(v)", positive},
    {"exp(v), sin(v), cos(v), tan(v), sinh(v), cosh(v), tanh(v), atan(v)", floats},
    {"asin(v), acos(v)", floats},
    {"ceil(v), floor(v), trunc(v), round(v)", floats},
    {"float(v), float_num(v), zero(v), one(v), int_to_any(v, 0.0), int_to_any(v, 1)", ints},
    {"float_num(v), float_to_any(v, 1), zero(v), one(v)", floats},
    {"code_char(v), char_code(code_char(v))", "[65, 97, 48, 32]"},
    {"isqrt(v)", "[0, 1, 15, 16, 17, 1000000]"},
    {"v^2, v^3, v^5, v^0", "[2, -3, 0, 1]"},
    {"v^2, v^3, v^4", floats},
    {"gcd v", pairs_of_ints},
    {"digitp(v), lowercase(v), uppercase(v), char_code(v)", "\"aZ5 \""},
    {"v == `l, v < `l, max(v, `l), min(v, `l)", "\"hello\""},
    {"select(v, 1, 2), select(v, \"yes\", \"\")", flags},
    {"#v, length(v)", int_sequences},
    {"#v", strings},
    {"#v, {#x : x in v}", nested_sequences},
    {"dist(v, 3)", ints},
    {"dist(7, v)", "[0, 2, 1]"},
    {"dist(v, 2)", int_sequences},
    {"elt v", with_index},
    {"let (s, i) = v in s[i], rep(s, 9, i)", with_index},
    {"index(v), [1:v + 1], [0:v:2], iseq(0, 3, v)", "[0, 1, 7, 3]"},
    {"zip v", equal_lengths},
    {"unzip(v)", pair_sequences},
    {"let (a, b) = v in zip3(a, b, a)", equal_lengths},
    {"fseq(0.0, 0.5, v)", "[0.0, 1.0, 2.2]"},
    {"fseq(10.0, v, 1.0)", "[2.5, -2.5, 4.0]"},
    {"plus_scan(v), mult_scan(v), max_scan(v), min_scan(v)", int_sequences},
    {"plus_scan(v), mult_scan(v), max_scan(v), min_scan(v)", float_sequences},
    {"or_scan(v), and_scan(v), xor_scan(v)", bool_sequences},
    {"or_scan(v), and_scan(v), xor_scan(v)", int_sequences},
    {"sum(v), product(v), max_val(v), min_val(v)", int_sequences},
    {"sum(v), product(v), max_val(v), min_val(v)", float_sequences},
    {"any(v), all(v), parity(v), count(v), enumerate(v)", bool_sequences},
    {"any(v), all(v), parity(v)", int_sequences},
    {"max_index(v), min_index(v)", "[[3, 1, 2], [5], [2, 2, -1, 2]]"},
    {"scan('+, 0, v)", "[[3, 1, 2], [5], [2, 2, -1, 2], [1, 2, 3, 4, 5, 6, 7]]"},
    {"reduce('max, v)", "[[3, 1, 2], [5], [2, 2, -1, 2]]"},
    {"let (s, i) = v in s -> [i, i], read(s, [0]), get(s, [] int)", with_index},
    {"let (s, i) = v in s <- [(i, 9)], write(s, [(0, 5), (0, 6)]), s <- [] (int, int)", with_index},
    {"let (s, i) = v in put([8, 9], [i, 0], s), cond_put([8, 9], [0, i], [f, t], s)", with_index},
    {"permute(v, rank(v))", int_sequences},
    {"rotate v", with_count},
    {"reverse(v)", int_sequences},
    {"reverse(v)", strings},
    {"reverse(v)", nested_sequences},
    {"previous(v, 0), next(v, 0)", int_sequences},
    {"let (a, b) = v in join(a, {2 * i : i in index(#a)}, b, {2 * i + 1 : i in index(#b)})",
     "[([1, 2], [3]), ([] int, [] int)]"},
    {"let (a, fl) = v in flag_merge(fl, {x : x in a; y in fl | not(y)}, {x : x in a; y in fl | y})",
     with_flags},
    {"pack(zip v)", with_flags},
    {"let (a, b) = v in a ++ b, append(a, b)", two_sequences},
    {"cons(1, v), snoc(v, 1)", int_sequences},
    {"vpair(v, 1), vsep([v, 2])", ints},
    {"let (s, i) = v in subseq(s, 0, i), subseq(s, i, #s)", with_index},
    {"drop v, take v", with_count},
    {"odd_elts(v), even_elts(v)", int_sequences},
    {"interleave v", "[([3, 1], [4]), ([] int, [] int), ([5], [6]), ([1, 2, 3], [4, 5, 6])]"},
    {"length_from_flags(v), pack_index(v), split_index(v)", bool_sequences},
    {"let (a, fl) = v in unpack({x : x in a; y in fl | y}, fl)", with_flags},
    {"partition(v, [1, 0, 2])", "[[3, 1, 2], [7, 8, 9]]"},
    {"partition(v, [] int)", "[[] int]"},
    {"flatten(v)", nested_sequences},
    {"split v", with_flags},
    {"bottop(v)", int_sequences},
    {"head_rest(v), rest_tail(v)", "[[3, 1, 2], [5]]"},
    {"group_by(v, 2)", int_sequences},
    {"flag_partition v", with_flags},
    {"transpose(v)", "[[[1, 2], [3, 4], [5, 6]], [] [int], [[7]]]"},
    {"nest(v, [make_segdes(#v)])", int_sequences},
    {"nest([1, 2, 3], {make_segdes(n) : n in v})", "[[1, 2], [3], [0, 0, 3]]"},
    {"sort(v), rank(v), rank_down(v)", int_sequences},
    {"sort(v), rank(v), rank_down(v)", float_sequences},
    {"char_rank(v)", strings},
    {"kth_smallest(v, #v / 2), median(v)", "[[3, 1, 2], [5], [2, 2, -1, 2]]"},
    {"median(v)", "[\"hello\", \"x\"]"},
    {"collect(v), int_collect(v)", pair_sequences},
    {"histogram(v)", int_sequences},
    {"histogram(v)", strings},
    {"find(2, v)", int_sequences},
    {"search_for_subseqs(\"l\", v), search_for_subseqs(\"\", v)", strings},
    {"remove_duplicates(v), mark_duplicates(v), name(v)", int_sequences},
    {"remove_duplicates(v), name(v)", nested_sequences},
    {"name(v)", pair_sequences},
    {"union v, intersection v, set_difference v", two_sequences},
    {"map(x => x + 1, v)", int_sequences},
    {"search_table([1, 5], create_table(v))", pair_sequences},
    {"table_entries(insert_table([(9, `q)], create_table(v)))", pair_sequences},
    {"table_entries(make_table((v, v), 3)), table_entries(fast_create_table([(v, 1.5)]))", ints},
    {"let (a, b) = v in eql(a, b), eql(a, a)", two_sequences},
    {"eql(v, v), hash(v, 100) == hash(v, 100)", nested_sequences},
    {"hash(v, 1000)", strings},
    {"hash(v, 1000)", nested_sequences},
    {"hash(v, 1000)", pair_sequences},
    {"hash(v, 1000)", float_sequences},
    {"name(wordify(v)), name([v, v])", strings},
    {"name([v, [2.0], v])", float_sequences},
    {"identity(v)", ints},
    {"identity(v)", nested_sequences},
    {"identity(v)", pair_sequences},
    {"@v, string(v)", ints},
    {"@v", floats},
    {"@v", flags},
    {"@v", nested_sequences},
    {"@v", pair_sequences},
    {"exp_string(v, 3)", floats},
    {"v || 6, v || -6", strings},
    {"wordify(v), group_by_space(v, \" l\")", strings},
    {"linify(v)", strings},
    {"linify(v ++ [newline] ++ v)", strings},
    {"string_eql(v, \"hello\"), {uppercase(c) : c in v}", strings},
    {"parse_int(v), parse_unsigned_int(v), parse_float(v)",
     "[\"42\", \"-7\", \"x\", \"\", \"3.5\"]"},
    {"parse_int_vect(v)", "[\"1 2 3\", \"\", \" 44 \"]"},
    {"pack_index(char_map(v))", strings},
    {"next_char([0:#v], \"l\", v, 0)", strings},
    {"justify_text(v, 5)", strings},
    {"group_by_separator_flags(v, {c == `l : c in v})", strings},
    {"first(v), rest(v)", pairs_of_ints},
    {"if v > 0 then v / v else if v == 0 then 100 else -v", ints},
    {"if #v == 0 then [0] else if v[0] > 4 then reverse(v) else v ++ v", int_sequences},
    {"let g = x => x + v in {g(i) : i in [0:3]}", ints},
    {"{x * y : x in v; y in reverse(v) | x /= y}", int_sequences},
    {"{{x + y : y in v | y > x} : x in v}", int_sequences},
    {"{sum({a * b : a in r}) : r in v; b in [0:#v]}", nested_sequences},
};

std::string in_all_modes(const std::string& program) {
  const std::string right = run(program, Mode::plain).output;
  EXPECT_EQ(right.find("Error"), std::string::npos) << program << "\n" << right;
  EXPECT_EQ(right.find("ERROR"), std::string::npos) << program << "\n" << right;
  EXPECT_EQ(run(program, Mode::flat).output, right) << program;
  EXPECT_EQ(run(program, Mode::mixed).output, right) << program;
  return right;
}

class EveryFunction : public testing::TestWithParam<Case> {};

// Through a function, so that the argument is not a constant; the answer goes through @ to be
// short.
TEST_P(EveryFunction, AloneAndInsideApplyToEach) {
  const std::string body = GetParam().body, arguments = GetParam().arguments;
  const std::string function = "function go(v) = (" + body + ");\n";
  in_all_modes(function + "go((" + arguments + ")[0]);");
  in_all_modes(function + "{go(v) : v in " + arguments + "};");
  in_all_modes(function + "all = " + arguments +
               ";\n{{go(v) : v in vs} : vs in [all, take(all, 0), take(all, 1)]};");
  in_all_modes("{(" + body + ") : v in take(" + arguments + ", 0)};");
}

INSTANTIATE_TEST_SUITE_P(Language, EveryFunction, testing::ValuesIn(cases));

}  // namespace
}  // namespace tutti::nesl_test
