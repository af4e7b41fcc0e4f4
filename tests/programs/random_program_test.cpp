// Random programs with nested control flow, compiled, against the reference interpreter, to the
// bit. TUTTI_TEST_PROGRAMS and TUTTI_TEST_SEED ask for more programs and other ones.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include "programs/random_program.hpp"
#include "support/compare.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

std::vector<Elements> results(const Program& p, const std::vector<detail::Argument>& arguments,
                              bool interpret, int threads) {
  const WithSettings s([&](Settings& s) {
    s.interpret = interpret;
    s.threads = threads;
  });
  const Bundle outputs(Program(detail::bind(p.handle(), arguments)));
  detail::evaluate(outputs.nodes());
  std::vector<Elements> result;
  for (const detail::NodeRef& node : outputs.nodes()) result.push_back(read(node));
  return result;
}

// Once more with arrays of another shape: plans are resized.
testing::AssertionResult compare(uint64_t seed) {
  RandomProgram random(seed);
  const Program p = random.capture();
  random.change_modes();
  const int threads[] = {1, 2, 5};
  for (int run = 0; run < 2; ++run) {
    const detail::Extents shape = random.shape();
    const std::vector<detail::Argument> arguments = random.arguments(shape);
    const auto want = results(p, arguments, true, 1);
    const auto got = results(p, arguments, false, threads[(seed + static_cast<uint64_t>(run)) % 3]);
    for (size_t r = 0; r < want.size(); ++r)
      if (const auto outcome = same(want[r], got[r]); !outcome)
        return testing::AssertionFailure()
               << "run " << run << " for shape " << detail::to_string(shape) << ", output " << r
               << " of " << want.size() << ": " << outcome.message();
  }
  return testing::AssertionSuccess();
}

TEST(RandomPrograms, CompiledEqualsInterpreted) {
  compare_seeds({"TUTTI_TEST_PROGRAMS", 30, "programs"}, compare);
}

}  // namespace
}  // namespace tutti::test
