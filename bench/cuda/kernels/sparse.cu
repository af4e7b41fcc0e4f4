// The product of a sparse matrix (rows compressed) and a vector by cuSPARSE. What it finds out
// about the matrix beforehand is not timed.
#include <cusparse.h>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

cusparseHandle_t cusparse() { return library_handle<cusparseHandle_t, cusparseCreate>(); }

constexpr float one = 1, zero = 0;

}  // namespace

Launch sparse_product(Arrays& arrays) {
  const auto rows = static_cast<int64_t>(arrays.out_count(0)),
             columns = static_cast<int64_t>(arrays.in_count(3)),
             entries = static_cast<int64_t>(arrays.in_count(0));
  cusparseConstSpMatDescr_t matrix;
  cusparseCreateConstCsr(&matrix, rows, columns, entries, arrays.in<int>(2), arrays.in<int>(1),
                         arrays.in(0), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseConstDnVecDescr_t vector;
  cusparseCreateConstDnVec(&vector, columns, arrays.in(3), CUDA_R_32F);
  cusparseDnVecDescr_t result;
  cusparseCreateDnVec(&result, rows, arrays.out(0), CUDA_R_32F);
  size_t bytes = 0;
  cusparseSpMV_bufferSize(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector, &zero,
                          result, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  void* memory = arrays.scratch<char>(bytes);
  cusparseSpMV_preprocess(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector, &zero,
                          result, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, memory);
  return [=] {
    cusparseSpMV(cusparse(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, vector, &zero, result,
                 CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, memory);
  };
}

}  // namespace tutti::bench::cuda
