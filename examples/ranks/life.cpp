// Conway's Game of Life on a torus, with a picture of the last generation.
#include <tutti/tutti.hpp>

#include <string>

#include "run_again.hpp"

using namespace tutti;

Array<2, int32_t> next(const Array<2, int32_t>& cells) {
  const Array<2, int32_t> row = rotate(cells, {0, 1}) + cells + rotate(cells, {0, -1});
  const Array<2, int32_t> around = rotate(row, {1, 0}) + row + rotate(row, {-1, 0}) - cells;
  return cast<int32_t>(around == 3 || (cells == 1 && around == 2));
}

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "";
  return finish_or_run_again([&] {
    Array<2, int32_t> cells = cast<int32_t>(uniform<float>(Random(7), Shape<2>(320, 240)) < 0.3f);
    for (int generation = 0; generation < 50; ++generation) {
      cells = next(cells);
      if (generation % 5 == 4) cells.evaluate();  // one halo of five rows
    }
    const int32_t alive = sum(cells).item();
    if (prints()) std::printf("%d ranks: %d cells are alive\n", ranks::size(), alive);
    if (!folder.empty()) write_image(folder + "/life.png", cast<uint8_t>(cells * 255));
    return cells.to_vector();
  });
}
