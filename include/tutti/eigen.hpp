// as_eigen(a): the elements of an array as a matrix or vector of Eigen, without a copy. No other
// header of Tutti includes Eigen. The way from Eigen is Array<D, T>::view(matrix).
#pragma once
#include <Eigen/Core>

#include "tutti/detail/export.hpp"
#include "tutti/elements.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// A read-only Map that keeps the elements of the array alive.
template <int D, ScalarType T>
requires(D == 1 || D == 2)
class EigenElements
    : private Elements<D, T>,
      public Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, D == 1 ? 1 : Eigen::Dynamic,
                                            D == 1 ? Eigen::ColMajor : Eigen::RowMajor>> {
 public:
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, D == 1 ? 1 : Eigen::Dynamic,
                               D == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  using Map = Eigen::Map<const Matrix>;
  using Map::begin;
  using Map::data;
  using Map::end;
  using Map::size;
  using Map::operator();

  explicit EigenElements(const Array<D, T>& a) : EigenElements(Elements<D, T>(a)) {}

 private:
  explicit EigenElements(Elements<D, T> elements)
      : Elements<D, T>(std::move(elements)),
        Map(Elements<D, T>::data(), this->extent(0), D == 1 ? 1 : this->extent(D - 1)) {}
};

// Evaluates a vector or matrix and returns its elements as a Map of Eigen.
template <int D, ScalarType T>
requires(D == 1 || D == 2)
EigenElements<D, T> as_eigen(const Array<D, T>& a) {
  return EigenElements<D, T>(a);
}

}  // namespace tutti
TUTTI_END_EXPORTS
