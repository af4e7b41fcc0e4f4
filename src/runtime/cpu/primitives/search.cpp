// Searches in sorted vectors: the segment of each element, bounds of queries.
#include <algorithm>
#include <cstring>

#include "core/elements/convert.hpp"
#include "graph/build_primitives.hpp"
#include "numerics/sort_key.hpp"
#include "runtime/cpu/primitives/parts.hpp"
#include "runtime/cpu/primitives/primitives.hpp"

namespace tutti::runtime {
namespace {

constexpr int64_t task_elements = 1 << 14;

template <class T, class I>
void search_as(const PrimitiveArguments& arguments) {
  const T *sorted = arguments.input<T>(0), *queries = arguments.input<T>(1);
  const int64_t n = arguments.elements(0);
  const bool right = arguments.step.get<ir::SearchSide>() == ir::SearchSide::right;
  in_parts(arguments.elements(1), task_elements, [&](int64_t begin, int64_t end) {
    for (int64_t q = begin; q < end; ++q) {
      const auto wanted = ir::sort_key(queries[q], false);
      int64_t first = 0, left = n;  // the result is in [first, first + left]
      while (left > 0) {
        const int64_t half = left / 2;
        const auto key = ir::sort_key(sorted[first + half], false);
        const bool before = right ? key <= wanted : key < wanted;
        first = before ? first + half + 1 : first;
        left = before ? left - half - 1 : half;
      }
      arguments.output<I>()[q] = static_cast<I>(first);
    }
  });
}

// Writes the number of each segment once for each of its elements in [begin, end). Most segments
// are short: whole vectors are stored, and the next segment overwrites the excess.
template <class I>
void number_elements(const I* offsets, int64_t s, int64_t begin, int64_t end, int32_t* out) {
  constexpr int64_t lanes = 8;
  int64_t i = begin;
  for (; i + lanes <= end; ++s) {
    const int64_t stop = std::min<int64_t>(end, offsets[s + 1]);
    std::fill_n(out + i, lanes, static_cast<int32_t>(s));
    for (int64_t k = i + lanes; k < stop; k += lanes)
      std::fill_n(out + std::min(k, end - lanes), lanes, static_cast<int32_t>(s));
    i = stop;
  }
  for (; i < end; ++s) {
    const int64_t stop = std::min<int64_t>(end, offsets[s + 1]);
    std::fill(out + i, out + stop, static_cast<int32_t>(s));
    i = stop;
  }
}

}  // namespace

void element_segments(const PrimitiveArguments& arguments) {
  const int64_t n = arguments.step.shape[0];
  const ir::Offsets offsets = arguments.checked_offsets(0, n);
  in_parts(n, task_elements, [&](int64_t begin, int64_t end) {
    const int64_t first = offsets.segment_of(begin);
    if (arguments.step.inputs[0].type == ElementType::i64)
      number_elements(arguments.input<int64_t>(0), first, begin, end, arguments.output<int32_t>());
    else
      number_elements(arguments.input<int32_t>(0), first, begin, end, arguments.output<int32_t>());
  });
}

void checked_offsets(const PrimitiveArguments& arguments) {
  const bool any = arguments.step.get<ir::OffsetRule>() == ir::OffsetRule::ascend;
  const ir::Offsets checked =
      arguments.checked_offsets(0, any ? ir::Offsets::any_number : arguments.elements(1));
  arguments.note_result_is_offsets_of(checked[checked.segments()]);
  std::memcpy(arguments.output<char>(), arguments.input<char>(0),
              static_cast<size_t>(arguments.elements(0) * size_of(arguments.step.type)));
}

void search_sorted(const PrimitiveArguments& arguments) {
  visit_type(arguments.step.inputs[0].type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (arguments.step.type == ElementType::i64)
      search_as<T, int64_t>(arguments);
    else
      search_as<T, int32_t>(arguments);
  });
}

}  // namespace tutti::runtime
