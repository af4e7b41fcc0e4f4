#include "runtime/gpu/unaligned.hpp"

namespace tutti::runtime::gpu {
namespace {

// Returns the number of elements of the widest access of a kernel.
int64_t widest_access(const compiler::Kernel& kernel) {
  return std::visit([](const auto& strategy) { return strategy.widest(); },
                    std::get<schedule::GpuSchedule>(kernel.schedule));
}

}  // namespace

std::vector<UnalignedArray> unaligned_arrays(const compiler::KernelStep& step,
                                             std::span<const int64_t> words) {
  constexpr int64_t safe = 32;  // the widest access: four elements of eight bytes
  std::vector<UnalignedArray> result;
  const compiler::Kernel& kernel = step.kernel;
  const auto check = [&](int word, ElementType type, int64_t elements, bool is_output) {
    const int64_t address = words[static_cast<size_t>(word)];
    if (address % safe == 0 || address % (widest_access(kernel) * size_of(type)) == 0) return;
    result.push_back({word, elements * size_of(type), is_output});
  };
  for (size_t s = 0; s < kernel.sources.size(); ++s) {
    const compiler::Source& source = kernel.sources[s];
    check(step.layout.source(static_cast<int>(s)), source.type, source.shape.size() * source.parts,
          false);
  }
  // Reductions store their results one by one.
  if (kernel.form == compiler::Form::map)
    for (size_t o = 0; o < kernel.outputs.size(); ++o)
      check(step.layout.output(static_cast<int>(o)), kernel.outputs[o].type, kernel.domain.size(),
            true);
  return result;
}

}  // namespace tutti::runtime::gpu
