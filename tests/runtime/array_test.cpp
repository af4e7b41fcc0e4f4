// Arrays are values: made from host data, copied in O(1), independent, empty, moved.
#include <array>
#include <chrono>
#include <deque>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using std::vector;

TEST(Array, IsMadeFromHostData) {
  const vector<float> host{1, 2, 3, 4, 5, 6};
  EXPECT_EQ((Array<2, float>(host, 2, 3).to_vector()), host);
  EXPECT_EQ((Array<2, float>(host, Shape<2>(3, 2)).shape()), (Shape<2>{3, 2}));
  EXPECT_EQ((Array<1, float>(host).extent(0)), 6);
  EXPECT_EQ((Array<3, float>(host.data(), Shape<3>(1, 2, 3)).to_vector()), host);
  EXPECT_EQ((Array<1, int>(std::array<int, 3>{1, 2, 3}).to_vector()), (vector<int>{1, 2, 3}));
  EXPECT_EQ((Array<1, float>(std::deque<float>{1, 2}).to_vector()), (vector<float>{1, 2}));
  EXPECT_EQ((Array<1, bool>(vector<bool>{true, false}).to_vector()), (vector<bool>{true, false}));
  EXPECT_EQ((Array<2, float>(2, 2).to_vector()), vector<float>(4, 0.0f));
  EXPECT_EQ((Array<2, int>({2, 2}, 7).to_vector()), vector<int>(4, 7));
  const Array deduced(host);
  static_assert(std::is_same_v<decltype(deduced), const Array<1, float>>);
}

TEST(Array, CopiesHostDataAtOnce) {
  vector<int> host{1, 2, 3};
  const Array<1, int> a(host);
  host[0] = 100;
  EXPECT_EQ(a.to_vector()[0], 1);
  vector<int> out = a.to_vector();
  out[0] = 50;
  EXPECT_EQ(a.to_vector()[0], 1);
}

TEST(Array, EveryTypeSurvivesTheRoundTrip) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    const vector<T> host = mixed<T>(300, 9);
    EXPECT_TRUE(same(elements(host, Shape<1>(300)), read(Array<1, T>(host))))
        << name(element_type<T>);
    EXPECT_TRUE(same(elements(vector<T>(300, host[5]), Shape<1>(300)),
                     read(Array<1, T>(Shape<1>(300), host[5]))));
  });
}

TEST(Array, CopyToMemoryOfTheCaller) {
  const Array<1, float> a(vector<float>{1, 2, 3});
  vector<float> out(3);
  (a * 2.0f).copy_to(out);
  EXPECT_EQ(out, (vector<float>{2, 4, 6}));
}

TEST(Array, CopiesCostNothingAndAreIndependent) {
  const Array<1, float> a(vector<float>(1 << 20, 1.0f));
  const int64_t in_use = statistics().bytes_in_use, allocated = statistics().buffers_allocated;
  vector<Array<1, float>> copies(1000, a);
  EXPECT_EQ(statistics().bytes_in_use, in_use);
  EXPECT_EQ(statistics().buffers_allocated, allocated);
  copies[1] += 1.0f;
  copies[2] = copies[1] * copies[1];
  EXPECT_EQ(copies[0].to_vector()[9], 1.0f);
  EXPECT_EQ(copies[1].to_vector()[9], 2.0f);
  EXPECT_EQ(copies[2].to_vector()[9], 4.0f);
  EXPECT_EQ(a.to_vector()[9], 1.0f);
}

TEST(Array, OfNoElements) {
  for (const Array<2, float>& none :
       {Array<2, float>(), Array<2, float>(0, 5), Array<2, float>(5, 0)}) {
    EXPECT_EQ(none.size(), 0);
    EXPECT_TRUE(none.to_vector().empty());
    EXPECT_TRUE((none + 1.0f).to_vector().empty());
    EXPECT_TRUE(transpose(none * none).to_vector().empty());
  }
}

TEST(Array, AfterAMoveThrowsUntilAssigned) {
  Array<1, float> a(vector<float>{1, 2});
  const Array<1, float> b = std::move(a);
  const auto throws = [](auto f) {
    try {
      f();
      ADD_FAILURE() << "a moved-from array was read";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("moved from"), std::string::npos) << e.what();
    }
  };
  throws([&] { return a.shape(); });
  throws([&] { return a.size(); });
  throws([&] { return a.to_vector(); });
  throws([&] { a.evaluate(); });
  throws([&] { return a + b; });
  throws([&] { return b + a; });
  throws([&] { return a * 2.0f; });
  throws([&] { return sqrt(a); });
  throws([&] { return sum(a); });
  throws([&] { return shift(a, {1}); });
  throws([&] { return cast<int>(a); });
  throws([&] { return transpose(a); });
  throws([&] { return reshape(a, Shape<2>(1, 2)); });
  throws([&] { return gather(a, Array<1, int>(1)); });
  throws([&] { return inner_product(a, b); });
  throws([&] { return outer_product(a, b); });
  throws([&] { return outer_product(b, a); });
  throws([&] { return explain(a); });
  throws([&] { a += 1.0f; });
  throws([&] { return join(b, a); });
  a = b;
  EXPECT_EQ((a + b).to_vector(), (vector<float>{2, 4}));
}

// The result of a loop is the same whether or not something was evaluated on the way.
TEST(Array, EvaluatingEarlyChangesNothing) {
  const auto run = [](int every) {
    Array<1, float> x(plain<float>(200));
    for (int i = 1; i < 30; ++i) {
      x = x * 0.9f + rotate(x, {i}) * 0.1f;
      if (every && i % every == 0) x.evaluate();
    }
    return x;
  };
  const Elements want = read(run(0));
  for (int every : {1, 2, 7}) EXPECT_TRUE(same(want, read(run(every))));
}

// Arrays that share a buffer: none may write into it.
TEST(Array, ReshapesShareABufferSafely) {
  Array<2, int> a(vector<int>{1, 2, 3, 4}, 2, 2);
  const Array<1, int> flat = reshape(a, Shape<1>(4));
  flat.evaluate();
  a = a + 1;  // not in place
  EXPECT_EQ(a.to_vector(), (vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(flat.to_vector(), (vector<int>{1, 2, 3, 4}));
  const Array<1, int> doubled = flat * 2;
  const Array<2, int> square = reshape(doubled, Shape<2>(2, 2)), more = square + 1;
  evaluate(doubled, square, more);
  EXPECT_EQ(doubled.to_vector(), (vector<int>{2, 4, 6, 8}));
  EXPECT_EQ(square.to_vector(), (vector<int>{2, 4, 6, 8}));
  EXPECT_EQ(more.to_vector(), (vector<int>{3, 5, 7, 9}));
}

TEST(Array, EvaluatedTogetherInAnyOrderAndTwice) {
  const Array<1, int> a(vector<int>{1, 2}), x = a + 1, y = x * 2, constant(Shape<1>(2), 7);
  evaluate(y, x, a, x, constant, y);
  EXPECT_EQ(x.to_vector(), (vector<int>{2, 3}));
  EXPECT_EQ(y.to_vector(), (vector<int>{4, 6}));
  EXPECT_EQ(constant.to_vector(), (vector<int>{7, 7}));
}

TEST(Array, TwoResultsCompeteForTheBuffersOfTheirInputs) {
  Array<1, float> x(vector<float>(100, 1.0f)), y(vector<float>(100, 2.0f));
  const auto sum_of = x + y, difference = x - y;
  x = y = Array<1, float>();
  evaluate(sum_of, difference);
  EXPECT_EQ(sum_of.to_vector(), vector<float>(100, 3.0f));
  EXPECT_EQ(difference.to_vector(), vector<float>(100, -1.0f));
}

}  // namespace
}  // namespace tutti::test
