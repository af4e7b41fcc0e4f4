// Nodes whose result is a scalar of one type.
#pragma once
#include "nesl/eval/host_blocks.hpp"

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

}  // namespace tutti::nesl::host
