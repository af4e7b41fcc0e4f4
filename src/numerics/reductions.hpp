// The table of reductions (tutti/detail/reductions.def) as data, for the interpreter, the builders
// and the emitters. Nothing else lists reductions.
#pragma once
#include <array>
#include <optional>
#include <type_traits>

#include "tutti/detail/graph.hpp"

namespace tutti::ir {

enum class Identity : uint8_t { zero, one, lowest, greatest, all_ones, nan };

struct ReductionInfo {
  const char* function;
  Op op;
  Identity identity;
  // The reduction that the graph contains for elements of these types; nothing: refused.
  std::optional<Reduction> on_floats, on_integers, on_flags;
  bool accumulates;  // in a wider type
};

namespace reduction_table {

constexpr std::optional<Reduction> none;
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  constexpr std::optional<Reduction> id = Reduction::id;
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

constexpr ReductionInfo rows[] = {
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  {#function,                                                                                     \
   Op::op,                                                                                        \
   Identity::identity,                                                                            \
   floats,                                                                                        \
   integers,                                                                                      \
   flags,                                                                                         \
   detail::ReductionResult::result == detail::ReductionResult::accumulated},
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
};

}  // namespace reduction_table

constexpr int reduction_count = static_cast<int>(std::size(reduction_table::rows));

constexpr const ReductionInfo& info_of(Reduction reduction) {
  return reduction_table::rows[static_cast<int>(reduction)];
}

// Returns the reduction that the graph contains for elements of a type, or nothing if refused.
constexpr std::optional<Reduction> canonical_reduction(Reduction reduction, ElementType type) {
  const ReductionInfo& info = info_of(reduction);
  if (type == ElementType::b8) return info.on_flags;
  return is_floating(type) ? info.on_floats : info.on_integers;
}

// half is summed and multiplied in float.
constexpr bool sums_in_float(Reduction reduction, ElementType type) {
  return type == ElementType::f16 && info_of(reduction).accumulates;
}

}  // namespace tutti::ir
