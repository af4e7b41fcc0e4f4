#include "nesl/values/value.hpp"

#include "tutti/detail/nested.hpp"

namespace tutti::nesl {

Value::Value(Values elements) : tag_(Tag::sequence) {
  as_.shared = new Sequence(std::move(elements));
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
  push_back(element);
  const auto repeat = [&](auto& elements) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(elements)>, Nothing>) {
      const auto first = elements[0];
      elements.resize(count, first);
    }
  };
  std::visit(repeat, data_);
}

Value Values::operator[](std::size_t i) const {
  if (const auto* numbers = std::get_if<std::vector<int>>(&data_)) return (*numbers)[i];
  if (const auto* numbers = std::get_if<std::vector<double>>(&data_)) return (*numbers)[i];
  if (const auto* flags = std::get_if<std::vector<Flag>>(&data_)) return (*flags)[i].value;
  if (const auto* text = std::get_if<std::vector<unsigned char>>(&data_)) return (*text)[i];
  return std::get<std::vector<Value>>(data_)[i];
}

void Values::reserve(std::size_t count) {
  reserved_ = count;
  const auto its = [&](auto& elements) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(elements)>, Nothing>)
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
    default:
      data_ = std::vector<Value>();
  }
  if (reserved_) reserve(reserved_);
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
    default:
      return std::get<std::vector<Value>>(data_).push_back(std::move(element));
  }
}

void Values::set(std::size_t i, Value element) {
  switch (element.tag_) {
    case Value::Tag::integer:
      std::get<std::vector<int>>(data_)[i] = element.integer();
      break;
    case Value::Tag::floating:
      std::get<std::vector<double>>(data_)[i] = element.floating();
      break;
    case Value::Tag::boolean:
      std::get<std::vector<Flag>>(data_)[i] = {element.boolean()};
      break;
    case Value::Tag::character:
      std::get<std::vector<unsigned char>>(data_)[i] = element.character();
      break;
    default:
      std::get<std::vector<Value>>(data_)[i] = std::move(element);
  }
}

void Values::append(const Values& others, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  if (std::holds_alternative<Nothing>(data_)) begin_with(others[begin]);
  const auto add = [&](auto& elements) {
    using Elements = std::decay_t<decltype(elements)>;
    if constexpr (!std::is_same_v<Elements, Nothing>) {
      const auto& more = std::get<Elements>(others.data_);
      elements.insert(elements.end(), more.begin() + static_cast<std::ptrdiff_t>(begin),
                      more.begin() + static_cast<std::ptrdiff_t>(end));
    }
  };
  std::visit(add, data_);
}

Values Values::part(std::size_t begin, std::size_t end) const {
  Values result;
  result.append(*this, begin, end);
  return result;
}

Value rounded(double number, Mono floating) {
  return floating->single ? static_cast<double>(static_cast<float>(number)) : number;
}

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
  const Values &left = a.elements(), &right = b.elements();
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!equal(left[i], right[i], type->a)) return false;
  return true;
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
