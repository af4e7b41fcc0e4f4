// Fills holes of an image from its surroundings: a pyramid of the image and its coverage, halved
// level by level, then doubled and put under what is there.
#include "bench/pipelines/pyramid.hpp"

namespace tutti::bench {
namespace {

constexpr int levels = 6;
using Planes = Array<3, float>;  // three colours and the coverage

Planes interpolate(const Planes& in) {
  std::vector<Planes> pyramid{in * add_dimension(Array<2, float>(in[3]), 0, 1)};
  // The coverage is not multiplied by itself: it is 0 or 1.
  for (int k = 1; k < levels; ++k) pyramid.push_back(halved(pyramid.back()));
  Planes filled = pyramid.back();
  for (int k = levels - 2; k >= 0; --k) {
    const Planes& level = pyramid[static_cast<size_t>(k)];
    const Planes clear = 1.0f - add_dimension(Array<2, float>(level[3]), 0, 1);
    filled = level + clear * doubled(filled, level.shape());
  }
  return section(filled, {{0, 3, 1}, {0, in.extent(1), 1}, {0, in.extent(2), 1}}) /
         add_dimension(Array<2, float>(filled[3]), 0, 1);
}

namespace baseline {

using Level = std::array<Plane, 4>;

Level empty_level(int rows, int columns) {
  const Plane plane(rows, columns);
  return {plane, plane, plane, plane};
}

struct Memory {
  std::vector<Level> pyramid, doubled;
  Memory(int rows, int columns) {
    for (int k = 0; k < levels; ++k, rows = (rows + 1) / 2, columns = (columns + 1) / 2) {
      pyramid.push_back(empty_level(rows, columns));
      doubled.push_back(empty_level(rows, columns));
    }
  }
};

void interpolate(const float* in, float* out, Memory& memory) {
  Level& first = memory.pyramid[0];
  const size_t plane = first[0].elements.size();
  const int rows = first[0].rows, columns = first[0].columns;
  parallel_rows(rows, [&](int top, int bottom) {
    for (int y = top; y < bottom; ++y)
      for (size_t c = 0; c < 4; ++c) {
        const float* from = clamped_row(in + c * plane, y, rows, columns);
        const float* cover = clamped_row(in + 3 * plane, y, rows, columns);
        float* to = first[c].row(y);
#pragma omp simd
        for (int x = 0; x < columns; ++x) to[x] = from[x] * cover[x];
      }
  });
  for (size_t k = 1; k < levels; ++k)
    for (size_t c = 0; c < 4; ++c) halve(memory.pyramid[k - 1][c], memory.pyramid[k][c]);
  for (size_t k = levels - 1; k-- > 0;) {
    Level &level = memory.pyramid[k], &up = memory.doubled[k];
    for (size_t c = 0; c < 4; ++c)
      double_size(k + 2 == levels ? memory.pyramid[k + 1][c] : memory.doubled[k + 1][c], up[c]);
    parallel_rows(level[0].rows, [&](int top, int bottom) {
      for (int y = top; y < bottom; ++y)
        for (size_t c = 0; c < 4; ++c) {
          const float *own = level[c].row(y), *cover = level[3].row(y);
          float* to = up[c].row(y);
#pragma omp simd
          for (int x = 0; x < level[0].columns; ++x) to[x] = own[x] + (1 - cover[x]) * to[x];
        }
    });
  }
  parallel_rows(rows, [&](int top, int bottom) {
    for (int y = top; y < bottom; ++y)
      for (size_t c = 0; c < 3; ++c) {
        const float *own = memory.doubled[0][c].row(y), *cover = memory.doubled[0][3].row(y);
        float* to = clamped_row(out + c * plane, y, rows, columns);
        for (int x = 0; x < columns; ++x) to[x] = own[x] / cover[x];
      }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> colours = colour_planes(rows, columns);
  const size_t plane = colours.size() / 3;
  const Buffer<> pixels(4 * plane), result(3 * plane);
  std::copy(colours.begin(), colours.end(), pixels.begin());
  const Buffer<> holes = random_numbers(plane, 0, 1, 9);
  for (size_t i = 0; i < plane; ++i) pixels[3 * plane + i] = holes[i] < 0.3f ? 0.0f : 1.0f;
  const Planes image = in_memory(pixels, 4, rows, columns);
  const auto memory = std::make_shared<baseline::Memory>(rows, columns);
  return workload([=] { return interpolate(image); },
                  [=] { baseline::interpolate(pixels.data(), result.data(), *memory); }, result,
                  28.0 * static_cast<double>(plane), {pixels});
}

}  // namespace

Comparison interpolate_benchmark() {
  return {.name = "interpolate",
          .description = "holes of an image filled by a pyramid of six levels",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
