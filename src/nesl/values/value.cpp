#include "nesl/values/value.hpp"

#include <algorithm>
#include <ranges>

#include "tutti/detail/nested.hpp"

namespace tutti::nesl {

// Empty sequences are frequent and share one object.
Value::Value(Values elements) : tag_(Tag::sequence) {
  static Sequence* const nothing = new Sequence(Values());
  if (std::holds_alternative<Values::Nothing>(elements.data_)) {
    as_.shared = nothing;
    hold();
  } else {
    as_.shared = new Sequence(std::move(elements));
  }
}
Value::Value(Value first, Value second) : tag_(Tag::pair) {
  as_.shared = new Pair(std::move(first), std::move(second));
}

struct Value::Elsewhere : Shared {
  explicit Elsewhere(nested::Value v) : value(std::move(v)) {}
  const nested::Value value;
};

Value Value::elsewhere(nested::Value value) {
  Value result;
  result.as_.shared = new Elsewhere(std::move(value));
  result.tag_ = Tag::elsewhere;
  return result;
}
const nested::Value& Value::flat() const {
  return static_cast<const Elsewhere*>(as_.shared)->value;
}

void Value::release() {
  if (as_.shared->holders.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  if (tag_ == Tag::sequence)
    delete static_cast<Sequence*>(as_.shared);
  else if (tag_ == Tag::pair)
    delete static_cast<Pair*>(as_.shared);
  else
    delete static_cast<Elsewhere*>(as_.shared);
}

Value Value::text(const std::string& characters) {
  return Values(std::vector<unsigned char>(characters.begin(), characters.end()));
}

std::string Value::text() const {
  const std::span<const unsigned char> characters = elements().numbers<unsigned char>();
  return {characters.begin(), characters.end()};
}

Values::Values(std::initializer_list<Value> elements) {
  reserve(elements.size());
  for (const Value& element : elements) push_back(element);
}

Values::Values(std::size_t count, const Value& element) {
  if (count == 0) return;
  if (element.tag_ == Value::Tag::pair) {
    *this = zipped(Values(count, element.first()), Values(count, element.second()));
    return;
  }
  push_back(element);
  const auto repeat = [&](auto& elements) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (is_array<Elements>) {
      const auto first = elements[0];
      elements.resize(count, first);  // sequences are shared
    }
  };
  std::visit(repeat, data_);
}

Value Values::operator[](std::size_t i) const {
  if (const auto* numbers = std::get_if<std::vector<int>>(&data_)) return (*numbers)[i];
  if (const auto* numbers = std::get_if<std::vector<double>>(&data_)) return (*numbers)[i];
  if (const auto* flags = std::get_if<std::vector<Flag>>(&data_)) return (*flags)[i].value;
  if (const auto* text = std::get_if<std::vector<unsigned char>>(&data_)) return (*text)[i];
  if (const auto* pairs = std::get_if<Columns>(&data_))
    return Value(pairs->parts[0].elements()[i], pairs->parts[1].elements()[i]);
  if (const auto* rows = std::get_if<Rows>(&data_)) {
    const int* offsets = rows->offsets.elements().numbers<int>().data() + i;
    return rows->contents.elements().part(offsets[0], offsets[1]);
  }
  return std::get<std::vector<Value>>(data_)[i];
}

void Values::reserve(std::size_t count) {
  reserved_ = count;
  const auto its = [&](auto& elements) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>)
      for (Value& part : elements.parts) own(part).reserve(count);
    else if constexpr (std::is_same_v<Elements, Rows>)
      own(elements.offsets).reserve(count + 1);
    else if constexpr (is_array<Elements>)
      elements.reserve(count);
  };
  std::visit(its, data_);
}

// The storage for elements of this type.
void Values::begin_with(const Value& first) {
  switch (first.tag_) {
    case Value::Tag::integer:
      data_ = std::vector<int>();
      break;
    case Value::Tag::floating:
      data_ = std::vector<double>();
      break;
    case Value::Tag::boolean:
      data_ = std::vector<Flag>();
      break;
    case Value::Tag::character:
      data_ = std::vector<unsigned char>();
      break;
    case Value::Tag::pair:
      data_ = no_columns();
      break;
    default:
      data_ = std::vector<Value>();
      std::get<std::vector<Value>>(data_).reserve(std::min(reserved_, fewest_rows));
      return;
  }
  if (reserved_) reserve(reserved_);
}

void Values::begin_like(const Values& other) {
  const auto begin = [&](const auto& elements) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>)
      data_ = no_columns();
    else if constexpr (std::is_same_v<Elements, Rows>)
      data_ = no_rows();
    else
      data_ = Elements();
  };
  std::visit(begin, other.data_);
  if (reserved_) reserve(reserved_);
}

template <class Work>
void Values::with_other(const Values& other, const Work& work) {
  const auto both = [&](auto& elements) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (!std::is_same_v<Elements, Nothing>)
      work(elements, std::get<Elements>(other.data_));
  };
  std::visit(both, data_);
}

void Values::push_back(Value element) {
  if (std::holds_alternative<Nothing>(data_)) begin_with(element);
  switch (element.tag_) {
    case Value::Tag::integer:
      return std::get<std::vector<int>>(data_).push_back(element.integer());
    case Value::Tag::floating:
      return std::get<std::vector<double>>(data_).push_back(element.floating());
    case Value::Tag::boolean:
      return std::get<std::vector<Flag>>(data_).push_back({element.boolean()});
    case Value::Tag::character:
      return std::get<std::vector<unsigned char>>(data_).push_back(element.character());
    case Value::Tag::pair: {
      auto& parts = std::get<Columns>(data_).parts;
      own(parts[0]).push_back(element.first());
      own(parts[1]).push_back(element.second());
      return;
    }
    default:
      break;
  }
  if (are_rows() && add_row(element.elements())) return;
  auto& objects = std::get<std::vector<Value>>(data_);
  objects.push_back(std::move(element));
  if (objects.size() == fewest_rows) make_rows();
}

void Values::append(const Values& others, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  if (std::holds_alternative<Nothing>(data_)) begin_like(others);
  if (!is_like(others) && others.are_rows()) make_rows();
  if (!is_like(others)) {
    for (std::size_t i = begin; i < end; ++i) push_back(others[i]);
    return;
  }
  with_other(others, [&](auto& elements, const auto& more) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>)
      for (int i = 0; i < 2; ++i)
        own(elements.parts[i]).append(more.parts[i].elements(), begin, end);
    else if constexpr (std::is_same_v<Elements, Rows>)
      append_rows(more, begin, end);
    else
      elements.insert(elements.end(), more.begin() + static_cast<std::ptrdiff_t>(begin),
                      more.begin() + static_cast<std::ptrdiff_t>(end));
  });
}

void Values::append(Values&& others) {
  if (std::holds_alternative<Nothing>(data_) && reserved_ <= others.size())
    *this = std::move(others);
  else
    append(others, 0, others.size());
}

Values Values::part(std::size_t begin, std::size_t end) const {
  Values result;
  result.append(*this, begin, end);
  return result;
}

Values Values::gathered(std::span<const int> indices) const {
  Values result;
  if (indices.empty()) return result;
  if (are_rows()) return gathered_rows(indices);
  result.begin_like(*this);
  result.with_other(*this, [&](auto& elements, const auto& from) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>) {
      for (int i = 0; i < 2; ++i) elements.parts[i] = from.parts[i].elements().gathered(indices);
    } else if constexpr (is_array<Elements>) {
      // Of references, so that the length is known before the elements are.
      const auto chosen = indices | std::views::transform([&](int index) -> const auto& {
                            return from[static_cast<std::size_t>(index)];
                          });
      elements.assign(chosen.begin(), chosen.end());
    }
  });
  return result;
}

Values Values::selected(std::span<const Flag> flags) const {
  std::vector<int> indices(flags.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    indices[count] = static_cast<int>(i);
    count += flags[i].value ? 1 : 0;
  }
  return gathered(std::span(indices).first(count));
}

void Values::scatter(std::span<const int> indices, const Values& values) {
  if (indices.empty()) return;
  if (are_rows() || !is_like(values)) return scatter_rows(indices, values);
  with_other(values, [&](auto& elements, const auto& from) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (std::is_same_v<Elements, Columns>)
      for (int i = 0; i < 2; ++i) own(elements.parts[i]).scatter(indices, from.parts[i].elements());
    else if constexpr (is_array<Elements>)
      for (std::size_t i = 0; i < indices.size(); ++i)
        elements[static_cast<std::size_t>(indices[i])] = from[i];
  });
}

Values::Columns Values::no_columns() { return {{Values(), Values()}}; }

Values Values::zipped(Value first, Value second) {
  Values result;
  if (!first.elements().empty()) result.data_ = Columns{{std::move(first), std::move(second)}};
  return result;
}

const Values& Values::column(int i) const {
  static const Values nothing;
  const auto* columns = std::get_if<Columns>(&data_);
  return columns ? columns->parts[i].elements() : nothing;
}

Value Values::column_value(int i) const {
  const auto* columns = std::get_if<Columns>(&data_);
  return columns ? columns->parts[i] : Values();
}

Values& Values::begin_column(int i) {
  if (!std::holds_alternative<Columns>(data_)) data_ = no_columns();
  return own(std::get<Columns>(data_).parts[i]);
}

Values& Values::own(Value& sequence) {
  if (sequence.as_.shared->holders.load(std::memory_order_acquire) > 1) {
    Value copy;
    copy.as_.shared = new Value::Sequence(sequence.elements());
    copy.tag_ = Value::Tag::sequence;
    sequence = std::move(copy);
  }
  return static_cast<Value::Sequence*>(sequence.as_.shared)->elements;
}

Value rounded(double number, Mono floating) {
  return floating->single ? static_cast<double>(static_cast<float>(number)) : number;
}

namespace {

bool equal_elements(const Values& left, const Values& right, Mono element) {
  if (left.size() != right.size()) return false;
  const Mono type = mono::representation(element);
  if (type->kind == MonoType::Kind::pair)
    return equal_elements(left.column(0), right.column(0), type->a) &&
           equal_elements(left.column(1), right.column(1), type->b);
  if (left.are_rows() && right.are_rows())
    return std::ranges::equal(left.offsets(), right.offsets()) &&
           equal_elements(left.contents().elements(), right.contents().elements(), type->a);
  if (type->kind == MonoType::Kind::integer)
    return std::ranges::equal(left.numbers<int>(), right.numbers<int>());
  if (type->kind == MonoType::Kind::character)
    return std::ranges::equal(left.numbers<unsigned char>(), right.numbers<unsigned char>());
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!equal(left[i], right[i], element)) return false;
  return true;
}

}  // namespace

bool equal(const Value& a, const Value& b, Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return a.integer() == b.integer();
    case MonoType::Kind::floating:
      return a.floating() == b.floating();
    case MonoType::Kind::boolean:
      return a.boolean() == b.boolean();
    case MonoType::Kind::character:
      return a.character() == b.character();
    case MonoType::Kind::pair:
      return equal(a.first(), b.first(), type->a) && equal(a.second(), b.second(), type->b);
    case MonoType::Kind::record:
      return equal(a, b, type->a);
    case MonoType::Kind::function:
      return true;
    case MonoType::Kind::sequence:
      break;
  }
  return equal_elements(a.elements(), b.elements(), type->a);
}

Value identity_of(Mono type) {
  switch (type->kind) {
    case MonoType::Kind::integer:
      return 0;
    case MonoType::Kind::floating:
      return 0.0;
    case MonoType::Kind::boolean:
      return false;
    case MonoType::Kind::character:
      return static_cast<unsigned char>(0);
    case MonoType::Kind::sequence:
      return Values{};
    case MonoType::Kind::pair:
      return Value(identity_of(type->a), identity_of(type->b));
    case MonoType::Kind::record:
    case MonoType::Kind::function:
      return type->a ? identity_of(type->a) : Value(0);
  }
  return 0;
}

}  // namespace tutti::nesl
