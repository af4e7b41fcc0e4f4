// Evaluations that are stopped: they throw, and every array can be used afterwards with the values
// it had. The scopes ask at every opportunity, so that no test depends on time.
#include "tutti/interruption.hpp"

#include <thread>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

constexpr InterruptionScope::Duration at_once{};

// Several kernels: each scan needs the one before it.
Array<1, float> many_steps(const Array<1, float>& a, int count) {
  Array<1, float> x = a;
  for (int i = 0; i < count; ++i) x = sum_scan(x) * 1e-3f + sqrt(abs(x));
  return x;
}

TEST(Interruption, StopsBetweenStepsAndCanBeRepeated) {
  const Array<1, float> a(plain<float>(5000));
  const std::vector<float> want = many_steps(a, 8).to_vector();
  const Array<1, float> x = many_steps(a, 8);
  for (int allowed = 0; allowed < 6; ++allowed) {
    int questions = 0;
    const InterruptionScope scope([&] { return ++questions > allowed; }, at_once);
    EXPECT_THROW(evaluate(x), Interrupted);
    EXPECT_EQ(questions, allowed + 1);
  }
  EXPECT_EQ(x.to_vector(), want);
  EXPECT_EQ(a.to_vector(), plain<float>(5000));
}

// On one thread: with more, others may happen to take all tasks, and they do not stop by
// themselves.
TEST(Interruption, StopsBetweenTheTasksOfAKernel) {
  const ScopedDevice host("cpu");  // a GPU runs a kernel as a whole
  const WithSettings one_thread([](Settings& s) { s.threads = 1; });
  const int64_t n = 8'000'000;
  const Array<1, float> a(plain<float>(n));
  const std::vector<float> want = sin(sqrt(abs(a)) * 3.0f).to_vector();
  const Array<1, float> x = sin(sqrt(abs(a)) * 3.0f);
  {
    const InterruptionScope scope([] { return true; }, at_once);
    EXPECT_THROW(evaluate(x), Interrupted);
  }
  EXPECT_EQ(x.to_vector(), want);
}

// The result would be written over `a`, which only the graph holds: no half of it may be.
TEST(Interruption, NeverLeavesAnInputHalfOverwritten) {
  const ScopedDevice host("cpu");  // a GPU runs a kernel as a whole
  const WithSettings one_thread([](Settings& s) { s.threads = 1; });
  const int64_t n = 8'000'000;
  const std::vector<float> data = plain<float>(n);
  const std::vector<float> want = (Array<1, float>(data) * 3.0f + 1.0f).to_vector();
  const int64_t in_place = statistics().buffers_reused_in_place;
  Array<1, float> a(data);
  const Array<1, float> x = a * 3.0f + 1.0f;
  a = Array<1, float>();
  {
    const InterruptionScope scope([] { return true; }, at_once);
    try {
      evaluate(x);
      EXPECT_GT(statistics().buffers_reused_in_place, in_place);
    } catch (const Interrupted&) {
    }
  }
  EXPECT_EQ(x.to_vector(), want);
}

// Graphs that no other test has, so that they are planned and compiled here.
Array<1, float> new_steps(const Array<1, float>& a, float number) {
  Array<1, float> x = a;
  for (int i = 0; i < 5; ++i) x = sum_scan(x) * 1e-3f + pow(abs(x), number + float(i)) / 7.0f;
  return atan2(x, max_scan(x));
}

TEST(Interruption, StopsWhilePlanning) {
  const Array<1, float> a(plain<float>(4999)), x = new_steps(a, 1.5f);
  const Statistics before = statistics();
  {
    const InterruptionScope scope([] { return true; }, at_once);
    EXPECT_THROW(evaluate(x), Interrupted);
    EXPECT_THROW(explain(x), Interrupted);
  }
  EXPECT_EQ(statistics().plans_built, before.plans_built);
  EXPECT_EQ(statistics().kernels_compiled, before.kernels_compiled);
  expect_same([&] { return new_steps(a, 1.5f); });
  EXPECT_EQ(x.to_vector(), new_steps(a, 1.5f).to_vector());
}

TEST(Interruption, StopsBeforeAllKernelsAreCompiled) {
  const WithSettings one_thread([](Settings& s) { s.threads = 1; });
  const Array<1, float> a(plain<float>(4998));
  Array<1, float> x = sum_scan(a * a) / 8.0f;  // each kernel differs from the others
  x = max_scan(cbrt(x) - a);
  x = min_scan(sin(x) * x) + tanh(x);
  x = sum_scan(atan(x) + 1.0f) * sqrt(abs(x));
  const Statistics before = statistics();
  {
    const InterruptionScope scope([&] { return statistics().plans_built > before.plans_built; },
                                  at_once);
    EXPECT_THROW(evaluate(x), Interrupted);
  }
  EXPECT_EQ(statistics().plans_built, before.plans_built + 1);
  EXPECT_EQ(statistics().kernel_launches, before.kernel_launches);
  EXPECT_EQ(x.to_vector().size(), 4998u);
}

// The same plan is wanted by the function that is asked while it is made.
TEST(Interruption, AScopeMayEvaluateWhatIsBeingPlanned) {
  const Array<1, float> a(plain<float>(4997)), x = new_steps(a, 2.5f), y = new_steps(a, 2.5f);
  int questions = 0;
  std::vector<float> seen;
  {
    const auto read = [&] {
      if (++questions == 1) seen = y.to_vector();
      return false;
    };
    const InterruptionScope scope(read, at_once);
    evaluate(x);
  }
  EXPECT_GT(questions, 0);
  EXPECT_EQ(x.to_vector(), seen);
}

TEST(Interruption, WhatAScopeThrowsComesThrough) {
  struct Enough {};
  const Array<1, float> a(plain<float>(5000)), x = many_steps(a, 4);
  const InterruptionScope scope([]() -> bool { throw Enough(); }, at_once);
  EXPECT_THROW(evaluate(x), Enough);
}

TEST(Interruption, AScopeMayEvaluateButNotWhatIsBeingComputed) {
  const Array<1, float> a(plain<float>(5000)), x = many_steps(a, 4);
  const std::vector<float> want = many_steps(a, 3).to_vector();
  int refused = 0;
  {
    const auto read = [&] {
      EXPECT_EQ(many_steps(a, 3).to_vector(), want);
      try {
        evaluate(x);
      } catch (const Error&) {
        ++refused;
      }
      return false;
    };
    const InterruptionScope scope(read, at_once);
    evaluate(x);
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(x.to_vector(), many_steps(a, 4).to_vector());
}

TEST(Interruption, OuterScopesAreAskedToo) {
  const Array<1, float> a(plain<float>(5000)), x = many_steps(a, 4);
  const InterruptionScope outer([] { return true; }, at_once);
  const InterruptionScope inner([] { return false; }, at_once);
  EXPECT_THROW(evaluate(x), Interrupted);
}

TEST(Interruption, OnlyTheThreadOfTheScopeStops) {
  const Array<1, float> a(plain<float>(5000));
  const std::vector<float> want = many_steps(a, 4).to_vector();
  const InterruptionScope scope([] { return true; }, at_once);
  std::vector<float> got;
  std::thread other([&] { got = many_steps(a, 4).to_vector(); });
  other.join();
  EXPECT_EQ(got, want);
}

TEST(Interruption, AScopeThatHasEndedIsNotAsked) {
  const Array<1, float> a(plain<float>(5000)), x = many_steps(a, 4);
  auto first = std::make_unique<InterruptionScope>([] { return true; }, at_once);
  const InterruptionScope second([] { return false; }, at_once);
  first.reset();  // not in the order of a stack
  evaluate(x);
}

}  // namespace
}  // namespace tutti::test
