#include "runtime/cpu/primitives/fourier_plan.hpp"

#include <list>
#include <span>
#include <tuple>

#include "core/process/fork.hpp"
#include "numerics/fourier.hpp"
#include "runtime/cpu/primitives/parts.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t part = 1 << 12;  // of a table, for a thread

// Returns the roots of unity of one length. If it is a multiple of 8, they are those of an octant
// of the circle, with exchanged or negated parts.
template <class T>
class Roots {
 public:
  explicit Roots(int64_t n) : n_(n) {
    if (n % 8 != 0 || n < 64) return;
    octant_.resize(static_cast<size_t>(n / 8 + 1));
    in_parts(n / 8 + 1, part, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) octant_[static_cast<size_t>(t)] = rounded(t);
    });
    auto& [re, im] = octant_.back();  // belongs to the next octant, which exchanges the parts
    std::tie(re, im) = std::pair(-im, -re);
  }
  std::pair<T, T> at(int64_t t) const {
    if (octant_.empty()) return rounded(t);
    const int64_t eighth = n_ / 8, octant = t / eighth, within = t % eighth;
    const auto [c, minus_s] =
        octant_[static_cast<size_t>(octant % 2 == 0 ? within : eighth - within)];
    return ir::in_octant(octant, c, -minus_s);
  }

 private:
  std::pair<T, T> rounded(int64_t t) const {
    const ir::Root root = ir::root_of_unity(t, n_);
    return {static_cast<T>(root.real), static_cast<T>(root.imag)};
  }
  int64_t n_;
  std::vector<std::pair<T, T>> octant_;
};

// Makes the stages of columns of `rows` elements. In the first phase there is a factor for each of
// the `columns`.
template <class T>
std::vector<FourierStage<T>> stages(std::span<const int64_t> radices, int64_t rows, int64_t columns,
                                    bool first_phase) {
  std::vector<FourierStage<T>> result;
  int64_t rest = rows, done = 1;
  for (const int64_t radix : radices) {
    rest /= radix;
    FourierStage<T>& stage = result.emplace_back(FourierStage<T>{radix, rest, done, {}, {}});
    done *= radix;
    const int64_t each = rest * columns, factors = (radix - 1) * each;
    if (each == 1) continue;
    stage.re.resize(static_cast<size_t>(factors));
    stage.im.resize(static_cast<size_t>(factors));
    const Roots<T> roots(radix * each);
    in_parts(each, part, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p)
        for (int64_t k = 1; k < radix; ++k) {
          const auto to =
              static_cast<size_t>(first_phase ? (k - 1) * each + p : p * (radix - 1) + k - 1);
          std::tie(stage.re[to], stage.im[to]) = roots.at(p * k);
        }
    });
  }
  return result;
}

template <class T>
std::shared_ptr<const FourierPlan<T>> make_plan(int64_t length, bool two_phases) {
  const std::vector<int64_t> radices = ir::radices_of(length);
  auto plan = std::make_shared<FourierPlan<T>>();
  plan->length = length;
  size_t before = 0;
  while (two_phases && before + 1 < radices.size() &&
         plan->rows * radices[before] <= length / (plan->rows * radices[before]))
    plan->rows *= radices[before++];
  plan->columns = length / plan->rows;
  const std::span<const int64_t> all(radices);
  plan->first = stages<T>(all.first(before), plan->rows, plan->columns, true);
  plan->second = stages<T>(all.subspan(before), plan->columns, 1, false);
  return plan;
}

// The plans of lengths that were used last.
template <class T>
class PlanCache {
 public:
  std::shared_ptr<const FourierPlan<T>> get(int64_t length, bool two_phases) {
    {
      const auto lock = lock_renewable(mutex_, entries_);
      for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (entry->plan->length == length && entry->two_phases == two_phases) {
          entries_.splice(entries_.begin(), entries_, entry);
          return entries_.front().plan;
        }
    }
    std::shared_ptr<const FourierPlan<T>> made = make_plan<T>(length, two_phases);
    const auto lock = lock_renewable(mutex_, entries_);
    entries_.push_front({two_phases, made});
    // There are about as many factors as elements. The last plan is always kept.
    constexpr int64_t most_elements = int64_t{1} << 23;
    int64_t elements = 0;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      elements += entry->plan->length;
      const bool drops = elements > most_elements && entry != entries_.begin();
      entry = drops ? entries_.erase(entry) : std::next(entry);
    }
    return made;
  }

 private:
  struct Entry {
    bool two_phases;
    std::shared_ptr<const FourierPlan<T>> plan;
  };
  ForkMutex mutex_;
  std::list<Entry> entries_;
};

}  // namespace

template <class T>
std::shared_ptr<const FourierPlan<T>> fourier_plan(int64_t length, bool two_phases) {
  // Never destroyed: threads may still compute while statics are destroyed.
  static auto* cache = new PlanCache<T>;
  return cache->get(length, two_phases);
}
template std::shared_ptr<const FourierPlan<float>> fourier_plan(int64_t, bool);
template std::shared_ptr<const FourierPlan<double>> fourier_plan(int64_t, bool);

}  // namespace tutti::runtime
