// Circles of one size among others, in noise, found one after the other.
#include "circles.hpp"

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

int main(int argc, char** argv) {
  constexpr int side = 400;
  constexpr float size = 12;
  // The picture: three circles of the wanted size, two of others, and noise.
  const float circles[][3] = {
      {90, 120, 12}, {250, 80, 12}, {300, 310, 12}, {120, 300, 20}, {200, 200, 7}};
  const Array<2, Value2i> cells = grid(side, side);
  const Program paint = BEGIN {
    In<Value2i> cell;
    Out<Value1f> grey = 0.25f * hash(cell)(0);
    const Value2f at(cell);
    for (const auto& c : circles) {
      const Value1f edge = distance(at, Value2f(c[0], c[1])) - c[2];
      grey += 0.7f * (1.0f - smoothstep(-1.0f, 1.0f, edge));
    }
  }
  END;
  const Array<2, float> image = paint(cells);
  image.evaluate();

  Array<2, float> strength = applications::edges(image);
  strength.boundary(Boundary::constant(0.0f));
  strength.evaluate();

  const applications::CircleMask mask(size);
  const Program circular = mask.response(strength);
  Array<2, float> response = circular(cells);
  CHECK(circular.operations() < 6 * mask.taps());

  Array<2, Value3f> shown = join(image, image, image);
  for (int found = 0; found < 3; ++found) {
    const auto [where, what] = arg_max(response);
    const Value2i place = where;
    bool known = false;
    for (int k = 0; k < 3; ++k)
      known |= std::hypot(place.get(0) - circles[k][0], place.get(1) - circles[k][1]) < 2;
    CHECK(known);
    // Mark it, and look elsewhere next.
    const Array<2, Value2f> away = cast<Value2f>(cells) - Value2f(place);
    const Array<2, float> far = hypot(away.component(0), away.component(1));
    response = cond(far < 10.0f, 0.0f, response).evaluate();
    const Array<2, bool> ring = abs(far - size) < 1.5f;
    shown = join(cond(ring, 1.0f, shown.component(0)), cond(ring, 0.3f, shown.component(1)),
                 cond(ring, 0.1f, shown.component(2)));
  }
  picture::save(argc, argv, "circles", shown);
  return ok();
}
