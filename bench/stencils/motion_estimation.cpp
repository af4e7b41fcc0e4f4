// Motion estimation as in MPEG encoders: finds the most similar block of a second image for each
// 16x16 block of the first. A 7x7 neighbourhood is searched at a quarter of the resolution, then
// 3x3 ones at a half, in full, and twice between the pixels. The border is extended by the nearest
// pixel. Pixels are whole numbers: sums are exact, and both sides choose the same vectors.
#include <cfloat>
#include <cmath>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

constexpr int block_size = 16;
using Image = Array<2, float>;
using Blocks = Array<4, float>;  // block row, row within the block, block column, column within it

// One vector for each block.
struct Vectors {
  Array<2, int32_t> y, x;
};

Blocks blocks(const Image& image, int size) {
  const Shape<2> shape = image.shape();
  return reshape(image, Shape<4>(shape[0] / size, size, shape[1] / size, size));
}

Image halve(const Image& image) { return 0.25f * sum(blocks(image, 2), {1, 3}); }

// Tries all offsets up to `radius` from the vectors `around`; candidate(dy, dx) gives the blocks.
template <class Candidate>
Vectors search(const Blocks& wanted, const Vectors& around, int radius, Candidate candidate) {
  Vectors best = around;
  Image least(around.y.shape(), FLT_MAX);
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const Image cost = sum(abs(wanted - candidate(dy, dx)), {1, 3});
      const Array<2, bool> better = cost < least;
      best.y = cond(better, around.y + dy, best.y);
      best.x = cond(better, around.x + dx, best.x);
      least = min(cost, least);
    }
  return best;
}

// All blocks move alike.
Vectors search_from_zero(const Image& image, const Image& second, int size) {
  const Blocks wanted = blocks(image, size);
  const Shape<2> count(wanted.extent(0), wanted.extent(2));
  const Vectors zero{Array<2, int32_t>(count, 0), Array<2, int32_t>(count, 0)};
  return search(wanted, zero, 3,
                [&](int dy, int dx) { return blocks(shift(second, {-dy, -dx}), size); });
}

// Each block starts at its own vector, found at half of this resolution. The resolution is that of
// the image times `steps` (1, 2 or 4): between the pixels lie interpolated ones.
Vectors refine(const Image& image, const Image& second, int size, int steps,
               const Vectors& coarse) {
  const Blocks wanted = blocks(image, size);
  const Shape<4> shape = wanted.shape();
  const Shape<4> one_a_block(shape[0], 1, shape[2], 1);
  const Vectors around{coarse.y * 2, coarse.x * 2};
  const auto row = (index(shape, 0) * size + index(shape, 1)) * steps;
  const auto column = (index(shape, 2) * size + index(shape, 3)) * steps;
  const auto from_row = row + reshape(around.y, one_a_block);
  const auto from_column = column + reshape(around.x, one_a_block);

  const int bits = steps == 4 ? 2 : steps - 1;
  return search(wanted, around, 1, [&](int dy, int dx) -> Blocks {
    const auto y = from_row + dy, x = from_column + dx;
    const auto i = y >> bits, j = x >> bits;
    if (steps == 1) return gather(second, i, j);
    const auto right = cast<float>(x & (steps - 1)) * (1.0f / steps);
    const auto down = cast<float>(y & (steps - 1)) * (1.0f / steps);
    return lerp(lerp(gather(second, i, j), gather(second, i, j + 1), right),
                lerp(gather(second, i + 1, j), gather(second, i + 1, j + 1), right), down);
  });
}

// In quarters of a pixel: row, column.
Array<2, Value2i> estimate(const Image& first, const Image& second) {
  const Image first2 = halve(first), second2 = halve(second);
  const Image first4 = halve(first2), second4 = halve(second2);
  Vectors vectors = search_from_zero(first4, second4, block_size / 4);
  vectors = refine(first2, second2, block_size / 2, 1, vectors);
  vectors = refine(first, second, block_size, 1, vectors);
  vectors = refine(first, second, block_size, 2, vectors);
  vectors = refine(first, second, block_size, 4, vectors);
  return join(vectors.y, vectors.x);
}

namespace baseline {

struct Plane {
  const float* pixels;
  int rows, columns;
  const float* at(int y, int x) const { return pixels + static_cast<ptrdiff_t>(y) * columns + x; }
};

struct Vector {
  int y = 0, x = 0;
};

// A rectangle of an image; copied, with the border repeated, only where it sticks out.
class Window {
 public:
  Window(const Plane& image, int y, int x, int size) {
    if (y >= 0 && x >= 0 && y + size <= image.rows && x + size <= image.columns) {
      first_ = image.at(y, x);
      stride_ = image.columns;
      return;
    }
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        copy_[i * most + j] = *image.at(std::clamp(y + i, 0, image.rows - 1),
                                        std::clamp(x + j, 0, image.columns - 1));
  }
  Window(const Window&) = delete;
  const float* at(int y, int x) const { return first_ + static_cast<ptrdiff_t>(y) * stride_ + x; }
  int stride() const { return stride_; }

 private:
  static constexpr int most = block_size + 4;
  float copy_[most * most];
  const float* first_ = copy_;
  int stride_ = most;
};

template <int size>
float total_of(const float (&columns)[size]) {
  float total = 0;
  for (float column : columns) total += column;
  return total;
}

// The sum of absolute differences of two blocks, with a sum for each column so that a row is one
// vector operation.
template <int size>
float difference(const float* __restrict a, int a_stride, const float* __restrict b, int b_stride) {
  float columns[size] = {};
  for (int i = 0; i < size; ++i, a += a_stride, b += b_stride)
    for (int j = 0; j < size; ++j) columns[j] += std::fabs(a[j] - b[j]);
  return total_of(columns);
}

// The same where the second block lies between the pixels, by these fractions of one.
float difference_between(const float* __restrict a, int a_stride, const float* __restrict b,
                         int b_stride, float down, float right) {
  float columns[block_size] = {}, above[block_size];
  for (int j = 0; j < block_size; ++j) above[j] = b[j] + right * (b[j + 1] - b[j]);
  for (int i = 0; i < block_size; ++i, a += a_stride) {
    b += b_stride;
    for (int j = 0; j < block_size; ++j) {
      const float below = b[j] + right * (b[j + 1] - b[j]);
      columns[j] += std::fabs(a[j] - (above[j] + down * (below - above[j])));
      above[j] = below;
    }
  }
  return total_of(columns);
}

// The best of the (2 * radius + 1)^2 vectors around one; cost(dy, dx) compares the blocks.
template <class Cost>
Vector least_cost(const Vector& around, int radius, const Cost& cost) {
  Vector best = around;
  float least = FLT_MAX;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const float c = cost(dy, dx);
      if (c < least) {
        least = c;
        best = {around.y + dy, around.x + dx};
      }
    }
  return best;
}

// Block (by, bx) in whole pixels, around a vector.
template <int size>
Vector search_whole(const Plane& image, const Plane& second, int by, int bx, const Vector& around,
                    int radius) {
  const int y = by * size, x = bx * size;
  const Window window(second, y + around.y - radius, x + around.x - radius, size + 2 * radius);
  return least_cost(around, radius, [&](int dy, int dx) {
    return difference<size>(image.at(y, x), image.columns, window.at(dy + radius, dx + radius),
                            window.stride());
  });
}

// The same in halves or quarters of a pixel.
Vector search_between(const Plane& image, const Plane& second, int by, int bx, int steps,
                      const Vector& around) {
  const int y = by * block_size, x = bx * block_size;
  const int bits = steps == 4 ? 2 : 1;
  // A pixel more on the low side for the offset -1, two on the high side for +1 and its neighbour.
  const int top = (around.y >> bits) - 1, left = (around.x >> bits) - 1;
  const Window window(second, y + top, x + left, block_size + 3);
  return least_cost(around, 1, [&](int dy, int dx) {
    const int vy = around.y + dy, vx = around.x + dx;
    const float down = static_cast<float>(vy & (steps - 1)) / steps;
    const float right = static_cast<float>(vx & (steps - 1)) / steps;
    return difference_between(image.at(y, x), image.columns,
                              window.at((vy >> bits) - top, (vx >> bits) - left), window.stride(),
                              down, right);
  });
}

void halve(const Plane& image, float* out) {
  parallel_rows(image.rows / 2, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      const float* __restrict above = image.at(2 * y, 0);
      const float* __restrict below = image.at(2 * y + 1, 0);
      float* __restrict row = out + static_cast<size_t>(y) * (image.columns / 2);
      for (int x = 0; x < image.columns / 2; ++x)
        row[x] = 0.25f * (above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]);
    }
  });
}

// An image at full, half and quarter resolution.
class Pyramid {
 public:
  Pyramid(const Buffer<>& pixels, int rows, int columns)
      : rows_(rows),
        columns_(columns),
        full_(pixels),
        half_(pixels.size() / 4),
        quarter_(pixels.size() / 16) {}

  Plane full() const { return {full_.data(), rows_, columns_}; }
  Plane half() const { return {half_.data(), rows_ / 2, columns_ / 2}; }
  Plane quarter() const { return {quarter_.data(), rows_ / 4, columns_ / 4}; }

  void build() const {
    baseline::halve(full(), half_.data());
    baseline::halve(half(), quarter_.data());
  }

 private:
  int rows_, columns_;
  Buffer<> full_, half_, quarter_;
};

Vector estimate_block(const Pyramid& first, const Pyramid& second, int by, int bx) {
  auto twice = [](Vector v) { return Vector{2 * v.y, 2 * v.x}; };
  Vector v = search_whole<4>(first.quarter(), second.quarter(), by, bx, Vector(), 3);
  v = search_whole<8>(first.half(), second.half(), by, bx, twice(v), 1);
  v = search_whole<16>(first.full(), second.full(), by, bx, twice(v), 1);
  v = search_between(first.full(), second.full(), by, bx, 2, twice(v));
  return search_between(first.full(), second.full(), by, bx, 4, twice(v));
}

void estimate(const Pyramid& first, const Pyramid& second, std::array<int, 2>* out) {
  first.build();
  second.build();
  const int columns = first.full().columns / block_size;
  auto estimate_rows = [&](int begin, int end) {
    for (int by = begin; by < end; ++by)
      for (int bx = 0; bx < columns; ++bx) {
        const Vector v = estimate_block(first, second, by, bx);
        out[by * columns + bx] = {v.y, v.x};
      }
  };
  parallel_rows(first.full().rows / block_size, estimate_rows, 1);
}

}  // namespace baseline

// Every part of the picture moves, by up to eight pixels and not by whole ones.
Displacement motion(int row, int column) {
  return {5 * std::sin(0.011 * row + 0.02 * column), 8 * std::cos(0.017 * row - 0.007 * column)};
}

Workload prepare(int side) {
  const Buffer<> first = grey_image(side, side, nullptr, 1);
  const Buffer<> second = grey_image(side, side, motion, 2);
  const baseline::Pyramid first_pyramid(first, side, side);
  const baseline::Pyramid second_pyramid(second, side, side);
  const int columns = side / block_size;
  const Buffer<std::array<int, 2>> vectors(static_cast<size_t>(columns) * columns);
  const Image first_image(first, side, side), second_image(second, side, side);
  evaluate(first_image, second_image);
  return {
      .tutti = [=] { estimate(first_image, second_image).evaluate(); },
      .baseline = [=] { baseline::estimate(first_pyramid, second_pyramid, vectors.data()); },
      .disagreement = [=] { return disagreement(vectors, estimate(first_image, second_image)); },
      .inputs = {first, second},
      .outputs = {vectors},
  };
}

}  // namespace

Comparison motion_estimation_benchmark() {
  return {.name = "motion_estimation",
          .description = "MPEG-style motion vectors of 16x16 blocks, to a quarter of a pixel",
          .sizes = square_sizes(512, prepare),
          .gpu_sizes = {square_size(4096, prepare)}};
}

}  // namespace tutti::bench
