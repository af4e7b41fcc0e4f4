// Making sequences, their lengths and single elements.
#include <algorithm>

#include "nesl/library/primitives/checks.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;

// One sequence of a billion is a mistake, not a program; a limit well below exhausts nothing.
constexpr std::int64_t max_new_length = 1 << 30;

Value length(const Call& c) { return length_of(c[0]); }

Value distribute(const Call& c) {
  const int count = c[1].integer();
  if (count < 0) fail("dist: ", nested::no_length(count));
  check_length(count, max_new_length);
  c.machine.spend(count);
  return Values(count, c[0]);
}

Value element(const Call& c) {
  const int i = c[1].integer(), n = length_of(c[0]);
  if (i < 0 || i >= n) fail("elt: ", nested::no_element(i, n));
  return c[0].elements()[i];
}

Value range(const Call& c) {
  const std::int64_t begin = c[0].integer(), stride = std::max(c[1].integer(), 1),
                     end = std::max(c[2].integer(), c[0].integer());
  require(c, c[1].integer() >= 1, "the stride of a range is less than 1");
  require(c, c[2].integer() >= begin, "a range ends before it begins");
  const std::int64_t count = (end - begin - 1 + stride) / stride;
  check_length(count, max_new_length);
  c.machine.spend(count);
  std::vector<int> result(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    result[static_cast<std::size_t>(i)] = static_cast<int>(begin + i * stride);
  return Values(std::move(result));
}

Value zip(const Call& c) {
  const Values &a = c[0].elements(), &b = c[1].elements();
  if (a.size() != b.size())
    fail("zip: ", nested::unequal_lengths(length_of(c[0]), length_of(c[1])));
  c.machine.spend(static_cast<std::int64_t>(a.size()));
  return Values::zipped(c[0], c[1]);
}

Value unzip(const Call& c) {
  c.machine.spend(length_of(c[0]));
  return Value(c[0].elements().column_value(0), c[0].elements().column_value(1));
}

Value append(const Call& c) {
  const Values &first = c[0].elements(), &second = c[1].elements();
  if (first.empty() || second.empty()) {
    c.machine.spend(1);
    return first.empty() ? c[1] : c[0];
  }
  const auto total = static_cast<std::int64_t>(first.size() + second.size());
  check_length(total);
  Values result;
  result.reserve(static_cast<std::size_t>(total));
  result.append(first);
  result.append(second);
  c.machine.spend(total);
  return Value(std::move(result));
}

Value subsequence(const Call& c) {
  const int begin = c[1].integer(), end = c[2].integer(), n = length_of(c[0]);
  if (begin < 0 || end > n || end < begin)
    fail("subseq: ", nested::no_slice(std::int64_t{end} - begin, begin, n));
  c.machine.spend(end - begin);
  return c[0].elements().part(begin, end);
}

Value pack(const Call& c) {
  c.machine.spend(length_of(c[0]));
  return c[0].elements().column(0).selected(c[0].elements().column(1).numbers<Values::Flag>());
}

}  // namespace

std::vector<Primitive> sequence_primitives() {
  return {
      {"length", "[a] -> int", length, "The number of elements; also prefix #."},
      {"dist", "(a, int) -> [a]", distribute, "A number of copies of a value."},
      {"elt", "([a], int) -> a", element, "The element at a position from 0; also s[i]."},
      {"iseq", "(int, int, int) -> [int]", range,
       "iseq(s, d, e): s, s+d, ... below e; also [s:e:d]."},
      {"zip", "([a], [b]) -> [(a, b)]", zip, "Pairs of the elements of two sequences."},
      {"unzip", "[(a, b)] -> ([a], [b])", unzip, "The inverse of zip."},
      {"++", "([a], [a]) -> [a]", append, "One sequence after the other."},
      {"pack", "[(a, bool)] -> [a]", pack, "The values whose flag is t."},
      {"subseq", "([a], int, int) -> [a]", subsequence,
       "subseq(s, b, e): the elements from position b up to, not including, e.", Effect::none,
       false},
  };
}

}  // namespace tutti::nesl
