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

}  // namespace
}  // namespace tutti::nesl
