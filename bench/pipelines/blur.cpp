// A 3x3 box blur of 16-bit pixels, separated: averages of three along rows, then along columns.
// Beyond the border the nearest pixel counts.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, uint16_t>;

Image blur(const Image& in) {
  const Image across = (shift(in, {0, 1}) + in + shift(in, {0, -1})) / 3;
  return (shift(across, {1, 0}) + across + shift(across, {-1, 0})) / 3;
}

namespace baseline {

void average(const uint16_t* a, const uint16_t* b, const uint16_t* c, uint16_t* __restrict out,
             int count) {
  for (int x = 0; x < count; ++x)
    out[x] = static_cast<uint16_t>(static_cast<uint16_t>(a[x] + b[x] + c[x]) / 3);
}

void blur(const uint16_t* in, uint16_t* out, int rows, int columns) {
  parallel_rows(rows, [=](int first, int last) {
    std::vector<uint16_t> window(static_cast<size_t>(columns) * 3);
    const auto kept = [&](int y) {
      return window.data() + static_cast<size_t>((y + 3) % 3) * static_cast<size_t>(columns);
    };
    const auto fill = [&](int y) {
      const uint16_t* row = clamped_row(in, y, rows, columns);
      average(row, row + 1, row + 2, kept(y) + 1, columns - 2);
      kept(y)[0] = static_cast<uint16_t>((2 * row[0] + row[1]) / 3);
      kept(y)[columns - 1] = static_cast<uint16_t>((row[columns - 2] + 2 * row[columns - 1]) / 3);
    };
    fill(first - 1);
    fill(first);
    for (int y = first; y < last; ++y) {
      fill(y + 1);
      average(kept(y - 1), kept(y), kept(y + 1),
              out + static_cast<size_t>(y) * static_cast<size_t>(columns), columns);
    }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<uint16_t> pixels = converted<uint16_t>(grey_image(rows, columns));
  const Buffer<uint16_t> result(pixels.size());
  const Image image = in_memory(pixels, rows, columns);
  return workload([=] { return blur(image); },
                  [=] { baseline::blur(pixels.data(), result.data(), rows, columns); }, result,
                  4.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison blur16_benchmark() {
  return {.name = "blur16",
          .description = "3x3 box blur of 16-bit pixels, separated",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
