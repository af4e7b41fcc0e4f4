// Programs on several ranks that are more than one evaluation of arrays: vectors, recorded bodies,
// captured programs with tables. They give the bits of one rank. Nested sequences are tried by
// processes (mpi_test.cpp): threads share what contexts have computed.
#include <tutti/keywords.hpp>

#include <cmath>
#include <thread>

#include "ranks/on_ranks.hpp"

namespace tutti::test {
namespace {

// run() gives something that can be compared.
template <class Run>
void expect_equal_on_ranks(const Run& run) {
  const auto want = run();
  for (int count : {2, 3, 7})
    ranks::run_on_threads(count, [&] { EXPECT_TRUE(run() == want) << count << " ranks"; });
}

std::vector<double> numbers(size_t count) {
  std::vector<double> result(count);
  for (size_t i = 0; i < count; ++i) result[i] = std::sin(static_cast<double>(i * 7919 % 10007));
  return result;
}

TEST(RanksPrograms, Vectors) {
  const SplitFrom small(100);
  expect_equal_on_ranks([] {
    Vec<double> x(numbers(5000)), y(numbers(5000));
    for (int i = 0; i < 5; ++i) {
      y += 0.5 * x;
      x = y - shift(y, 1, Boundary::constant(0.0)) * dot(x, y) / 1000.0;
    }
    return x.to_vector();
  });
}

TEST(RanksPrograms, RecordedBodies) {
  const SplitFrom small(100);
  expect_equal_on_ranks([] {
    const Boundary zero = Boundary::constant(0.0);
    Vec<double> u(4000), r(numbers(4000)), p = r;
    Number<double> rr = dot(r, r);
    const auto step = record(
        [&] {
          const Vec<double> q = 4.0 * p - shift(p, 1, zero) - shift(p, -1, zero);
          const Number<double> alpha = rr / dot(p, q), before = rr;
          u += alpha * p;
          r -= alpha * q;
          rr = dot(r, r);
          p = r + rr / before * p;
        },
        u, r, p, rr);
    step(7);
    return u.to_vector();
  });
}

TEST(RanksPrograms, CapturedProgramsWithTables) {
  const SplitFrom small(100);
  expect_equal_on_ranks([] {
    const Array<1, double> table = ranks::distribute(Array<1, double>(numbers(3000)));
    const Program walk = program([&](Value1i start) {
      Value1i at = start;
      Value1d total = 0.0;
      FOR(Value1i k = 0, k < 10, k += 1) {
        total += table[at];
        at = (at * 7 + 13) % 3000;
      }
      ENDFOR;
      return total;
    });
    const Array<1, int> starts = ranks::distribute(index(Shape<1>(2000), 0));
    const Array<1, double> totals = walk(starts);
    return totals.to_vector();
  });
}

// A thread that has not joined the ranks cannot take part in what they exchange.
TEST(RanksPrograms, AnotherThreadMayNotReadASplitArray) {
  const SplitFrom small(100);
  ranks::run_on_threads(2, [] {
    const Array<1, float> a = ranks::distribute(cast<float>(index(Shape<1>(1000), 0)));
    std::string message;
    std::jthread([&] {
      try {
        a.to_vector();
      } catch (const RankError& error) {
        message = error.what();
      }
    }).join();
    EXPECT_NE(message.find("by a thread that has not joined them"), std::string::npos) << message;
    EXPECT_EQ(a.to_vector().size(), 1000u);
  });
}

}  // namespace
}  // namespace tutti::test
