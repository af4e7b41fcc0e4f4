// Complex terms: two terms with the operators of complex arithmetic, by the textbook formulas. The
// functions at the end have the same name for real terms: algorithms over both are templates.
#pragma once
#include <vector>

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

// Applies a function of terms to all parts of an element.
template <class F>
Term for_parts(const Term& a, F f) {
  return f(a);
}
template <class F>
ComplexTerm for_parts(const ComplexTerm& a, F f) {
  return for_both(a, f);
}
inline Term real_part(const Term& a) { return a; }
inline Term real_part(const ComplexTerm& a) { return a.real; }
inline Term conjugated(const Term& a) { return a; }
inline Term quotient(const Term& a, const Term& b) { return a / b; }
// Divides by Smith's method: the greater part of the divisor is divided out first.
ComplexTerm quotient(const ComplexTerm& a, const ComplexTerm& b);
inline Term scaled(const Term& a, const Term& by) { return a * by; }
inline Term square_of_abs(const Term& a) { return a * a; }
inline Term square_of_abs(const ComplexTerm& a) { return a.real * a.real + a.imag * a.imag; }
// Converts a real number to the kind of the second argument.
inline Term lifted(const Term& real, const Term&) { return real; }
inline ComplexTerm lifted(const Term& real, const ComplexTerm&) {
  return {real, number_like(real, 0)};
}
// Does the same, with equally many elements in both parts.
inline Term lifted_to_shape(const Term& real, const Term&) { return real; }
inline ComplexTerm lifted_to_shape(const Term& real, const ComplexTerm&) {
  return {real, {constant(ScalarValue{real.type(), 0}, real.shape(), real.where), real.where}};
}
inline void append_nodes(std::vector<NodeRef>& list, const Term& a) { list.push_back(a.node); }
inline void append_nodes(std::vector<NodeRef>& list, const ComplexTerm& a) {
  list.push_back(a.real.node);
  list.push_back(a.imag.node);
}

}  // namespace tutti::detail
