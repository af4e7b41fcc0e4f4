// 16,000 characters that fly as a flock, found through a uniform grid.
#include "flocking.hpp"

#include <random>

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

constexpr int n = 16000, cells = 64;

int main(int argc, char** argv) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<std::array<float, 2>> start, heading;
  for (int i = 0; i < n; ++i) {
    start.push_back({uniform(random), uniform(random)});
    const float angle = 6.2832f * uniform(random);
    heading.push_back({std::cos(angle), std::sin(angle)});
  }
  applications::Flock flock{Array<1, Value2f>(start), Array<1, Value2f>(heading), cells};
  const Array<1, Value2f>&position = flock.position, &direction = flock.direction;

  double agreement = 0;
  for (int step = 0; step < 120; ++step) {
    flock.step();
    if (step == 0 || step == 119) {
      // How well neighbours in the order of cells agree about the way.
      const Array<1, Value2f> next = rotate(direction, {1});
      const double now = float(sum(direction.component(0) * next.component(0) +
                                   direction.component(1) * next.component(1))) /
                         n;
      if (step == 0) agreement = now;
      if (step == 119) CHECK(now > agreement + 0.3);
    }
  }
  const Array<1, Value2i> pixel =
      join(cast<int>(position.component(0) * 600.0f), cast<int>(position.component(1) * 600.0f));
  const Array<2, float> none(600, 600);
  const auto drawn = [&](const Array<1, float>& shade) {
    return scatter(none, pixel, shade, Collision::max);
  };
  const Array<1, float> x = direction.component(0), y = direction.component(1);
  picture::save(argc, argv, "flocking",
                join(drawn(0.6f + 0.4f * x), drawn(0.6f + 0.4f * y), drawn(0.7f - 0.3f * x)));
  return ok();
}
