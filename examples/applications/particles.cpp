// A fountain of particles, and how many of them fall on each pixel.
#include "particles.hpp"

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

int main(int argc, char** argv) {
  constexpr int n = 50000, rows = 480, columns = 640, steps = 240;
  const applications::Fountain fountain;
  Array<1, Value2f> velocity({n}, Value2f(0, 0)), position({n}, Value2f(0, 0));
  Array<1, float> age = cast<float>(index<1>({n}, 0)) * (2.0f / n);
  for (int i = 0; i < steps; ++i) {
    bundle(velocity, position, age) = fountain.evolve(velocity, position, age);
    evaluate(velocity, position, age);
  }
  CHECK(float(max_val(age)) <= 2.02f && float(min_val(position.component(1))) > -0.2f);

  // How many particles fall on each pixel.
  const Array<1, int> row = cast<int>((4.0f - position.component(1)) * (rows / 4.2f));
  const Array<1, int> column = cast<int>((position.component(0) + 2.6f) * (columns / 5.2f));
  const Array<2, float> count = scatter(Array<2, float>(rows, columns), join(row, column),
                                        Array<1, float>({n}, 1.0f), Collision::sum);
  CHECK(float(sum(count)) > 0.9f * n);
  picture::save(argc, argv, "particles", picture::heat(1.0f - exp(-0.6f * count)));
  return ok();
}
