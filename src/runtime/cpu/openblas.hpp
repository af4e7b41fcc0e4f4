// OpenBLAS, loaded at run time where it is installed, with its functions of BLAS and LAPACK. It
// ends the process if it cannot start threads, and retries forever if it cannot allocate memory. So
// it is loaded without threads of its own, and calls are announced: see OpenBlasCallers.
#pragma once

namespace tutti::runtime {

// Returns a function of OpenBLAS; null if it is not installed or lacks the function.
void* openblas_symbol(const char* name);
template <class F>
F openblas_function(const char* name) {
  return reinterpret_cast<F>(openblas_symbol(name));
}

const char* openblas_name();  // the file that was loaded, or "none"
bool openblas_has_threads();  // the program had loaded it before, with its own threads

// During its lifetime, count() threads may call OpenBLAS: up to `wanted`. 0: there is no memory, or
// the process is ending.
class OpenBlasCallers {
 public:
  explicit OpenBlasCallers(int wanted);
  ~OpenBlasCallers();
  OpenBlasCallers(const OpenBlasCallers&) = delete;
  OpenBlasCallers& operator=(const OpenBlasCallers&) = delete;
  int count() const { return count_; }

 private:
  const int count_;
};

}  // namespace tutti::runtime
