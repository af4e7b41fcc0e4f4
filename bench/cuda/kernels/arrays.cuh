// The arrays of a benchmark on the device, for as long as its program is in use. Failures of the
// CUDA runtime are not looked at call by call: the program's error() reports the first of them.
#pragma once
#include <functional>
#include <vector>

#include "bench/cuda/baseline.hpp"

namespace tutti::bench::cuda {

class Arrays {
 public:
  explicit Arrays(const Problem& problem);
  ~Arrays();
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  template <class T = float>
  const T* in(int i) const {
    return static_cast<const T*>(inputs_[i]);
  }
  template <class T = float>
  T* out(int i) const {
    return static_cast<T*>(outputs_[i].device);
  }
  template <class T = float>
  size_t out_count(int i) const {
    return outputs_[i].host.bytes / sizeof(T);
  }
  // More memory, zeroed.
  template <class T = float>
  T* scratch(size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

  template <class T = float>
  size_t in_count(int i) const {
    return input_bytes_[i] / sizeof(T);
  }
  // Of the first input.
  template <class T = float>
  size_t count() const {
    return in_count<T>(0);
  }
  // Of an image or a matrix: the first input, or an output.
  template <class T = float>
  int side() const {
    return side_of(count<T>());
  }
  template <class T = float>
  int out_side(int i) const {
    return side_of(out_count<T>(i));
  }

  void fetch() const;  // the outputs to the host

 private:
  struct Output {
    void* device;
    HostArray host;
  };
  void* allocate(size_t bytes);
  static int side_of(size_t count);

  std::vector<size_t> input_bytes_;
  std::vector<void*> memory_;
  std::vector<const void*> inputs_;
  std::vector<Output> outputs_;
};

// A program is prepared once, which may allocate, and then launched any number of times.
using Launch = std::function<void()>;

// Of a library, one for all programs; it takes its time to make.
template <class Handle, auto create>
Handle library_handle() {
  static const Handle handle = [] {
    Handle result = nullptr;
    create(&result);
    return result;
  }();
  return handle;
}

inline unsigned blocks_for(size_t count, int a_block) {
  return static_cast<unsigned>((count + a_block - 1) / a_block);
}

}  // namespace tutti::bench::cuda
