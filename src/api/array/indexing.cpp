// Conversion of Python's ranges to ranges of sections.
#include "tutti/indexing.hpp"

#include <algorithm>

namespace tutti::detail {

Range AxisPart::range(int64_t extent) const {
  if (step_ == 0) throw ShapeError("range: the step is 0");
  if (step_ == INT64_MIN) throw ShapeError("range: the step is too large");
  const bool forward = step_ > 0;
  // Forwards from 0 to extent, backwards from extent - 1 to -1.
  const auto limited = [&](int64_t at) {
    if (at < 0) at += extent;
    return forward ? std::clamp<int64_t>(at, 0, extent) : std::clamp<int64_t>(at, -1, extent - 1);
  };
  const int64_t begin = begin_ ? limited(*begin_) : forward ? 0 : extent - 1;
  const int64_t end = end_ ? limited(*end_) : forward ? extent : -1;
  const int64_t length = forward ? end - begin : begin - end;
  if (length <= 0) return {0, 0, 1};
  return {begin, (length - 1) / std::abs(step_) + 1, step_};
}

std::vector<Range> SelectedAxes::forward() const {
  std::vector<Range> result = ranges;
  for (Range& range : result)
    if (range.stride < 0 && range.count > 0)
      range = {range.begin + (range.count - 1) * range.stride, range.count, -range.stride};
  return result;
}

std::vector<Range> SelectedAxes::turned(const NodeRef& values) const {
  const Extents& shape = shape_of(values, "assignment to a part");
  std::vector<Range> result;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const bool back = ranges[static_cast<size_t>(axis)].stride < 0 && shape[axis] > 0;
    result.push_back(back ? Range{shape[axis] - 1, shape[axis], -1} : Range{0, shape[axis]});
  }
  return result;
}

Range range_of_index(int64_t index, int axis, const Extents& shape) {
  const int64_t extent = shape[axis];
  if (index < -extent || index >= extent)
    throw ShapeError("index " + std::to_string(index) + " on axis " + std::to_string(axis) +
                     " of the shape " + to_string(shape) + ": it is from " +
                     std::to_string(-extent) + " to " + std::to_string(extent - 1));
  return {index < 0 ? index + extent : index, 1, 1};
}

}  // namespace tutti::detail
