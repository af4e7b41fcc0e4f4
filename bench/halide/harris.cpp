// bench/pipelines/harris.cpp
#include "bench/halide/pipeline.hpp"

namespace tutti::bench::halide {

Pipeline harris() {
  using namespace Halide;
  ImageParam in(Float(32), 3, "in");
  Var x("x"), y("y"), inner("inner");
  const Func image = clamped(in);
  Func grey("grey"), products("products"), sums("sums"), out("harris");
  grey(x, y) = grey_of(image, x, y);
  const auto slope = [&](const Expr& more, const Expr& less) { return more - less; };
  const Expr dy = slope(grey(x - 1, y + 1), grey(x - 1, y - 1)) / 12.0f +
                  slope(grey(x, y + 1), grey(x, y - 1)) / 6.0f +
                  slope(grey(x + 1, y + 1), grey(x + 1, y - 1)) / 12.0f;
  const Expr dx = slope(grey(x + 1, y - 1), grey(x - 1, y - 1)) / 12.0f +
                  slope(grey(x + 1, y), grey(x - 1, y)) / 6.0f +
                  slope(grey(x + 1, y + 1), grey(x - 1, y + 1)) / 12.0f;
  products(x, y) = Tuple(dx * dx, dy * dy, dx * dy);
  const Func near = clamped(products, in);
  Expr total[3];
  for (int k = 0; k < 3; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        const Expr term = near(x + i, y + j)[k];
        total[k] = total[k].defined() ? total[k] + term : term;
      }
  sums(x, y) = Tuple(total[0], total[1], total[2]);
  const Expr xx = sums(x, y)[0], yy = sums(x, y)[1], xy = sums(x, y)[2], trace = xx + yy;
  out(x, y) = xx * yy - xy * xy - 0.04f * trace * trace;
  return {{in}, out, [=]() mutable {
            const int wide = lanes(Float(32));
            out.split(y, y, inner, 32).parallel(y).vectorize(x, wide);
            products.store_at(out, y).compute_at(out, inner).vectorize(x, wide);
            grey.store_at(out, y).compute_at(out, inner).vectorize(x, wide);
          }};
}

}  // namespace tutti::bench::halide
