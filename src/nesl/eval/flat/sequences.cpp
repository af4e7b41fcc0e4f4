// Making, cutting and reordering sequences.
#include "nesl/eval/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Value;

Value length(const Call& c) { return nested::length(c[0]); }
Value distribute(const Call& c) { return nested::distribute(c.at, c[0], c[1], Location()); }
Value element(const Call& c) { return nested::index(c.at, c[0], c[1], Location()); }

Value range(const Call& c) {
  const Value &begin = c[0], &stride = c[1], &end = c[2];
  require_not(c, apply(c, Op::less, {stride, integer(1)}), "the stride of a range is less than 1");
  require_not(c, apply(c, Op::less, {end, begin}), "a range ends before it begins");
  const Value step = apply(c, Op::max, {stride, integer(1)});
  const Value span = apply(c, Op::max, {apply(c, Op::subtract, {end, begin}), integer(0)});
  const Value rounded = apply(c, Op::add, {apply(c, Op::subtract, {span, integer(1)}), step});
  const Value numbers = nested::iota(c.at, apply(c, Op::divide, {rounded, step}), Location());
  return apply(c, Op::add, {apply(c, Op::multiply, {numbers, step}), begin});
}

Value zip(const Call& c) { return nested::zip(c.at, c.operands, Location()); }
Value unzip(const Call& c) {
  const Value parts[] = {nested::unzip(c[0], 0), nested::unzip(c[0], 1)};
  return nested::tuple(c.at, parts);
}
Value append(const Call& c) { return nested::concat(c.at, c.operands, Location()); }
Value pack(const Call& c) {
  return nested::filter(c.at, nested::unzip(c[0], 0), nested::unzip(c[0], 1), Location());
}
Value subsequence(const Call& c) {
  return nested::slice(c.at, c[0], c[1], apply(c, Op::subtract, {c[2], c[1]}), Location());
}

Value read(const Call& c) { return nested::gather(c.at, c[0], c[1], Location()); }
Value write(const Call& c) {
  return nested::put(c.at, nested::unzip(c[1], 1), nested::unzip(c[1], 0), c[0], Location());
}
Value put(const Call& c) { return nested::put(c.at, c[0], c[1], c[2], Location()); }
Value permute(const Call& c) { return nested::permute(c.at, c[0], c[1], Location()); }

Value flatten(const Call& c) { return nested::flatten(c.at, c[0], Location()); }
Value partition(const Call& c) { return nested::partition(c.at, c[0], c[1], Location()); }

template <bool descending>
Value rank(const Call& c) {
  return nested::rank(c.at, c[0], descending, Location());
}
Value sort(const Call& c) { return nested::sort(c.at, c[0], c[0], false, Location()); }

}  // namespace

void add_sequence_functions(Table& table) {
  table.insert({{"length", length},
                {"dist", distribute},
                {"elt", element},
                {"iseq", range},
                {"zip", zip},
                {"unzip", unzip},
                {"++", append},
                {"pack", pack},
                {"subseq", subsequence},
                {"read", read},
                {"write", write},
                {"put", put},
                {"permute", permute},
                {"flatten", flatten},
                {"partition", partition},
                {"rank", rank<false>},
                {"rank_down", rank<true>},
                {"char_rank", rank<false>},
                {"sort", sort}});
}

}  // namespace tutti::nesl::flat
