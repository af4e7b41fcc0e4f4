// Stockham's algorithm: every step combines `radix` parts of each line and stores its results in
// the order in which the next step reads them.
#include "api/array/fft_steps.hpp"

namespace tutti::detail {
namespace {

Term permuted(const Term& a, std::initializer_list<int64_t> axes) {
  return {transpose(a.node, std::vector<int64_t>(axes), a.where), a.where};
}

// Returns the number of each output of a step, for all of its elements.
Term output_numbers(const FftStep& step, const Location& where) {
  return index_term(
      step.by_transform ? extents_of({step.radix, 1, 1}) : extents_of({step.radix, 1}), 0, where);
}

ComplexTerm signed_sum(const ComplexTerm& a, const ComplexTerm& b, const Term& sign) {
  return {a.real + b.real * sign, a.imag + b.imag * sign};
}

// Each root of unity is 1, -i, -1 or i. So a product with it exchanges parts or changes signs.
ComplexTerm combined_by_four(const FftStep& step, const std::vector<ComplexTerm>& parts,
                             const Location& where) {
  const ComplexTerm root = terms(step.roots[0], where);
  const Term sign = terms(step.roots[1], where).real;
  const ComplexTerm a = signed_sum(parts[0], parts[2], sign),
                    b = signed_sum(parts[1], parts[3], sign);
  const Term exchanges = root.real == 0;
  return {a.real + choose(exchanges, b.imag, b.real) * (root.real - root.imag),
          a.imag + choose(exchanges, b.real, b.imag) * (root.real + root.imag)};
}

ComplexTerm combined_by_odd(const FftStep& step, const std::vector<ComplexTerm>& parts,
                            const Location& where) {
  ComplexTerm m = parts[0], v;
  for (int64_t j = 1; j <= step.radix / 2; ++j) {
    const ComplexTerm root = terms(step.roots[static_cast<size_t>(j - 1)], where);
    const ComplexTerm &a = parts[static_cast<size_t>(j)],
                      &b = parts[static_cast<size_t>(step.radix - j)];
    m = m + scaled(a + b, root.real);
    const ComplexTerm term = scaled(a - b, negated(root.imag));
    v = j == 1 ? term : v + term;
  }
  const Term number = output_numbers(step, where);
  const ComplexTerm minus_i{m.real + v.imag, m.imag - v.real},
      plus_i{m.real - v.imag, m.imag + v.real};
  const int64_t half = step.radix / 2;
  return choose(number == 0, m, choose(number <= static_cast<double>(half), minus_i, plus_i));
}

ComplexTerm combined(const FftStep& step, const std::vector<ComplexTerm>& parts,
                     const Location& where) {
  if (step.radix == 2) return signed_sum(parts[0], parts[1], terms(step.roots[0], where).real);
  return step.radix == 4 ? combined_by_four(step, parts, where)
                         : combined_by_odd(step, parts, where);
}

}  // namespace

ComplexTerm by_steps(ComplexTerm a, const FftTables& tables, const Location& where) {
  const int64_t batch = a.real.shape()[0], n = tables.length;
  bool by_transform = true;  // the layout of `a`; a whole line is one transform
  for (const FftStep& step : tables.steps) {
    std::vector<ComplexTerm> parts;
    for (int64_t i = 0; i < step.radix; ++i)
      parts.push_back(for_both(a, [&](const Term& part_of) {
        // Each part is {batch, done, rest} or {batch, rest, done}, with an axis for the outputs.
        if (step.done == 1) {
          const Term line = part(part_of, 1, i * step.rest, step.rest);
          return step.by_transform ? with_axis(with_axis(line, 1), 1)
                                   : with_axis(with_axis(line, 2), 3);
        }
        Term piece = part_of;
        if (by_transform) {
          piece = reshape(piece, extents_of({batch, step.done, step.radix, step.rest}));
          piece = {drop_dimension(part(piece, 2, i, 1).node, 2, where), where};
          if (step.by_transform) return with_axis(piece, 1);
          return with_axis(permuted(piece, {0, 2, 1}), 2);
        }
        piece = reshape(piece, extents_of({batch, step.radix, step.rest, step.done}));
        piece = {drop_dimension(part(piece, 1, i, 1).node, 1, where), where};
        return with_axis(piece, 2);
      }));
    a = combined(step, parts, where);
    if (step.rest > 1)
      a = choose(output_numbers(step, where) == 0, a, a * terms(step.twiddles, where));
    by_transform = step.by_transform;
    a = for_both(a, [&](const Term& all) { return reshape(all, extents_of({batch, n})); });
  }
  return a;
}

ComplexNodes fft_by_steps(const ComplexNodes& a, const Location& where) {
  return nodes(by_steps(terms(a, where), *fft_tables(a.real->shape[1], a.real->type), where));
}

}  // namespace tutti::detail
