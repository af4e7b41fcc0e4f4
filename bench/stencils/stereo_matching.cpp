// The disparity of two pictures taken side by side: at each pixel the offset, of 32, with the least
// sum of squared differences over a 7x7 square. Beyond the border the nearest element counts.
// The pixels are whole numbers up to 255, so the sums are exact and both sides choose the same.
#include <cfloat>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, float>;
constexpr int disparities = 32;
constexpr int radius = 3;  // of the square

Image box(const Image& image) {
  Image across = image;
  for (int i = 1; i <= radius; ++i) across += shift(image, {0, i}) + shift(image, {0, -i});
  Image result = across;
  for (int i = 1; i <= radius; ++i) result += shift(across, {i, 0}) + shift(across, {-i, 0});
  return result;
}

Image match(const Image& left, const Image& right) {
  Image least(left.shape(), FLT_MAX);
  Image best(left.shape(), 0.0f);
  for (int d = 0; d < disparities; ++d) {
    const Image difference = left - shift(right, {0, d});
    const Image cost = box(difference * difference);
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  return best;
}

namespace baseline {

inline float square(float x) { return x * x; }

// A row of each picture. The right one is read `offset` pixels to the left, from its first on.
struct RowPair {
  const float* left;
  const float* right;
  float squared_difference(int x, int from) const { return square(left[x] - right[from]); }
};

void add_row(float* __restrict sums, RowPair row, int offset, int columns) {
  const int border = std::min(offset, columns);
  for (int x = 0; x < border; ++x) sums[x] += row.squared_difference(x, 0);
  for (int x = border; x < columns; ++x) sums[x] += row.squared_difference(x, x - offset);
}

void replace_row(float* __restrict sums, RowPair gained, RowPair lost, int offset, int columns) {
  const int border = std::min(offset, columns);
  for (int x = 0; x < border; ++x)
    sums[x] += gained.squared_difference(x, 0) - lost.squared_difference(x, 0);
  for (int x = border; x < columns; ++x)
    sums[x] += gained.squared_difference(x, x - offset) - lost.squared_difference(x, x - offset);
}

// Keeps the disparity where seven neighbouring sums are less than the least so far.
void choose(const float* __restrict sums, float disparity, float* __restrict least,
            float* __restrict best, int columns) {
  for (int x = 0; x < columns; ++x) {
    const float cost = (sums[x - 3] + sums[x - 2]) + (sums[x - 1] + sums[x]) +
                       (sums[x + 1] + sums[x + 2]) + sums[x + 3];
    best[x] = cost < least[x] ? disparity : best[x];
    least[x] = cost < least[x] ? cost : least[x];
  }
}

// A row block, computed from top to bottom. Each disparity has a row of sums of seven squares in a
// column. Each step adds a row to these sums and subtracts one.
class Strip {
 public:
  Strip(const float* left, const float* right, int rows, int columns)
      : left_(left),
        right_(right),
        rows_(rows),
        columns_(columns),
        sums_(columns, radius, disparities),
        least_(columns, 0) {}

  void run(int first, int last, float* best) {
    for (int d = 0; d < disparities; ++d)
      for (int k = -radius; k <= radius; ++k) add_row(sums_.row(d), rows(first + k), d, columns_);
    for (int y = first; y < last; ++y) choose_row(y, best + static_cast<size_t>(y) * columns_);
  }

 private:
  RowPair rows(int y) const {
    const size_t row = static_cast<size_t>(std::clamp(y, 0, rows_ - 1)) * columns_;
    return {left_ + row, right_ + row};
  }

  void choose_row(int y, float* best) {
    std::fill_n(best, columns_, 0.0f);
    std::fill_n(least_.row(0), columns_, FLT_MAX);
    for (int d = 0; d < disparities; ++d) {
      sums_.clamp(d);
      choose(sums_.row(d), static_cast<float>(d), least_.row(0), best, columns_);
      replace_row(sums_.row(d), rows(y + radius + 1), rows(y - radius), d, columns_);
    }
  }

  const float* left_;
  const float* right_;
  int rows_, columns_;
  RowWindow sums_, least_;
};

void match(const float* left, const float* right, float* best, int rows, int columns) {
  parallel_rows(
      rows, [=](int first, int last) { Strip(left, right, rows, columns).run(first, last, best); });
}

}  // namespace baseline

// How far the right picture is shifted: farther in some places than in others.
Displacement depth(int row, int column) {
  return {0, 12 + 10 * std::sin(0.02 * row) * std::cos(0.013 * column)};
}

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> left = grey_image(side, side, nullptr, 1);
  const Buffer<> right = grey_image(side, side, depth, 2);
  const Buffer<> best(count);
  const Image left_image(left, side, side);
  const Image right_image(right, side, side);
  evaluate(left_image, right_image);
  return {
      .tutti = [=] { match(left_image, right_image).evaluate(); },
      .baseline = [=] { baseline::match(left.data(), right.data(), best.data(), side, side); },
      .disagreement = [=] { return disagreement(best, match(left_image, right_image)); },
      .inputs = {left, right},
      .outputs = {best},
  };
}

}  // namespace

Comparison stereo_matching_benchmark() {
  return {.name = "stereo_matching",
          .description = "disparity of two pictures: 7x7 squared differences, 32 offsets",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(4096, prepare)}};
}

}  // namespace tutti::bench
