// Local Laplacian filter of a grey image: eight remapped copies, a Laplacian pyramid of each, and
// at every pixel and level the two that are nearest to its own brightness.
#include "bench/pipelines/pyramid.hpp"

namespace tutti::bench {
namespace {

constexpr int levels = 5, copies = 8;
constexpr float strength = 0.25f;
using Image = Array<2, float>;

Image remapped(const Image& grey, int copy) {
  const Image d = grey - static_cast<float>(copy) / (copies - 1);
  return grey + strength * d * exp(-8.0f * d * d);
}

std::vector<Image> gaussian_pyramid(const Image& first) {
  std::vector<Image> pyramid{first};
  for (int k = 1; k < levels; ++k) pyramid.push_back(halved(pyramid.back()));
  return pyramid;
}

Image local_laplacian(const Image& grey) {
  const std::vector<Image> plain = gaussian_pyramid(grey);
  std::vector<std::vector<Image>> pyramids;
  for (int c = 0; c < copies; ++c) pyramids.push_back(gaussian_pyramid(remapped(grey, c)));
  Image result;
  for (int k = levels - 1; k >= 0; --k) {
    const auto j = static_cast<size_t>(k);
    const Image place = plain[j] * float(copies - 1);
    const Array<2, int> nearest = clamp(cast<int>(place), 0, copies - 2);
    const Image part = place - cast<float>(nearest);
    Image detail(plain[j].shape(), 0.0f);
    for (int c = 0; c < copies; ++c) {
      const auto& pyramid = pyramids[static_cast<size_t>(c)];
      const Image band = k + 1 == levels
                             ? pyramid[j]
                             : Image(pyramid[j] - doubled(pyramid[j + 1], pyramid[j].shape()));
      const Image weight =
          cond(nearest == c, 1.0f - part, cond(nearest == c - 1, part, 0.0f * part));
      detail += weight * band;
    }
    result = k + 1 == levels ? detail : Image(detail + doubled(result, detail.shape()));
  }
  return result;
}

namespace baseline {

struct Memory {
  std::vector<Plane> plain, sum, up;
  std::vector<std::vector<Plane>> pyramids;
  Memory(int rows, int columns) {
    for (int k = 0; k < levels; ++k, rows = (rows + 1) / 2, columns = (columns + 1) / 2)
      plain.emplace_back(rows, columns);
    sum = up = plain;
    pyramids.assign(copies, plain);
  }
};

inline float exponential(float x) {
  const float scaled = std::max(x, -80.0f) * 1.44269504f, whole = std::floor(scaled);
  const float f = scaled - whole;
  const float p =
      1 + f * (0.69314718f +
               f * (0.24022651f +
                    f * (0.05550411f + f * (0.00961813f + f * (0.00133336f + f * 0.00015404f)))));
  return p * std::bit_cast<float>((static_cast<int32_t>(whole) + 127) << 23);
}

template <class Body>
void for_rows(const Plane& plane, const Body& body) {
  parallel_rows(plane.rows, [&](int first, int last) {
    for (int y = first; y < last; ++y) body(y);
  });
}

void remap(const float* grey, Memory& m) {
  const int columns = m.plain[0].columns;
  for_rows(m.plain[0], [&](int y) {
    const float* from = grey + static_cast<size_t>(y) * static_cast<size_t>(columns);
    std::copy(from, from + columns, m.plain[0].row(y));
    for (int c = 0; c < copies; ++c) {
      float* to = m.pyramids[static_cast<size_t>(c)][0].row(y);
      const float level = static_cast<float>(c) / (copies - 1);
#pragma omp simd
      for (int x = 0; x < columns; ++x) {
        const float d = from[x] - level;
        to[x] = from[x] + strength * d * exponential(-8 * d * d);
      }
    }
  });
}

// Adds what one copy contributes to a level: `up` holds its next level, doubled.
void add_copy(const Plane& plain, const Plane& own, const Plane* up, int c, Plane& sum) {
  for_rows(plain, [&](int y) {
    const float *g = plain.row(y), *band = own.row(y), *less = up ? up->row(y) : nullptr;
    float* to = sum.row(y);
#pragma omp simd
    for (int x = 0; x < plain.columns; ++x) {
      const float place = g[x] * (copies - 1);
      const int nearest = std::clamp(static_cast<int>(place), 0, copies - 2);
      const float part = place - static_cast<float>(nearest);
      const float weight = nearest == c ? 1 - part : nearest == c - 1 ? part : 0.0f;
      to[x] += weight * (band[x] - (less ? less[x] : 0.0f));
    }
  });
}

void local_laplacian(const float* grey, float* out, Memory& m) {
  remap(grey, m);
  for (size_t k = 1; k < levels; ++k) {
    halve(m.plain[k - 1], m.plain[k]);
    for (auto& pyramid : m.pyramids) halve(pyramid[k - 1], pyramid[k]);
  }
  for (size_t k = levels; k-- > 0;) {
    std::fill(m.sum[k].elements.begin(), m.sum[k].elements.end(), 0.0f);
    for (size_t c = 0; c < copies; ++c) {
      if (k + 1 < levels) double_size(m.pyramids[c][k + 1], m.up[k]);
      add_copy(m.plain[k], m.pyramids[c][k], k + 1 < levels ? &m.up[k] : nullptr,
               static_cast<int>(c), m.sum[k]);
    }
    if (k + 1 == levels) continue;
    double_size(m.sum[k + 1], m.up[k]);
    for_rows(m.plain[k], [&](int y) {
      const float* more = m.up[k].row(y);
      float* to = m.sum[k].row(y);
      for (int x = 0; x < m.plain[k].columns; ++x) to[x] += more[x];
    });
  }
  std::copy(m.sum[0].elements.begin(), m.sum[0].elements.end(), out);
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = grey_plane(rows, columns), result(pixels.size());
  const Image image = in_memory(pixels, rows, columns);
  const auto memory = std::make_shared<baseline::Memory>(rows, columns);
  return workload([=] { return local_laplacian(image); },
                  [=] { baseline::local_laplacian(pixels.data(), result.data(), *memory); }, result,
                  8.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison local_laplacian_benchmark() {
  return {.name = "local_laplacian",
          .description = "local Laplacian filter, eight copies and five levels",
          .sizes = image_sizes(prepare),
          .tolerance = 1e-4,
          .reason = "the baseline's exp is a polynomial of degree 6"};
}

}  // namespace tutti::bench
