#include "bench/pipelines/image.hpp"

namespace tutti::bench {

std::vector<Size> image_sizes(Workload (*prepare)(int rows, int columns)) {
  std::vector<Size> sizes;
  for (const ImageSize& size : image_extents)
    sizes.push_back({size.name, size.small, [=] { return prepare(size.rows, size.columns); }});
  return sizes;
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
