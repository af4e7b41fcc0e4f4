// name-first: equal values get the position of the first of them. Values are sorted by their
// scalars; runs of equal ones are found between neighbours, and each run goes to its first member.
// Those with sequences inside are sorted by hashes instead.
#include "nesl/eval/flat/primitives.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::Value;

// The scalars that make up the elements of a sequence, each as a sequence; false where an element
// has sequences inside.
bool columns_of(const Value& sequence, Mono element, std::vector<Value>& columns) {
  if (element->kind == MonoType::Kind::record) return columns_of(sequence, element->a, columns);
  if (element->is_scalar()) {
    columns.push_back(sequence);
    return true;
  }
  if (element->kind != MonoType::Kind::pair) return false;
  return columns_of(nested::unzip(sequence, 0), element->a, columns) &&
         columns_of(nested::unzip(sequence, 1), element->b, columns);
}

}  // namespace

Value name(const Call& c) {
  const Mono element = c.types[0]->a;
  std::vector<Value> columns;
  if (columns_of(c[0], element, columns)) return name_of_columns(c, columns);
  if (can_hash(element))
    if (const std::optional<Value> names = name_by_hash(c)) return *names;
  return on_the_host(c);
}

Value name_of_columns(const Call& c, const std::vector<Value>& columns) {
  const Value places = nested::iota(c.at, nested::length(c[0]), Location());
  // From the last column to the first, each sort stable: in the end all columns count.
  Value order = places;
  for (std::size_t i = columns.size(); i-- > 0;) {
    Value key = nested::gather(c.at, columns[i], order, Location());
    if (columns.size() == 1) key = columns[i];
    // Truth values are sorted as bytes.
    if (nested::type_of(key.data).parts[0].element == ElementType::b8)
      key = nested::cast(c.at, key, ElementType::u8, Location());
    order = nested::sort(c.at, key, order, false, Location());
  }
  const Value before =
      apply(c, Op::max, {apply(c, Op::subtract, {places, integer(1)}), integer(0)});
  Value begins = apply(c, Op::equal, {places, integer(0)});
  for (const Value& column : columns) {
    const Value sorted = nested::gather(c.at, column, order, Location());
    const Value neighbour = nested::gather(c.at, sorted, before, Location());
    const Op differs = nested::type_of(sorted.data).parts[0].element == ElementType::b8
                           ? Op::logical_xor
                           : Op::not_equal;
    begins = apply(c, Op::logical_or, {begins, apply(c, differs, {sorted, neighbour})});
  }
  const Value marks = apply(c, Op::choose, {begins, places, integer(0)});
  const Value first = nested::scan(c.at, Reduction::max, marks, false, Location());
  return nested::put(c.at, nested::gather(c.at, order, first, Location()), order, places,
                     Location());
}

}  // namespace tutti::nesl::flat
