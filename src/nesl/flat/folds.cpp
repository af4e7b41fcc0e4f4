// Scans and reductions.
#include "nesl/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Value;

// Empty maxima and minima of floats, which the language gives; ours are the infinities.
constexpr double least_float = -1.0e36, greatest_float = 1.0e36;

bool of_floats(const Call& c) { return c.types[0]->a->kind == MonoType::Kind::floating; }
bool of_bools(const Call& c) { return c.types[0]->a->kind == MonoType::Kind::boolean; }

Reduction on_logical(const Call& c, Reduction on_bools, Reduction on_ints) {
  return of_bools(c) ? on_bools : on_ints;
}

Value scan(const Call& c, Reduction reduction) {
  return nested::scan(c.at, reduction, c[0], true, Location());
}
Value reduce(const Call& c, Reduction reduction) {
  return nested::reduce(c.at, reduction, c[0], Location());
}

// Floats are bounded by what the language calls the extreme of nothing.
template <bool greatest>
Value bounded(const Call& c, const Value& value) {
  if (!of_floats(c)) return value;
  return apply(c, greatest ? Op::max : Op::min,
               {value, floating(greatest ? least_float : greatest_float)});
}
template <bool greatest>
Value extreme_scan(const Call& c) {
  return bounded<greatest>(c, scan(c, greatest ? Reduction::max : Reduction::min));
}
template <bool greatest>
Value extreme(const Call& c) {
  return bounded<greatest>(c, reduce(c, greatest ? Reduction::max : Reduction::min));
}
template <bool greatest>
Value extreme_index(const Call& c) {
  return nested::extreme_index(c.at, greatest ? Reduction::max : Reduction::min, c[0], Location());
}

template <Reduction reduction>
Value scan_of(const Call& c) {
  return scan(c, reduction);
}
template <Reduction reduction>
Value reduce_of(const Call& c) {
  return reduce(c, reduction);
}
template <Reduction on_bools, Reduction on_ints>
Value logical_scan(const Call& c) {
  return scan(c, on_logical(c, on_bools, on_ints));
}
template <Reduction on_bools, Reduction on_ints>
Value logical_reduce(const Call& c) {
  return reduce(c, on_logical(c, on_bools, on_ints));
}

}  // namespace

void add_fold_functions(Table& table) {
  table.insert({{"plus_scan", scan_of<Reduction::sum>},
                {"mult_scan", scan_of<Reduction::product>},
                {"max_scan", extreme_scan<true>},
                {"min_scan", extreme_scan<false>},
                {"or_scan", logical_scan<Reduction::any, Reduction::bit_or>},
                {"and_scan", logical_scan<Reduction::all, Reduction::bit_and>},
                {"xor_scan", logical_scan<Reduction::bit_xor, Reduction::bit_xor>},
                {"sum", reduce_of<Reduction::sum>},
                {"product", reduce_of<Reduction::product>},
                {"max_val", extreme<true>},
                {"min_val", extreme<false>},
                {"any", logical_reduce<Reduction::any, Reduction::bit_or>},
                {"all", logical_reduce<Reduction::all, Reduction::bit_and>},
                {"parity", logical_reduce<Reduction::bit_xor, Reduction::bit_xor>},
                {"max_index", extreme_index<true>},
                {"min_index", extreme_index<false>}});
}

}  // namespace tutti::nesl::flat
