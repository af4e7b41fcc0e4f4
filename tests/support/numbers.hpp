// An array of numbers without a pattern, from `least` to ten above it, the same in every run.
#pragma once
#include <tutti/tutti.hpp>

#include <vector>

namespace tutti::test {

template <int D>
Array<D, float> numbers(const Shape<D>& shape, float least = 0) {
  std::vector<float> result(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<float>((i * 2654435761u >> 7) % 1000) * 0.01f + least;
  return Array<D, float>(result, shape);
}

}  // namespace tutti::test
