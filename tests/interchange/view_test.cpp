// Views of host memory: every layout reads the right elements, no other byte, and writes nothing.
#include "tutti/view.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "interchange/guarded_memory.hpp"
#include "tutti/tutti.hpp"

namespace tutti {
namespace {

using test::GuardedMemory;
using test::Side;

int64_t bytes_in_use() { return statistics().bytes_in_use; }

TEST(View, RangesAreReadWhereTheyAre) {
  const std::vector<float> data{1, 2, 3, 4};
  const auto a = Array<1, float>::view(data);
  EXPECT_EQ(as_mdspan(a).data(), data.data());
  EXPECT_EQ((a * 2.0f).to_vector(), (std::vector<float>{2, 4, 6, 8}));
  const std::span<const float> part(data.data() + 1, 2);
  EXPECT_EQ((Array<1, float>::view(part) + 1.0f).to_vector(), (std::vector<float>{3, 4}));
}

TEST(View, TakesNoMemory) {
  const std::vector<double> data(1 << 16, 1.0);
  const int64_t before = bytes_in_use();
  const auto a = Array<1, double>::view(data);
  a.evaluate();
  EXPECT_EQ(bytes_in_use(), before);
}

TEST(View, RangesThatAreGivenAwayAreKept) {
  std::vector<int32_t> data(1000);
  std::iota(data.begin(), data.end(), 0);
  const int32_t* address = data.data();
  const auto a = Array<1, int32_t>::view(std::move(data));
  EXPECT_EQ(as_mdspan(a).data(), address);
  EXPECT_EQ(static_cast<int32_t>(sum(a)), 499500);
}

TEST(View, TheOwnerLivesUntilTheLastUse) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  const std::weak_ptr<std::vector<float>> watch = owner;
  Array<1, float> twice;
  {
    const auto a = Array<1, float>::view(std::span<const float>(*owner), owner);
    owner.reset();
    twice = a + a;
  }
  EXPECT_FALSE(watch.expired());  // the pending sum reads it
  EXPECT_EQ(twice.to_vector(), (std::vector<float>{2, 4, 6}));
  EXPECT_TRUE(watch.expired());  // computed: nothing reads it any more
}

TEST(View, ResultsAreNeverWrittenIntoTheMemory) {
  GuardedMemory<float> memory(4096, Side::after);
  memory.seal();
  for (int round = 0; round < 4; ++round) {
    Array<1, float> x = Array<1, float>::view(std::span<const float>(memory.data(), 4096));
    for (int i = 0; i < 4; ++i) {
      x = x * 0.5f + 1.0f;  // the last use of its input: results may be written in place
      x.evaluate();
    }
    Vec<float> v(Array<1, float>::view(std::span<const float>(memory.data(), 4096)));
    v = v * 2.0f;
    v += 1.0f;
    EXPECT_EQ(v.to_vector()[1], 3.0f);
  }
  EXPECT_EQ(memory.data()[5], 5.0f);
}

TEST(View, ScattersAndSortsLeaveTheMemoryAlone) {
  GuardedMemory<int32_t> memory(3000, Side::after);
  memory.seal();
  const auto view = [&] {
    return Array<1, int32_t>::view(std::span<const int32_t>(memory.data(), 3000));
  };
  const auto where = index(Shape<1>(10), 0);
  EXPECT_EQ(scatter(view(), where, Array<1, int32_t>(Shape<1>(10), 5)).to_vector()[3], 5);
  EXPECT_EQ(sort(view()).to_vector()[0], 0);
  EXPECT_EQ(max_scan(view(), Scan::inclusive).to_vector()[2999], 96);
  EXPECT_EQ(memory.data()[3], 3);
}

// A view of random extents, strides and direction against a loop over addresses.
template <class T>
void compare_random_layouts(uint32_t seed, int rounds) {
  std::mt19937 random(seed);
  const auto between = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int round = 0; round < rounds; ++round) {
    std::array<int64_t, 3> extents{between(1, 9), between(1, 7), between(1, 40)}, strides{};
    std::array<int, 3> order{0, 1, 2};
    std::shuffle(order.begin(), order.end(), random);
    int64_t step = between(0, 3) == 0 ? 2 : 1;
    for (const int axis : order) {
      strides[axis] = step * (between(0, 3) == 0 ? -1 : 1);
      if (between(0, 7) == 0) strides[axis] = 0;
      step *= extents[axis];
      if (between(0, 2) == 0) step += between(1, 5);  // rows with a pitch, or ragged strides
    }
    if (between(0, 3) == 0) strides[0] = between(-3, 3);  // rows that overlap
    int64_t lowest = 0, highest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int64_t reach = (extents[axis] - 1) * strides[axis];
      (reach < 0 ? lowest : highest) += reach;
    }
    const Side side = between(0, 1) == 0 ? Side::before : Side::after;
    GuardedMemory<T> memory(highest - lowest + 1, side);
    memory.seal();
    const T* first = memory.data() - lowest;
    const auto a = Array<3, T>::view(first, Shape<3>(extents), Shape<3>(strides));
    std::vector<T> expected, plus_one;
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j)
        for (int64_t k = 0; k < extents[2]; ++k) {
          expected.push_back(first[i * strides[0] + j * strides[1] + k * strides[2]]);
          plus_one.push_back(static_cast<T>(expected.back() + 1));
        }
    const auto text = [&] {
      return detail::to_string(Shape<3>(extents).extents()) + " with strides " +
             detail::to_string(Shape<3>(strides).extents());
    };
    ASSERT_EQ((Array<3, T>(a + T{1}).to_vector()), plus_one) << text();
    ASSERT_EQ(a.to_vector(), expected) << text();
  }
}

TEST(View, AnyStridesReadTheRightElementsAndNoOthers) {
  compare_random_layouts<float>(1, 60);
  compare_random_layouts<int16_t>(2, 60);
  compare_random_layouts<double>(3, 30);
}

TEST(View, RowsWithAPitchAreOneKernelWithoutACopy) {
  const std::vector<float> image(100 * 64, 2.0f);
  const auto a = Array<2, float>::view(image.data() + 8, {100, 48}, {64, 1});
  const Explanation plan = explain(a * 2.0f);
  ASSERT_EQ(plan.kernels().size(), 1u);
  EXPECT_LE(plan.kernels()[0].bytes_read, 100 * 64 * 4);
}

// Kernels of every kind over rows with a pitch, whose last row ends at a page that cannot be read.
TEST(View, KernelsStayWithinRowsWithAPitch) {
  constexpr int64_t rows = 300, columns = 500, pitch = 512;
  GuardedMemory<float> memory((rows - 1) * pitch + columns, Side::after);
  memory.seal();
  std::vector<float> copy;
  for (int64_t i = 0; i < rows; ++i)
    copy.insert(copy.end(), memory.data() + i * pitch, memory.data() + i * pitch + columns);
  const auto a = Array<2, float>::view(memory.data(), {rows, columns}, {pitch, 1});
  const Array<2, float> b(copy, rows, columns);
  const auto compare = [](auto&& f, const Array<2, float>& x, const Array<2, float>& y) {
    EXPECT_EQ(f(x).to_vector(), f(y).to_vector());
  };
  compare([](const auto& x) { return sum(x, 0); }, a, b);
  compare([](const auto& x) { return sum(x, 1); }, a, b);
  compare([](const auto& x) { return max(x); }, a, b);
  compare([](const auto& x) { return inner_product(x, transpose(x)); }, a, b);
  compare([](const auto& x) { return section(x, {Range{1, 100, 2}, Range{499, 100, -3}}); }, a, b);
  for (const Boundary& rule : {Boundary::clamp(), Boundary::wrap(), Boundary::constant(2.0f)}) {
    const auto blur = [&](const Array<2, float>& x) {
      Array<2, float> y = shift(x, {0, 1}, rule) + shift(x, {0, -1}, rule) + x;
      return Array<2, float>(shift(y, {1, 0}, rule) + shift(y, {-1, 0}, rule) + y);
    };
    compare(blur, a, b);
  }
}

// What other libraries look like, as far as view() looks.
struct TestMdspan {
  using element_type = const float;
  const float* first;
  static constexpr size_t rank() { return 2; }
  const float* data_handle() const { return first; }
  size_t extent(size_t axis) const { return axis == 0 ? 2 : 3; }
  size_t stride(size_t axis) const { return axis == 0 ? 1 : 2; }  // column-major
};

struct TestMatrix {  // as in Eigen
  const double* first;
  int64_t height, width;
  const double* data() const { return first; }
  int64_t rows() const { return height; }
  int64_t cols() const { return width; }
  int64_t rowStride() const { return 1; }
  int64_t colStride() const { return height; }
};

struct TestImage {  // as cv::Mat
  std::shared_ptr<std::vector<uint8_t>> kept;
  const uint8_t* data;
  int dims = 2;
  std::array<int, 2> size{2, 3};
  std::array<size_t, 2> step{16, 3};
  int depth() const { return 0; }
  int channels() const { return 3; }
  size_t elemSize1() const { return 1; }
};

TEST(View, MdspansMayHaveAnyLayout) {
  const std::vector<float> data{1, 2, 3, 4, 5, 6};
  const auto a = Array<2, float>::view(TestMdspan{data.data()});
  EXPECT_EQ(a.to_vector(), (std::vector<float>{1, 3, 5, 2, 4, 6}));
}

TEST(View, MatricesAndVectorsOfEigen) {
  const std::vector<double> data{1, 2, 3, 4, 5, 6};
  const auto m = Array<2, double>::view(TestMatrix{data.data(), 2, 3});
  EXPECT_EQ(m.to_vector(), (std::vector<double>{1, 3, 5, 2, 4, 6}));
  const auto v = Array<1, double>::view(TestMatrix{data.data(), 6, 1});
  EXPECT_EQ(v.to_vector(), data);
  EXPECT_THROW((Array<1, double>::view(TestMatrix{data.data(), 2, 3})), ShapeError);
}

TEST(View, ImagesKeepTheirMemoryAndHaveTheirChannelsLast) {
  Array<3, uint8_t> a;
  {
    TestImage image;
    image.kept = std::make_shared<std::vector<uint8_t>>(32);
    std::iota(image.kept->begin(), image.kept->end(), uint8_t{0});
    image.data = image.kept->data();
    a = Array<3, uint8_t>::view(image);
  }
  EXPECT_EQ(a.shape(), (Shape<3>(2, 3, 3)));
  const std::vector<uint8_t> elements = a.to_vector();
  EXPECT_EQ(elements[8], 8);
  EXPECT_EQ(elements[9], 16);
}

TEST(View, SaysWhatDoesNotFit) {
  const std::vector<float> data{1, 2, 3};
  try {
    Array<1, double>::view(data);
    FAIL();
  } catch (const TypeError& error) {
    EXPECT_NE(std::string(error.what()).find("the memory holds float"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("view_test.cpp"), std::string::npos);
  }
  EXPECT_THROW((Array<2, float>::view(data)), ShapeError);
  EXPECT_THROW((Array<1, float>::view(static_cast<const float*>(nullptr), {3}, {1})), Error);
  const char* odd = reinterpret_cast<const char*>(data.data()) + 1;
  EXPECT_THROW((Array<1, float>::view(reinterpret_cast<const float*>(odd), {2}, {1})), Error);
  EXPECT_THROW((Array<1, float>::view(data.data(), {3}, {int64_t{1} << 60})), ShapeError);
}

TEST(View, EmptyMemory) {
  EXPECT_EQ((Array<1, float>::view(std::vector<float>{}).size()), 0);
  EXPECT_EQ((Array<2, float>::view(nullptr, {0, 3}, {3, 1}).to_vector().size()), 0u);
}

}  // namespace
}  // namespace tutti
