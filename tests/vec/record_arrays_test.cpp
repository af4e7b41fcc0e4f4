// Recorded bodies over arrays of any rank: a run gives what running the body gives, bit for bit, by
// kernels alone or step by step. Tests also values and views that must not change, shapes, and
// bodies that cannot be recorded.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <complex>
#include <functional>
#include <random>

#include "support/compare.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

using std::vector;
using Image = Array<2, float>;

vector<float> numbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-1.0f, 1.0f);
  vector<float> result(count);
  for (float& x : result) x = between(random);
  return result;
}

Image image(int64_t rows, int64_t columns, unsigned seed) {
  return Image(numbers(static_cast<size_t>(rows * columns), seed), rows, columns);
}

// Steps of a structure of arrays, recorded and not, give the same.
template <class State>
void expect_like_step_by_step(const State& start, int runs,
                              const Location& where = Location::current()) {
  for (const int threads : {1, 2, 5})
    for (const bool interpret : {false, true}) {
      const WithSettings with([&](Settings& s) {
        s.threads = threads;
        s.interpret = interpret;
      });
      State plain = start, recorded = start;
      const Recorded step = recorded.record_step();
      for (int i = 0; i < runs; ++i) {
        plain.step();
        plain.evaluate();
        step();
        ASSERT_EQ(plain.values(), recorded.values())
            << "run " << i << ", " << threads << " threads, interpreted " << interpret
            << " at line " << where.line();
      }
    }
}

struct Heat {
  Image u = image(40, 70, 1);
  Array<0, float> change = 0.0f;
  void step() {
    const Image next = u + 0.1f * (shift(u, {1, 0}) + shift(u, {-1, 0}) + shift(u, {0, 1}) +
                                   shift(u, {0, -1}) - 4.0f * u);
    change = max_val(abs(next - u));
    u = next;
  }
  Recorded record_step() {
    return record([this] { step(); }, u, change);
  }
  void evaluate() const { tutti::evaluate(u, change); }
  vector<float> values() const {
    vector<float> result = u.to_vector();
    result.push_back(change.item());
    return result;
  }
};

TEST(RecordArrays, AStencil) { expect_like_step_by_step(Heat(), 5); }

// Two arrays change places, and one is read after it was assigned to.
struct Wave {
  Image now = image(33, 65, 1), before = image(33, 65, 2);
  void step() {
    const Image next = 2.0f * now - before + 0.2f * (shift(now, {1, 0}) - now);
    before = now;
    now = next;
  }
  Recorded record_step() {
    return record([this] { step(); }, now, before);
  }
  void evaluate() const { tutti::evaluate(now, before); }
  vector<float> values() const {
    vector<float> result = now.to_vector();
    for (const float x : before.to_vector()) result.push_back(x);
    return result;
  }
};

TEST(RecordArrays, ArraysThatChangePlaces) { expect_like_step_by_step(Wave(), 5); }

// Primitives, views as results, constants and sections: plans with more than kernels.
struct Mixed {
  Image a = image(24, 24, 1);
  Array<1, float> v = Array<1, float>(numbers(500, 2));
  Array<1, int> order = sort_permutation(v);
  Image zero = image(3, 3, 3);
  void step() {
    a = transpose(a);
    a(whole, range(2, 9)) = 0.5f * a(whole, range(10, 17));
    v = sum_scan(sort(v)) * 0.01f;
    order = sort_permutation(v * -1.0f);
    zero = Image({3, 3}, 0.0f);
  }
  Recorded record_step() {
    return record([this] { step(); }, a, v, order, zero);
  }
  void evaluate() const { tutti::evaluate(a, v, order, zero); }
  vector<float> values() const {
    vector<float> result = a.to_vector();
    for (const float x : v.to_vector()) result.push_back(x);
    for (const int x : order.to_vector()) result.push_back(static_cast<float>(x));
    for (const float x : zero.to_vector()) result.push_back(x);
    return result;
  }
};

TEST(RecordArrays, PrimitivesViewsAndConstants) { expect_like_step_by_step(Mixed(), 4); }

// Tuples and complex numbers are several nodes; products have steps of their own.
struct Several {
  Array<1, Value2f> p = pairs();
  Array<2, std::complex<float>> z = Array<2, std::complex<float>>(image(5, 7, 3), image(5, 7, 4));
  Image m = image(20, 20, 5);
  static Array<1, Value2f> pairs() {
    vector<Value2f> result;
    for (const float x : numbers(300, 1)) result.emplace_back(x, 2 * x);
    return Array<1, Value2f>(result);
  }
  void step() {
    p = p * 0.5f + Value2f(1.0f, -1.0f);
    z = z * z + std::complex<float>(0.1f, 0.2f);
    m = inner_product(m, m) * 0.05f;
  }
  Recorded record_step() {
    return record([this] { step(); }, p, z, m);
  }
  void evaluate() const {
    p.evaluate();
    z.evaluate();
    m.evaluate();
  }
  vector<float> values() const {
    vector<float> result = m.to_vector();
    for (const Value2f& x : p.to_vector())
      for (int c = 0; c < 2; ++c) result.push_back(x.get(c));
    for (const std::complex<float>& x : z.to_vector()) {
      result.push_back(x.real());
      result.push_back(x.imag());
    }
    return result;
  }
};

TEST(RecordArrays, TuplesComplexNumbersAndProducts) {
  const WithSettings with([](Settings& s) { s.reproducible = true; });
  expect_like_step_by_step(Several(), 3);
}

TEST(RecordArrays, VectorsAndArraysTogether) {
  Vec<float> v(numbers(50, 1));
  Array<1, float> a(numbers(50, 2));
  Vec<float> w = v;
  Array<1, float> b = a;
  const auto step = record(
      [&] {
        v = 2.0f * v;
        a = a + 1.0f;
      },
      v, a);
  step(3);
  for (int i = 0; i < 3; ++i) {
    w = 2.0f * w;
    b = b + 1.0f;
  }
  EXPECT_EQ(v.to_vector(), w.to_vector());
  EXPECT_EQ(a.to_vector(), b.to_vector());
}

TEST(RecordArrays, RecordingComputesNothingAndRunsMakeNoPlans) {
  Heat heat;
  const vector<float> before = heat.u.to_vector();
  const int64_t launches = statistics().kernel_launches;
  const Recorded step = heat.record_step();
  EXPECT_EQ(statistics().kernel_launches, launches);
  EXPECT_EQ(heat.u.to_vector(), before);
  step(2);
  const int64_t plans = statistics().plans_built, kernels = statistics().kernels_compiled;
  step(20);
  EXPECT_EQ(statistics().plans_built, plans);
  EXPECT_EQ(statistics().kernels_compiled, kernels);
}

TEST(RecordArrays, CopiesKeepTheirValues) {
  Heat heat;
  const Recorded step = heat.record_step();
  step();
  const Image copy = heat.u;
  const vector<float> values = copy.to_vector();
  step(3);
  EXPECT_EQ(copy.to_vector(), values);
  EXPECT_NE(heat.u.to_vector(), values);
}

TEST(RecordArrays, AViewIsNeverWrittenTo) {
  vector<float> memory = numbers(60, 1);
  const vector<float> before = memory;
  Image a = Image::view(memory.data(), {6, 10}, {10, 1});
  const auto step = record([&] { a = a * 2.0f; }, a);
  step(3);
  EXPECT_EQ(memory, before);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(a.to_vector()[i], 8 * before[i]);
}

TEST(RecordArrays, MayBeAssignedToBetweenRuns) {
  Image a = image(4, 5, 1);
  const auto step = record([&] { a = a + 1.0f; }, a);
  step();
  a = Image({4, 5}, 7.0f);
  step();
  EXPECT_EQ(a.to_vector(), vector<float>(20, 8.0f));
  a = a * 2.0f;  // still to be computed
  step();
  EXPECT_EQ(a.to_vector(), vector<float>(20, 17.0f));
}

// Also where bodies are evaluated as graphs, by the interpreter or with checks.
TEST(RecordArrays, WhatIsNoVariableStaysAsItWas) {
  const auto three_runs = [] {
    Array<1, int> a({3}, 1), b({3}, 1);
    int recordings = 0;
    const auto step = record(
        [&] {
          a = a + b;
          b = b + 1;
          ++recordings;
        },
        a);
    step(3);
    EXPECT_EQ(recordings, 1);
    return a.to_vector();
  };
  EXPECT_EQ(three_runs(), (vector<int>{4, 4, 4}));
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  EXPECT_EQ(three_runs(), (vector<int>{4, 4, 4}));
}

TEST(RecordArrays, WhatIsOlderIsComputedOnce) {
  const Image weights = exp(image(50, 50, 1));
  Image a = image(50, 50, 2);
  const auto step = record([&] { a = a * weights; }, a);
  std::ostringstream text;
  text << step.explain();
  EXPECT_EQ(text.str().find("exp"), std::string::npos) << text.str();
  const vector<float> start = a.to_vector(), w = weights.to_vector();
  step(2);
  for (size_t i = 0; i < start.size(); ++i) ASSERT_EQ(a.to_vector()[i], start[i] * w[i] * w[i]);
}

TEST(RecordArrays, ProgramsReadVariablesFromOutside) {
  Array<1, float> table(numbers(10, 1)), a(numbers(30, 2));
  const Program p = BEGIN {
    In<Value1f> x;
    Out<Value1f> y = x + table[Value1i(3)];
  }
  END;
  const float first = table.to_vector()[3], start = a.to_vector()[0];
  const auto step = record(
      [&] {
        a = Array<1, float>(p(a));
        table = table * 2.0f;
      },
      a, table);
  step(2);
  EXPECT_EQ(a.to_vector()[0], start + first + 2 * first);
}

TEST(RecordArrays, ArraysWithoutElements) {
  Image a({0, 5}, 0.0f), b = image(2, 3, 1);
  const float start = b.to_vector()[0];
  const auto step = record(
      [&] {
        a = a + 1.0f;
        b = b + 1.0f;
      },
      a, b);
  step(2);
  EXPECT_EQ(a.shape(), Shape<2>(0, 5));
  EXPECT_EQ(b.to_vector()[0], start + 1.0f + 1.0f);
}

TEST(RecordArrays, ARecordedBodyIsPartOfAnother) {
  Heat heat, plain;
  const Recorded inner = heat.record_step();
  const auto outer = record([&] { inner(3); }, heat.u, heat.change);
  outer();
  for (int i = 0; i < 3; ++i) plain.step();
  EXPECT_EQ(heat.values(), plain.values());
}

TEST(RecordArrays, ReadingInsideIsRefused) {
  Image a = image(4, 4, 1);
  const vector<float> before = a.to_vector();
  const auto read_inside = [&](const std::function<void()>& body) {
    EXPECT_EQ(
        message_of<Error>([&] { record(body, a); }),
        "elements are read inside of a body that is being recorded, where there are none: read "
        "them between its runs, and keep numbers in Number<T> or Array<0, T>");
    EXPECT_EQ(a.to_vector(), before);
  };
  read_inside([&] { a = a + a.to_vector()[0]; });
  read_inside([&] { a = a + sum(a).item(); });
  read_inside([&] { (a * 2.0f).evaluate(); });
  read_inside([&] { pack(reshape<1>(a, {16}), reshape<1>(a, {16}) > 0.0f); });
}

TEST(RecordArrays, AnArrayThatIsNotListedHasNoValue) {
  Image a = image(4, 4, 1), b;
  const auto step = record(
      [&] {
        b = a * 2.0f;
        a = a + 1.0f;
      },
      a);
  step();
  const std::string said = message_of<Error>([&] { b.to_vector(); });
  EXPECT_NE(said.find("not among its variables"), std::string::npos) << said;
  const std::string summed = message_of<Error>([&] { sum(b).item(); });
  EXPECT_NE(summed.find("not among its variables"), std::string::npos) << summed;
}

TEST(RecordArrays, ShapesStay) {
  Image a = image(4, 6, 1);
  const std::string grows =
      message_of<ShapeError>([&] { record([&] { a = section(a, {{0, 2}, {0, 6}}); }, a); });
  EXPECT_NE(grows.find("variable 1 has shape {4, 6} before the body and shape {2, 6} after it"),
            std::string::npos)
      << grows;
  EXPECT_EQ(a.shape(), Shape<2>(4, 6));
  const auto step = record([&] { a = a + 1.0f; }, a);
  a = image(2, 2, 1);
  const std::string changed = message_of<ShapeError>([&] { step(); });
  EXPECT_NE(changed.find("had shape {4, 6} when it was recorded and has shape {2, 2} now"),
            std::string::npos)
      << changed;
  EXPECT_EQ(a.to_vector(), image(2, 2, 1).to_vector());
}

TEST(RecordArrays, AVariableIsListedOnce) {
  Array<1, Value2f> p = Several::pairs();
  Image a = image(2, 2, 1);
  const std::string twice = message_of<Error>([&] { record([&] { a = a + 1.0f; }, p, a, a); });
  EXPECT_NE(twice.find("as number 2 and 3"), std::string::npos) << twice;
}

}  // namespace
}  // namespace tutti::test
