// The functions of LAPACK that decompose large matrices. OpenBLAS carries them. T is float, double
// or complex. A matrix is stored column by column, without gaps, and is overwritten. Functions
// return whether they succeeded; what false means is said there. They throw std::bad_alloc.
#pragma once
#include <complex>
#include <cstdint>
#include <span>

namespace tutti::runtime {

template <class T>
struct LapackReal {
  using type = T;
};
template <class T>
struct LapackReal<std::complex<T>> {
  using type = T;
};

// Returns whether all functions are there, and vendor libraries are wanted.
bool has_lapack();

template <class T>
struct Lapack {
  using Real = typename LapackReal<T>::type;

  // The factors L and U of the matrix whose rows are exchanged: row i with row pivots[i], counted
  // from 1, for ascending i. A zero on the diagonal of U is no failure.
  static void factor_lu(int n, T* a, int* pivots);
  // Solves with the factors for the columns of b, which becomes the solution.
  static void solve_lu(int n, int columns, const T* a, const int* pivots, T* b);

  // The upper triangle U with U^H U = a, of which the upper triangle is read. Returns the number of
  // columns that were computed: less than n if the matrix is not positive definite.
  static int factor_cholesky(int n, T* a);

  // The factors of m rows and n columns: Q with q_columns of at most m columns, and the upper
  // triangle R with min(m, q_columns) rows. q has space for m times max(n, q_columns) elements and
  // holds the matrix before.
  static void factor_qr(int m, int n, int q_columns, T* q, T* r);

  // a = u diag(s) vt, where k = min(m, n), or whole factors: u has m rows and k or m columns, vt k
  // or n rows and n columns. False: no convergence.
  static bool singular_values(int m, int n, bool whole, T* a, Real* s, T* u, T* vt);

  // Eigenvalues in ascending order of the Hermitian matrix whose upper triangle is given. The
  // columns of the matrix become the eigenvectors. False: no convergence.
  static bool symmetric_eigenvalues(int n, T* a, Real* values);

  // Eigenvalues of any square matrix, and eigenvectors of length 1 if vectors is not null. False:
  // no convergence.
  static bool eigenvalues(int n, T* a, std::complex<Real>* values, std::complex<Real>* vectors);
};

extern template struct Lapack<float>;
extern template struct Lapack<double>;
extern template struct Lapack<std::complex<float>>;
extern template struct Lapack<std::complex<double>>;

}  // namespace tutti::runtime
