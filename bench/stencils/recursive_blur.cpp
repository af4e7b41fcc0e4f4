// A recursive (IIR) blur of a grey image: a filter of first order down, up, right and left. Each
// line begins with its first pixel.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/recurrence.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

constexpr float share = 0.2f;  // of the pixel itself

using Image = Array<2, float>;

Image blur(const Image& image) {
  const auto step = [](auto y, auto x) { return share * x + (1 - share) * y; };
  const Image down = recurrence(step, Array<1, float>(image[0]), image, 0);
  const Image up = recurrence(step, Array<1, float>(down[-1]), down, 0, Direction::backward);
  const Image right = recurrence(step, Array<1, float>(up(whole, 0)), up, 1);
  return recurrence(step, Array<1, float>(right(whole, -1)), right, 1, Direction::backward);
}

namespace baseline {

constexpr int lanes = 16;

// A row from the one before it.
void filter(const float* x, const float* before, float* y, int count) {
  for (int j = 0; j < count; ++j) y[j] = share * x[j] + (1 - share) * before[j];
}

// Blocks of columns, whose rows stay in the first-level cache.
void filter_columns(const float* image, float* out, int rows, int columns) {
  constexpr int block = 512;
  parallel_rows((columns + block - 1) / block,
                [=](int first, int last) {
                  for (int b = first; b < last; ++b) {
                    const int column = b * block, count = std::min(block, columns - column);
                    const auto at = [=](int row) {
                      return static_cast<size_t>(row) * columns + column;
                    };
                    filter(image + at(0), image + at(0), out + at(0), count);
                    for (int y = 1; y < rows; ++y)
                      filter(image + at(y), out + at(y - 1), out + at(y), count);
                    filter(out + at(rows - 1), out + at(rows - 1), out + at(rows - 1), count);
                    for (int y = rows - 2; y >= 0; --y)
                      filter(out + at(y), out + at(y + 1), out + at(y), count);
                  }
                },
                1);
}

// Some rows at a time, turned so that they are lanes.
void filter_rows(float* image, int rows, int columns) {
  parallel_rows((rows + lanes - 1) / lanes,
                [=](int first, int last) {
                  std::vector<float> turned(static_cast<size_t>(columns) * lanes);
                  const auto lane = [&](int x) {
                    return turned.data() + static_cast<size_t>(x) * lanes;
                  };
                  for (int b = first; b < last; ++b) {
                    float* const top = image + static_cast<size_t>(b) * lanes * columns;
                    const int height = std::min(lanes, rows - b * lanes);
                    for (int x = 0; x < columns; x += lanes)
                      for (int k = 0; k < height; ++k)
                        for (int i = x; i < std::min(columns, x + lanes); ++i)
                          lane(i)[k] = top[static_cast<size_t>(k) * columns + i];
                    filter(lane(0), lane(0), lane(0), lanes);
                    for (int x = 1; x < columns; ++x) filter(lane(x), lane(x - 1), lane(x), lanes);
                    filter(lane(columns - 1), lane(columns - 1), lane(columns - 1), lanes);
                    for (int x = columns - 2; x >= 0; --x)
                      filter(lane(x), lane(x + 1), lane(x), lanes);
                    for (int x = 0; x < columns; x += lanes)
                      for (int k = 0; k < height; ++k)
                        for (int i = x; i < std::min(columns, x + lanes); ++i)
                          top[static_cast<size_t>(k) * columns + i] = lane(i)[k];
                  }
                },
                1);
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> pixels = grey_image(side, side);
  const Buffer<> blurred(count);
  const Image image(pixels, side, side);
  image.evaluate();
  return {
      .tutti = [=] { blur(image).evaluate(); },
      .baseline =
          [=] {
            baseline::filter_columns(pixels.data(), blurred.data(), side, side);
            baseline::filter_rows(blurred.data(), side, side);
          },
      .disagreement = [=] { return disagreement(blurred, blur(image)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {pixels},
      .outputs = {blurred},
  };
}

}  // namespace

Comparison recursive_blur_benchmark() {
  return {
      .name = "recursive_blur",
      .description = "a recursive (IIR) filter of a grey image along columns and rows, both ways",
      .sizes = square_sizes(1000, prepare),
      .gpu_sizes = {square_size(8192, prepare)}};
}

}  // namespace tutti::bench
