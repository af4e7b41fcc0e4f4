// Random expressions over vectors: a seed in, a tree of operations out, as the templates of Vec
// would write it down. It lists its operands and builds its nodes in one order, and can be built
// as nodes over arrays as well, for comparison.
#pragma once
#include <tutti/tutti.hpp>

#include <vector>

#include "support/random_values.hpp"

namespace tutti::test {

// A tree: every operand is written out where it is used.
struct Term {
  enum class Kind { vector, number, host_number, operation, conversion, shift } kind;
  ElementType type;
  bool is_vector = false;
  Op op{};             // operation
  ElementType in{};    // operation: what its operands are converted to
  size_t operand = 0;  // vector, number: which of them
  std::vector<Term> inputs;
};

class RandomExpression {
 public:
  // Vectors and numbers of these types can be read.
  RandomExpression(Random& random, std::vector<ElementType> vectors,
                   std::vector<ElementType> numbers)
      : random_(random), vectors_(std::move(vectors)), numbers_(std::move(numbers)) {}

  Term vector_term(ElementType type, int depth) {
    Term result = term(type, depth);
    while (!result.is_vector) result = term(type, depth);
    return result;
  }

 private:
  Term term(ElementType type, int depth) {
    const int kind = depth > 0 ? random_.pick(10) : random_.pick(4);
    if (kind == 0) return {Term::Kind::host_number, type, false, {}, {}, 0, {}};
    if (kind == 1) return stored(Term::Kind::number, type, numbers_);
    if (kind < 4) return stored(Term::Kind::vector, type, vectors_);
    if (kind == 4) return converted(expression_term(random_.one_of(vectors_), depth - 1), type);
    if (kind == 5) {
      Term result{Term::Kind::shift, type, true, {}, {}, 0, {}};
      result.inputs.push_back(vector_term(type, depth - 1));
      return result;
    }
    return operation(type, depth - 1);
  }

  // Anything but a number of the host, which is an operand of an operation and nothing else.
  Term expression_term(ElementType type, int depth) {
    Term result = term(type, depth);
    while (result.kind == Term::Kind::host_number) result = term(type, depth);
    return result;
  }

  static Term converted(Term from, ElementType type) {
    if (from.type == type) return from;
    Term result{Term::Kind::conversion, type, from.is_vector, {}, {}, 0, {}};
    result.inputs.push_back(std::move(from));
    return result;
  }

  Term stored(Term::Kind kind, ElementType type, const std::vector<ElementType>& types) {
    const size_t i = static_cast<size_t>(random_.pick(types.size()));
    return converted({kind, types[i], kind == Term::Kind::vector, {}, {}, i, {}}, type);
  }

  Term operation(ElementType type, int depth) {
    for (;;) {
      const Operation& operation = random_.one_of(all_operations);
      const ElementType in = random_.chance(50) ? type : random_.one_of(vectors_);
      if (!takes(operation, in) || gives(operation, in) != type) continue;
      Term result{Term::Kind::operation, type, false, operation.op, in, 0, {}};
      const int expression = random_.pick(static_cast<size_t>(operation.arity));
      for (int i = 0; i < operation.arity; ++i) {
        const bool is_condition = operation.rule == detail::Rule::choose && i == 0;
        const ElementType to = is_condition ? ElementType::b8 : in;
        // Expressions of other types are converted by the operation, numbers of the host before it.
        const ElementType wanted = random_.chance(80) ? to : random_.type();
        Term input = i == expression ? expression_term(wanted, depth) : term(wanted, depth);
        if (input.kind == Term::Kind::host_number) input.type = to;
        result.is_vector |= input.is_vector;
        result.inputs.push_back(std::move(input));
      }
      return result;
    }
  }

  Random& random_;
  std::vector<ElementType> vectors_, numbers_;
};

// What an operand of an operation is converted to.
inline ElementType operand_type(const Term& term, size_t i) {
  return term.op == Op::choose && i == 0 ? ElementType::b8 : term.in;
}

// A string for failures: add(v0, shift(n1)) and the like.
inline std::string text_of(const Term& term) {
  std::string inside;
  for (const Term& input : term.inputs) inside += (inside.empty() ? "" : ", ") + text_of(input);
  switch (term.kind) {
    case Term::Kind::vector:
      return "v" + std::to_string(term.operand);
    case Term::Kind::number:
      return "n" + std::to_string(term.operand);
    case Term::Kind::host_number:
      return std::string("number<") + name(term.type) + ">";
    case Term::Kind::conversion:
      return std::string("cast<") + name(term.type) + ">(" + inside + ")";
    case Term::Kind::shift:
      return "shift(" + inside + ")";
    default: {
      static constexpr const char* names[] = {
#define TUTTI_OP(id, arity, rule, cost, doc) #id,
#include "tutti/detail/ops.def"
#undef TUTTI_OP
      };
      return std::string(names[static_cast<int>(term.op)]) + "<" + name(term.in) + ">(" + inside +
             ")";
    }
  }
}

}  // namespace tutti::test
