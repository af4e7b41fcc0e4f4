// Corners of a grey image by the KLT detector: blur, gradient, the products of its parts averaged
// over a 9x9 Gaussian. These form a matrix at each pixel, whose eigenvalues are computed. Every
// stage extends the border by the nearest element.
#include <cmath>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, float>;
constexpr float gamma = 0.5f;  // weight of the larger eigenvalue

struct Kernels {
  Weights<5> noise = gaussian<5>(1.0);
  Weights<9> window = gaussian<9>(2.0);
};

template <int taps>
Image convolve(const Image& image, const Weights<taps>& kernel) {
  Image down = shift(image, {taps / 2, 0}) * kernel[0];
  for (int i = 1; i < taps; ++i) down = fma(shift(image, {taps / 2 - i, 0}), kernel[i], down);
  Image result = shift(down, {0, taps / 2}) * kernel[0];
  for (int i = 1; i < taps; ++i) result = fma(shift(down, {0, taps / 2 - i}), kernel[i], result);
  return result;
}

Image cornerness(const Image& image, const Kernels& kernels) {
  const Image smooth = convolve<5>(image, kernels.noise);
  const Image dx = 0.5f * (shift(smooth, {0, -1}) - shift(smooth, {0, 1}));
  const Image dy = 0.5f * (shift(smooth, {-1, 0}) - shift(smooth, {1, 0}));
  const Image xx = convolve<9>(dx * dx, kernels.window);
  const Image xy = convolve<9>(dx * dy, kernels.window);
  const Image yy = convolve<9>(dy * dy, kernels.window);

  const Image mean = 0.5f * (xx + yy), half = 0.5f * (xx - yy);
  const Image spread = sqrt(half * half + xy * xy);
  return gamma * (mean + spread) + (mean - spread);
}

namespace baseline {

void multiply_gradients(const float* __restrict above, const float* __restrict here,
                        const float* __restrict below, float* __restrict xx, float* __restrict xy,
                        float* __restrict yy, int columns) {
  for (int x = 0; x < columns; ++x) {
    const float dx = 0.5f * (here[x + 1] - here[x - 1]);
    const float dy = 0.5f * (below[x] - above[x]);
    xx[x] = dx * dx;
    xy[x] = dx * dy;
    yy[x] = dy * dy;
  }
}

void combine_eigenvalues(const float* __restrict xx, const float* __restrict xy,
                         const float* __restrict yy, float* __restrict out, int columns) {
  for (int x = 0; x < columns; ++x) {
    const float mean = 0.5f * (xx[x] + yy[x]), half = 0.5f * (xx[x] - yy[x]);
    const float spread = std::sqrt(half * half + xy[x] * xy[x]);
    out[x] = gamma * (mean + spread) + (mean - spread);
  }
}

// A row block of the image, computed from top to bottom. Each stage keeps the rows that the next
// one still needs.
class Strip {
 public:
  Strip(const float* image, int rows, int columns, const Kernels& kernels)
      : image_(image),
        rows_(rows),
        columns_(columns),
        kernels_(kernels),
        down_(columns, 4),
        smooth_(columns, 1, 3),
        products_{RowWindow(columns, 0, 9), RowWindow(columns, 0, 9), RowWindow(columns, 0, 9)},
        averages_{RowWindow(columns, 0), RowWindow(columns, 0), RowWindow(columns, 0)} {}

  void run(int first, int last, float* out) {
    next_smooth_ = std::max(first - 5, 0);
    next_product_ = std::max(first - 4, 0);
    for (int y = first; y < last; ++y) {
      while (next_product_ <= near(y + 4)) compute_products(next_product_++);
      for (int i = 0; i < 3; ++i) average(y, products_[i], averages_[i].row(0));
      combine_eigenvalues(averages_[0].row(0), averages_[1].row(0), averages_[2].row(0),
                          out + static_cast<size_t>(y) * columns_, columns_);
    }
  }

 private:
  int near(int y) const { return std::clamp(y, 0, rows_ - 1); }

  void compute_smooth(int y) {
    std::array<const float*, 5> rows;
    for (int k = 0; k < 5; ++k) rows[k] = image_ + static_cast<size_t>(near(y + k - 2)) * columns_;
    filter_columns<5>(kernels_.noise, rows, down_.row(0), columns_);
    down_.clamp(0);
    filter_row<5>(kernels_.noise, down_.row(0), smooth_.row(y), columns_);
    smooth_.clamp(y);
  }

  void compute_products(int y) {
    while (next_smooth_ <= near(y + 1)) compute_smooth(next_smooth_++);
    multiply_gradients(smooth_.row(near(y - 1)), smooth_.row(y), smooth_.row(near(y + 1)),
                       products_[0].row(y), products_[1].row(y), products_[2].row(y), columns_);
  }

  void average(int y, RowWindow& products, float* out) {
    std::array<const float*, 9> rows;
    for (int k = 0; k < 9; ++k) rows[k] = products.row(near(y + k - 4));
    filter_columns<9>(kernels_.window, rows, down_.row(0), columns_);
    down_.clamp(0);
    filter_row<9>(kernels_.window, down_.row(0), out, columns_);
  }

  const float* image_;
  int rows_, columns_;
  const Kernels& kernels_;
  RowWindow down_, smooth_;
  std::array<RowWindow, 3> products_, averages_;
  int next_smooth_ = 0, next_product_ = 0;
};

void cornerness(const float* image, float* out, int rows, int columns, const Kernels& kernels) {
  parallel_rows(rows, [=, &kernels](int first, int last) {
    Strip(image, rows, columns, kernels).run(first, last, out);
  });
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> pixels = grey_image(side, side);
  const Buffer<> corners(count);
  const Image image(pixels, side, side);
  image.evaluate();
  const Kernels kernels;
  return {
      .tutti = [=] { cornerness(image, kernels).evaluate(); },
      .baseline = [=] { baseline::cornerness(pixels.data(), corners.data(), side, side, kernels); },
      .disagreement = [=] { return disagreement(corners, cornerness(image, kernels)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {pixels},
      .outputs = {corners},
  };
}

}  // namespace

Comparison corner_detection_benchmark() {
  return {.name = "corner_detection",
          .description = "KLT corners: 5x5 Gaussian, gradient, 9x9 Gaussians, eigenvalues",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(8192, prepare)}};
}

}  // namespace tutti::bench
