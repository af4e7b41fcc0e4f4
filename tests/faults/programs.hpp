// Small programs that together use every part of the library, for runs in which something fails.
#pragma once
#include <string>
#include <vector>

namespace tutti::test {

struct FaultProgram {
  const char* name;
  // Computes from nothing and gives all results as text. What it made is gone when it returns.
  std::string (*run)();
  // Reads no size that a kernel computes, so it runs on a driver whose kernels do nothing.
  bool on_gpu;
};
const std::vector<FaultProgram>& fault_programs();

}  // namespace tutti::test
