// The Mandelbrot set: which part of it, and one point for a device that has a thread for each.
#pragma once
#include "bench/plain/plain.hpp"

namespace tutti::bench::plain {

constexpr int most_iterations = 256;
constexpr float left = -2.0f, top = -1.25f, width = 2.75f, height = 2.5f;

TUTTI_PLAIN int iterations_at(int row, int column, int side) {
  const float cx = left + product(static_cast<float>(column), width / static_cast<float>(side));
  const float cy = top + product(static_cast<float>(row), height / static_cast<float>(side));
  float x = 0, y = 0;
  int n = 0;
  for (; n < most_iterations; ++n) {
    const float x2 = product(x, x), y2 = product(y, y);
    if (!(x2 + y2 < 4.0f)) break;
    const float next = x2 - y2 + cx;
    y = product(2.0f * x, y) + cy;
    x = next;
  }
  return n;
}

}  // namespace tutti::bench::plain
