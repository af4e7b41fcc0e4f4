#include "runtime/cuda/blas.hpp"

#include <dlfcn.h>

#include <mutex>

namespace tutti::runtime::cuda {
namespace {

struct Cublas {
  int (*create)(Handle*) = nullptr;
  int (*set_stream)(Handle, Handle) = nullptr;
  int (*sgemm)(Handle, int, int, int, int, int, const float*, Address, int, Address, int,
               const float*, Address, int) = nullptr;
  int (*dgemm)(Handle, int, int, int, int, int, const double*, Address, int, Address, int,
               const double*, Address, int) = nullptr;
  Handle handle = nullptr;
  const char* name = "none";
  std::mutex mutex;

  Cublas() {
    for (const char* file :
         {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}) {
      void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      create = reinterpret_cast<decltype(create)>(dlsym(library, "cublasCreate_v2"));
      set_stream = reinterpret_cast<decltype(set_stream)>(dlsym(library, "cublasSetStream_v2"));
      sgemm = reinterpret_cast<decltype(sgemm)>(dlsym(library, "cublasSgemm_v2"));
      dgemm = reinterpret_cast<decltype(dgemm)>(dlsym(library, "cublasDgemm_v2"));
      if (create && set_stream && sgemm && dgemm && create(&handle) == 0) {
        name = file;
        return;
      }
      handle = nullptr;
    }
  }
};

Cublas& cublas() {
  static Cublas* instance = new Cublas;
  return *instance;
}

}  // namespace

bool blas_multiply(const compiler::ProductStep& s, Address a, Address b, Address c, Handle stream) {
  if (s.type != ElementType::f32 && s.type != ElementType::f64) return false;
  if (s.rows > INT32_MAX || s.columns > INT32_MAX || s.inner > INT32_MAX || s.inner == 0)
    return false;
  Cublas& blas = cublas();
  if (!blas.handle) return false;
  std::lock_guard lock(blas.mutex);
  // Column-major, so the transposed product: c' = b' a'.
  const int m = static_cast<int>(s.columns), n = static_cast<int>(s.rows),
            k = static_cast<int>(s.inner);
  const int op_b = s.b_transposed, op_a = s.a_transposed;
  const int ldb = s.b_transposed ? k : m, lda = s.a_transposed ? n : k;
  if (blas.set_stream(blas.handle, stream) != 0) return false;
  if (s.type == ElementType::f32) {
    const float one = 1, zero = 0;
    return blas.sgemm(blas.handle, op_b, op_a, m, n, k, &one, b, ldb, a, lda, &zero, c, m) == 0;
  }
  const double one = 1, zero = 0;
  return blas.dgemm(blas.handle, op_b, op_a, m, n, k, &one, b, ldb, a, lda, &zero, c, m) == 0;
}

const char* blas_name() { return cublas().handle ? cublas().name : "none"; }

}  // namespace tutti::runtime::cuda
