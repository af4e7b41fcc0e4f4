// A chain of 32 stencils of 5 x 5 weights on 16-bit pixels, whose sums wrap. Beyond the border of
// every stage the nearest pixel counts.
#include "bench/pipelines/stencil_chain.hpp"

#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, uint16_t>;
constexpr int reach = 2;

Image stage(const Image& in) {
  Image total = chain::weight(-reach, -reach) * shift(in, {reach, reach});
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i)
      if (j != -reach || i != -reach) total += chain::weight(j, i) * shift(in, {-j, -i});
  return total;
}

Image stencil_chain(Image image) {
  for (int k = 0; k < chain::stages; ++k) image = stage(image);
  return image;
}

namespace baseline {

constexpr int together = 8;  // stages of a block while it is in the cache

// Some rows of an image, with margins; rows beyond the image are not kept.
struct Block {
  int first, last, columns;
  size_t stride;
  std::vector<uint16_t> memory;
  Block(int first, int last, int columns)
      : first(first),
        last(last),
        columns(columns),
        stride(static_cast<size_t>(columns) + 64),
        memory(stride * static_cast<size_t>(last - first)) {}
  uint16_t* row(int y) {
    return memory.data() + static_cast<size_t>(std::clamp(y, first, last - 1) - first) * stride +
           32;
  }
  void clamp_margins(int y) {
    uint16_t* r = row(y);
    std::fill(r - reach, r, r[0]);
    std::fill(r + columns, r + columns + reach, r[columns - 1]);
  }
};

void stage_row(Block& from, int y, uint16_t* __restrict to) {
  const uint16_t* rows[5];
  for (int j = 0; j < 5; ++j) rows[j] = from.row(y + j - reach);
  for (int x = 0; x < from.columns; ++x) {
    uint16_t total = 0;
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        total = static_cast<uint16_t>(total +
                                      chain::weight(j - reach, i - reach) * rows[j][x + i - reach]);
    to[x] = total;
  }
}

void stages(const uint16_t* in, uint16_t* out, int rows, int columns) {
  parallel_rows(
      rows,
      [=](int top, int bottom) {
        const int halo = reach * together;
        Block a(std::max(top - halo, 0), std::min(bottom + halo, rows), columns), b = a;
        for (int y = a.first; y < a.last; ++y) {
          const uint16_t* from = in + static_cast<size_t>(y) * static_cast<size_t>(columns);
          std::copy(from, from + columns, a.row(y));
          a.clamp_margins(y);
        }
        for (int k = 1; k <= together; ++k) {
          const int beyond = reach * (together - k);
          for (int y = std::max(top - beyond, 0); y < std::min(bottom + beyond, rows); ++y) {
            if (k == together) {
              stage_row(a, y, out + static_cast<size_t>(y) * static_cast<size_t>(columns));
            } else {
              stage_row(a, y, b.row(y));
              b.clamp_margins(y);
            }
          }
          std::swap(a, b);
        }
      },
      128);
}

void stencil_chain(const uint16_t* in, uint16_t* out, uint16_t* other, int rows, int columns) {
  for (int k = 0; k < chain::stages; k += together) {
    uint16_t* to = (chain::stages - k) / together % 2 ? out : other;
    stages(in, to, rows, columns);
    in = to;
  }
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<uint16_t> pixels = converted<uint16_t>(grey_image(rows, columns));
  const Buffer<uint16_t> result(pixels.size()), other(pixels.size());
  const Image image = in_memory(pixels, rows, columns);
  return workload(
      [=] { return stencil_chain(image); },
      [=] { baseline::stencil_chain(pixels.data(), result.data(), other.data(), rows, columns); },
      result, 4.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison stencil_chain_benchmark() {
  return {.name = "stencil_chain",
          .description = "32 stencils of 5x5 weights on 16-bit pixels, one after the other",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
