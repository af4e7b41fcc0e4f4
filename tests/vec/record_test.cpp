// Recorded bodies: a run gives what running the body gives, bit for bit, whatever happens to the
// variables in between. Tests also fusion, results in place, and bodies that cannot be recorded.
// Random bodies: random_bodies_test.cpp.
#include <random>

#include "support/compare.hpp"
#include "support/errors.hpp"

namespace tutti::test {
namespace {

using Floats = std::vector<float>;

Floats numbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> between(-1.0f, 1.0f);
  Floats result(count);
  for (float& x : result) x = between(random);
  return result;
}

TEST(Record, ComputesNothingUntilItRuns) {
  Vec<float> a(Floats{1, 2, 3});
  const int64_t launches = statistics().kernel_launches;
  const auto step = record([&] { a = 2.0f * a + 1.0f; }, a);
  EXPECT_EQ(statistics().kernel_launches, launches);
  EXPECT_EQ(a.to_vector(), (Floats{1, 2, 3}));
  step();
  EXPECT_EQ(a.to_vector(), (Floats{3, 5, 7}));
  step(2);
  EXPECT_EQ(a.to_vector(), (Floats{15, 23, 31}));
}

// One step of conjugate gradients on a chain of n points.
struct Gradients {
  explicit Gradients(size_t n) : u(n), r(numbers(n, 1)), p(r), rr(dot(r, r)) {}
  void step() {
    const Boundary zero = Boundary::constant(0.0f);
    const Vec<float> q = 2.5f * p - shift(p, 1, zero) - shift(p, -1, zero);
    const Number<float> alpha = rr / dot(p, q), before = rr;
    u += alpha * p;
    r -= alpha * q;
    rr = dot(r, r);
    p = r + rr / before * p;
  }
  Vec<float> u, r, p;
  Number<float> rr;
};

TEST(Record, ConjugateGradientsAsStepByStep) {
  for (size_t n : {size_t{2}, size_t{100}, size_t{8191}, size_t{70'000}}) {
    Gradients plain(n), recorded(n);
    const auto step =
        record([&] { recorded.step(); }, recorded.u, recorded.r, recorded.p, recorded.rr);
    for (int i = 0; i < 7; ++i) {
      plain.step();
      step();
      ASSERT_EQ(float(plain.rr), float(recorded.rr)) << n << " points, step " << i;
    }
    EXPECT_EQ(plain.u.to_vector(), recorded.u.to_vector());
    EXPECT_EQ(plain.p.to_vector(), recorded.p.to_vector());
  }
}

TEST(Record, FusesAcrossAssignmentsAndPlansOnce) {
  Gradients gradients(100'000);
  const auto step =
      record([&] { gradients.step(); }, gradients.u, gradients.r, gradients.p, gradients.rr);
  step(3);
  const Statistics before = statistics();
  step(10);
  const Statistics after = statistics();
  EXPECT_EQ(after.plans_built, before.plans_built);
  EXPECT_EQ(after.kernels_compiled, before.kernels_compiled);
  EXPECT_EQ(after.buffers_allocated, before.buffers_allocated);
  const auto launches = static_cast<size_t>(after.kernel_launches - before.kernel_launches) / 10;
  const Explanation explanation = step.explain();
  EXPECT_LE(launches, explanation.kernels().size() + 2);  // long sums take two launches
  EXPECT_LE(launches, 7u) << explanation;
}

TEST(Record, VariablesMayBeSharedAndAssignedInBetween) {
  Vec<float> a(Floats{1, 2, 3}), b(Floats{10, 20, 30});
  const auto step = record(
      [&] {
        a += b;
        b = shift(b, 1, Boundary::wrap());
      },
      a, b);
  step();
  const Vec<float> copy = a, old = b;
  step();
  EXPECT_EQ(copy.to_vector(), (Floats{11, 22, 33}));
  EXPECT_EQ(old.to_vector(), (Floats{30, 10, 20}));
  EXPECT_EQ(a.to_vector(), (Floats{41, 32, 53}));
  b = a;
  step();
  EXPECT_EQ(a.to_vector(), (Floats{82, 64, 106}));
  EXPECT_EQ(b.to_vector(), (Floats{53, 41, 32}));
  a = Vec<float>(Floats{0, 0, 0});
  step();
  EXPECT_EQ(a.to_vector(), (Floats{53, 41, 32}));
}

TEST(Record, VariablesMayTradeValues) {
  Vec<float> a(Floats{1, 2}), b(Floats{3, 4}), c(Floats{5, 6});
  const auto step = record(
      [&] {
        const Vec<float> first = a;
        a = b;
        b = b + 1.0f;
        c = first;
      },
      a, b, c);
  step();
  EXPECT_EQ(a.to_vector(), (Floats{3, 4}));
  EXPECT_EQ(b.to_vector(), (Floats{4, 5}));
  EXPECT_EQ(c.to_vector(), (Floats{1, 2}));
  step(2);
  EXPECT_EQ(a.to_vector(), (Floats{5, 6}));
  EXPECT_EQ(b.to_vector(), (Floats{6, 7}));
  EXPECT_EQ(c.to_vector(), (Floats{4, 5}));
}

TEST(Record, EqualResultsAreComputedOnce) {
  Vec<float> a(Floats{1, 2}), b(Floats{3, 4});
  const auto step = record(
      [&] {
        b = a * 3.0f;
        a = b;
      },
      a, b);
  step(2);
  EXPECT_EQ(a.to_vector(), (Floats{9, 18}));
  EXPECT_EQ(b.to_vector(), (Floats{9, 18}));
}

TEST(Record, WhatIsNoVariableStaysAsItWas) {
  Vec<float> a(Floats{1, 1}), weight(Floats{2, 3});
  float factor = 10;
  const auto step = record([&] { a = factor * weight * a; }, a);
  weight = Vec<float>(Floats{100, 100});
  factor = 0;
  step();
  EXPECT_EQ(a.to_vector(), (Floats{20, 30}));
}

TEST(Record, BodiesMayAssignNumbersOfTheHost) {
  Vec<float> a(Floats{1, 2}), b(Floats{5, 6});
  Number<float> total = 7.0f;
  const auto step = record(
      [&] {
        b = a + total;
        a = 3.0f;
        total = Number<float>(10.0f);
        const Vec<float> local(2, 1.0f);
        b += local;
      },
      a, b, total);
  step();
  EXPECT_EQ(b.to_vector(), (Floats{9, 10}));
  total = total + 1.0f;
  step();
  EXPECT_EQ(a.to_vector(), (Floats{3, 3}));
  EXPECT_EQ(b.to_vector(), (Floats{15, 15}));
  EXPECT_EQ(float(total), 10.0f);
  step(2);
  EXPECT_EQ(b.to_vector(), (Floats{14, 14}));
}

TEST(Record, MemoryOfOthersIsWrittenTo) {
  if (device().name != "cpu") GTEST_SKIP();
  Floats memory{1, 2, 3};
  Vec<float> a = Vec<float>::wrap(memory.data(), 3);
  const auto in_place = record([&] { a = a * 2.0f; }, a);
  in_place(3);
  EXPECT_EQ(memory, (Floats{8, 16, 24}));
  const auto moved = record([&] { a = shift(a, 1) + 1.0f; }, a);
  moved(3);
  EXPECT_EQ(memory, (Floats{11, 11, 11}));
}

TEST(Record, PlansAreMadeAgainWhenTheyAreForgotten) {
  Vec<float> a(Floats{1, 2, 3});
  const auto step = record([&] { a = shift(a, 1) + sum(a); }, a);
  step();
  clear_kernel_cache();
  step(3);
  EXPECT_EQ(a.to_vector(), (Floats{464, 464, 464}));
}

TEST(Record, BodiesMayRunRecordedOnes) {
  Vec<float> a(Floats{1, 2});
  const auto inner = record([&] { a += 1.0f; }, a);
  const auto outer = record(
      [&] {
        inner(2);
        a = a * a;
      },
      a);
  outer(2);
  EXPECT_EQ(a.to_vector(), (Floats{121, 324}));
}

TEST(Record, EmptyVectors) {
  Vec<float> a;
  Number<float> total;
  const auto step = record(
      [&] {
        a = a + 1.0f;
        total = sum(a) + total + 1.0f;
      },
      a, total);
  step(3);
  EXPECT_EQ(a.size(), 0);
  EXPECT_EQ(float(total), 3.0f);
}

TEST(Record, OthersThatAreEmpty) {
  const Vec<float> empty;
  Number<float> total = 1.0f;
  const auto step = record([&] { total = total * 2.0f + sum(empty); }, total);
  step(3);
  EXPECT_EQ(float(total), 8.0f);
}

// ---- what cannot be

TEST(Record, RefusesToReadElements) {
  Vec<float> a(Floats{1, 2, 3});
  Number<float> n;
  for (const std::function<void()>& body :
       {std::function<void()>([&] { a = a * float(sum(a)); }),
        std::function<void()>([&] { a = 2.0f * a, a.to_vector(); }),
        std::function<void()>([&] { a = 2.0f * a, a.array(); }),
        std::function<void()>([&] { a = 2.0f * a, a.data(); }),
        std::function<void()>([&] { n = sum(a), n.item(); })}) {
    const std::string message = message_of([&] { record(body, a, n); });
    EXPECT_NE(message.find("inside of a body that is being recorded"), std::string::npos)
        << message;
    EXPECT_EQ(a.to_vector(), (Floats{1, 2, 3})) << "variables keep their values";
  }
}

TEST(Record, RefusesOtherLengths) {
  Vec<float> a(Floats{1, 2, 3}), b(Floats{1, 2});
  std::string message = message_of([&] { record([&] { a = b; }, a); });
  EXPECT_NE(message.find("has 3 elements before the body and 2 elements after"), std::string::npos)
      << message;
  EXPECT_NE(message.find("record_test.cpp"), std::string::npos) << message;
  EXPECT_EQ(a.size(), 3);
  const auto step = record([&] { a += 1.0f; }, a);
  a = b;
  message = message_of([&] { step(); });
  EXPECT_NE(message.find("had 3 elements when it was recorded and has 2 elements now"),
            std::string::npos)
      << message;
}

TEST(Record, NamesVariablesThatAreNotListed) {
  Vec<float> a(Floats{1, 2, 3}), forgotten(3);
  const auto step = record(
      [&] {
        forgotten = a + 1.0f;
        a = forgotten;
      },
      a);
  step();
  EXPECT_EQ(a.to_vector(), (Floats{2, 3, 4}));
  for (const std::function<void()>& use : {std::function<void()>([&] { forgotten.to_vector(); }),
                                           std::function<void()>([&] { a = a + forgotten; }),
                                           std::function<void()>([&] { forgotten.array(); })}) {
    const std::string message = message_of(use);
    EXPECT_NE(message.find("not among its variables"), std::string::npos) << message;
  }
  const std::string message = message_of([&] { record([&] { a += 1.0f; }, a, a); });
  EXPECT_NE(message.find("listed twice"), std::string::npos) << message;
}

TEST(RecordErrors, BodiesDoNotRunBackwards) {
  Vec<float> a(Floats{1, 2});
  const auto step = record([&] { a += 1.0f; }, a);
  step(0);
  EXPECT_NE(message_of([&] { step(-1); }).find("-1 times"), std::string::npos);
  EXPECT_EQ(a.to_vector(), (Floats{1, 2}));
}

TEST(RecordErrors, AMovedBodyIsRefused) {
  Vec<float> a(Floats{1, 2});
  auto step = record([&] { a += 1.0f; }, a);
  const auto moved = std::move(step);
  EXPECT_NE(message_of([&] { step(); }).find("moved from"), std::string::npos);
  EXPECT_NE(message_of([&] { step.explain(); }).find("moved from"), std::string::npos);
  moved();
  EXPECT_EQ(a.to_vector(), (Floats{2, 3}));
}

// What another variable takes over from wrapped memory, or shares with it, does not change with it.
TEST(RecordWrapped, OtherVariablesKeepTheirValues) {
  Vec<float> memory(20);
  Vec<float> v = Vec<float>::wrap(memory.data() + 3, 10), taken(10), shared(10);
  v = Vec<float>(std::vector<float>(10, 3.0f));
  taken = shared = 0.0f;
  const auto body = record(
      [&] {
        v = -v;
        taken = -v;  // what v was before
        shared = v;
      },
      v, taken, shared);
  for (int round = 0; round < 3; ++round) {
    const float before = v.to_vector()[0];
    body();
    EXPECT_EQ(v.to_vector(), std::vector<float>(10, -before)) << round;
    EXPECT_EQ(taken.to_vector(), std::vector<float>(10, before)) << round;
    EXPECT_EQ(shared.to_vector(), std::vector<float>(10, -before)) << round;
    v = v * 2.0f;
    EXPECT_EQ(shared.to_vector(), std::vector<float>(10, -before)) << round;
  }
}

// Assigning to one would change the other in the middle of the body.
TEST(RecordWrapped, OverlappingMemoryIsRefused) {
  Vec<float> memory(20);
  memory = 1.0f;
  Vec<float> a = Vec<float>::wrap(memory.data(), 10), b = Vec<float>::wrap(memory.data() + 5, 10);
  const auto body = record(
      [&] {
        a += 1.0f;
        b += a;
      },
      a, b);
  const std::string message = message_of([&] { body(); });
  EXPECT_NE(message.find("variables 1 and 2 wrap memory that overlaps"), std::string::npos)
      << message;
  EXPECT_EQ(memory.to_vector(), std::vector<float>(20, 1.0f));
}

}  // namespace
}  // namespace tutti::test
