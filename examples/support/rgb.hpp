// Pictures from arrays: colours from 0 to 1, written as PNG when a folder was given.
#pragma once
#include <cstdio>
#include <tutti/tutti.hpp>

#include "picture.hpp"

namespace picture {

inline void write(const std::string& path, const tutti::Array<2, tutti::Value3f>& image) {
  using namespace tutti;
  const auto pixels = cast<Value3ub>(clamp(image, 0.0f, 1.0f) * 255.0f + 0.5f);
  const auto r = pixels.component(0).to_vector(), g = pixels.component(1).to_vector(),
             b = pixels.component(2).to_vector();
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < r.size(); ++i) bytes.insert(bytes.end(), {r[i], g[i], b[i]});
  write(path, bytes, static_cast<int>(image.extent(0)), static_cast<int>(image.extent(1)));
  std::printf("wrote %s\n", path.c_str());
}

// The picture of an example, if its command line names a folder.
inline void save(int argc, char** argv, const std::string& name,
                 const tutti::Array<2, tutti::Value3f>& image) {
  if (argc > 1) write(std::string(argv[1]) + "/" + name + ".png", image);
}

// Numbers from 0 to 1 as colours from black over blue and orange to white.
inline tutti::Array<2, tutti::Value3f> heat(const tutti::Array<2, float>& x) {
  using namespace tutti;
  return join(clamp(3.0f * x - 0.6f, 0.0f, 1.0f), clamp(2.5f * x * x, 0.0f, 1.0f),
              clamp(sqrt(max(x, 0.0f)) * 0.9f - max(x - 0.5f, 0.0f) * 0.6f, 0.0f, 1.0f));
}

}  // namespace picture
