#include "nesl/eval/race/kernel_count.hpp"

namespace tutti::nesl {
namespace {

Observer::Kernels kernels_so_far() {
  const Statistics now = statistics();
  return {0, static_cast<long>(now.kernel_launches),
          static_cast<long>(now.kernels_compiled + now.kernels_from_disk), now.compile_seconds};
}

}  // namespace

thread_local KernelCount::Count* KernelCount::innermost_ = nullptr;

void KernelCount::begin(Observer& observer, const std::string& function) {
  count_.reset(new Count{observer, function, innermost_, kernels_so_far(), {}});
  innermost_ = count_.get();
}

void KernelCount::end() {
  const Observer::Kernels now = kernels_so_far(), &before = count_->begin, &in = count_->inside;
  const Observer::Kernels all{0, now.launches - before.launches, now.compiled - before.compiled,
                              now.compile_seconds - before.compile_seconds};
  Observer::Kernels& own = count_->observer.kernels[count_->function];
  ++own.calls;
  own.launches += all.launches - in.launches;
  own.compiled += all.compiled - in.compiled;
  own.compile_seconds += all.compile_seconds - in.compile_seconds;
  Count* outer = innermost_ = count_->outer;
  if (!outer) return;
  outer->inside.launches += all.launches;
  outer->inside.compiled += all.compiled;
  outer->inside.compile_seconds += all.compile_seconds;
}

}  // namespace tutti::nesl
