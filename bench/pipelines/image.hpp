// What the image pipelines share: their sizes, images of three planes, rows of neighbours, and
// blocks of rows for the baselines.
#pragma once
#include "bench/harness/inputs.hpp"
#include "bench/harness/rows.hpp"
#include "bench/harness/workload.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {

struct ImageSize {
  const char* name;
  int rows, columns;
  bool small;  // what --small keeps
};
constexpr ImageSize image_extents[]{{"1536x2560", 1536, 2560, true},
                                    {"4000x6000", 4000, 6000, false}};

// A size for each of image_extents, in this order.
std::vector<Size> image_sizes(Workload (*prepare)(int rows, int columns));

// Make images with values from 0 to 1: one plane, and three planes one after the other.
Buffer<> grey_plane(int rows, int columns, uint64_t seed = 1);
Buffer<> colour_planes(int rows, int columns);

// The first element of a row of an image; rows beyond the border are the nearest one.
template <class T>
T* clamped_row(T* image, int row, int rows, int columns) {
  return image + static_cast<size_t>(std::clamp(row, 0, rows - 1)) * static_cast<size_t>(columns);
}

// Scratch memory of a task: rows of floats, with a margin of a cache line on either side.
class ScratchRows {
 public:
  ScratchRows(int count, int columns)
      : stride_(static_cast<size_t>((columns + 15) / 16 * 16 + 2 * margin + 16)),
        memory_(stride_ * static_cast<size_t>(count)) {}
  float* operator[](int row) {
    return memory_.data() + static_cast<size_t>(row) * stride_ + margin;
  }

 private:
  static constexpr int margin = 16;
  size_t stride_;
  std::vector<float, tbb::cache_aligned_allocator<float>> memory_;
};

// Fills `margin` elements on either side of a row by the nearest element.
inline void clamp_margins(float* row, int columns, int margin) {
  std::fill(row - margin, row, row[0]);
  std::fill(row + columns, row + columns + margin, row[columns - 1]);
}

}  // namespace tutti::bench
