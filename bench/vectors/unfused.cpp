#include "bench/vectors/unfused.hpp"

#include "tutti/runtime.hpp"

namespace tutti::bench {
namespace {

// As long as it lives, a second pending operation evaluates the first.
class Unfused {
 public:
  Unfused() : before_(settings()) {
    Settings changed = before_;
    changed.max_pending_operations = 1;
    set_settings(changed);
  }
  ~Unfused() { set_settings(before_); }
  Unfused(const Unfused&) = delete;
  Unfused& operator=(const Unfused&) = delete;

 private:
  Settings before_;
};

Workload against_unfused(const Workload& fused) {
  Workload result = fused;
  result.baseline = [fused] {
    const Unfused unfused;
    fused.tutti();
  };
  result.disagreement = [fused] {
    fused.baseline();
    const Unfused unfused;
    return fused.disagreement();
  };
  return result;
}

void change(std::vector<Size>& sizes) {
  for (Size& size : sizes)
    size.prepare = [prepare = size.prepare] { return against_unfused(prepare()); };
}

}  // namespace

std::vector<Comparison> against_unfused(std::vector<Comparison> comparisons) {
  for (Comparison& comparison : comparisons) {
    change(comparison.sizes);
    change(comparison.gpu_sizes);
  }
  return comparisons;
}

}  // namespace tutti::bench
