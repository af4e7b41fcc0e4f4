// Bilateral filter by a grid: pixels are summed up in blocks of 8x8 pixels and eleven levels of
// brightness, the grid is blurred, and every pixel is interpolated from it.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int side = 8, bins = 11;
constexpr float weights[5] = {1, 4, 6, 4, 1};
using Image = Array<2, float>;
using Grid = Array<3, float>;  // bins, rows, columns

Grid blurred(Grid grid) {
  for (int axis = 0; axis < 3; ++axis) {
    Grid total = weights[2] * grid;
    for (int k : {-2, -1, 1, 2}) {
      Shape<3> by;
      by[axis] = k;
      total += weights[k + 2] * shift(grid, by);
    }
    grid = total;
  }
  return grid;
}

// The sums of an image over blocks, of the pixels that are in each bin.
Grid summed(const Image& image, const Array<2, int>& bin) {
  const int64_t rows = image.extent(0) / side, columns = image.extent(1) / side;
  std::vector<Image> planes;
  for (int k = 0; k < bins; ++k) {
    const Image here = cond(bin == k, image, 0.0f);
    planes.push_back(sum(reshape(here, Shape<4>(rows, side, columns, side)), {1, 3}));
  }
  return stack(planes);
}

// The grid between its points, at the coordinates of each pixel.
Image sliced(const Grid& grid, const Image& image) {
  const Shape<2> shape = image.shape();
  const Image y = (cast<float>(index(shape, 0)) - 3.5f) / float(side);
  const Image x = (cast<float>(index(shape, 1)) - 3.5f) / float(side);
  const Image z = image * float(bins - 1);
  const Array<2, int> i = cast<int>(floor(y)), j = cast<int>(floor(x)), k = cast<int>(floor(z));
  const Image fy = y - floor(y), fx = x - floor(x), fz = z - floor(z);
  const auto row = [&](const Array<2, int>& kk, const Array<2, int>& ii) {
    return lerp(gather(grid, kk, ii, j), gather(grid, kk, ii, Array<2, int>(j + 1)), fx);
  };
  const auto plane = [&](const Array<2, int>& kk) {
    return lerp(row(kk, i), row(kk, Array<2, int>(i + 1)), fy);
  };
  return lerp(plane(k), plane(Array<2, int>(k + 1)), fz);
}

Image bilateral(const Image& image) {
  const Array<2, int> bin = cast<int>(image * float(bins - 1) + 0.5f);
  const Grid values = blurred(summed(image, bin));
  const Grid counts = blurred(summed(Image(image.shape(), 1.0f), bin));
  values.evaluate(), counts.evaluate();
  return sliced(values, image) / sliced(counts, image);
}

namespace baseline {

struct GridMemory {
  int rows, columns;
  std::vector<float> cells, other;  // bins, rows, columns; two numbers a cell
  GridMemory(int rows, int columns)
      : rows(rows),
        columns(columns),
        cells(static_cast<size_t>(bins) * static_cast<size_t>(rows) * static_cast<size_t>(columns) *
              2),
        other(cells.size()) {}
  size_t at(int k, int i, int j) const {
    const auto near = [](int n, int extent) { return std::clamp(n, 0, extent - 1); };
    return 2 *
           static_cast<size_t>((near(k, bins) * rows + near(i, rows)) * columns + near(j, columns));
  }
};

void fill(const float* image, GridMemory& g) {
  parallel_rows(
      g.rows,
      [&](int first, int last) {
        for (int i = first; i < last; ++i) {
          for (int k = 0; k < bins; ++k)
            std::fill_n(g.cells.data() + g.at(k, i, 0), 2 * g.columns, 0.0f);
          for (int y = i * side; y < (i + 1) * side; ++y)
            for (int x = 0; x < g.columns * side; ++x) {
              const float pixel =
                  image[static_cast<size_t>(y) * static_cast<size_t>(g.columns * side) +
                        static_cast<size_t>(x)];
              float* cell =
                  g.cells.data() + g.at(static_cast<int>(pixel * (bins - 1) + 0.5f), i, x / side);
              cell[0] += pixel;
              cell[1] += 1;
            }
        }
      },
      2);
}

void blur(GridMemory& g, int axis) {
  parallel_rows(bins * g.rows, [&](int first, int last) {
    for (int r = first; r < last; ++r) {
      const int k = r / g.rows, i = r % g.rows;
      float* out = g.other.data() + g.at(k, i, 0);
      if (axis == 2) {
        for (int j = 0; j < g.columns; ++j)
          for (size_t c = 0; c < 2; ++c) {
            float total = 0;
            for (int t = -2; t <= 2; ++t) total += weights[t + 2] * g.cells[g.at(k, i, j + t) + c];
            out[2 * static_cast<size_t>(j) + c] = total;
          }
        continue;
      }
      const float* in[5];
      for (int t = -2; t <= 2; ++t)
        in[t + 2] = g.cells.data() + (axis == 0 ? g.at(k + t, i, 0) : g.at(k, i + t, 0));
#pragma omp simd
      for (int x = 0; x < 2 * g.columns; ++x)
        out[x] = weights[0] * in[0][x] + weights[1] * in[1][x] + weights[2] * in[2][x] +
                 weights[3] * in[3][x] + weights[4] * in[4][x];
    }
  });
  std::swap(g.cells, g.other);
}

float slice(const GridMemory& g, float pixel, int y, int x) {
  const float py = (static_cast<float>(y) - 3.5f) / side,
              px = (static_cast<float>(x) - 3.5f) / side;
  const float pz = pixel * (bins - 1);
  const int i = static_cast<int>(std::floor(py)), j = static_cast<int>(std::floor(px)),
            k = static_cast<int>(std::floor(pz));
  const float fy = py - std::floor(py), fx = px - std::floor(px), fz = pz - std::floor(pz);
  float result[2];
  for (size_t c = 0; c < 2; ++c) {
    const auto row = [&](int kk, int ii) {
      const float a = g.cells[g.at(kk, ii, j) + c], b = g.cells[g.at(kk, ii, j + 1) + c];
      return a + fx * (b - a);
    };
    const auto plane = [&](int kk) {
      const float a = row(kk, i), b = row(kk, i + 1);
      return a + fy * (b - a);
    };
    const float a = plane(k), b = plane(k + 1);
    result[c] = a + fz * (b - a);
  }
  return result[0] / result[1];
}

void bilateral(const float* image, float* out, GridMemory& g) {
  fill(image, g);
  for (int axis : {0, 1, 2}) blur(g, axis);
  const int columns = g.columns * side;
  parallel_rows(g.rows * side, [&](int first, int last) {
    for (int y = first; y < last; ++y) {
      const size_t row = static_cast<size_t>(y) * static_cast<size_t>(columns);
#pragma omp simd
      for (int x = 0; x < columns; ++x)
        out[row + static_cast<size_t>(x)] = slice(g, image[row + static_cast<size_t>(x)], y, x);
    }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = grey_plane(rows, columns), result(pixels.size());
  const Image image = in_memory(pixels, rows, columns);
  const auto grid = std::make_shared<baseline::GridMemory>(rows / side, columns / side);
  return workload([=] { return bilateral(image); },
                  [=] { baseline::bilateral(pixels.data(), result.data(), *grid); }, result,
                  8.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison bilateral_grid_benchmark() {
  return {.name = "bilateral_grid",
          .description = "bilateral filter by a grid of 8x8 pixels and 11 levels",
          .sizes = image_sizes(prepare),
          .tolerance = 1e-4,
          .reason = "the baseline adds up blocks in another order, and interpolates otherwise"};
}

}  // namespace tutti::bench
