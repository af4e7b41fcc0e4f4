// The vector primitives on the CPU. The division of the work never changes a result.
#pragma once
#include "runtime/device.hpp"

namespace tutti::runtime {

// The arguments of a primitive, typed.
class PrimitiveArguments {
 public:
  PrimitiveArguments(const compiler::PrimitiveStep& step, const PrimitiveCall& call)
      : step(step), call_(call) {}

  template <class T>
  const T* input(size_t i) const {
    return reinterpret_cast<const T*>(call_.inputs[i]);
  }
  template <class T>
  T* output() const {
    return reinterpret_cast<T*>(call_.output);
  }
  template <class T>
  T* second_output() const {
    return reinterpret_cast<T*>(call_.second_output);
  }
  int64_t output_address() const { return call_.output; }
  const Words& words() const { return call_.words; }
  const Words& value_words() const { return call_.value_words; }
  const Words& consumer_words() const { return call_.consumer_words; }
  const ir::AffineMap& section() const { return *call_.section; }
  [[noreturn]] void refuse(const ir::Offsets& offsets, int64_t wrong, int64_t elements) const;
  int64_t elements(size_t i) const { return step.inputs[i].shape.size(); }
  // Returns input i as unchecked offsets of segments.
  ir::Offsets offsets(size_t i) const { return {input<void>(i), step.inputs[i].type, elements(i)}; }
  ir::Offsets checked_offsets(size_t i, int64_t elements) const;
  // For primitives that check offsets while they run.
  bool offsets_are_known(size_t i, int64_t elements) const {
    return call_.buffers[i]->are_offsets_of(elements);
  }
  void note_offsets(size_t i, int64_t elements) const {
    call_.buffers[i]->note_offsets_of(elements);
  }

  void note_result_is_offsets_of(int64_t elements) const {
    call_.target->note_offsets_of(elements);
  }
  void note_found(int64_t elements) const { call_.target->note_found(elements); }

  const compiler::PrimitiveStep& step;

 private:
  const PrimitiveCall& call_;
};

#define TUTTI_PRIMITIVE(id, name, payload, keeps_type, reduces, computed, offsets) \
  void id(const PrimitiveArguments& arguments);
#include "tutti/detail/kinds.def"

void run_primitive(const compiler::PrimitiveStep& step, const PrimitiveCall& call);

}  // namespace tutti::runtime
