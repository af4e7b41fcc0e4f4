// Sequences of short sequences, held as one sequence of all their elements and the offsets where
// each begins. The first offset is 0 and the last one the number of elements, so the contents are
// what `flatten` gives. No row has more than `longest_row` elements.
#include <algorithm>
#include <limits>

#include "nesl/values/value.hpp"

namespace tutti::nesl {
namespace {

// Offsets are ints.
bool is_too_much(std::size_t total) {
  return total > static_cast<std::size_t>(std::numeric_limits<int>::max());
}

}  // namespace

Values::Rows Values::no_rows() { return {Values(std::vector<int>{0}), Values()}; }

std::span<const int> Values::offsets() const {
  return std::get<Rows>(data_).offsets.elements().numbers<int>();
}

Values Values::nested(std::vector<int> offsets, Value contents) {
  Values result;
  const std::size_t count = offsets.size() - 1;
  if (count == 0) return result;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < count; ++i)
    longest = std::max(longest, static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  if (longest <= longest_row) {
    result.data_ = Rows{Values(std::move(offsets)), std::move(contents)};
    return result;
  }
  auto& objects = result.data_.emplace<std::vector<Value>>();
  objects.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    objects.emplace_back(contents.elements().part(offsets[i], offsets[i + 1]));
  return result;
}

bool Values::add_row(const Values& row) {
  Rows& rows = std::get<Rows>(data_);
  Values& contents = own(rows.contents);
  const std::size_t total = contents.size() + row.size();
  if (row.size() > longest_row || is_too_much(total)) {
    make_objects();
    return false;
  }
  contents.append(row);
  std::get<std::vector<int>>(own(rows.offsets).data_).push_back(static_cast<int>(total));
  return true;
}

void Values::append_rows(const Rows& others, std::size_t begin, std::size_t end) {
  const std::span<const int> from = others.offsets.elements().numbers<int>();
  Rows& rows = std::get<Rows>(data_);
  Values& contents = own(rows.contents);
  const std::size_t before = contents.size();
  if (is_too_much(before + static_cast<std::size_t>(from[end] - from[begin]))) {
    make_objects();
    for (std::size_t i = begin; i < end; ++i)
      push_back(others.contents.elements().part(from[i], from[i + 1]));
    return;
  }
  contents.append(others.contents.elements(), from[begin], from[end]);
  auto& offsets = std::get<std::vector<int>>(own(rows.offsets).data_);
  const int shift = static_cast<int>(before) - from[begin];
  for (std::size_t i = begin; i < end; ++i) offsets.push_back(from[i + 1] + shift);
}

void Values::make_objects() {
  std::vector<Value> objects;
  objects.reserve(std::max(reserved_, size()));
  for (std::size_t i = 0; i < size(); ++i) objects.push_back((*this)[i]);
  data_ = std::move(objects);
}

void Values::make_rows() {
  const auto& objects = std::get<std::vector<Value>>(data_);
  for (const Value& object : objects)
    if (object.tag_ != Value::Tag::sequence || object.elements().size() > longest_row) return;
  Values rows;
  rows.reserved_ = reserved_;
  rows.data_ = no_rows();
  if (reserved_) rows.reserve(reserved_);
  for (const Value& object : objects)
    if (!rows.add_row(object.elements())) return;
  *this = std::move(rows);
}

Values Values::gathered_ranges(std::span<const int> begins, std::span<const int> ends) const {
  Values result;
  std::size_t total = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) total += ends[i] - begins[i];
  if (total == 0) return result;
  const auto gather = [&](const auto& from) {
    using Elements = std::decay_t<decltype(from)>;
    if constexpr (std::is_same_v<Elements, Columns>) {
      result = zipped(from.parts[0].elements().gathered_ranges(begins, ends),
                      from.parts[1].elements().gathered_ranges(begins, ends));
    } else if constexpr (std::is_same_v<Elements, Rows>) {
      std::vector<int> indices;
      indices.reserve(total);
      for (std::size_t i = 0; i < begins.size(); ++i)
        for (int k = begins[i]; k < ends[i]; ++k) indices.push_back(k);
      result = gathered_rows(indices);
    } else if constexpr (is_array<Elements>) {
      Elements elements;
      elements.reserve(total);
      for (std::size_t i = 0; i < begins.size(); ++i)
        elements.insert(elements.end(), from.begin() + begins[i], from.begin() + ends[i]);
      result.data_ = std::move(elements);
    }
  };
  std::visit(gather, data_);
  return result;
}

Values Values::gathered_rows(std::span<const int> indices) const {
  const std::span<const int> from = offsets();
  std::vector<int> begins(indices.size()), ends(indices.size()), offsets(indices.size() + 1);
  std::size_t total = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    begins[i] = from[indices[i]];
    ends[i] = from[indices[i] + 1];
    total += ends[i] - begins[i];
    offsets[i + 1] = static_cast<int>(total);
  }
  Values result;
  if (is_too_much(total)) {
    for (int i : indices) result.push_back((*this)[i]);
    return result;
  }
  result.data_ =
      Rows{Values(std::move(offsets)), contents().elements().gathered_ranges(begins, ends)};
  return result;
}

// Rows cannot be replaced in place, since they have other lengths: each is taken from one of both.
void Values::scatter_rows(std::span<const int> indices, const Values& values) {
  std::vector<int> sources(size());
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < indices.size(); ++i)
    sources[indices[i]] = static_cast<int>(sources.size() + i);
  append(values);
  *this = gathered(sources);
}

}  // namespace tutti::nesl
