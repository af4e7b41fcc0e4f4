// Scans and reductions. Scans are exclusive; a reduction of nothing gives the identity. Reductions
// follow the tree of compiled kernels, so that sums of floats have their bits.
#include <limits>

#include "nesl/library/primitives/checks.hpp"
#include "nesl/library/primitives/folds.hpp"
#include "reference/elements.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// ---- elements as numbers and back

using folds::Held;

template <class T>
T number(Held<T> held) {
  return static_cast<T>(held);
}
template <class T>
Value value_of(T number) {
  if constexpr (std::is_same_v<T, float>)
    return static_cast<double>(number);
  else
    return number;
}

// Calls the work with a number of the type that the elements have.
template <class Work>
Value with_type(Mono element, const Work& work) {
  switch (element->kind) {
    case MonoType::Kind::integer:
      return work(std::int32_t{});
    case MonoType::Kind::floating:
      return element->single ? work(float{}) : work(double{});
    case MonoType::Kind::boolean:
      return work(bool{});
    default:
      return work(std::uint8_t{});
  }
}

// ---- the folds

template <Reduction reduction, class T>
Value scan_as(const Values& values) {
  const std::span<const Held<T>> numbers = values.numbers<Held<T>>();
  std::vector<Held<T>> results(numbers.size());
  if constexpr (ir::combines<T>(reduction))
    folds::scan<reduction, T>(numbers.data(), numbers.size(), results.data());
  else
    throw InternalError("a scan of elements that it is not for");
  return Values(std::move(results));
}

template <Reduction reduction, class T>
Value reduce_as(const Values& values) {
  const std::span<const Held<T>> numbers = values.numbers<Held<T>>();
  if constexpr (ir::combines<T>(reduction))
    return value_of(folds::reduced<reduction, T>(numbers.data(), numbers.size()));
  else
    throw InternalError("a reduction of elements that it is not for");
}

template <Reduction on_numbers, Reduction on_bools>
Value scan(const Call& c) {
  c.machine.spend(length_of(c[0]));
  return with_type(c.types[0]->a, [&](auto type) {
    constexpr bool bools = std::is_same_v<decltype(type), bool>;
    return scan_as<bools ? on_bools : on_numbers, decltype(type)>(c[0].elements());
  });
}

template <Reduction on_numbers, Reduction on_bools>
Value reduce(const Call& c) {
  c.machine.spend(length_of(c[0]));
  return with_type(c.types[0]->a, [&](auto type) {
    constexpr bool bools = std::is_same_v<decltype(type), bool>;
    return reduce_as<bools ? on_bools : on_numbers, decltype(type)>(c[0].elements());
  });
}

// Leftmost of the best ones; of none, what the least of no positions is.
template <bool greatest>
Value extreme_index(const Call& c) {
  c.machine.spend(length_of(c[0]));
  return with_type(c.types[0]->a, [&](auto type) {
    using T = decltype(type);
    const std::span<const Held<T>> values = c[0].elements().numbers<Held<T>>();
    int best = values.empty() ? std::numeric_limits<int>::max() : 0;
    for (int i = 1; i < length_of(c[0]); ++i) {
      const T now = number<T>(values[best]), other = number<T>(values[i]);
      if (greatest ? now < other : other < now) best = i;
    }
    return Value(best);
  });
}

}  // namespace

std::vector<Primitive> scan_primitives() {
  constexpr const char* position = "[a] -> int :: (a in ordinal)";
  return {
#define NESL_FOLD(scan_name, fold_name, elements, on_numbers, on_bools, scan_text, fold_text) \
  {scan_name, "[a] -> [a] :: (a in " #elements ")",                                           \
   scan<Reduction::on_numbers, Reduction::on_bools>, scan_text},                              \
      {fold_name,                                                                             \
       "[a] -> a :: (a in " #elements ")",                                                    \
       reduce<Reduction::on_numbers, Reduction::on_bools>,                                    \
       fold_text,                                                                             \
       Effect::none,                                                                          \
       false},
#include "nesl/library/folds.def"
      {"max_index", position, extreme_index<true>,
       "The position of the greatest element, the first of several; max_int of none.", Effect::none,
       false},
      {"min_index", position, extreme_index<false>,
       "The position of the least element, the first of several; max_int of none.", Effect::none,
       false},
  };
}

}  // namespace tutti::nesl
