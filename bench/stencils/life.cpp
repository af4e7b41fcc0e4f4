// One step of Conway's Game of Life on a torus. The cells are floats, as a general cellular
// automaton would have them.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Grid = Array<2, float>;

// A cell lives on if the 3x3 square around it, itself included, holds three, or four with itself.
Grid step(const Grid& cells) {
  const Grid three = cells + rotate(cells, {1, 0}) + rotate(cells, {-1, 0});
  const Grid nine = three + rotate(three, {0, 1}) + rotate(three, {0, -1});
  return cond(nine == 3.0f || (nine == 4.0f && cells == 1.0f), 1.0f, 0.0f);
}

namespace baseline {

void step_row(const float* __restrict cells, const float* __restrict three, float* __restrict out,
              int columns) {
  for (int x = 0; x < columns; ++x) {
    const float nine = three[x - 1] + three[x] + three[x + 1];
    out[x] = (nine == 3.0f) | ((nine == 4.0f) & (cells[x] == 1.0f)) ? 1.0f : 0.0f;
  }
}

void step(const float* cells, float* out, int rows, int columns) {
  parallel_rows(rows, [=](int first, int last) {
    RowWindow three(columns, 1);
    for (int y = first; y < last; ++y) {
      const float* middle = cells + static_cast<size_t>(y) * columns;
      const float* above = cells + static_cast<size_t>((y + rows - 1) % rows) * columns;
      const float* below = cells + static_cast<size_t>((y + 1) % rows) * columns;
      float* __restrict sums = three.row(0);
      for (int x = 0; x < columns; ++x) sums[x] = middle[x] + above[x] + below[x];
      three.wrap(0);
      step_row(middle, sums, out + static_cast<size_t>(y) * columns, columns);
    }
  });
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> cells = random_numbers(count, 0, 1);
  for (float& cell : cells) cell = cell < 0.3f ? 1.0f : 0.0f;
  const Buffer<> next(count);
  const Grid grid(cells, side, side);
  grid.evaluate();
  return {
      .tutti = [=] { step(grid).evaluate(); },
      .baseline = [=] { baseline::step(cells.data(), next.data(), side, side); },
      .disagreement = [=] { return disagreement(next, step(grid)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {cells},
      .outputs = {next},
  };
}

}  // namespace

Comparison life_benchmark() {
  return {.name = "life",
          .description = "one step of the Game of Life on a torus of float cells",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(16384, prepare)}};
}

}  // namespace tutti::bench
