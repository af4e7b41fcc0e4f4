// Writes pictures as PNG files through libpng.
#pragma once
#include <png.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace picture {

// Grey values or RGB triples, 8 bits each, in row-major order.
inline void write(const std::string& path, const std::vector<uint8_t>& pixels, int rows,
                  int columns) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(columns);
  image.height = static_cast<png_uint_32>(rows);
  const size_t channels =
      pixels.size() / (static_cast<size_t>(rows) * static_cast<size_t>(columns));
  image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write " + path + ": " + image.message);
}

}  // namespace picture
