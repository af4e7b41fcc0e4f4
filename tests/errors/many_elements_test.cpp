// Numbers of elements that do not fit int32, the type of coordinates, counts and positions: an
// error where they are asked for. Shapes alone decide, so nothing is allocated.
#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace tutti::test {
namespace {

constexpr int64_t many = int64_t{3} << 30;

template <class F>
void expect_refused(F call, const char* operation) {
  const std::string message = message_of<ShapeError>(call);
  EXPECT_NE(message.find(operation), std::string::npos) << message;
  EXPECT_NE(message.find("int32"), std::string::npos) << message;
  EXPECT_NE(message.find("2147483647"), std::string::npos) << message;
  EXPECT_NE(message.find("many_elements_test.cpp"), std::string::npos) << message;
}

// 2^32 of them, which are not computed.
Array<2, bool> flags() { return index(Shape<2>(65536, 65536), 0) > 5; }
Array<1, float> numbers() { return Array<1, float>(Shape<1>(many), 1.0f); }

TEST(ManyElements, HaveNoCoordinatesInInt32) {
  expect_refused([] { (void)index(Shape<1>(many), 0); }, "index");
  expect_refused([] { (void)index(Shape<2>(2, many), 1); }, "axis 1");
  EXPECT_NO_THROW((void)index<int64_t>(Shape<1>(many), 0));
  EXPECT_NO_THROW((void)index(Shape<2>(2, many), 0));
  EXPECT_NO_THROW((void)index(Shape<1>(int64_t{1} << 31), 0));  // the last is 2^31 - 1
}

TEST(ManyElements, AreNotCountedInInt32) {
  const Array<2, bool> of = flags();
  expect_refused([&] { (void)count(of); }, "count");
  expect_refused([&] { (void)sum(of); }, "count");
  expect_refused([&] { (void)histogram(Array<1, int>(Shape<1>(many), 1), 3); }, "histogram");
  expect_refused([] { (void)count(Array<1, bool>(Shape<1>(many), true)); }, "count");
  expect_refused([&] { (void)sum_scan(reshape(of, Shape<1>(int64_t{1} << 32))); }, "sum_scan");
  EXPECT_NO_THROW((void)count(of, 0));
  EXPECT_NO_THROW((void)sum(cast<int64_t>(of)));
  EXPECT_NO_THROW((void)sum_scan(of));  // row by row
}

TEST(ManyElements, HaveNoPositionsInInt32) {
  expect_refused([] { (void)arg_max(numbers()); }, "index");
  expect_refused([] { (void)arg_min(numbers()); }, "index");
  expect_refused([] { (void)sort_permutation(numbers()); }, "sort_permutation");
  expect_refused([] { (void)lower_bound(numbers(), Array<1, float>(Shape<1>(3), 1.0f)); },
                 "search_sorted");
  expect_refused([] { (void)element_segments(Array<1, int64_t>(Shape<1>(many), int64_t{0}), 5); },
                 "element_segments");
  EXPECT_NO_THROW((void)sort(numbers()));
}

TEST(ManyElements, AreTooManyForASequence) {
  const std::string message = message_of<ShapeError>([] { (void)length(Seq<float>(numbers())); });
  EXPECT_NE(message.find("sequence"), std::string::npos) << message;
  EXPECT_NE(message.find("3221225472"), std::string::npos) << message;
}

}  // namespace
}  // namespace tutti::test
