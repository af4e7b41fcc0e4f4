// bench/pipelines/stencil_chain.cpp
#include "bench/pipelines/stencil_chain.hpp"

#include "bench/halide/pipeline.hpp"

namespace tutti::bench::halide {

Pipeline stencil_chain() {
  using namespace Halide;
  ImageParam in(UInt(16), 2, "in");
  Var x("x"), y("y"), inner("inner");
  Func near = clamped(in);
  std::vector<Func> stages, padded;  // padded: what a stage reads, with margins
  for (int k = 0; k < chain::stages; ++k) {
    Func stage(k + 1 == chain::stages ? "stencil_chain" : "stage");
    Expr total;
    for (int j = -2; j <= 2; ++j)
      for (int i = -2; i <= 2; ++i) {
        const Expr term = near(x + i, y + j) * Expr(chain::weight(j, i));
        total = total.defined() ? total + term : term;
      }
    stage(x, y) = total;
    padded.push_back(near);
    stages.push_back(stage);
    near = clamped(stage, in);
  }
  return {{in}, stages.back(), [=]() mutable {
            // Groups of stages go through memory; within one, rows slide down a block. Rows are
            // stored with their margins, so that only copies have borders.
            const int wide = lanes(UInt(16)), together = 4;
            for (size_t last = together - 1; last < stages.size(); last += together) {
              Func group = stages[last];
              if (last + 1 < stages.size()) group.compute_root();
              group.split(y, y, inner, 64).parallel(y).vectorize(x, wide);
              for (size_t k = last + 1 - together; k <= last; ++k) {
                Func& rows = padded[k];
                const std::vector<Var> names = rows.args();
                rows.store_at(group, y).compute_at(group, inner).vectorize(names[0], wide);
                if (k < last)
                  stages[k].store_at(group, y).compute_at(group, inner).vectorize(x, wide);
              }
            }
          }};
}

}  // namespace tutti::bench::halide
