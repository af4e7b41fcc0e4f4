// What nodes of primitives share: nodes whose result is a scalar of one type, and the primitive
// itself for operands that a node leaves to it.
#pragma once
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/host/blocks.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {

// A node whose result has the type R, which `compute` of the derived class gives, and
// `compute_block` for many elements.
template <class R, class Derived>
class Typed : public Blockwise<Typed<R, Derived>> {
 public:
  Value value(Frame& frame) const final { return compute(frame); }
  int integer(Frame& frame) const final { return as<int>(frame); }
  double floating(Frame& frame) const final { return as<double>(frame); }
  bool boolean(Frame& frame) const final { return as<bool>(frame); }
  unsigned char character(Frame& frame) const final { return as<unsigned char>(frame); }
  template <class T>
  const T* in_block(Block& block, T* room) const {
    if constexpr (std::is_same_v<T, R>) {
      static_cast<const Derived&>(*this).compute_block(block, room);
      return room;
    } else {
      this->no_blocks();
    }
  }

 private:
  R compute(Frame& frame) const { return static_cast<const Derived&>(*this).compute(frame); }
  template <class T>
  T as(Frame& frame) const {
    if constexpr (std::is_same_v<T, R>)
      return compute(frame);
    else
      throw InternalError("a scalar of another type than the evaluator expects");
  }
};

// Applies the primitive of an expression to values, at its place. After a failure it is not
// applied.
inline Value applied(const CoreExpr& expr, const CoreFunction& function, Machine& machine,
                     std::span<const Value> operands) {
  if (machine.has_failed()) return identity_of(expr.type);
  Mono types[few_operands];
  for (std::size_t i = 0; i < operands.size(); ++i) types[i] = expr.operands[i]->type;
  return at_place(expr, function, machine, [&] {
    return expr.primitive->run({operands, {types, operands.size()}, expr.type, machine});
  });
}

NodeRef length_node(const CoreExpr& expr, Compiler& compiler);
NodeRef element_node(const CoreExpr& expr, Compiler& compiler);

}  // namespace tutti::nesl::host
