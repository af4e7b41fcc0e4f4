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

// As std::copy. Most ranges are short: a loop is faster than memmove() then.
template <class T>
T* copy_range(const T* begin, const T* end, T* to) {
  constexpr std::ptrdiff_t few = 16;
  if (end - begin > few) return std::copy(begin, end, to);
  while (begin != end) *to++ = *begin++;
  return to;
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

std::int64_t Values::numbers_in(std::size_t begin, std::size_t end) const {
  const auto count = [&](const auto& elements) -> std::int64_t {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>) {
      return elements.parts[0].elements().numbers_in(begin, end);
    } else if constexpr (std::is_same_v<Elements, Rows>) {
      const std::span<const int> offsets = elements.offsets.elements().template numbers<int>();
      return elements.contents.elements().numbers_in(static_cast<std::size_t>(offsets[begin]),
                                                     static_cast<std::size_t>(offsets[end]));
    } else if constexpr (std::is_same_v<Elements, std::vector<Value>>) {
      std::int64_t total = 0;
      for (std::size_t i = begin; i < end; ++i) {
        if (elements[i].tag_ != Value::Tag::sequence) return static_cast<std::int64_t>(end - begin);
        total += elements[i].elements().numbers_in(0, elements[i].elements().size());
      }
      return total;
    } else {
      return static_cast<std::int64_t>(end - begin);
    }
  };
  return std::visit(count, data_);
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
      Elements elements(total);
      auto* to = elements.data();
      for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto* at = from.data() + begins[i];
        while (i + 1 < begins.size() && begins[i + 1] == ends[i]) ++i;  // they go on
        to = copy_range(at, from.data() + ends[i], to);
      }
      result.data_ = std::move(elements);
    }
  };
  std::visit(gather, data_);
  return result;
}

Values Values::joined_ranges(const Values& a, std::span<const int> a_begins,
                             std::span<const int> a_ends, const Values& b,
                             std::span<const int> b_begins, std::span<const int> b_ends) {
  Values result;
  const auto join = [&](const auto& from) {
    using Elements = std::decay_t<decltype(from)>;
    if constexpr (std::is_same_v<Elements, Columns>) {
      const auto& other = std::get<Columns>(b.data_);
      const auto part = [&](int i) {
        return joined_ranges(from.parts[i].elements(), a_begins, a_ends, other.parts[i].elements(),
                             b_begins, b_ends);
      };
      result = zipped(part(0), part(1));
    } else if constexpr (is_array<Elements>) {
      const auto& other = std::get<Elements>(b.data_);
      std::size_t total = 0;
      for (std::size_t i = 0; i < a_begins.size(); ++i)
        total += static_cast<std::size_t>(a_ends[i] - a_begins[i] + b_ends[i] - b_begins[i]);
      Elements elements(total);
      auto* to = elements.data();
      for (std::size_t i = 0; i < a_begins.size(); ++i) {
        to = copy_range(from.data() + a_begins[i], from.data() + a_ends[i], to);
        to = copy_range(other.data() + b_begins[i], other.data() + b_ends[i], to);
      }
      result.data_ = std::move(elements);
    }
  };
  if (a.is_like(b) && !a.are_rows()) {
    std::visit(join, a.data_);
    return result;
  }
  for (std::size_t i = 0; i < a_begins.size(); ++i) {
    result.append(a, static_cast<std::size_t>(a_begins[i]), static_cast<std::size_t>(a_ends[i]));
    result.append(b, static_cast<std::size_t>(b_begins[i]), static_cast<std::size_t>(b_ends[i]));
  }
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
