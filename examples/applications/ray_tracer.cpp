// The picture of the ray tracer.
#include "ray_tracer.hpp"

#include "../check.hpp"
#include "../support/rgb.hpp"

using namespace tutti;

int main(int argc, char** argv) {
  constexpr int rows = 480, columns = 720;
  const applications::Scene scene = applications::spheres_around_a_sphere();
  const Program trace_ray = applications::ray_tracer(scene, rows, columns);
  const Array<2, Value3f> image = trace_ray(grid(rows, columns));
  CHECK(explain(image).kernels().size() == 1);
  const auto blue = image.component(2).to_vector();
  CHECK(blue[columns / 2] > 0.5f);  // sky
  picture::save(argc, argv, "ray_tracer", sqrt(image));
  return ok();
}
