// Assignable parts of tuples. On the right of an assignment such a part is a tuple. A swizzle names
// components of a variable in some order. A swizzle of a swizzle is a swizzle.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/value.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// A tuple that refers to components of a variable. Assignments to it or to its components call
// Self::operator=, which writes the variable.
template <class Self, class Base>
class ValuePlace : public Base {
 public:
  explicit ValuePlace(const Base& now) : Base(now) {}
  ValuePlace(const ValuePlace&) = default;

  template <std::integral... I>
  auto operator()(I... index) const {
    return std::as_const(static_cast<const Base&>(*this))(index...);
  }
  template <std::integral... I>
  Swizzle<static_cast<int>(sizeof...(I)), Self> operator()(I... index) {
    return {self(), {static_cast<int>(index)...}};
  }

#define TUTTI_ASSIGN_OPERATOR(op)                                   \
  template <class X>                                                \
  Self& operator op## = (const X& other) {                          \
    return self() = Base(static_cast<const Base&>(*this) op other); \
  }
#include "tutti/detail/assign_operators.def"

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace detail

// Components of a variable in some order: v(2, 1, 0).
template <int K, class Target>
class Swizzle : public detail::ValuePlace<Swizzle<K, Target>, Value<K, typename Target::scalar>> {
 public:
  using Base = Value<K, typename Target::scalar>;
  Swizzle(Target& target, const std::array<int, K>& index)
      : detail::ValuePlace<Swizzle, Base>(target.picked(index)), target_(target), index_(index) {}
  Swizzle(const Swizzle&) = default;

  // Computes all components, then assigns them together.
  Swizzle& operator=(const Base& value) {
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < i; ++j)
        if (index_[i] == index_[j])
          throw Error("a write mask names component " + std::to_string(index_[i]) +
                      " twice: it cannot be assigned two values" + detail::in_program());
    using Whole = detail::ValueOf<Target>;
    std::array<int, Whole::size> from;  // K + i: unchanged
    for (int i = 0; i < Whole::size; ++i) from[i] = K + i;
    for (int i = 0; i < K; ++i) from[index_[i]] = i;
    const Value<K + Whole::size, typename Target::scalar> both(value,
                                                               static_cast<const Whole&>(target_));
    target_ = both.picked(from);
    Base::operator=(value);
    return *this;
  }
  Swizzle& operator=(const Swizzle& other) { return *this = static_cast<const Base&>(other); }

 private:
  Target& target_;
  std::array<int, K> index_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
