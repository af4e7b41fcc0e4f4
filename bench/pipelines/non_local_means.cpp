// Non-local means of a colour image: each pixel is the average of the pixels of a 7x7 window,
// weighted by how alike the 7x7 patches around them are.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int search = 3, patch = 3;
constexpr float scale = -8.0f / ((2 * patch + 1) * (2 * patch + 1) * 3);
using Image = Array<2, float>;
using Planes = Array<3, float>;

Image box(const Image& a) {
  Image down = a;
  for (int k = 1; k <= patch; ++k) down = down + shift(a, {k, 0}) + shift(a, {-k, 0});
  Image across = down;
  for (int k = 1; k <= patch; ++k) across = across + shift(down, {0, k}) + shift(down, {0, -k});
  return across;
}

Array<2, Value3f> non_local_means(const Planes& in) {
  const Image plane[3] = {Image(in[0]), Image(in[1]), Image(in[2])};
  Image weights(plane[0].shape(), 0.0f);
  Image total[3] = {weights, weights, weights};
  for (int y = -search; y <= search; ++y)
    for (int x = -search; x <= search; ++x) {
      Image distance(weights.shape(), 0.0f);
      for (const Image& p : plane) {
        const Image d = p - shift(p, {-y, -x});
        distance += d * d;
      }
      const Image weight = exp(box(distance) * scale);
      weights += weight;
      for (int c = 0; c < 3; ++c) total[c] += weight * shift(plane[c], {-y, -x});
    }
  return join(total[0] / weights, total[1] / weights, total[2] / weights);
}

namespace baseline {

// exp for small negative numbers, by a polynomial that vectorises.
inline float exponential(float x) {
  const float scaled = x * 1.44269504f, whole = std::floor(scaled), f = scaled - whole;
  const float p =
      1 + f * (0.69314718f +
               f * (0.24022651f +
                    f * (0.05550411f + f * (0.00961813f + f * (0.00133336f + f * 0.00015404f)))));
  return p * std::bit_cast<float>((static_cast<int32_t>(whole) + 127) << 23);
}

struct Task {
  const float* in;
  int rows, columns;
  size_t plane;

  // Squared differences of a row of the image and the shifted one.
  void differences(int y, int dy, int dx, float* __restrict out) const {
    const float* a = clamped_row(in, y, rows, columns);
    const float* b = clamped_row(in, std::clamp(y, 0, rows - 1) + dy, rows, columns);
    const auto at = [&](int x, int near) {
      float total = 0;
      for (size_t c = 0; c < 3; ++c) {
        const float d =
            a[c * plane + static_cast<size_t>(x)] - b[c * plane + static_cast<size_t>(near)];
        total += d * d;
      }
      return total;
    };
    const int first = std::max(0, -dx), last = std::min(columns, columns - dx);
    for (int x = 0; x < first; ++x) out[x] = at(x, 0);
    for (int x = last; x < columns; ++x) out[x] = at(x, columns - 1);
#pragma omp simd
    for (int x = first; x < last; ++x) out[x] = at(x, x + dx);
    clamp_margins(out, columns, patch);
  }

  // Adds what one shift contributes to a row of the four sums.
  void add(int y, int dy, int dx, const float* __restrict weight, ScratchRows& sums) const {
    const float* b = clamped_row(in, y + dy, rows, columns);
    for (int c = 0; c < 3; ++c) {
      const float* from = b + static_cast<size_t>(c) * plane;
      float* to = sums[c];
      const int first = std::max(0, -dx), last = std::min(columns, columns - dx);
      for (int x = 0; x < first; ++x) to[x] += weight[x] * from[0];
      for (int x = last; x < columns; ++x) to[x] += weight[x] * from[columns - 1];
      for (int x = first; x < last; ++x) to[x] += weight[x] * from[x + dx];
    }
    float* total = sums[3];
    for (int x = 0; x < columns; ++x) total[x] += weight[x];
  }
};

// A block of rows at a time, so that its sums stay in the cache over all shifts.
void non_local_means(const Task& task, float* out) {
  constexpr int block = 16, lines = 2 * patch + 1;
  const int rows = task.rows, columns = task.columns;
  parallel_rows(
      (rows + block - 1) / block,
      [=](int first, int last) {
        std::vector<ScratchRows> sums(block, ScratchRows(4, columns));
        ScratchRows squares(lines, columns), work(2, columns);
        for (int b = first; b < last; ++b) {
          const int top = b * block, height = std::min(block, rows - top);
          for (auto& s : sums)
            for (int k = 0; k < 4; ++k) std::fill(s[k], s[k] + columns, 0.0f);
          for (int dy = -search; dy <= search; ++dy)
            for (int dx = -search; dx <= search; ++dx) {
              const auto kept = [&](int y) { return squares[(y + lines) % lines]; };
              for (int y = top - patch; y < top + patch; ++y) task.differences(y, dy, dx, kept(y));
              for (int y = top; y < top + height; ++y) {
                task.differences(y + patch, dy, dx, kept(y + patch));
                float *down = work[0], *weight = work[1];
                const float *r0 = squares[0], *r1 = squares[1], *r2 = squares[2], *r3 = squares[3],
                            *r4 = squares[4], *r5 = squares[5], *r6 = squares[6];
#pragma omp simd
                for (int x = -patch; x < columns + patch; ++x)
                  down[x] = r0[x] + r1[x] + r2[x] + r3[x] + r4[x] + r5[x] + r6[x];
#pragma omp simd
                for (int x = 0; x < columns; ++x)
                  weight[x] =
                      exponential(scale * (down[x - 3] + down[x - 2] + down[x - 1] + down[x] +
                                           down[x + 1] + down[x + 2] + down[x + 3]));
                task.add(y, dy, dx, weight, sums[static_cast<size_t>(y - top)]);
              }
            }
          for (int i = 0; i < height; ++i) {
            ScratchRows& s = sums[static_cast<size_t>(i)];
            for (int c = 0; c < 3; ++c) {
              float* to = out + static_cast<size_t>(c) * task.plane +
                          static_cast<size_t>(top + i) * static_cast<size_t>(columns);
              const float *total = s[c], *weights = s[3];
              for (int x = 0; x < columns; ++x) to[x] = total[x] / weights[x];
            }
          }
        }
      },
      1);
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = colour_planes(rows, columns);
  const size_t plane = pixels.size() / 3;
  const Buffer<> result(pixels.size());
  const Planes image = in_memory(pixels, 3, rows, columns);
  return {
      .tutti = [=] { non_local_means(image).evaluate(); },
      .baseline =
          [=] { baseline::non_local_means({pixels.data(), rows, columns, plane}, result.data()); },
      .disagreement =
          [=] { return disagreement(result, components_to_axis(non_local_means(image), 0)); },
      .bytes = 8.0 * static_cast<double>(pixels.size()),
      .inputs = {pixels},
      .outputs = {result}};
}

}  // namespace

Comparison non_local_means_benchmark() {
  return {.name = "non_local_means",
          .description = "non-local means of three planes, 49 shifts of 7x7 patches",
          .sizes = {{"768x1280", true, [] { return prepare(768, 1280); }},
                    {"2000x3000", false, [] { return prepare(2000, 3000); }}},
          .tolerance = 1e-4,
          .reason = "the baseline's exp is a polynomial of degree 6"};
}

}  // namespace tutti::bench
