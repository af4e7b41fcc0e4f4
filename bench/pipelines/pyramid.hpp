// Image pyramids: halving by the weights 1 2 1, and doubling by the mean of the two nearest. Both
// for arrays of Tutti, planes in front, and for the baselines.
#pragma once
#include "bench/pipelines/image.hpp"

namespace tutti::bench {

// Every second element of the weighted means of three, along one axis.
template <int D>
Array<D, float> halved(const Array<D, float>& a, int axis) {
  Shape<D> by;
  by[axis] = 1;
  Shape<D> back;
  back[axis] = -1;
  const Array<D, float> means = (shift(a, by) + 2.0f * a + shift(a, back)) * 0.25f;
  if constexpr (D == 2) return axis == 0 ? means(every(2), whole) : means(whole, every(2));
  if constexpr (D == 3)
    return axis == 1 ? means(whole, every(2), whole) : means(whole, whole, every(2));
}

template <int D>
Array<D, float> halved(const Array<D, float>& a) {
  return halved(halved(a, D - 2), D - 1);
}

// The mean of elements i / 2 and (i + 1) / 2, along the last two axes.
Array<2, float> doubled(const Array<2, float>& a, const Shape<2>& shape);
Array<3, float> doubled(const Array<3, float>& a, const Shape<3>& shape);

// A plane of floats in a vector, for baselines.
struct Plane {
  int rows = 0, columns = 0;
  std::vector<float> elements{};
  Plane() = default;
  Plane(int rows, int columns)
      : rows(rows),
        columns(columns),
        elements(static_cast<size_t>(rows) * static_cast<size_t>(columns)) {}
  float* row(int y) { return clamped_row(elements.data(), y, rows, columns); }
  const float* row(int y) const { return clamped_row(elements.data(), y, rows, columns); }
};

void halve(const Plane& from, Plane& to);
void double_size(const Plane& from, Plane& to);

}  // namespace tutti::bench
