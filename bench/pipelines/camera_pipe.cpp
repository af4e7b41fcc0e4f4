// Converts a raw picture to an image of bytes. Hot pixels are suppressed. The four colours of the
// Bayer pattern are separated and interpolated, corrected by a matrix, and mapped by a curve. All
// in 16 bits except the matrix. Even rows are green, red; odd ones blue, green.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

using Raw = Array<2, int16_t>;
using Bytes = Array<2, uint8_t>;
constexpr int matrix[3][4] = {
    {432, -147, -29, -230}, {-56, 350, -38, -148}, {-10, -178, 444, -290}};
constexpr int curve_size = 1024;

Raw every_second(const Raw& a, int row, int column) {
  return section(a, {{row, a.extent(0) / 2, 2}, {column, a.extent(1) / 2, 2}});
}

Raw average(const Raw& a, const Raw& b) { return (a + b + int16_t{1}) >> int16_t{1}; }

// Four quarters as one image: those of even rows, then those of odd ones.
Raw interleaved(const Raw& a, const Raw& b, const Raw& c, const Raw& d) {
  const Shape<2> shape(2 * a.extent(0), 2 * a.extent(1));
  const auto row = index(shape, 0), column = index(shape, 1);
  const auto wide = [&](const Raw& x) { return gather(x, row / 2, column / 2); };
  const Array<2, bool> even = column % 2 == 0;
  return cond(row % 2 == 0, cond(even, wide(a), wide(b)), cond(even, wide(c), wide(d)));
}

Array<2, Value3ub> camera_pipe(const Raw& raw, const Array<1, uint8_t>& curve) {
  const auto at = [&](int y, int x) { return shift(raw, {-y, -x}); };
  const Raw near = max(max(at(-2, 0), at(2, 0)), max(at(0, -2), at(0, 2)));
  const Raw calm = clamp(raw, Raw(raw.shape(), int16_t{0}), near);
  const Raw g1 = every_second(calm, 0, 0), r = every_second(calm, 0, 1);
  const Raw b = every_second(calm, 1, 0), g2 = every_second(calm, 1, 1);
  const auto up = [](const Raw& a) { return shift(a, {1, 0}); };
  const auto down = [](const Raw& a) { return shift(a, {-1, 0}); };
  const auto left = [](const Raw& a) { return shift(a, {0, 1}); };
  const auto right = [](const Raw& a) { return shift(a, {0, -1}); };
  const Raw g_at_r = average(average(g1, right(g1)), average(up(g2), g2));
  const Raw g_at_b = average(average(g2, left(g2)), average(g1, down(g1)));
  const Raw r_at_g1 = average(left(r), r), r_at_g2 = average(r, down(r));
  const Raw r_at_b = average(average(left(r), r), average(left(down(r)), down(r)));
  const Raw b_at_g1 = average(up(b), b), b_at_g2 = average(b, right(b));
  const Raw b_at_r = average(average(up(b), b), average(up(right(b)), right(b)));
  const Raw colour[3] = {interleaved(r_at_g1, r, r_at_b, r_at_g2),
                         interleaved(g1, g_at_r, g_at_b, g2),
                         interleaved(b_at_g1, b_at_r, b, b_at_g2)};
  Bytes result[3];
  for (int c = 0; c < 3; ++c) {
    Array<2, int> total(raw.shape(), matrix[c][3]);
    for (int k = 0; k < 3; ++k) total += matrix[c][k] * cast<int>(colour[k]);
    result[c] = gather(curve, clamp(total / 256, 0, curve_size - 1));
  }
  return join(result[0], result[1], result[2]);
}

namespace baseline {

inline int16_t mean(int a, int b) { return static_cast<int16_t>((a + b + 1) >> 1); }

void calm_row(const int16_t* raw, int y, int rows, int columns, int16_t* __restrict out) {
  const int16_t *up = clamped_row(raw, y - 2, rows, columns),
                *at = clamped_row(raw, y, rows, columns);
  const int16_t* down = clamped_row(raw, y + 2, rows, columns);
  const auto pixel = [&](int x, int west, int east) {
    const int16_t near = std::max(std::max(up[x], down[x]), std::max(at[west], at[east]));
    out[x] = std::min(std::max<int16_t>(at[x], 0), near);
  };
  for (int x : {0, 1, columns - 2, columns - 1})
    pixel(x, std::max(x - 2, 0), std::min(x + 2, columns - 1));
#pragma omp simd
  for (int x = 2; x < columns - 2; ++x) pixel(x, x - 2, x + 2);
}

// Rows of the four colours of one pair of raw rows, with a margin on either side.
struct Quarters {
  std::vector<int16_t> memory;
  size_t stride;
  explicit Quarters(int half)
      : memory(4 * (static_cast<size_t>(half) + 32)), stride(static_cast<size_t>(half) + 32) {}
  int16_t* row(int which) { return memory.data() + static_cast<size_t>(which) * stride + 16; }
  void fill(const int16_t* raw, int pair, int rows, int columns, int16_t* calm) {
    const int half = columns / 2;
    pair = std::clamp(pair, 0, rows / 2 - 1);
    for (int k = 0; k < 2; ++k) {
      calm_row(raw, 2 * pair + k, rows, columns, calm);
      int16_t *even = row(2 * k), *odd = row(2 * k + 1);
#pragma omp simd
      for (int x = 0; x < half; ++x) even[x] = calm[2 * x], odd[x] = calm[2 * x + 1];
      for (int16_t* line : {even, odd}) line[-1] = line[0], line[half] = line[half - 1];
    }
  }
};

// The bytes of one pixel from its three colours.
struct Output {
  uint8_t* plane[3];
  const uint8_t* curve;
  void row(const int16_t* r, const int16_t* g, const int16_t* b, size_t at, int columns) const {
    for (int c = 0; c < 3; ++c) {
      const int* m = matrix[c];
      uint8_t* to = plane[c] + at;
#pragma omp simd
      for (int x = 0; x < columns; ++x) {
        const int total = (m[0] * r[x] + m[1] * g[x] + m[2] * b[x] + m[3]) / 256;
        to[x] = curve[std::clamp(total, 0, curve_size - 1)];
      }
    }
  }
};

void camera_pipe(const int16_t* raw, const Output& out, int rows, int columns) {
  const int half = columns / 2;
  parallel_rows(rows / 2, [=](int first, int last) {
    std::vector<Quarters> window(3, Quarters(half));
    std::vector<int16_t> calm(static_cast<size_t>(columns)), line[3];
    for (auto& l : line) l.resize(static_cast<size_t>(columns));
    const auto of = [&](int pair) -> Quarters& {
      return window[static_cast<size_t>((pair + 3) % 3)];
    };
    of(first - 1).fill(raw, first - 1, rows, columns, calm.data());
    of(first).fill(raw, first, rows, columns, calm.data());
    for (int pair = first; pair < last; ++pair) {
      of(pair + 1).fill(raw, pair + 1, rows, columns, calm.data());
      Quarters &u = of(pair - 1), &h = of(pair), &d = of(pair + 1);
      const int16_t *g1 = h.row(0), *r = h.row(1), *b = h.row(2), *g2 = h.row(3);
      const int16_t *bu = u.row(2), *g2u = u.row(3), *g1d = d.row(0), *rd = d.row(1);
      int16_t *R = line[0].data(), *G = line[1].data(), *B = line[2].data();
      const size_t at = static_cast<size_t>(2 * pair) * static_cast<size_t>(columns);
#pragma omp simd
      for (int x = 0; x < half; ++x) {
        R[2 * x] = mean(r[x - 1], r[x]), R[2 * x + 1] = r[x];
        G[2 * x] = g1[x], G[2 * x + 1] = mean(mean(g1[x], g1[x + 1]), mean(g2u[x], g2[x]));
        B[2 * x] = mean(bu[x], b[x]);
        B[2 * x + 1] = mean(mean(bu[x], b[x]), mean(bu[x + 1], b[x + 1]));
      }
      out.row(R, G, B, at, columns);
#pragma omp simd
      for (int x = 0; x < half; ++x) {
        R[2 * x] = mean(mean(r[x - 1], r[x]), mean(rd[x - 1], rd[x]));
        R[2 * x + 1] = mean(r[x], rd[x]);
        G[2 * x] = mean(mean(g2[x], g2[x - 1]), mean(g1[x], g1d[x])), G[2 * x + 1] = g2[x];
        B[2 * x] = b[x], B[2 * x + 1] = mean(b[x], b[x + 1]);
      }
      out.row(R, G, B, at + static_cast<size_t>(columns), columns);
    }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> grey = grey_image(rows, columns);
  const Buffer<int16_t> pixels(grey.size());
  std::transform(grey.begin(), grey.end(), pixels.begin(),
                 [](float x) { return static_cast<int16_t>(4 * x); });
  const Buffer<uint8_t> table(curve_size);
  for (int i = 0; i < curve_size; ++i)
    table[static_cast<size_t>(i)] = static_cast<uint8_t>(255 * std::pow(i / 1023.0, 1 / 2.2));
  const size_t count = pixels.size();
  const Buffer<uint8_t> result(3 * count);
  const Raw raw = in_memory(pixels, rows, columns);
  const Array<1, uint8_t> curve = in_memory(table, curve_size);
  const baseline::Output out{{result.data(), result.data() + count, result.data() + 2 * count},
                             table.data()};
  return {.tutti = [=] { camera_pipe(raw, curve).evaluate(); },
          .baseline = [=] { baseline::camera_pipe(pixels.data(), out, rows, columns); },
          .disagreement =
              [=] { return disagreement(result, components_to_axis(camera_pipe(raw, curve), 0)); },
          .bytes = 5.0 * static_cast<double>(count),
          .inputs = {pixels, table},
          .outputs = {result}};
}

}  // namespace

Comparison camera_pipe_benchmark() {
  return {.name = "camera_pipe",
          .description = "raw 16-bit pixels to three planes of bytes",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
