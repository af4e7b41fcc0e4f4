// Loops over candidates that a program has unrolled, too long for one kernel unless they are
// rerolled.
#include <cfloat>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using Image = Array<2, float>;

// Rows too short and too odd for wide accesses, and others that are not.
const Shape<2> shapes[] = {{259, 301}, {260, 304}};

Image picture(const Shape<2>& shape, int seed) {
  std::vector<float> pixels(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<float>((i * 2654435761u + static_cast<unsigned>(seed)) >> 7 & 255);
  const Image image(pixels, shape);
  image.evaluate();
  return image;
}

Image box(const Image& image, const Boundary& boundary) {
  Image across = image;
  for (int i = 1; i <= 3; ++i)
    across += shift(image, {0, i}, boundary) + shift(image, {0, -i}, boundary);
  Image result = across;
  for (int i = 1; i <= 3; ++i)
    result += shift(across, {i, 0}, boundary) + shift(across, {-i, 0}, boundary);
  return result;
}

struct Candidates {
  int first, last;    // offsets
  int down, right;    // in which direction
  Boundary boundary;  // of everything that is moved
};

// The best candidate at each point, and how good it is.
std::array<Image, 2> best_of(const Image& left, const Image& right, const Candidates& c) {
  Image least(left.shape(), FLT_MAX), best(left.shape(), 0.0f);
  for (int d = c.first; d <= c.last; ++d) {
    const Image difference = left - shift(right, {d * c.down, d * c.right}, c.boundary);
    const Image cost = box(difference * difference, c.boundary);
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  return {best, least};
}

void expect_same_candidates(const Candidates& candidates) {
  for (const Shape<2>& shape : shapes) {
    const Image left = picture(shape, 1), right = picture(shape, 77777);
    expect_same([&] { return best_of(left, right, candidates)[0]; });
  }
}

TEST(LongLoops, AlongRows) { expect_same_candidates({0, 11, 0, 1, Boundary::clamp()}); }
TEST(LongLoops, DownColumns) { expect_same_candidates({0, 11, 1, 0, Boundary::clamp()}); }
TEST(LongLoops, OnBothSides) { expect_same_candidates({-6, 7, 0, 1, Boundary::clamp()}); }
TEST(LongLoops, InStepsOfFour) { expect_same_candidates({1, 12, 0, 4, Boundary::clamp()}); }
TEST(LongLoops, Diagonally) { expect_same_candidates({0, 11, -1, 2, Boundary::wrap()}); }
TEST(LongLoops, WithAConstantOutside) {
  expect_same_candidates({-3, 9, 0, 1, Boundary::constant(8.0f)});
}

TEST(LongLoops, WithTwoResults) {
  const Image left = picture(shapes[1], 3), right = picture(shapes[1], 5);
  const Candidates candidates{0, 11, 0, 1, Boundary::clamp()};
  for (size_t result : {0u, 1u})
    expect_same([&] {
      const auto both = best_of(left, right, candidates);
      evaluate(both[0], both[1]);
      return both[result];
    });
}

// Steps that use their number, and what a step two before has left.
TEST(LongLoops, ThatLookBackTwoSteps) {
  const Image image = picture(shapes[1], 9);
  expect_same([&] {
    Image before = image, now = image * 0.5f;
    for (int i = 0; i < 300; ++i) {
      const Image next = now * 0.75f + before * 0.125f + static_cast<float>(i);
      before = now;
      now = next;
    }
    return now;
  });
}

// What is carried begins as one number for all, here and beyond the last whole vector.
TEST(LongLoops, ThatBeginWithANumber) {
  const Array<1, float> line(std::vector<float>(1003, 0.75f));
  expect_same([&] {
    Array<1, float> steps(line.shape(), 0.0f), left = line;
    for (int i = 0; i < 300; ++i) {
      steps = steps + 1.0f;
      left = left * 0.5f - steps;
    }
    return left;
  });
}

// The same operations, but each step looks at its neighbours: no loop at a point.
TEST(LongLoops, OfSimulations) {
  const Image image = picture(shapes[1], 9);
  expect_same([&] {
    Image now = image;
    for (int i = 0; i < 60; ++i)
      now = (shift(now, {0, 1}) + shift(now, {0, -1}) + now) * (0.25f + 0.001f * i);
    return now;
  });
}

}  // namespace
}  // namespace tutti::test
