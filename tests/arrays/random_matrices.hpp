// Matrices of random elements between -1 and 1, of every type that decompositions take.
#pragma once
#include <gtest/gtest.h>
#include <tutti/complex_matrices.hpp>
#include <tutti/random.hpp>

#include <complex>
#include <cstdint>

#include "support/test_settings.hpp"

namespace tutti::test {

using MatrixElements = testing::Types<float, double, std::complex<float>, std::complex<double>>;

// Streams of one process differ, and follow from its seed.
template <class T>
Array<3, T> random_matrices(const Shape<3>& shape, uint64_t stream) {
  using Real = detail::real_part_t<T>;
  static const auto seed = static_cast<uint64_t>(first_seed());
  const Random key = Random(seed).split(stream);
  const auto part = [&](uint64_t i) {
    return uniform<Real>(key.split(i), shape, Real(-1), Real(1));
  };
  if constexpr (std::is_same_v<T, Real>)
    return part(0);
  else
    return {part(0), part(1)};
}

}  // namespace tutti::test
