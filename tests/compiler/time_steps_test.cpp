// Time steps that are planned together have the bits of single steps, on lines, images and blocks;
// explain() shows how they are computed.
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/numbers.hpp"

namespace tutti::test {
namespace {

// One step of heat on an array of any rank, whose border is as `boundary` says.
template <int D>
Array<D, float> heat(const Array<D, float>& x, const Boundary& boundary) {
  Array<D, float> flow = -2.0f * D * x;
  for (int axis = 0; axis < D; ++axis)
    for (int by : {-1, 1}) {
      Shape<D> to;
      to[axis] = by;
      flow += shift(x, to, boundary);
    }
  return x + 0.05f * flow;
}

template <int D>
void check(const Shape<D>& shape, int64_t count) {
  const Array<D, float> start = numbers<D>(shape);
  for (const Boundary& boundary : {Boundary::clamp(), Boundary::wrap(), Boundary::constant(1.5f)}) {
    const auto step = [&](const Array<D, float>& x) { return heat<D>(x, boundary); };
    const Elements want = read(time_steps(start, count, step, {.together = 1}));
    for (int together : {0, 2, 3, 4, 7})
      EXPECT_TRUE(same(want, read(time_steps(start, count, step, {.together = together}))))
          << together << " steps together";
    expect_same([&] { return time_steps(start, count, step); });
  }
}

TEST(TimeSteps, OfALine) { check<1>({3001}, 9); }
TEST(TimeSteps, OfAnImage) { check<2>({61, 203}, 9); }
TEST(TimeSteps, OfABlock) { check<3>({13, 17, 40}, 5); }

TEST(TimeSteps, AreStoredAsOftenAsWasAsked) {
  const auto start = numbers<2>({200, 300});
  const auto step = [](const Array<2, float>& x) { return heat<2>(x, Boundary::clamp()); };
  const auto evaluations = [&](int together) {
    const int64_t before = statistics().evaluations;
    time_steps(start, 12, step, {.together = together}).evaluate();
    return statistics().evaluations - before;
  };
  EXPECT_EQ(evaluations(0), 1);
  EXPECT_EQ(evaluations(1), 12);
  EXPECT_EQ(evaluations(4), 3);
  EXPECT_EQ(evaluations(5), 3);  // the last two when the result is read
}

TEST(TimeSteps, AreExplained) {
  const auto start = numbers<2>({2000, 1000});
  const auto step = [](const Array<2, float>& x) { return heat<2>(x, Boundary::clamp()); };
  const Explanation four = explain(time_steps(start, 4, step));
  const auto says = [&](const char* text) { return four.text().find(text) != std::string::npos; };
  EXPECT_TRUE(says("in row blocks with") || says("register tiles of")) << four;  // a CPU, a GPU
}

// Two arrays: a wave that knows where it was.
TEST(TimeSteps, OfTuples) {
  using Wave = std::tuple<Array<1, float>, Array<1, float>>;
  const auto step = [](const Wave& wave) {
    const auto& [now, before] = wave;
    return Wave(2.0f * now - before + 0.25f * (shift(now, {1}) - 2.0f * now + shift(now, {-1})),
                now);
  };
  const Wave start(numbers<1>({1000}), numbers<1>({1000}));
  const Elements want = read(std::get<0>(time_steps(start, 10, step, {.together = 1})));
  for (int together : {0, 3})
    EXPECT_TRUE(same(want, read(std::get<0>(time_steps(start, 10, step, {.together = together})))));
}

TEST(TimeSteps, RefuseNegativeCounts) {
  const Array<1, float> state({4}, 2.0f);
  const auto twice = [](const Array<1, float>& a) -> Array<1, float> { return a * 2.0f; };
  EXPECT_EQ(time_steps(state, 0, twice).to_vector(), std::vector<float>(4, 2.0f));
  EXPECT_NE(message_of<Error>([&] { time_steps(state, -2, twice); }).find("-2 steps"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::test
