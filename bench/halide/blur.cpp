// bench/pipelines/blur.cpp
#include "bench/halide/pipeline.hpp"

namespace tutti::bench::halide {

Pipeline blur16() {
  using namespace Halide;
  ImageParam in(UInt(16), 2, "in");
  Var x("x"), y("y"), inner("inner");
  const Func image = clamped(in);
  Func across("across"), out("blur16");
  across(x, y) = (image(x - 1, y) + image(x, y) + image(x + 1, y)) / 3;
  out(x, y) = (across(x, y - 1) + across(x, y) + across(x, y + 1)) / 3;
  return {{in}, out, [=]() mutable {
            const int wide = 2 * lanes(UInt(16));
            out.split(y, y, inner, 64).parallel(y).vectorize(x, wide);
            across.store_at(out, y).compute_at(out, inner).vectorize(x, wide);
          }};
}

}  // namespace tutti::bench::halide
