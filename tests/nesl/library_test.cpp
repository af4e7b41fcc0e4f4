// The library: its functions have the types they declare, and their bodies can be resolved.
#include <gtest/gtest.h>

#include "nesl/errors.hpp"
#include "nesl/library/builtins.hpp"
#include "nesl/support.hpp"
#include "nesl/types/infer.hpp"

namespace tutti::nesl {
namespace {

TEST(Library, DeclaresTheTypesThatItsBodiesHave) {
  Environment environment;
  define_builtins(environment);
  int functions = 0;
  environment.for_each([&](const Definition& builtin) {
    if (builtin.kind != Definition::Kind::function) return;
    auto definition = std::make_shared<Definition>(builtin);
    try {
      Inference(environment).check_function(definition);
    } catch (const ProgramError& error) {
      ADD_FAILURE() << builtin.name << ": " << error.what();
      return;
    }
    EXPECT_TRUE(same_type(builtin.type, definition->type))
        << builtin.name << " declares " << to_string(builtin.type) << " and has "
        << to_string(definition->type);
    ++functions;
  });
  EXPECT_GT(functions, 60);
}

TEST(Library, EverythingIsDescribed) {
  Environment environment;
  define_builtins(environment);
  environment.for_each(
      [](const Definition& builtin) { EXPECT_FALSE(builtin.description.empty()) << builtin.name; });
}

TEST(Library, DoesNotSeeNamesOfTheProgram) {
  EXPECT_EQ(nesl_test::value_of("all = 3; index = 4; transpose([[1, 2], [3, 4]]);"),
            "[[1, 3], [2, 4]]");
}

// The number of elements asked for does not fit into an int.
TEST(Library, SaysHowManyElementsAreNotThere) {
  const auto run = [](const char* form) {
    return nesl_test::run(form, Evaluation::Mode::plain).output;
  };
  EXPECT_NE(run("subseq([1, 2], -2147483647 - 1, 0);").find("2147483648 elements from"),
            std::string::npos);
}

// Long sequences are sorted digit by digit, short ones by comparing.
TEST(Library, SortsLongSequencesAsRanksCount) {
  const std::string by_counting =
      "function before(a, i, v) = sum({select(b < a or (b == a and j < i), 1, 0) : b in v; j in "
      "[0:#v]});"
      "function after(a, i, v) = sum({select(b > a or (b == a and j < i), 1, 0) : b in v; j in "
      "[0:#v]});"
      "function is_right(v) ="
      "  let places = {before(a, i, v) : a in v; i in [0:#v]}"
      "  in eql(rank(v), places) and eql(sort(v), permute(v, places)) and"
      "     eql(rank_down(v), {after(a, i, v) : a in v; i in [0:#v]});";
  for (const char* numbers :
       {"{rem(i * 7919, 613) - 300 : i in [0:700]}", "{i * 1000003 : i in [0:500]}",
        "{float(rem(i * 7919, 613) - 300) / 7.0 : i in [0:700]}",
        "{select(rem(i, 3) == 0, -0.0, float(rem(i, 5) - 2) * (1.0e308 * 10.0)) : i in [0:300] | "
        "rem(i, 5) "
        "/= 2}",
        "{rem(i, 4) : i in [0:100]}"})
    EXPECT_EQ(nesl_test::value_of(by_counting + "is_right(" + numbers + ");"), "T") << numbers;
  EXPECT_EQ(
      nesl_test::value_of("a = 1.0e308 * 10.0; v = [a - a] ++ {float(i) : i in [0:300]} ++ [-a, a];"
                          "(rank(v)[0], rank_down(v)[0]);"),
      "(302, 302)");
}

// It need not be one, but what it gives must not depend on the evaluator.
TEST(Library, PermutesByWhatIsNoPermutation) {
  nesl_test::expect_everywhere("permute([1, 2, 3], [0, 0, 1]);", "[2, 3, 3]");
  nesl_test::expect_everywhere("permute([\"a\", \"bc\", \"d\"], [2, 2, 2]);",
                               "[\"a\", \"bc\", \"d\"]");
  nesl_test::expect_everywhere(
      "{permute([(i, 0.5), (7, 1.5)], [0, 0])[rem(i, 2)] : i in [0:10]};",
      "[(7, 1.5), (7, 1.5), (7, 1.5), (7, 1.5), (7, 1.5), (7, 1.5), (7, 1.5), "
      "(7, 1.5), (7, 1.5), (7, 1.5)]");
  nesl_test::expect_everywhere("{permute([i, i + 1, i + 2], [2, 2, 1])[0] : i in [0:12]};",
                               "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
}

TEST(Scalars, FloatsAsIntsAreRounded) {
  nesl_test::expect_everywhere("float_to_any(0.5, 0);", "1");
  nesl_test::expect_everywhere("{float_to_any(x, 0) : x in [0.5, 2.75, 0.25, -2.75]};",
                               "[1, 3, 0, -2]");
  nesl_test::expect_everywhere("{float_to_any(x, 1.0) : x in [0.5, 2.75]};", "[0.5, 2.75]");
}

}  // namespace
}  // namespace tutti::nesl
