// What the image baselines share: rows spread over the cores, rows with margins so that the inner
// loops have no border cases, and the two halves of a separable filter.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bench/stencils/gaussian.hpp"

namespace tutti::bench {

// Calls body(first, last) for ranges of at least `least` rows, on all cores. Fewer rows a task than
// that would spend their time on the rows around them, which a filter needs too.
template <class Body>
void parallel_rows(int rows, const Body& body, int least = 16) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, rows, least),
      [&](const tbb::blocked_range<int>& range) { body(range.begin(), range.end()); });
}

// The last `count` rows of an image that is produced row by row, each with `margin` more elements
// on either side. The window stays in the cache however large the image is.
class RowWindow {
 public:
  RowWindow(int columns, int margin, int count = 1)
      : columns_(columns),
        margin_(margin),
        count_(count),
        // A line more than needed: rows of a power of two would compete for the same cache sets.
        stride_(line + (columns + margin + line - 1) / line * line + line),
        memory_(static_cast<size_t>(stride_) * count) {}

  float* row(int y) { return memory_.data() + static_cast<size_t>(y % count_) * stride_ + line; }

  // Fills the margins of a row by the nearest element.
  void clamp(int y) {
    float* r = row(y);
    std::fill(r - margin_, r, r[0]);
    std::fill(r + columns_, r + columns_ + margin_, r[columns_ - 1]);
  }
  // Fills the margins of a row from its other end.
  void wrap(int y) {
    float* r = row(y);
    std::copy(r + columns_ - margin_, r + columns_, r - margin_);
    std::copy(r, r + margin_, r + columns_);
  }

 private:
  static constexpr int line = 16;  // floats: no margin is wider
  int columns_, margin_, count_, stride_;
  std::vector<float, tbb::cache_aligned_allocator<float>> memory_;
};

// Down the columns: out[x] = sum of weights[k] * rows[k][x].
template <int taps>
void filter_columns(const Weights<taps>& weights, const std::array<const float*, taps>& rows,
                    float* __restrict out, int columns) {
  for (int x = 0; x < columns; ++x) {
    float total = weights[0] * rows[0][x];
    for (int k = 1; k < taps; ++k) total += weights[k] * rows[k][x];
    out[x] = total;
  }
}

// Filters a row with margins: out[x] = sum of weights[k] * row[x + k - taps / 2].
template <int taps>
void filter_row(const Weights<taps>& weights, const float* __restrict row, float* __restrict out,
                int columns) {
  const float* first = row - taps / 2;
  for (int x = 0; x < columns; ++x) {
    float total = weights[0] * first[x];
    for (int k = 1; k < taps; ++k) total += weights[k] * first[x + k];
    out[x] = total;
  }
}

}  // namespace tutti::bench
