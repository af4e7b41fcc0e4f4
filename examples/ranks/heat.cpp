// A plate that cools, with a picture and a checkpoint. The program goes on from its newest
// checkpoint, on any number of ranks:
//
//   TUTTI_RANKS=mpi mpirun -n 4 ranks_heat folder
#include <tutti/tutti.hpp>

#include <string>

#include "run_again.hpp"

using namespace tutti;

constexpr int64_t rows = 300, columns = 400;
constexpr int steps = 40, steps_between_saves = 20;

Array<2, float> hot_spots() {
  const Shape<2> shape(rows, columns);
  const Array<2, int32_t> row = index(shape, 0), column = index(shape, 1);
  return cond((row / 40 + column / 40) % 3 == 0, 100.0f, 10.0f);
}

// The border is kept at 0. All steps between two saves are one evaluation, with one halo.
Array<2, float> cool(Array<2, float> plate, int count) {
  const Boundary cold = Boundary::constant(0.0f);
  for (int i = 0; i < count; ++i)
    plate =
        plate + 0.2f * (shift(plate, {1, 0}, cold) + shift(plate, {-1, 0}, cold) +
                        shift(plate, {0, 1}, cold) + shift(plate, {0, -1}, cold) - 4.0f * plate);
  plate.evaluate();
  return plate;
}

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "";
  return finish_or_run_again([&] {
    Checkpoint checkpoint(folder + "/heat_checkpoint");
    Array<2, float> plate = hot_spots();
    int64_t step = 0;
    if (!folder.empty() && checkpoint.newest()) {
      step = *checkpoint.newest();
      plate = checkpoint.get<2, float>("plate");
      if (prints()) std::printf("going on from step %lld\n", static_cast<long long>(step));
    }
    while (step < steps) {
      plate = cool(plate, steps_between_saves);
      step += steps_between_saves;
      if (!folder.empty()) checkpoint.put("plate", plate).save(step);
    }
    if (!folder.empty())
      write_image(folder + "/heat.png", cast<uint8_t>(min(plate * 2.5f, 255.0f)));
    if (prints())
      std::printf("%d ranks: %.6f degrees on average\n", ranks::size(),
                  static_cast<double>(sum(plate).item()) / (rows * columns));
    else
      static_cast<void>(sum(plate).item());
    return plate.to_vector();
  });
}
