// The library of hand-written CUDA programs, loaded at run time.
#include "bench/cuda/baseline_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace tutti::bench::cuda {
namespace {

std::vector<HostArray> plain(const std::vector<SharedArray>& arrays) {
  std::vector<HostArray> result;
  for (const SharedArray& shared : arrays) result.push_back(shared.array);
  return result;
}

}  // namespace

BaselineLibrary::BaselineLibrary(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // until the process ends
  if (!library) throw std::runtime_error(dlerror());
  auto find = [&](const char* symbol) {
    void* address = dlsym(library, symbol);
    if (!address) throw std::runtime_error(file + " has no " + symbol);
    return address;
  };
  list_ = reinterpret_cast<ListBaselines>(find(list_symbol));
  make_ = reinterpret_cast<MakeBaseline>(find(make_symbol));
}

std::vector<std::string> BaselineLibrary::names_for(const std::string& benchmark) const {
  std::vector<std::string> names;
  for (const char* const* entry = list_(); *entry; ++entry) {
    const std::string name = *entry;
    if (name == benchmark || name.starts_with(benchmark + "/")) names.push_back(name);
  }
  return names;
}

std::unique_ptr<Baseline> BaselineLibrary::make(const std::string& name,
                                                const Workload& workload) const {
  const std::vector<HostArray> inputs = plain(workload.inputs), outputs = plain(workload.outputs);
  const Problem problem{inputs.data(), static_cast<int>(inputs.size()), outputs.data(),
                        static_cast<int>(outputs.size())};
  return std::unique_ptr<Baseline>(make_(name.c_str(), &problem));
}

}  // namespace tutti::bench::cuda
