// Random programs with nested control flow, compiled, against the reference interpreter, to the
// bit. TUTTI_TEST_PROGRAMS and TUTTI_TEST_SEED ask for more programs and other ones.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include "graph/node.hpp"
#include "programs/random_application.hpp"
#include "support/compare.hpp"
#include "support/seeds.hpp"

namespace tutti::test {
namespace {

std::vector<Elements> results(RandomApplication& application, const detail::Extents& shape,
                              uint64_t seed, bool interpret, int threads) {
  const WithSettings s([&](Settings& s) {
    s.interpret = interpret;
    s.threads = threads;
  });
  const std::vector<detail::NodeRef> nodes = application.results(shape, seed);
  detail::evaluate(nodes);
  std::vector<Elements> result;
  for (const detail::NodeRef& node : nodes) result.push_back(read(node));
  return result;
}

// At times once more with arrays of another shape: plans are resized.
testing::AssertionResult compare(uint64_t seed) {
  RandomApplication application(seed);
  Random random(seed);
  const int threads[] = {1, 2, 5};
  const int runs = random.chance(35) ? 2 : 1;
  for (int run = 0; run < runs; ++run) {
    const detail::Extents shape = application.shape(random);
    const uint64_t inputs = random.bits();
    const auto want = results(application, shape, inputs, true, 1);
    const auto got = results(application, shape, inputs, false, random.one_of(threads));
    for (size_t r = 0; r < want.size(); ++r)
      if (const auto outcome = same(want[r], got[r]); !outcome)
        return testing::AssertionFailure()
               << "run " << run << " for shape " << detail::to_string(shape) << ", output " << r
               << " of " << want.size() << ": " << outcome.message();
  }
  return testing::AssertionSuccess();
}

TEST(RandomPrograms, CompiledEqualsInterpreted) {
  compare_seeds({"TUTTI_TEST_PROGRAMS", 80, "programs"}, compare);
}

}  // namespace
}  // namespace tutti::test
