#include "bench/pipelines/pyramid.hpp"

namespace tutti::bench {
namespace {

// Element i / 2 or (i + 1) / 2 of an axis, for each i of a longer one.
template <int D>
Array<D, int> half_of(const Shape<D>& shape, int axis, int more) {
  return (index(shape, axis) + more) / 2;
}

}  // namespace

Array<2, float> doubled(const Array<2, float>& a, const Shape<2>& shape) {
  const Shape<2> tall(shape[0], a.extent(1));
  const auto column = index(tall, 1);
  const Array<2, float> down =
      (gather(a, half_of(tall, 0, 0), column) + gather(a, half_of(tall, 0, 1), column)) * 0.5f;
  const auto row = index(shape, 0);
  return (gather(down, row, half_of(shape, 1, 0)) + gather(down, row, half_of(shape, 1, 1))) * 0.5f;
}

Array<3, float> doubled(const Array<3, float>& a, const Shape<3>& shape) {
  const Shape<3> tall(shape[0], shape[1], a.extent(2));
  const auto plane = index(tall, 0), column = index(tall, 2);
  const Array<3, float> down = (gather(a, plane, half_of(tall, 1, 0), column) +
                                gather(a, plane, half_of(tall, 1, 1), column)) *
                               0.5f;
  const auto wide = index(shape, 0), row = index(shape, 1);
  return (gather(down, wide, row, half_of(shape, 2, 0)) +
          gather(down, wide, row, half_of(shape, 2, 1))) *
         0.5f;
}

void halve(const Plane& from, Plane& to) {
  parallel_rows(to.rows, [&](int first, int last) {
    ScratchRows work(1, from.columns);
    for (int y = first; y < last; ++y) {
      const float *a = from.row(2 * y - 1), *b = from.row(2 * y), *c = from.row(2 * y + 1);
      float* down = work[0];
      for (int x = 0; x < from.columns; ++x) down[x] = (a[x] + 2 * b[x] + c[x]) * 0.25f;
      clamp_margins(down, from.columns, 2);
      float* out = to.row(y);
#pragma omp simd
      for (int x = 0; x < to.columns; ++x)
        out[x] = (down[2 * x - 1] + 2 * down[2 * x] + down[2 * x + 1]) * 0.25f;
    }
  });
}

void double_size(const Plane& from, Plane& to) {
  parallel_rows(to.rows, [&](int first, int last) {
    ScratchRows work(1, from.columns);
    for (int y = first; y < last; ++y) {
      const float *a = from.row(y / 2), *b = from.row((y + 1) / 2);
      float* down = work[0];
      for (int x = 0; x < from.columns; ++x) down[x] = (a[x] + b[x]) * 0.5f;
      clamp_margins(down, from.columns, 1);
      float* out = to.row(y);
#pragma omp simd
      for (int x = 0; x < to.columns / 2; ++x) {
        out[2 * x] = (down[x] + down[x]) * 0.5f;
        out[2 * x + 1] = (down[x] + down[x + 1]) * 0.5f;
      }
      if (to.columns % 2) out[to.columns - 1] = down[to.columns / 2];
    }
  });
}

}  // namespace tutti::bench
