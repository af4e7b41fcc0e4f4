#include "bench/pipelines/image.hpp"

namespace tutti::bench {

std::vector<Size> image_sizes(Workload (*prepare)(int rows, int columns)) {
  return {{"1536x2560", true, [=] { return prepare(1536, 2560); }},
          {"4000x6000", false, [=] { return prepare(4000, 6000); }}};
}

Buffer<> colour_planes(int rows, int columns) {
  const size_t count = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  const Buffer<> planes(3 * count);
  for (size_t c = 0; c < 3; ++c) {
    const Buffer<> grey = grey_image(rows, columns, nullptr, c + 1);
    std::transform(grey.begin(), grey.end(), planes.begin() + c * count,
                   [](float x) { return x / 256; });
  }
  return planes;
}

}  // namespace tutti::bench
