// A benchmark as a pipeline of Halide: inputs, output, and a schedule by hand. Halide counts axes
// from the innermost: x, y, plane.
#pragma once
#include <Halide.h>

#include <functional>
#include <vector>

namespace tutti::bench::halide {

struct Extents {
  int rows, columns;
};
constexpr Extents estimate{4000, 6000};  // what autoschedulers are told

struct Pipeline {
  std::vector<Halide::ImageParam> inputs;
  Halide::Func output;
  std::function<void()> schedule;  // by hand
  int planes = 1;                  // of the output; 1: it has no axis of planes
};

// Beyond the border the nearest pixel counts.
inline Halide::Func clamped(const Halide::ImageParam& image) {
  return Halide::BoundaryConditions::repeat_edge(image);
}
inline Halide::Func clamped(const Halide::Func& f, const Halide::ImageParam& extents) {
  return Halide::BoundaryConditions::repeat_edge(f, {{0, extents.width()}, {0, extents.height()}});
}

// Lanes of a vector of an element type.
inline int lanes(const Halide::Type& type) {
  return Halide::get_host_target().natural_vector_size(type);
}

// The grey value of three planes.
Halide::Expr grey_of(const Halide::Func& planes, const Halide::Expr& x, const Halide::Expr& y);

Pipeline blur16();
Pipeline unsharp();
Pipeline harris();
Pipeline stencil_chain();
Pipeline bilateral_grid();

}  // namespace tutti::bench::halide
