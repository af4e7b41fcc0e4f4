// Decompositions of large matrices by LAPACK, on the host, where OpenBLAS is installed. N is Term
// or ComplexTerm, with matrices in the last two axes. A function returns nothing if the caller must
// compute: the matrices are small, TUTTI_REPRODUCIBLE is set, LAPACK or its memory is missing, or
// it does not converge. Matrices with NaN or infinities have NaN in all factors.
#pragma once
#include <optional>

#include "api/array/complex_term.hpp"

namespace tutti::detail {

// The greatest extent for which the sizes of workspaces fit the integers of LAPACK.
constexpr int64_t largest_matrix = 16384;

// Whether these matrices are given to LAPACK.
bool is_large_matrix(const Extents& shape);

template <class N>
std::optional<N> large_cholesky(const N& a);

template <class N>
struct LargeLu {
  N factors;
  Term order, sign;  // {..., n} and {...}
};
template <class N>
std::optional<LargeLu<N>> large_lu(const N& a);
// The right side has matrices of columns.
template <class N>
std::optional<N> large_solve(const N& a, const N& b);

template <class N>
struct LargeQr {
  N q, r;
};
template <class N>
std::optional<LargeQr<N>> large_qr(const N& a, bool complete);

template <class N>
struct LargeSvd {
  N u;
  Term s;
  N vh;
};
template <class N>
std::optional<LargeSvd<N>> large_svd(const N& a, bool complete);

template <class N>
struct LargeEigh {
  Term values;
  N vectors;
};
template <class N>
std::optional<LargeEigh<N>> large_eigh(const N& a);

}  // namespace tutti::detail
