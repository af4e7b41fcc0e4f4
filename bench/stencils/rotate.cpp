// A colour image turned by 10 degrees about its centre, with bilinear interpolation and cropping:
// what lies outside of the image is 0. The source coordinates are computed by fma on both sides,
// which leaves no rounding open: at a column of 4000, one ulp is 1e-4 of a pixel and would show.
#include <cmath>
#include <numbers>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, Value4f>;
using Colour = std::array<float, 4>;  // of an image on the host

struct Turn {
  float cosine, sine;
};

Image turn_image(const Image& image, const Turn& turn) {
  const Shape<2> shape = image.shape();
  const float middle_y = 0.5f * (shape[0] - 1), middle_x = 0.5f * (shape[1] - 1);
  const auto y = cast<float>(index(shape, 0)) - middle_y;
  const auto x = cast<float>(index(shape, 1)) - middle_x;
  const auto from_y = fma(x, -turn.sine, fma(y, turn.cosine, middle_y));
  const auto from_x = fma(x, turn.cosine, fma(y, turn.sine, middle_x));

  const auto top = floor(from_y), left = floor(from_x);
  const auto i = cast<int32_t>(top), j = cast<int32_t>(left);
  auto pixel = [&](int down, int right) {
    return gather(image, Boundary::constant(0.0f), i + down, j + right);
  };
  const auto above = lerp(pixel(0, 0), pixel(0, 1), from_x - left);
  const auto below = lerp(pixel(1, 0), pixel(1, 1), from_x - left);
  return lerp(above, below, from_y - top);
}

namespace baseline {

// All four channels of a pixel in one register; aligned like the floats it is read from.
typedef float Pixel __attribute__((vector_size(16), aligned(4), may_alias));

inline Pixel lerp(Pixel a, Pixel b, float t) { return a + t * (b - a); }

struct Picture {
  const Pixel* pixels;
  int rows, columns;

  Pixel at(int y, int x) const {
    const bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
    return inside ? pixels[static_cast<size_t>(y) * columns + x] : Pixel{};
  }
  Pixel sample(float y, float x) const {
    const float top = std::floor(y), left = std::floor(x);
    const int i = static_cast<int>(top), j = static_cast<int>(left);
    Pixel corners[4];
    if (i >= 0 && i < rows - 1 && j >= 0 && j < columns - 1) {
      const Pixel* first = pixels + static_cast<size_t>(i) * columns + j;
      corners[0] = first[0], corners[1] = first[1];
      corners[2] = first[columns], corners[3] = first[columns + 1];
    } else {
      for (int k = 0; k < 4; ++k) corners[k] = at(i + k / 2, j + k % 2);
    }
    return lerp(lerp(corners[0], corners[1], x - left), lerp(corners[2], corners[3], x - left),
                y - top);
  }
};

struct Rotation {
  Picture image;
  Turn turn;
  Pixel* out;

  // Part of a row.
  void run(int y, int first, int last) const {
    const float middle_y = 0.5f * (image.rows - 1), middle_x = 0.5f * (image.columns - 1);
    const float row_y = std::fma(y - middle_y, turn.cosine, middle_y);
    const float row_x = std::fma(y - middle_y, turn.sine, middle_x);
    Pixel* row = out + static_cast<size_t>(y) * image.columns;
    for (int x = first; x < last; ++x) {
      const float dx = x - middle_x;
      row[x] = image.sample(std::fma(dx, -turn.sine, row_y), std::fma(dx, turn.cosine, row_x));
    }
  }
};

// Blocks of pixels rather than rows: the source of a row is a slanted line through many cache
// lines, of which the neighbouring rows use the rest.
void turn_image(const Buffer<Colour>& from, const Buffer<Colour>& to, int rows, int columns,
                const Turn& turn) {
  const Picture image{reinterpret_cast<const Pixel*>(from.data()), rows, columns};
  const Rotation rotation{image, turn, reinterpret_cast<Pixel*>(to.data())};
  constexpr int block = 64;
  auto turn_blocks = [=](int first, int last) {
    for (int y0 = first * block; y0 < std::min(last * block, rows); y0 += block)
      for (int x0 = 0; x0 < columns; x0 += block)
        for (int y = y0; y < std::min(y0 + block, rows); ++y)
          rotation.run(y, x0, std::min(x0 + block, columns));
  };
  parallel_rows((rows + block - 1) / block, turn_blocks, 1);
}

}  // namespace baseline

// Four grey images as the channels of a colour image.
Buffer<Colour> colour_image(int rows, int columns) {
  Buffer<Colour> image(static_cast<size_t>(rows) * columns);
  for (int c = 0; c < 4; ++c) {
    const Buffer<> channel = grey_image(rows, columns, nullptr, 1 + c);
    for (size_t i = 0; i < image.size(); ++i) image[i][static_cast<size_t>(c)] = channel[i];
  }
  return image;
}

Workload prepare(int side) {
  const Buffer<Colour> pixels = colour_image(side, side);
  const Buffer<Colour> turned(pixels.size());
  const Image image(pixels, side, side);
  image.evaluate();
  const double angle = 10 * std::numbers::pi / 180;
  const Turn turn{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  return {
      .tutti = [=] { turn_image(image, turn).evaluate(); },
      .baseline = [=] { baseline::turn_image(pixels, turned, side, side, turn); },
      .disagreement = [=] { return disagreement(turned, turn_image(image, turn)); },
      .bytes = 2.0 * pixels.size() * sizeof(Colour),
      .inputs = {pixels},
      .outputs = {turned},
  };
}

}  // namespace

Comparison rotate_benchmark() {
  return {.name = "rotate",
          .description = "colour image turned by 10 degrees, bilinear, cropped",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(8192, prepare)}};
}

}  // namespace tutti::bench
