// The library of hand-written CUDA programs, loaded at run time where there is one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bench/cuda/baseline.hpp"
#include "bench/harness/registry.hpp"

namespace tutti::bench::cuda {

class BaselineLibrary {
 public:
  explicit BaselineLibrary(const std::string& file);  // throws if it is no such library

  // The programs for a benchmark: the one of its name, then those of other libraries.
  std::vector<std::string> names_for(const std::string& benchmark) const;
  std::unique_ptr<Baseline> make(const std::string& name, const Workload& workload) const;

 private:
  ListBaselines list_;
  MakeBaseline make_;
};

}  // namespace tutti::bench::cuda
