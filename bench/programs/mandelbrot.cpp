// The Mandelbrot set by a captured program with a WHILE loop: how well lanes run under masks and
// threads share work that is very uneven. The baseline does what a careful person or ISPC would:
// whole vectors under a mask, until no lane is left, rows dealt out one by one.
#include "bench/plain/mandelbrot.hpp"
#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using plain::height, plain::left, plain::most_iterations, plain::top, plain::width;

Program make_program(int side) {
  return TUTTI_BEGIN {
    In<Value2i> at;
    Out<Value1i> iterations;
    const Value1f cx = left + Value1f(at(1)) * (width / static_cast<float>(side));
    const Value1f cy = top + Value1f(at(0)) * (height / static_cast<float>(side));
    Value1f x = 0.0f, y = 0.0f;
    Value1i n = 0;
    TUTTI_WHILE(x * x + y * y < 4.0f && n < most_iterations) {
      const Value1f next = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next;
      n += 1;
    }
    TUTTI_ENDWHILE;
    iterations = n;
  }
  TUTTI_END;
}

namespace baseline {

constexpr int lanes = 16;
typedef float Floats __attribute__((vector_size(4 * lanes)));
typedef int32_t Ints __attribute__((vector_size(4 * lanes)));

bool any(const Ints& mask) {
  int32_t found = 0;
  for (int i = 0; i < lanes; ++i) found |= mask[i];
  return found != 0;
}

Ints count(const Floats& cx, const Floats& cy) {
  Floats x = {}, y = {};
  Ints n = {};
  Ints active = ~n;
  while (true) {
    const Floats x2 = x * x, y2 = y * y;
    active &= (x2 + y2 < 4.0f) & (n < most_iterations);
    if (!any(active)) return n;
    const Floats next = x2 - y2 + cx, next_y = 2.0f * x * y + cy;
    x = active ? next : x;
    y = active ? next_y : y;
    n -= active;  // a lane that is active is -1
  }
}

void rows_of(int32_t* out, int side, int first, int last) {
  for (int r = first; r < last; ++r)
    for (int c = 0; c < side; c += lanes) {
      Floats column, row;
      for (int i = 0; i < lanes; ++i) {
        column[i] = static_cast<float>(c + i);
        row[i] = static_cast<float>(r);
      }
      const Ints n = count(left + column * (width / static_cast<float>(side)),
                           top + row * (height / static_cast<float>(side)));
      for (int i = 0; i < lanes && c + i < side; ++i)
        out[static_cast<size_t>(r) * side + c + i] = n[i];
    }
}

}  // namespace baseline

Workload prepare(int side) {
  const Program program = make_program(side);
  const auto tutti_side = [=]() -> Array<2, int32_t> { return program(grid(side, side)); };
  const Buffer<int32_t> counts(static_cast<size_t>(side) * side);
  return {
      .tutti = [=] { tutti_side().evaluate(); },
      .baseline =
          [=] {
            parallel_rows(
                side,
                [&](int first, int last) { baseline::rows_of(counts.data(), side, first, last); },
                1);
          },
      .disagreement = [=] { return disagreement(counts, tutti_side()); },
      .outputs = {counts},
  };
}

}  // namespace

Comparison mandelbrot_benchmark() {
  return {.name = "mandelbrot",
          .description = "a captured program with a WHILE loop, up to 256 iterations a point",
          .sizes = square_sizes(512, prepare),
          .gpu_sizes = {square_size(4096, prepare)}};
}

}  // namespace tutti::bench
