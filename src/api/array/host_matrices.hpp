// Matrices of an array on the host, one after another, for functions that take one at a time.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>

#include "api/array/matrix_terms.hpp"
#include "runtime/cpu/lapack.hpp"
#include "runtime/cpu/openblas.hpp"
#include "runtime/cpu/threads.hpp"
#include "tutti/detail/capture.hpp"

namespace tutti::detail {

using runtime::Lapack;
template <class T>
using RealOf = typename Lapack<T>::Real;

// Calls f with an empty object of the type of the elements.
template <class F>
auto with_type(const Term& a, F f) {
  return a.type() == ElementType::f32 ? f(float{}) : f(double{});
}
template <class F>
auto with_type(const ComplexTerm& a, F f) {
  return a.real.type() == ElementType::f32 ? f(std::complex<float>{}) : f(std::complex<double>{});
}

// Elements in row-major order.
template <class T>
std::vector<T> elements_of(const Term& a) {
  const PauseCapture numbers_not_symbols;
  std::vector<T> result(static_cast<size_t>(a.shape().size()));
  if (!result.empty()) copy_to_host(a.node, result.data());
  return result;
}
template <class T>
std::vector<T> elements_of(const ComplexTerm& a) {
  evaluate_terms(a);
  const std::vector<RealOf<T>> real = elements_of<RealOf<T>>(a.real),
                               imag = elements_of<RealOf<T>>(a.imag);
  std::vector<T> result(real.size());
  for (size_t i = 0; i < result.size(); ++i) result[i] = {real[i], imag[i]};
  return result;
}

template <class T>
auto term_of(const std::vector<T>& elements, const Extents& shape, const Location& where) {
  if constexpr (std::is_floating_point_v<T> || std::is_integral_v<T>) {
    return Term{from_host(element_type<T>, shape, elements.data(), elements.size(), where), where};
  } else {
    std::vector<RealOf<T>> real, imag;
    real.reserve(elements.size());
    imag.reserve(elements.size());
    for (const T& x : elements) {
      real.push_back(x.real());
      imag.push_back(x.imag());
    }
    return ComplexTerm{term_of(real, shape, where), term_of(imag, shape, where)};
  }
}

// The shape with other matrices, or with vectors or numbers in their place.
inline Extents shape_with_matrices(Extents shape, int64_t rows, int64_t columns) {
  shape[shape.rank - 2] = rows;
  shape[shape.rank - 1] = columns;
  return shape;
}
inline Extents shape_with_vectors(Extents shape, int64_t length) {
  shape.rank -= 1;
  shape[shape.rank - 1] = length;
  return shape;
}
inline Extents shape_with_numbers(Extents shape) {
  shape.rank -= 2;
  return shape;
}

// The matrices of a shape, one after another.
struct Batch {
  explicit Batch(const Extents& shape)
      : rows(shape[shape.rank - 2]),
        columns(shape[shape.rank - 1]),
        count(shape.size() / (rows * columns)) {}
  int64_t rows, columns, count;
};

// Calls f for each matrix, on several threads, and returns whether all calls did. f may throw
// std::bad_alloc.
template <class F>
bool for_matrices(int64_t count, int threads, F f) {
  std::atomic<bool> all = true;
  const auto run = [&](int64_t task) {
    try {
      for (int64_t i = task; i < count; i += threads)
        if (!f(i)) all = false;
    } catch (const std::bad_alloc&) {
      all = false;
    }
  };
  threads == 1 ? run(0) : runtime::parallel_for(threads, run);
  return all;
}
template <class F>
bool by_lapack(int64_t count, F f) {
  const int wanted = runtime::openblas_has_threads()
                         ? 1
                         : static_cast<int>(std::min<int64_t>(count, runtime::cpu_threads()));
  const runtime::OpenBlasCallers callers(wanted);
  return callers.count() > 0 && for_matrices(count, callers.count(), f);
}

// A matrix among others.
template <class T>
std::span<T> matrix_of(std::vector<T>& all, int64_t i, int64_t elements) {
  return {all.data() + i * elements, static_cast<size_t>(elements)};
}
template <class T>
bool is_finite(std::span<const T> elements) {
  return std::ranges::all_of(elements, [](const T& x) {
    return std::isfinite(std::real(x)) && std::isfinite(std::imag(x));
  });
}
template <class T>
void fill_with_nan(std::span<T> elements) {
  std::ranges::fill(elements, T(std::numeric_limits<RealOf<T>>::quiet_NaN()));
}

}  // namespace tutti::detail
