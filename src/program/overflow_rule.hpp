// Decides when an integer operation overflows, in terms of operations of the table. The same rule
// serves nodes of a graph, statements of a program and single numbers, so kernels and the
// interpreter agree on every element.
//
// A builder B has a type B::Term and the functions
//   Term apply(Op op, ElementType type, std::initializer_list<Term> operands)  of this result type
//   Term cast(Term, ElementType), Term number(ScalarValue)
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "core/elements/convert.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {

template <class B>
class OverflowRule {
 public:
  using Term = typename B::Term;
  OverflowRule(B& builder, ElementType type) : b_(builder), type_(type) {}

  // Returns whether op(x...) = result overflows for operands of the type, or nothing if it never
  // does. Division by 0 counts as overflow. Unsigned integers wrap by design.
  std::optional<Term> of_operation(Op op, std::span<const Term> x, Term result) {
    if (!is_integer(type_)) return std::nullopt;
    if (op == Op::divide || op == Op::remainder) return division(op, x);
    if (!is_signed(type_)) return std::nullopt;
    switch (op) {
      case Op::add:
        return sum(x[0], x[1], result);
      case Op::subtract:
        return is_negative(both(differ(x[0], x[1]), differ(x[0], result)));
      case Op::multiply:
        return product(x[0], x[1], result);
      case Op::fma: {
        const Term partial = b_.apply(Op::multiply, type_, {x[0], x[1]});
        return either(product(x[0], x[1], partial), sum(partial, x[2], result));
      }
      case Op::negate:
      case Op::abs:
        return equals(x[0], least());
      default:
        return std::nullopt;
    }
  }

  // Returns whether `x`, a number of the type, is outside of the range of another integer type.
  // Conversions between integers are checked only if the target is signed.
  std::optional<Term> of_cast(Term x, ElementType to) {
    if (!is_integer(to)) return std::nullopt;
    if (is_floating(type_)) return outside(x, to);
    if (!is_signed(to) || type_ == ElementType::b8) return std::nullopt;
    const bool widens =
        size_of(to) > size_of(type_) || (size_of(to) == size_of(type_) && is_signed(type_));
    if (widens) return std::nullopt;
    if (size_of(to) < size_of(type_))
      return b_.apply(Op::not_equal, ElementType::b8, {b_.cast(b_.cast(x, to), type_), x});
    const Term greatest = b_.cast(number_in(to, [](auto limits) { return limits.max(); }), type_);
    return b_.apply(Op::greater, ElementType::b8, {x, greatest});
  }

 private:
  template <class F>
  Term number_in(ElementType type, F f) {
    return visit_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      return b_.number(scalar_value<T>(f(std::numeric_limits<T>{})));
    });
  }
  Term whole(int value) { return b_.number(convert(scalar_value(value), type_)); }
  Term least() {
    return number_in(type_, [](auto limits) { return limits.min(); });
  }
  Term both(Term a, Term b) { return b_.apply(Op::bit_and, type_, {a, b}); }
  Term differ(Term a, Term b) { return b_.apply(Op::bit_xor, type_, {a, b}); }
  Term equals(Term a, Term b) { return b_.apply(Op::equal, ElementType::b8, {a, b}); }
  Term is_negative(Term a) { return b_.apply(Op::less, ElementType::b8, {a, whole(0)}); }
  Term either(Term a, Term b) { return b_.apply(Op::logical_or, ElementType::b8, {a, b}); }
  Term also(Term a, Term b) { return b_.apply(Op::logical_and, ElementType::b8, {a, b}); }

  Term sum(Term a, Term b, Term result) {
    return is_negative(both(differ(a, result), differ(b, result)));
  }

  Term product(Term a, Term b, Term result) {
    constexpr ElementType wide = ElementType::i64;
    if (type_ != wide) {
      const Term exact = b_.apply(Op::multiply, wide, {b_.cast(a, wide), b_.cast(b, wide)});
      return b_.apply(Op::not_equal, ElementType::b8, {exact, b_.cast(result, wide)});
    }
    const Term back = b_.apply(Op::divide, wide, {result, a});
    const Term lost = also(b_.apply(Op::not_equal, ElementType::b8, {a, whole(0)}),
                           b_.apply(Op::not_equal, ElementType::b8, {back, b}));
    return either(lost, also(equals(a, whole(-1)), equals(b, least())));
  }

  Term division(Op op, std::span<const Term> x) {
    const Term by_zero = equals(x[1], whole(0));
    if (op == Op::remainder || !is_signed(type_)) return by_zero;
    return either(by_zero, also(equals(x[0], least()), equals(x[1], whole(-1))));
  }

  // Returns whether a floating-point number is NaN, or truncated outside of the range of `to`.
  Term outside(Term given, ElementType to) {
    constexpr ElementType real = ElementType::f64;
    const Term x = b_.apply(Op::trunc, real, {type_ == real ? given : b_.cast(given, real)});
    double low = 0, beyond = 0;
    visit_type(to, [&](auto tag) {
      using T = typename decltype(tag)::type;
      low = static_cast<double>(std::numeric_limits<T>::lowest());
      beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
    });
    const Term above =
        b_.apply(Op::greater_equal, ElementType::b8, {x, b_.number(scalar_value(low))});
    const Term below = b_.apply(Op::less, ElementType::b8, {x, b_.number(scalar_value(beyond))});
    return b_.apply(Op::logical_not, ElementType::b8, {also(above, below)});
  }

  B& b_;
  const ElementType type_;
};

}  // namespace tutti::ir
