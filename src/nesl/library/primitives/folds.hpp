// Reductions of numbers on the host, one function for each reduction and type. They follow the tree
// of compiled kernels (numerics/reduction_tree.hpp), so that sums of floats have their bits.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "nesl/eval/extremes.hpp"
#include "nesl/values/value.hpp"
#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::nesl::folds {

// How sequences hold numbers of a type.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, bool>, Values::Flag,
                                std::conditional_t<std::is_same_v<T, float>, double, T>>;

// Floats are bounded by what the language calls the extreme of nothing.
template <Reduction reduction, class T>
T bounded(T number) {
  if constexpr (!std::is_floating_point_v<T>)
    return number;
  else if constexpr (reduction == Reduction::max)
    return ir::maximum(number, static_cast<T>(least_float));
  else if constexpr (reduction == Reduction::min)
    return ir::minimum(number, static_cast<T>(greatest_float));
  else
    return number;
}

// Of at most one tile, and at least one number. N is how the numbers are held.
template <Reduction reduction, class T, class N>
T reduce_tile(const N* numbers, std::size_t count) {
  // Lanes that get no element leave the others as they are: with few elements few lanes do.
  constexpr auto most = static_cast<std::size_t>(ir::wide_lanes);
  const std::size_t lane_count = std::min(most, std::bit_ceil(count));
  std::array<T, most> lanes;
  const std::size_t first = std::min(count, lane_count);
  const T identity = ir::identity<T>(reduction);
  for (std::size_t k = 0; k < first; ++k)
    lanes[k] = ir::combine<reduction>(identity, static_cast<T>(numbers[k]));
  std::fill(lanes.begin() + first, lanes.begin() + lane_count, identity);
  for (std::size_t begin = lane_count; begin < count; begin += lane_count) {
    const std::size_t end = std::min(count - begin, lane_count);
    for (std::size_t k = 0; k < end; ++k)
      lanes[k] = ir::combine<reduction>(lanes[k], static_cast<T>(numbers[begin + k]));
  }
  for (std::size_t half = lane_count / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      lanes[k] = ir::combine<reduction>(lanes[k], lanes[k + half]);
  return lanes[0];
}

// The same where the number of lanes is known: rows are often short.
template <Reduction reduction, std::size_t lane_count, class T, class N>
T reduce_few(const N* numbers, std::size_t count) {
  const T identity = ir::identity<T>(reduction);
  std::array<T, lane_count> lanes;
  for (std::size_t k = 0; k < lane_count; ++k)
    lanes[k] = k < count ? ir::combine<reduction>(identity, static_cast<T>(numbers[k])) : identity;
  for (std::size_t half = lane_count / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      lanes[k] = ir::combine<reduction>(lanes[k], lanes[k + half]);
  return lanes[0];
}

template <Reduction reduction, class T, class N>
T reduce_numbers(const N* numbers, std::size_t count) {
  constexpr auto tile = static_cast<std::size_t>(ir::wide_tile);
  if (count == 0) return from_bits<T>(ir::empty_result(reduction, element_type<T>).bits);
  if (count == 1) return reduce_few<reduction, 1, T>(numbers, count);
  if (count == 2) return reduce_few<reduction, 2, T>(numbers, count);
  if (count <= 4) return reduce_few<reduction, 4, T>(numbers, count);
  if (count <= 8) return reduce_few<reduction, 8, T>(numbers, count);
  if (count <= tile) return reduce_tile<reduction, T>(numbers, count);
  std::vector<Held<T>> results;
  for (std::size_t begin = 0; begin < count; begin += tile)
    results.push_back(
        Held<T>{reduce_tile<reduction, T>(numbers + begin, std::min(tile, count - begin))});
  return reduce_numbers<reduction, T>(results.data(), results.size());
}

// The value of a reduction of the language.
template <Reduction reduction, class T>
T reduced(const Held<T>* numbers, std::size_t count) {
  return bounded<reduction>(reduce_numbers<reduction, T>(numbers, count));
}

// The scan of the language: for each number the reduction of those before it. The results may take
// the place of the numbers.
template <Reduction reduction, class T>
void scan(const Held<T>* numbers, std::size_t count, Held<T>* results) {
  // A sum of floats starts from -0.0, and of nothing it is 0.0.
  const T nothing = from_bits<T>(ir::empty_result(reduction, element_type<T>).bits);
  T so_far = ir::identity<T>(reduction);
  for (std::size_t i = 0; i < count; ++i) {
    const T number = static_cast<T>(numbers[i]);
    results[i] = Held<T>{bounded<reduction>(i == 0 ? nothing : so_far)};
    so_far = ir::combine<reduction>(so_far, number);
  }
}

}  // namespace tutti::nesl::folds
