// A value of the global environment, with its type. Values come from either evaluator and are
// converted for the other when it first asks; large ones stay where they were computed.
#pragma once
#include <memory>
#include <optional>

#include "nesl/values/value.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl {

class StoredValue {
 public:
  StoredValue(Mono type, Value value) : type_(type), plain_(std::move(value)) {}
  StoredValue(Mono type, nested::Value value);

  Mono type() const { return type_; }
  const Value& plain() const;
  const nested::Value& flat() const;
  bool is_plain() const;

  // What a printer needs: the value with its outermost sequences cut after `length` elements.
  Value head(int length) const;
  // The part of a tuple or the fields of a record.
  StoredValue part(int i) const;
  StoredValue fields() const;

 private:
  StoredValue() = default;
  Mono type_ = nullptr;
  mutable std::optional<Value> plain_;
  mutable std::optional<nested::Value> flat_;
};

}  // namespace tutti::nesl
