// Values on the host: what the plain evaluator computes with, what is printed and what files hold.
// Immutable and shared, so that copies are cheap.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "nesl/mono_type.hpp"

namespace tutti::nesl {

class Value;
using Values = std::vector<Value>;

class Value {
 public:
  Value() = default;
  Value(int value) : data_(value) {}            // NOLINT: values of the language
  Value(double value) : data_(value) {}         // NOLINT
  Value(bool value) : data_(value) {}           // NOLINT
  Value(unsigned char value) : data_(value) {}  // NOLINT
  Value(Values elements);                       // NOLINT
  Value(Value first, Value second);
  static Value text(const std::string& characters);

  int integer() const { return std::get<int>(data_); }
  double floating() const { return std::get<double>(data_); }
  bool boolean() const { return std::get<bool>(data_); }
  unsigned char character() const { return std::get<unsigned char>(data_); }
  const Values& elements() const { return *std::get<Elements>(data_); }
  const Value& first() const;
  const Value& second() const;
  std::string text() const;  // of a sequence of characters

 private:
  using Elements = std::shared_ptr<const Values>;
  using Pair = std::shared_ptr<const std::pair<Value, Value>>;
  std::variant<int, double, bool, unsigned char, Elements, Pair> data_;
};

// A number as a float of this type: rounded where it has 32 bits.
Value rounded(double number, Mono floating);
// Values are compared structurally; functions of one type are all equal.
bool equal(const Value& a, const Value& b, Mono type);
// 0, 0.0, f, the null character, the empty sequence; component by component.
Value identity_of(Mono type);

}  // namespace tutti::nesl
