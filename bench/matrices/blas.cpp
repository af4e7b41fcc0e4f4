// OpenBLAS, loaded at run time rather than linked. It chooses its kernels while it is loaded, and
// falls back to those of 2004 on a processor newer than itself. On a Xeon of 2023, version 0.3.21
// of Debian 12 runs its Prescott kernels by default; the right ones make SGEMM 5 times faster and
// SASUM 4 times. A baseline must not lose by that.
#include "bench/matrices/blas.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

namespace tutti::bench {
namespace {

std::string loaded_kernels;

void name_kernels() {
  constexpr int keep = 0;  // what the user has set is right
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    setenv("OPENBLAS_CORETYPE", "SkylakeX", keep);
  else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    setenv("OPENBLAS_CORETYPE", "Haswell", keep);
}

void* open_library() {
  name_kernels();
  for (const char* name : {"libopenblas.so.0", "libopenblas.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw std::runtime_error("needs OpenBLAS (Debian: libopenblas0)");
}

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("OpenBLAS has no function ") + name);
}

Blas load() {
  void* library = open_library();
  Blas result;
  find(library, "cblas_sasum", result.sasum);
  find(library, "cblas_sgemv", result.sgemv);
  find(library, "cblas_sgemm", result.sgemm);
  find(library, "sgesv_", result.sgesv);
  find(library, "ssyevd_", result.ssyevd);
  char* (*kernels)() = nullptr;
  find(library, "openblas_get_corename", kernels);
  loaded_kernels = kernels();
  return result;
}

}  // namespace

const Blas& blas() {
  static const Blas loaded = load();
  return loaded;
}

const std::string& blas_kernels() { return loaded_kernels; }

}  // namespace tutti::bench
