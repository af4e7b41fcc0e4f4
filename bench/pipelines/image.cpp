#include "bench/pipelines/image.hpp"

namespace tutti::bench {

std::vector<Size> image_sizes(Workload (*prepare)(int rows, int columns)) {
  return {{"1536x2560", true, [=] { return prepare(1536, 2560); }},
          {"4000x6000", false, [=] { return prepare(4000, 6000); }}};
}

Buffer<> grey_plane(int rows, int columns, uint64_t seed) {
  const Buffer<> image = grey_image(rows, columns, nullptr, seed);
  for (float& x : image) x /= 256;
  return image;
}

Buffer<> colour_planes(int rows, int columns) {
  const size_t count = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  const Buffer<> planes(3 * count);
  for (size_t c = 0; c < 3; ++c) {
    const Buffer<> plane = grey_plane(rows, columns, c + 1);
    std::copy(plane.begin(), plane.end(), planes.begin() + c * count);
  }
  return planes;
}

}  // namespace tutti::bench
