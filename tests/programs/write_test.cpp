// Programs that write at computed places: the results are those of plain loops over the elements,
// for every collision, and those of the interpreter.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cmath>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

using std::vector;

TEST(Write, CountsInBins) {
  const vector<int> grey{3, 1, 3, 0, 9, -2, 3};
  const Program count = BEGIN {
    In<Value1i> level;
    Write<1, int> bin;
    bin(level, 1);
  }
  END;
  expect_values(
      [&] { return scatter(Array<1, int>(4), count(Array<1, int>(grey)), Collision::sum); },
      vector<int>{1, 1, 0, 3});
}

// Each element writes to one place always, to another under a condition, and in a loop, of which
// the last iteration stays.
Program three_writes() {
  return BEGIN {
    In<Value1i> place;
    In<Value1i> x;
    Write<1, int> always, sometimes, repeated;
    always(place % 7, x);
    IF(x % 3 == 0) { sometimes(x % 7, x * 10); }
    ENDIF;
    FOR(Value1i k = 0, k < x % 4, k += 1) { repeated(k, place + k); }
    ENDFOR;
  }
  END;
}

TEST(Write, SeveralForEachElement) {
  const auto seed = static_cast<uint64_t>(first_seed());
  const Array<1, int> place = integers(Random(seed), Shape<1>(300), 0, 100),
                      x = integers(Random(seed).split(1), Shape<1>(300), 0, 1000);
  const vector<int> ps = place.to_vector(), xs = x.to_vector();
  const Program p = three_writes();
  for (const Collision collision : {Collision::sum, Collision::min, Collision::max,
                                    Collision::first, Collision::last, Collision::any}) {
    vector<int> want(7, -5);
    vector<bool> written(7, false);
    const auto write = [&](int index, int value) {
      const auto i = static_cast<size_t>(index);
      int& target = want[i];
      if (collision == Collision::sum) target += value;
      if (collision == Collision::min) target = std::min(target, value);
      if (collision == Collision::max) target = std::max(target, value);
      if (collision == Collision::first && !written[i]) target = value;
      if (collision == Collision::last || collision == Collision::any) target = value;
      written[i] = true;
    };
    for (size_t i = 0; i < ps.size(); ++i) {
      write(ps[i] % 7, xs[i]);
      if (xs[i] % 3 == 0) write(xs[i] % 7, xs[i] * 10);
      if (xs[i] % 4 > 0) write(xs[i] % 4 - 1, ps[i] + xs[i] % 4 - 1);
    }
    expect_values([&] { return scatter(Array<1, int>(Shape<1>(7), -5), p(place, x), collision); },
                  want);
  }
}

// Colours of points on an image.
TEST(Write, TuplesToImages) {
  const vector<Value2i> places{{0, 1}, {1, 2}, {0, 1}, {5, 0}};
  const Program paint = BEGIN {
    In<Value2i> at;
    Write<2, Value2f> pixel, below;
    pixel(at, Value2f(1.0f, 2.0f));
    below(at + Value2i(1, 0), Value2f(0.5f, 0.25f));
  }
  END;
  const auto painted = [&] {
    return scatter(Array<2, Value2f>(2, 3), paint(Array<1, Value2i>(places)), Collision::sum);
  };
  EXPECT_EQ(painted().component(0).to_vector(), (vector<float>{0, 2, 0, 0, 1, 1}));
  EXPECT_EQ(painted().component(1).to_vector(), (vector<float>{0, 4, 0, 0, 0.5f, 2}));
  expect_same([&] { return painted().component(1); });
}

TEST(Write, OfArraysOfEveryRank) {
  const Program p = BEGIN {
    In<Value1i> x;
    Write<1, int> a, b;
    a(x, 1);
    b(x + 1, 10);
  }
  END;
  const vector<int> want{1, 10, 0};
  const Array<1, int> base(3);
  EXPECT_EQ(scatter(base, p(0), Collision::sum).to_vector(), want);
  EXPECT_EQ(scatter(base, p(Array<1, int>(1)), Collision::sum).to_vector(), want);
  EXPECT_EQ(scatter(base, p(Array<8, int>(1, 1, 1, 1, 1, 1, 1, 1)), Collision::sum).to_vector(),
            want);
  EXPECT_EQ(scatter(base, p(Array<2, int>(4, 0)), Collision::sum).to_vector(), vector<int>(3, 0));
}

TEST(Write, WhatDoesNotFitIsRefused) {
  const Program p = BEGIN {
    In<Value1i> x;
    Write<1, int> a;
    a(x, 1);
  }
  END;
  const Array<1, int> x(vector<int>{0, 1});
  EXPECT_NE(message_of<TypeError>([&] {
              scatter(Array<1, float>(3), p(x));
            }).find("gives int32, int32, not writes of int32, float"),
            std::string::npos);
  EXPECT_THROW(scatter(Array<2, int>(3, 3), p(x)), TypeError);
  EXPECT_THROW(scatter(Array<1, int>(3), program([](Value1i i) { return i; })(x)), TypeError);
  EXPECT_THROW(scatter(Array<1, int>(3), p), Error);  // no input was given
}

}  // namespace
}  // namespace tutti::test
