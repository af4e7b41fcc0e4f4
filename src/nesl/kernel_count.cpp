#include "nesl/kernel_count.hpp"

namespace tutti::nesl {

thread_local KernelCount* KernelCount::innermost_ = nullptr;

KernelCount::KernelCount(Machine& machine, const std::string& function)
    : machine_(machine), function_(function) {
  if (!machine_.observer.count_kernels) return;
  begin_ = here();
  outer_ = innermost_;
  innermost_ = this;
}

KernelCount::~KernelCount() {
  if (!machine_.observer.count_kernels) return;
  const Observer::Kernels now = here();
  const Observer::Kernels all{0, now.launches - begin_.launches, now.compiled - begin_.compiled,
                              now.compile_seconds - begin_.compile_seconds};
  Observer::Kernels& own = machine_.observer.kernels[function_];
  ++own.calls;
  own.launches += all.launches - inside_.launches;
  own.compiled += all.compiled - inside_.compiled;
  own.compile_seconds += all.compile_seconds - inside_.compile_seconds;
  innermost_ = outer_;
  if (!outer_) return;
  outer_->inside_.launches += all.launches;
  outer_->inside_.compiled += all.compiled;
  outer_->inside_.compile_seconds += all.compile_seconds;
}

Observer::Kernels KernelCount::here() const {
  const Statistics now = statistics();
  return {0, static_cast<long>(now.kernel_launches),
          static_cast<long>(now.kernels_compiled + now.kernels_from_disk), now.compile_seconds};
}

}  // namespace tutti::nesl
