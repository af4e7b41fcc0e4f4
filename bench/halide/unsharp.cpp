// bench/pipelines/unsharp.cpp
#include "bench/halide/pipeline.hpp"
#include "bench/stencils/gaussian.hpp"

namespace tutti::bench::halide {

Halide::Expr grey_of(const Halide::Func& planes, const Halide::Expr& x, const Halide::Expr& y) {
  return 0.299f * planes(x, y, 0) + 0.587f * planes(x, y, 1) + 0.114f * planes(x, y, 2);
}

Pipeline unsharp() {
  using namespace Halide;
  constexpr int taps = 7;
  const Weights<taps> kernel = gaussian<taps>(1.5);
  ImageParam in(Float(32), 3, "in");
  Var x("x"), y("y"), c("c"), inner("inner");
  const Func image = clamped(in);
  Func grey("grey"), down("down"), across("across"), ratio("ratio"), out("unsharp");
  grey(x, y) = grey_of(image, x, y);
  Expr column = kernel[0] * grey(x, y - taps / 2);
  for (int k = 1; k < taps; ++k) column += kernel[k] * grey(x, y + k - taps / 2);
  down(x, y) = column;
  Expr row = kernel[0] * down(x - taps / 2, y);
  for (int k = 1; k < taps; ++k) row += kernel[k] * down(x + k - taps / 2, y);
  across(x, y) = row;
  ratio(x, y) = (2.0f * grey(x, y) - across(x, y)) / grey(x, y);
  out(x, y, c) = in(x, y, c) * ratio(x, y);
  return {{in},
          out,
          [=]() mutable {
            const int wide = lanes(Float(32));
            out.bound(c, 0, 3).split(y, y, inner, 32).reorder(x, c, inner, y);
            out.parallel(y).vectorize(x, wide).unroll(c);
            ratio.compute_at(out, inner).vectorize(x, wide);
            down.compute_at(out, inner).vectorize(x, wide);
            grey.store_at(out, y).compute_at(out, inner).vectorize(x, wide);
          },
          3};
}

}  // namespace tutti::bench::halide
