// bench/pipelines/bilateral_grid.cpp
#include "bench/halide/pipeline.hpp"

namespace tutti::bench::halide {

Pipeline bilateral_grid() {
  using namespace Halide;
  constexpr int side = 8, bins = 11;
  ImageParam in(Float(32), 2, "in");
  Var x("x"), y("y"), z("z"), c("c"), inner("inner");
  const RDom block(0, side, 0, side);
  Func grid("grid"), blur_z("blur_z"), blur_y("blur_y"), blur_x("blur_x"), out("bilateral_grid");
  const Expr pixel = in(x * side + block.x, y * side + block.y);
  const Expr bin = clamp(cast<int>(pixel * float(bins - 1) + 0.5f), 0, bins - 1);
  grid(c, z, x, y) = 0.0f;
  grid(c, bin, x, y) += select(c == 0, pixel, 1.0f);

  const Expr columns = in.width() / side, rows = in.height() / side;
  const auto five = [](const std::function<Expr(int)>& at) {
    return 6.0f * at(0) + at(-2) + 4.0f * at(-1) + 4.0f * at(1) + at(2);
  };
  const auto within = [](const Expr& i, const Expr& extent) { return clamp(i, 0, extent - 1); };
  blur_z(c, z, x, y) = five([&](int k) { return grid(c, within(z + k, bins), x, y); });
  blur_y(c, z, x, y) = five([&](int k) { return blur_z(c, z, x, within(y + k, rows)); });
  blur_x(c, z, x, y) = five([&](int k) { return blur_y(c, z, within(x + k, columns), y); });

  const Expr py = (cast<float>(y) - 3.5f) / float(side), px = (cast<float>(x) - 3.5f) / float(side);
  const Expr pz = in(x, y) * float(bins - 1);
  const Expr fy = py - floor(py), fx = px - floor(px), fz = pz - floor(pz);
  const Expr i = cast<int>(floor(py)), j = cast<int>(floor(px)), k = cast<int>(floor(pz));
  const auto cell = [&](int which, const Expr& kk, const Expr& ii, const Expr& jj) {
    return blur_x(which, within(kk, bins), within(jj, columns), within(ii, rows));
  };
  const auto row = [&](int which, const Expr& kk, const Expr& ii) {
    return lerp(cell(which, kk, ii, j), cell(which, kk, ii, j + 1), fx);
  };
  const auto plane = [&](int which, const Expr& kk) {
    return lerp(row(which, kk, i), row(which, kk, i + 1), fy);
  };
  const auto value = [&](int which) { return lerp(plane(which, k), plane(which, k + 1), fz); };
  out(x, y) = value(0) / value(1);
  return {{in}, out, [=]() mutable {
            const int wide = lanes(Float(32));
            grid.bound(c, 0, 2).bound(z, 0, bins);
            blur_z.bound(c, 0, 2).bound(z, 0, bins);
            blur_z.compute_root().parallel(y).unroll(c).vectorize(z, 8, TailStrategy::GuardWithIf);
            grid.compute_at(blur_z, y).vectorize(z, 8, TailStrategy::GuardWithIf);
            grid.update().reorder(c, block.x, block.y, x).unroll(c);
            blur_y.compute_root().parallel(y).vectorize(z, 8, TailStrategy::GuardWithIf).unroll(c);
            blur_x.compute_root().parallel(y).vectorize(z, 8, TailStrategy::GuardWithIf).unroll(c);
            out.split(y, y, inner, 8).parallel(y).vectorize(x, wide);
          }};
}

}  // namespace tutti::bench::halide
