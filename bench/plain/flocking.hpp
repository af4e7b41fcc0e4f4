// One character of examples/applications/flocking.hpp.
#pragma once
#include "bench/plain/plain.hpp"

namespace tutti::bench::plain {

// The characters, sorted by cell.
struct Characters {
  const float *x, *y;    // places
  const float *dx, *dy;  // directions
  const int32_t* first;  // by cell, and one more
  int cells;             // along a side
};
struct Character {
  float x, y, dx, dy;
};

TUTTI_PLAIN int line_of(float place, int cells) {
  const int line = static_cast<int>(place * static_cast<float>(cells));
  return line < 0 ? 0 : line >= cells ? cells - 1 : line;
}
TUTTI_PLAIN int cell_of(float x, float y, int cells) {
  return line_of(x, cells) * cells + line_of(y, cells);
}

TUTTI_PLAIN Character steered(const Characters& all, int i) {
  const float radius = 1.0f / static_cast<float>(all.cells);
  const Character me{all.x[i], all.y[i], all.dx[i], all.dy[i]};
  const int row = line_of(me.x, all.cells), column = line_of(me.y, all.cells);
  const int left = column > 0 ? column - 1 : 0;
  const int right = column < all.cells - 1 ? column + 1 : all.cells - 1;
  float near = 0, middle_x = 0, middle_y = 0, along_x = 0, along_y = 0, apart_x = 0, apart_y = 0;
  for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < all.cells; ++r) {
    const int end = all.first[r * all.cells + right + 1];
#ifndef __CUDACC__
#pragma omp simd reduction(+ : near, middle_x, middle_y, along_x, along_y, apart_x, apart_y)
#endif
    for (int k = all.first[r * all.cells + left]; k < end; ++k) {
      const float x = me.x - all.x[k], y = me.y - all.y[k];
      const float distance2 = x * x + y * y;
      if (distance2 < radius * radius && distance2 > 0) {
        const float push = 0.02f * radius * radius / distance2;
        near += 1;
        middle_x += all.x[k];
        middle_y += all.y[k];
        along_x += all.dx[k];
        along_y += all.dy[k];
        apart_x += x * push;
        apart_y += y * push;
      }
    }
  }
  float wish_x = me.dx, wish_y = me.dy;
  if (near > 0) {
    wish_x += 0.25f * (along_x / near - me.dx) + 0.8f * (middle_x / near - me.x) / radius +
              8.0f * apart_x / radius;
    wish_y += 0.25f * (along_y / near - me.dy) + 0.8f * (middle_y / near - me.y) / radius +
              8.0f * apart_y / radius;
  }
  const float length = sqrtf(wish_x * wish_x + wish_y * wish_y);
  const float dx = wish_x / length, dy = wish_y / length;
  const float x = me.x + dx * 0.0015f, y = me.y + dy * 0.0015f;
  return {x - floorf(x), y - floorf(y), dx, dy};
}

}  // namespace tutti::bench::plain
