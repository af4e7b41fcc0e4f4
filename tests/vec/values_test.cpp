// Vectors are values: what an assignment changes, whose memory it writes to, what an expression
// holds, foreign memory, many threads, and what is compiled.
#include <thread>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using Floats = std::vector<float>;

Vec<float> counting(int n) {
  Floats numbers(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) numbers[static_cast<size_t>(i)] = static_cast<float>(i);
  return Vec<float>(numbers);
}

TEST(VecValues, ACopyKeepsItsElements) {
  Vec<float> a = counting(4);
  const Vec<float> copy = a;
  const Array<1, float> array = a.array();
  a = a * 2.0f;
  EXPECT_EQ(a.to_vector(), (Floats{0, 2, 4, 6}));
  EXPECT_EQ(copy.to_vector(), (Floats{0, 1, 2, 3}));
  EXPECT_EQ(array.to_vector(), (Floats{0, 1, 2, 3}));
}

TEST(VecValues, AnExpressionKeepsItsOperands) {
  Vec<float> a = counting(3);
  auto doubled = 2.0f * a;
  a = doubled + 1.0f;
  EXPECT_EQ(a.to_vector(), (Floats{1, 3, 5}));
  a = doubled;
  a = a + doubled;
  EXPECT_EQ(Vec<float>(doubled).to_vector(), (Floats{0, 2, 4}));
  EXPECT_EQ(a.to_vector(), (Floats{0, 4, 8}));
}

auto sum_of_temporaries() {
  Vec<float> a = counting(3), b = counting(3);
  return a + b;  // outlives both
}

TEST(VecValues, AnExpressionOutlivesItsOperands) {
  const auto e = sum_of_temporaries();
  const Vec<float> other(std::vector<float>(3, 100.0f));  // would take freed memory
  EXPECT_EQ(Vec<float>(e).to_vector(), (Floats{0, 2, 4}));
  const auto n = norm2(Vec<float>(Floats{3, 4}));
  EXPECT_EQ(float(n), 5.0f);
}

TEST(VecValues, TheRightSideMayReadTheLeft) {
  Vec<float> a = counting(1000), b = counting(1000);
  const int64_t allocated = statistics().buffers_allocated;
  a = (b - (a + 3.0f * b)) + a * a;
  EXPECT_EQ(statistics().buffers_allocated, allocated) << "not in place";
  const Floats got = a.to_vector();
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<float>(i);
    ASSERT_EQ(got[static_cast<size_t>(i)], (x - (x + 3.0f * x)) + x * x);
  }
  a = b;
  a = a + a;
  EXPECT_EQ(b.to_vector()[7], 7.0f);
  EXPECT_EQ(a.to_vector()[7], 14.0f);
}

TEST(VecValues, AssignmentTakesTheLengthOfTheRightSide) {
  Vec<float> a = counting(3);
  a = counting(5) + 1.0f;
  EXPECT_EQ(a.size(), 5);
  EXPECT_EQ(a.to_vector(), (Floats{1, 2, 3, 4, 5}));
  Vec<float> none;
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.to_vector(), Floats{});
  none = none + none;
  none = counting(2);
  EXPECT_EQ(none.to_vector(), (Floats{0, 1}));
  const Vec<float> moved = std::move(none);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(Vec<float>(none * 2.0f).to_vector(), Floats{});
}

TEST(VecValues, ConversionsShareMemory) {
  const Array<1, float> array = (Array<1, float>(Floats(1000, 2.0f)) * 3.0f).evaluate();
  const int64_t allocated = statistics().buffers_allocated;
  Vec<float> v(array);
  const Array<1, float> back = v.array();
  EXPECT_EQ(statistics().buffers_allocated, allocated);
  v += 1.0f;
  EXPECT_EQ(v.to_vector(), Floats(1000, 7.0f));
  EXPECT_EQ(array.to_vector(), Floats(1000, 6.0f));
  EXPECT_EQ(back.to_vector(), Floats(1000, 6.0f));
  EXPECT_EQ(Vec(sum(back.evaluate()) + Array<1, float>(Floats{1})).to_vector(), Floats{6001});
}

// ---- memory of others

TEST(VecMemory, WrappedMemoryIsWrittenTo) {
  const ScopedDevice host("cpu");
  Floats mine{1, 2, 3, 4};
  Vec<float> w = Vec<float>::wrap(mine.data(), 4);
  const Vec<float> two(Floats(4, 2.0f));
  w = w * two;
  EXPECT_EQ(mine, (Floats{2, 4, 6, 8}));
  w = two;
  EXPECT_EQ(mine, Floats(4, 2.0f));
  mine[1] = 5;
  EXPECT_EQ(w.to_vector(), mine);
  const Array<1, float> then = w.array();
  w = w - shift(w, 1, Boundary::constant(0.0f));  // reads neighbours: by way of a copy
  EXPECT_EQ(mine, (Floats{2, 3, -3, 0}));
  EXPECT_EQ(then.to_vector(), (Floats{2, 5, 2, 2}));
  EXPECT_THROW(w = counting(5), ShapeError);
  w = 1;
  EXPECT_EQ(mine, Floats(4, 1.0f));
}

TEST(VecMemory, CopiesOfWrappedVectorsKeepTheirElements) {
  const ScopedDevice host("cpu");
  Floats mine{1, 2, 3, 4};
  Vec<float> w = Vec<float>::wrap(mine.data(), 4), assigned(2);
  const Vec<float> copy = w;
  assigned = w;
  w = w * 2.0f;
  EXPECT_EQ(mine, (Floats{2, 4, 6, 8}));
  EXPECT_EQ(copy.to_vector(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(assigned.to_vector(), (Floats{1, 2, 3, 4}));
  assigned = 7;
  EXPECT_EQ(mine, (Floats{2, 4, 6, 8}));
  // What was moved is the same vector.
  Vec<float> moved = std::move(w), again;
  moved += 1.0f;
  again = std::move(moved);
  again += 1.0f;
  EXPECT_EQ(mine, (Floats{4, 6, 8, 10}));
  // Expressions read the memory when they are computed.
  const auto sum_of = again + copy;
  mine[0] = 100;
  EXPECT_EQ(Vec<float>(sum_of).to_vector(), (Floats{101, 8, 11, 14}));
}

TEST(VecMemory, WrappedMemoryMayOverlap) {
  const ScopedDevice host("cpu");
  Floats memory(1001);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
  const Vec<float> low = Vec<float>::wrap(memory.data(), 1000);
  Vec<float> high = Vec<float>::wrap(memory.data() + 1, 1000);
  Vec<float> again = Vec<float>::wrap(memory.data() + 1, 1000);
  high = low * 2.0f;  // element i + 1 is written and read
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(memory[i + 1], 2.0f * static_cast<float>(i)) << i;
  again = shift(high, 1, Boundary::constant(-1.0f));
  for (size_t i = 1; i < 1000; ++i) ASSERT_EQ(memory[i + 1], 2.0f * static_cast<float>(i - 1)) << i;
  EXPECT_EQ(memory[1], -1.0f);
  const Floats before = memory;
  high = low;
  for (size_t i = 0; i < 1000; ++i) ASSERT_EQ(memory[i + 1], before[i]) << i;
}

TEST(VecMemory, TheInterpreterWritesToWrappedMemory) {
  const ScopedDevice host("cpu");
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  Floats mine{1, 2, 3, 4};
  Vec<float> w = Vec<float>::wrap(mine.data(), 4);
  w = w * 2.0f;
  EXPECT_EQ(mine, (Floats{2, 4, 6, 8}));
  w = counting(4);
  EXPECT_EQ(mine, (Floats{0, 1, 2, 3}));
}

TEST(VecMemory, PointersReadAndWrite) {
  const ScopedDevice host("cpu");
  Vec<float> a = counting(4);
  const Vec<float> copy = a;
  float* p = a.data();
  p[2] = 10;
  EXPECT_EQ(a.to_vector(), (Floats{0, 1, 10, 3}));
  EXPECT_EQ(copy.to_vector(), (Floats{0, 1, 2, 3}));
  EXPECT_EQ(copy.data()[3], 3.0f);
  EXPECT_EQ(stream(), nullptr);
}

// On the device in use, whichever it is.
TEST(VecMemory, PointersOfOneVectorCanBeWrappedByAnother) {
  Vec<float> owner = counting(4);
  Vec<float> view = Vec<float>::wrap(owner.data(), 4);
  view = view + 1.0f;
  view += sum(view);
  EXPECT_EQ(owner.to_vector(), (Floats{11, 12, 13, 14}));
  EXPECT_EQ(view.array().to_vector(), owner.to_vector());
}

// ---- errors

TEST(VecErrors, LengthsThatDifferNameTheLine) {
  Vec<float> a = counting(3);
  const Vec<float> b = counting(4);
  const auto expect_error = [](const std::string& message, int line) {
    EXPECT_NE(message.find("vectors of 3 and of 4 elements"), std::string::npos) << message;
    EXPECT_NE(message.find("values_test.cpp:" + std::to_string(line)), std::string::npos)
        << message;
  };
  expect_error(message_of<ShapeError>([&] { a = 2.0f * a + b; }), __LINE__);
  expect_error(message_of<ShapeError>([&] { a += b; }), __LINE__);
  expect_error(message_of<ShapeError>([&] { Vec<float> c = a + b; }), __LINE__);
  expect_error(message_of<ShapeError>([&] { (void)dot(a, b); }), __LINE__);
  EXPECT_EQ(a.to_vector(), (Floats{0, 1, 2}));
  Floats three(3);
  const ScopedDevice host("cpu");
  Vec<float> w = Vec<float>::wrap(three.data(), 3);
  const std::string message = message_of<ShapeError>([&] { w = b + 1.0f; });
  EXPECT_NE(message.find("memory for 3 elements was wrapped, and 4 are assigned to it"),
            std::string::npos)
      << message;
}

TEST(VecErrors, OnlyMemoryIsWrapped) {
  float one = 0;
  EXPECT_NE(message_of<Error>([] { Vec<float>::wrap(nullptr, 4); }).find("16 bytes"),
            std::string::npos);
  EXPECT_NE(message_of<ShapeError>([&] { Vec<float>::wrap(&one, -4); }).find("negative"),
            std::string::npos);
  EXPECT_TRUE(Vec<float>::wrap(nullptr, 0).to_vector().empty());
  const ScopedDevice host("cpu");
  const WithSettings interpreted([](Settings& s) { s.interpret = true; });
  Vec<float> none = Vec<float>::wrap(nullptr, 0);
  none = none + none;
  EXPECT_TRUE(none.to_vector().empty());
}

// ---- what is compiled

TEST(VecKernels, NewNumbersAndSizesCompileNothing) {
  const auto step = [](int n, float factor) {
    const Vec<float> b = counting(n), c = counting(n);
    Vec<float> a(n);
    a = factor * b + sqrt(c) * 2.0f;
    return std::pair(a.to_vector(), float(sum(a * factor)));
  };
  step(1000, 1.0f);
  step(1'000'000, 1.0f);
  const Statistics before = statistics();
  for (int i = 0; i < 50; ++i) step(1000 + i, static_cast<float>(i));
  EXPECT_EQ(statistics().kernels_compiled, before.kernels_compiled);
  EXPECT_EQ(statistics().kernels_from_disk, before.kernels_from_disk);
  EXPECT_EQ(step(1010, 2.0f).first[4], 12.0f);
}

TEST(VecKernels, OneKernelForAnExpressionThatReadsEachVectorOnce) {
  Vec<float> a = counting(100);
  const Vec<float> b = counting(100);
  const auto launches = [&](auto&& run) {
    const int64_t before = statistics().kernel_launches;
    run();
    return statistics().kernel_launches - before;
  };
  EXPECT_EQ(launches([&] { a = (b - (a + 3.75f * b) + b) / 27.51f + a - 0.25f * b; }), 1);
  EXPECT_EQ(launches([&] { a = a / norm2(a); }), 2);
  EXPECT_EQ(launches([&] { (void)dot(a, b); }), 1);
}

TEST(VecKernels, SurviveBeingForgotten) {
  Vec<float> a = counting(10);
  const auto step = [&] { a = a * 2.0f + 1.0f; };
  step();
  clear_kernel_cache();
  step();
  EXPECT_EQ(a.to_vector()[3], 15.0f);
}

TEST(VecThreads, ShareKernelsAndOperands) {
  const Vec<float> shared = counting(5000);
  std::vector<std::thread> threads;
  std::vector<float> sums(8);
  for (size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&, t] {
      Vec<float> mine = shared;
      for (int i = 0; i < 200; ++i) mine = mine + 0.5f * shared - shared / 2.0f;
      mine = mine * static_cast<float>(t + 1);
      sums[t] = max_val(mine);
    });
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < sums.size(); ++t) EXPECT_EQ(sums[t], 4999.0f * static_cast<float>(t + 1));
  EXPECT_EQ(shared.to_vector()[17], 17.0f);
}

TEST(VecValues, MovedNumbersKeepTheirValue) {
  Number<float> a = sum(Vec<float>(3, 2.0f));
  const Number<float> b = std::move(a);
  EXPECT_EQ(a.item(), 6.0f);
  EXPECT_EQ(b.item(), 6.0f);
  Vec<float> scaled = a * Vec<float>(2, 1.0f);
  EXPECT_EQ(scaled.to_vector(), (std::vector<float>{6, 6}));
}

}  // namespace
}  // namespace tutti::test
