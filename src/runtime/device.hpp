// What a device can do: run the steps of a plan on buffers. The CPU is one; others come beside it.
#pragma once
#include <string>

#include "passes/plan.hpp"

namespace tutti::runtime {

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  // `words` are the arguments of the step, complete.
  virtual void run(const passes::KernelStep& step, const int64_t* words) = 0;
  // One block of words for each kernel of the chain; the words of internal values are filled in here.
  virtual void run(const passes::ChainStep& step, std::vector<std::vector<int64_t>> words) = 0;
  virtual void run(const passes::ProductStep& step, const void* a, const void* b, void* c) = 0;
  virtual void fill(void* target, ScalarValue value, int64_t elements) = 0;
};

Device& cpu();
int cpu_threads();  // how many run kernels

}  // namespace tutti::runtime
