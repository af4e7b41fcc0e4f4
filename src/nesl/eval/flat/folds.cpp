// Scans and reductions.
#include <limits>

#include "nesl/eval/extremes.hpp"
#include "nesl/eval/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Value;

bool of(MonoType::Kind kind, const Call& c) { return c.types[0]->a->kind == kind; }

// Floats are bounded by what the language calls the extreme of nothing; ours are the infinities.
Value bounded(const Call& c, Reduction reduction, const Value& value) {
  if (!of(MonoType::Kind::floating, c)) return value;
  if (reduction == Reduction::max) return apply(c, Op::max, {value, floating(least_float)});
  if (reduction == Reduction::min) return apply(c, Op::min, {value, floating(greatest_float)});
  return value;
}

template <Reduction on_numbers, Reduction on_bools>
Value scan(const Call& c) {
  const Reduction reduction = of(MonoType::Kind::boolean, c) ? on_bools : on_numbers;
  return bounded(c, reduction, nested::scan(c.at, reduction, c[0], true, Location()));
}
template <Reduction on_numbers, Reduction on_bools>
Value reduce(const Call& c) {
  const Reduction reduction = of(MonoType::Kind::boolean, c) ? on_bools : on_numbers;
  return bounded(c, reduction, nested::reduce(c.at, reduction, c[0], Location()));
}

// Of no elements, the least of no positions; a context gives -1.
template <Reduction reduction>
Value extreme_index(const Call& c) {
  const Value found = nested::extreme_index(c.at, reduction, c[0], Location());
  const Value none = apply(c, Op::less, {found, integer(0)});
  return apply(c, Op::choose, {none, integer(std::numeric_limits<int>::max()), found});
}

}  // namespace

void add_fold_functions(Table& table) {
  table.insert({
#define NESL_FOLD(scan_name, fold_name, elements, on_numbers, on_bools, scan_text, fold_text) \
  {scan_name, scan<Reduction::on_numbers, Reduction::on_bools>},                              \
      {fold_name, reduce<Reduction::on_numbers, Reduction::on_bools>},
#include "nesl/library/folds.def"
      {"max_index", extreme_index<Reduction::max>}, {"min_index", extreme_index<Reduction::min>}});
}

}  // namespace tutti::nesl::flat
