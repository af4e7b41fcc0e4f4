// Complex terms: two terms with the operators of complex arithmetic, by the textbook formulas.
#pragma once
#include "api/array/term.hpp"
#include "tutti/complex_functions.hpp"

namespace tutti::detail {

struct ComplexTerm {
  Term real, imag;
};

inline ComplexTerm operator+(const ComplexTerm& a, const ComplexTerm& b) {
  return {a.real + b.real, a.imag + b.imag};
}
inline ComplexTerm operator-(const ComplexTerm& a, const ComplexTerm& b) {
  return {a.real - b.real, a.imag - b.imag};
}
inline ComplexTerm operator*(const ComplexTerm& a, const ComplexTerm& b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
inline Term negated(const Term& a) { return apply_op(Op::negate, a); }
inline ComplexTerm conjugated(const ComplexTerm& a) { return {a.real, negated(a.imag)}; }
inline ComplexTerm exchanged(const ComplexTerm& a) { return {a.imag, a.real}; }
inline ComplexTerm scaled(const ComplexTerm& a, double by) { return {a.real * by, a.imag * by}; }
inline ComplexTerm scaled(const ComplexTerm& a, const Term& by) {
  return {a.real * by, a.imag * by};
}
inline ComplexTerm choose(const Term& flags, const ComplexTerm& yes, const ComplexTerm& no) {
  return {choose(flags, yes.real, no.real), choose(flags, yes.imag, no.imag)};
}

inline ComplexTerm terms(const ComplexNodes& nodes, const Location& where) {
  return {{nodes.real, where}, {nodes.imag, where}};
}
inline ComplexNodes nodes(const ComplexTerm& a) { return {a.real.node, a.imag.node}; }

template <class F>
ComplexTerm for_both(const ComplexTerm& a, F f) {
  return {f(a.real), f(a.imag)};
}

}  // namespace tutti::detail
