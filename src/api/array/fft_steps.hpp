// Fourier transforms of lines as a chain of kernels, one for each stage of numerics/fourier.hpp,
// for devices without the primitive.
#pragma once
#include <initializer_list>

#include "api/array/complex_term.hpp"
#include "api/array/fft_tables.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::detail {

inline Extents extents_of(std::initializer_list<int64_t> extents) {
  Extents shape;
  for (const int64_t extent : extents) shape.push_back(extent);
  return shape;
}

// Applies all steps to the lines of a {batch, n} array.
ComplexTerm by_steps(ComplexTerm a, const FftTables& tables, const Location& where);

// Transforms the lines of a {batch, n} array, whose length has stages.
TUTTI_EXPORT ComplexNodes fft_by_steps(const ComplexNodes& a, const Location& where);

}  // namespace tutti::detail
